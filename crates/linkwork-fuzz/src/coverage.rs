//! Counters of `rustc -C instrument-coverage`: which pieces of the workspace's code ran, and whether any ran that had
//! not run before. `scripts/fuzz --coverage` builds with them; other builds have none, and inputs are only mutated.

use std::io::Result;
use std::path::{Path, PathBuf};

/// What ran so far.
pub struct Coverage {
    counters: &'static mut [u64],
    /// How often each counter was reached at most, as the number of binary digits (AFL's buckets).
    seen: Vec<u8>,
    /// Where `seen` is kept for the next worker.
    file: PathBuf,
}

impl Coverage {
    /// Coverage of this program, where it is built with it.
    pub fn of_this_program(folder: &Path) -> Result<Option<Self>> {
        let Some(counters) = counters() else {
            return Ok(None);
        };
        let file = folder.join("seen");
        let mut seen = std::fs::read(&file).unwrap_or_default();
        seen.resize(counters.len(), 0);
        Ok(Some(Self {
            counters,
            seen,
            file,
        }))
    }

    /// Begin to count.
    pub fn clear(&mut self) {
        self.counters.fill(0);
    }

    /// Whether something ran since [`Coverage::clear`] that had not, or had not as often.
    pub fn is_new(&mut self) -> Result<bool> {
        let mut new = false;
        for (count, seen) in self.counters.iter().zip(&mut self.seen) {
            let digits = (u64::BITS - count.leading_zeros()) as u8;
            if digits > *seen {
                *seen = digits;
                new = true;
            }
        }
        if new {
            std::fs::write(&self.file, &self.seen)?;
        }
        Ok(new)
    }
}

#[cfg(linkwork_coverage)]
#[allow(unsafe_code)]
fn counters() -> Option<&'static mut [u64]> {
    use std::ptr::addr_of_mut;
    // The linker's names for both ends of the section that LLVM puts the counters in.
    unsafe extern "C" {
        static mut __start___llvm_prf_cnts: u64;
        static mut __stop___llvm_prf_cnts: u64;
    }
    // SAFETY: the section is an array of u64. Counters are added to by the code under test on this thread between calls
    // of this module; a count of another thread that gets lost does no harm.
    unsafe {
        let start = addr_of_mut!(__start___llvm_prf_cnts);
        let len = addr_of_mut!(__stop___llvm_prf_cnts).offset_from(start);
        Some(std::slice::from_raw_parts_mut(start, len as usize))
    }
}

#[cfg(not(linkwork_coverage))]
fn counters() -> Option<&'static mut [u64]> {
    None
}
