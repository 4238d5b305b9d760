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
        // SAFETY: the handler only sets a flag and returns, which is allowed in a signal handler.
        unsafe { libc::signal(signal, note as libc::sighandler_t) };
    }
}

/// Whether an interrupt was requested.
pub fn asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}

extern "C" fn note(_: libc::c_int) {
    if ASKED.swap(true, Ordering::Relaxed) {
        // SAFETY: leaves without running anything of the program.
        unsafe { libc::_exit(i32::from(EXIT_CODE)) };
    }
}
