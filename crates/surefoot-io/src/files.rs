//! Writing files whole or not at all.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Writes a file so that a reader sees either the old content or the new, never half of it: an interrupted or
/// failed write leaves what was there.
///
/// What is not yet whole is in `.NAME.part` beside the file. One that a killed process has left behind is written over;
/// [`remove_unfinished`] is for processes that are asked to end.
///
/// # Errors
/// If the folder cannot be written to.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let name = path.file_name().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "no file name"))?;
    // Through a link the file behind it is replaced, not the link.
    let path = &std::fs::canonicalize(path).unwrap_or_else(|_| folder.join(name));
    let (mut file, mut part) = Part::begin(path.parent().unwrap_or(folder), path.file_name().unwrap_or(name))?;
    file.write_all(bytes)?;
    file.sync_all()?;
    std::fs::rename(&part.path, path)?;
    part.is_whole = true;
    Ok(())
}

/// Removes what is being written at this moment, and lets no other write begin: for a process that is about to end because
/// it was asked to. Writes of other threads wait for ever.
pub fn remove_unfinished() {
    let unfinished = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
    for path in unfinished.iter() {
        let _ = std::fs::remove_file(path);
    }
    std::mem::forget(unfinished);
}

/// The temporary files that are being written now.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());
/// A temporary file that nobody has written to for so long was left behind.
const LEFT_BEHIND: Duration = Duration::from_secs(60);
/// File systems take names of up to 255 bytes; longer ones of users leave no room for an ending.
const LONG_NAME: usize = 240;

/// A temporary file; gone when dropped, unless it was given its name.
struct Part {
    path: PathBuf,
    is_whole: bool,
}

impl Part {
    fn begin(folder: &Path, name: &OsStr) -> io::Result<(File, Self)> {
        let mut unfinished = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
        let process = std::process::id();
        let mut path = folder.join(format!(".surefoot-{process}.part"));
        if name.len() <= LONG_NAME {
            let own = |ending: &str| {
                let mut part = OsStr::new(".").to_owned();
                part.push(name);
                part.push(ending);
                folder.join(part)
            };
            path = own(".part");
            // Somebody else may be writing the same file now.
            if unfinished.contains(&path) || is_being_written(&path) {
                path = own(&format!(".{process}-{}.part", unfinished.len()));
            }
        }
        let file = File::create(&path)?;
        unfinished.push(path.clone());
        Ok((file, Self { path, is_whole: false }))
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        let mut unfinished = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
        unfinished.retain(|path| *path != self.path);
        if !self.is_whole {
            // The error that matters is the one that is returned; a left-over part is only untidy.
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

fn is_being_written(path: &Path) -> bool {
    let modified = path.metadata().and_then(|meta| meta.modified());
    modified.is_ok_and(|at| at.elapsed().is_ok_and(|age| age < LEFT_BEHIND))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("surefoot-files-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        folder
    }

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> =
            std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn what_was_left_behind_is_written_over_and_what_another_writes_is_not() {
        let folder = folder("left");
        let (target, part) = (folder.join("walk.bvh"), folder.join(".walk.bvh.part"));
        let old = File::create(&part).unwrap();
        old.set_modified(std::time::SystemTime::now() - 2 * LEFT_BEHIND).unwrap();
        write_atomically(&target, b"whole").unwrap();
        assert_eq!(names(&folder), ["walk.bvh"], "the part of a killed process is gone");
        std::fs::write(&part, b"another's").unwrap();
        write_atomically(&target, b"again").unwrap();
        assert_eq!(std::fs::read(&target).unwrap(), b"again");
        assert_eq!(std::fs::read(&part).unwrap(), b"another's", "another process writes that one");
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn names_of_any_length_and_failures_leave_nothing_behind() {
        let folder = folder("long");
        let long = folder.join("n".repeat(251) + ".bvh");
        write_atomically(&long, b"whole").unwrap();
        assert_eq!(std::fs::read(&long).unwrap(), b"whole");
        // A folder cannot be replaced by a file.
        std::fs::create_dir(folder.join("taken")).unwrap();
        assert!(write_atomically(&folder.join("taken"), b"x").is_err());
        assert_eq!(names(&folder).len(), 2, "{:?}", names(&folder));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
