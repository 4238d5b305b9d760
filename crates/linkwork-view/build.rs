//! Builds the page (`viewer/`) with npm and leaves it in OUT_DIR/page.html, from where it is embedded.
//! Where that is not possible the page is empty and `page()` says what to install.

#[path = "build/bundle.rs"]
mod bundle;

use std::path::PathBuf;

fn main() -> std::io::Result<()> {
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("set by cargo"));
    let viewer = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").expect("set by cargo"))
        .join("../../viewer");
    for source in ["src", "package.json", "package-lock.json", "build.mjs"] {
        println!("cargo:rerun-if-changed={}", viewer.join(source).display());
    }
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=build");
    println!("cargo:rerun-if-env-changed=LINKWORK_NODE");

    let page = out.join("page.html");
    let node = std::env::var_os("LINKWORK_NODE").map(PathBuf::from);
    if let Err(reason) = bundle::bundle(&viewer, &page, node.as_deref()) {
        println!("cargo:warning=the viewer's page was not built: {reason}; --view will not work");
        // A file that is never there makes cargo run this again at the next build.
        println!("cargo:rerun-if-changed={}", out.join("never").display());
        std::fs::write(&page, "")?;
    }
    Ok(())
}
