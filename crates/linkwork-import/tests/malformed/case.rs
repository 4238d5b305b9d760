//! A bad file and the required error.

use crate::CANARY;
use linkwork_import::Fault;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// What lies at a path of the asset root.
#[derive(Clone)]
pub enum Entry {
    Bytes(Vec<u8>),
    Folder,
    /// A file that only claims to be this long.
    Sparse(u64),
    /// A symbolic link.
    Link(&'static str),
}

#[derive(Clone)]
pub struct Case {
    pub name: String,
    /// What is laid into the asset root.
    pub files: Vec<(String, Entry)>,
    /// The file that is loaded.
    pub load: String,
    pub fault: Fault,
    /// Parts of the message.
    pub says: Vec<&'static str>,
    /// The line it must name; any if not given.
    pub line: Option<u32>,
    /// The file it must name, if not the one loaded.
    pub names: Option<&'static str>,
}

impl Case {
    /// One file with these bytes.
    pub fn new(name: &str, file: &str, bytes: impl AsRef<[u8]>, fault: Fault) -> Self {
        Self {
            name: format!("{file}, {name}"),
            files: vec![(file.to_owned(), Entry::Bytes(bytes.as_ref().to_vec()))],
            load: file.to_owned(),
            fault,
            says: Vec::new(),
            line: None,
            names: None,
        }
    }

    pub fn says(mut self, parts: &[&'static str]) -> Self {
        self.says.extend(parts);
        self
    }

    pub fn at_line(mut self, line: u32) -> Self {
        self.line = Some(line);
        self
    }

    pub fn with(mut self, file: &str, bytes: impl AsRef<[u8]>) -> Self {
        let entry = Entry::Bytes(bytes.as_ref().to_vec());
        self.files.push((file.to_owned(), entry));
        self
    }

    pub fn with_entry(mut self, file: &str, entry: Entry) -> Self {
        self.files.retain(|(name, _)| name != file);
        self.files.push((file.to_owned(), entry));
        self
    }

    /// The error is in another file than the one loaded.
    pub fn names(mut self, file: &'static str) -> Self {
        self.names = Some(file);
        self
    }
}

/// A folder `root` with a case's files, and a folder `outside` beside it that must not be read.
pub struct Scratch(PathBuf);

/// Files outside, each such that reading it by its extension would reveal the canary.
const OUTSIDE: [(&str, &str); 6] = [
    ("c.xml", "<mujoco><CANARY/></mujoco>"),
    ("c.sdf", "<sdf version='1.9'><CANARY/></sdf>"),
    ("c.stl", "solid CANARY\nCANARY\n"),
    ("c.obj", "v CANARY 0 0\n"),
    ("c.dae", "<CANARY/>"),
    ("c.bin", "CANARY"),
];

impl Scratch {
    pub fn with(case: &Case) -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("linkwork-malformed-{}-{number}", std::process::id());
        let scratch = Self(std::env::temp_dir().join(name));
        for (file, text) in OUTSIDE {
            let text = text.replace("CANARY", CANARY);
            scratch.put(&format!("outside/{file}"), &Entry::Bytes(text.into()));
        }
        scratch.put("root", &Entry::Folder);
        for (file, entry) in &case.files {
            scratch.put(&format!("root/{file}"), entry);
        }
        scratch
    }

    /// A path in the asset root.
    pub fn file(&self, name: &str) -> PathBuf {
        self.0.join("root").join(name)
    }

    fn put(&self, name: &str, entry: &Entry) {
        let path = self.0.join(name);
        std::fs::create_dir_all(path.parent().unwrap_or(Path::new(""))).expect("folders");
        match entry {
            Entry::Bytes(bytes) => {
                // Files that name an absolute path have the scratch folder's in place of this word.
                let here = self.0.display().to_string();
                let bytes = match std::str::from_utf8(bytes) {
                    Ok(text) if bytes.len() < 10_000 => text.replace("SCRATCH", &here).into(),
                    _ => bytes.clone(),
                };
                std::fs::write(path, bytes).expect("a file");
            }
            Entry::Folder => std::fs::create_dir_all(path).expect("a folder"),
            Entry::Sparse(length) => {
                let file = std::fs::File::create(path).expect("a file");
                file.set_len(*length).expect("a length");
            }
            Entry::Link(target) => {
                #[cfg(unix)]
                std::os::unix::fs::symlink(target, path).expect("a link");
            }
        }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
