//! Ctrl-C: the first ends a run cleanly, the second ends the program at once.

#![allow(unsafe_code)]

use std::sync::atomic::{AtomicBool, Ordering};

static ASKED: AtomicBool = AtomicBool::new(false);

/// Exit code of a program that Ctrl-C ended: 128 and the number of the signal.
pub const EXIT_CODE: u8 = 130;

/// From now on, take SIGINT and SIGTERM as a wish to end.
pub fn listen() {
    let note: extern "C" fn(libc::c_int) = note;
    for signal in [libc::SIGINT, libc::SIGTERM] {
        // SAFETY: the handler does nothing but set a flag and leave, both of which signals may do.
        unsafe { libc::signal(signal, note as libc::sighandler_t) };
    }
}

/// Whether the end was asked for.
pub fn asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}

extern "C" fn note(_: libc::c_int) {
    if ASKED.swap(true, Ordering::Relaxed) {
        // SAFETY: leaves without running anything of the program.
        unsafe { libc::_exit(i32::from(EXIT_CODE)) };
    }
}
