//! Writing files: whole or not at all, and never over another without leave.

use crate::failure::Failure;
use std::path::{Path, PathBuf};
use surefoot_io::files::write_atomically;

/// Whether files may be replaced.
#[derive(clap::Args)]
pub(crate) struct OutputArgs {
    /// Replace files that exist
    #[arg(long)]
    pub(crate) force: bool,
}

impl OutputArgs {
    /// Refuses before the work starts if a file is in the way, or is one that is read.
    pub(crate) fn check(&self, inputs: &[&PathBuf], paths: &[PathBuf]) -> Result<(), Failure> {
        if let Some(path) = paths.iter().enumerate().find(|(i, path)| paths[..*i].contains(path)).map(|(_, path)| path)
        {
            return Err(Failure::unusable(format!(
                "{} would be written twice: give each its own name",
                path.display()
            )));
        }
        let typed = typed_files();
        // What is named once is where it is written; what is named again is read, too.
        let read = |path: &PathBuf| {
            inputs.iter().any(|input| same(input, path)) || typed.iter().filter(|file| same(file, path)).count() > 1
        };
        if let Some(path) = paths.iter().find(|path| read(path)) {
            return Err(Failure::refused(format!("{} is also an input: give the result another name", path.display())));
        }
        // A link counts as there even if it leads nowhere.
        match paths.iter().find(|path| path.symlink_metadata().is_ok()) {
            Some(path) if path.is_dir() => Err(Failure::refused(format!("{} is a folder", path.display()))),
            Some(path) if !self.force => {
                Err(Failure::refused(format!("{} exists; --force replaces it", path.display())))
            }
            _ => Ok(()),
        }
    }
}

/// Whether two names are of the same file, which is there.
fn same(a: &Path, b: &Path) -> bool {
    a.canonicalize().is_ok_and(|a| b.canonicalize().is_ok_and(|b| a == b))
}

/// Whatever on the command line is the name of a file that is there, by itself or as the value of an option.
fn typed_files() -> Vec<PathBuf> {
    let value = |word: std::ffi::OsString| match word.to_str().and_then(|word| word.strip_prefix('-')?.split_once('='))
    {
        Some((_, value)) => PathBuf::from(value),
        None => PathBuf::from(word),
    };
    std::env::args_os().skip(1).map(value).filter(|path| path.is_file()).collect()
}

/// Writes a file, making its folder if need be.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder).map_err(|error| Failure::unwritable(folder, &error))?;
    }
    write_atomically(path, bytes).map_err(|error| Failure::unwritable(path, &error))
}

/// The ending of a file name in lower case, without the dot.
pub(crate) fn ending(path: &Path) -> String {
    path.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default()
}

/// Bytes in a form people read.
pub(crate) fn size(bytes: usize) -> String {
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..1_000_000 => format!("{} KB", bytes.div_ceil(1_000)),
        _ => format!("{:.1} MB", bytes as f64 / 1e6),
    }
}
