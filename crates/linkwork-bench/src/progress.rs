//! Progress of a long task.

/// Told of the progress of a task.
pub trait Progress: Sync {
    /// A stage of `jobs` jobs starts, of which `done` were finished in an earlier session.
    fn stage(&self, name: &str, jobs: usize, done: usize);
    /// A job begins.
    fn job(&self, name: &str);
    /// A job is done.
    fn done(&self);
    /// A message that the user should read even if no bar is drawn.
    fn note(&self, text: &str);
}

/// Tells nobody.
pub struct Quiet;

impl Progress for Quiet {
    fn stage(&self, _: &str, _: usize, _: usize) {}
    fn job(&self, _: &str) {}
    fn done(&self) {}
    fn note(&self, _: &str) {}
}
