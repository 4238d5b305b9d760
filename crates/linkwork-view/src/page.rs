//! The page, as the build script left it.

static PAGE: &str = include_str!(concat!(env!("OUT_DIR"), "/page.html"));

/// There is no page in this build.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "this linkwork was built without its viewer page, because Node.js or npm was missing or could not \
     fetch packages; install Node 18 or later with npm (Debian: apt install nodejs npm), or name the \
     program in LINKWORK_NODE, then build again with the network on: cargo build --release"
)]
pub struct PageMissing;

/// The page: one self-contained HTML file.
pub fn page() -> Result<&'static str, PageMissing> {
    if PAGE.is_empty() {
        return Err(PageMissing);
    }
    Ok(PAGE)
}
