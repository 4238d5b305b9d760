//! Timed work, on a thread of its own that stays on one core.

use crate::error::BenchError;

/// Runs `work` on a thread bound to the last core the program may use, if the system allows it, so that the scheduler
/// does not move it during a measurement. The thread ends with the work, so that nothing else inherits the binding.
/// Callers run one at a time without other work.
pub(crate) fn pinned<T: Send>(
    work: impl FnOnce() -> Result<T, BenchError> + Send,
) -> Result<T, BenchError> {
    std::thread::scope(|scope| {
        let thread = scope.spawn(|| {
            let cores = core_affinity::get_core_ids().unwrap_or_default();
            if let Some(core) = cores.last() {
                core_affinity::set_for_current(*core);
            }
            work()
        });
        match thread.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}
