//! Writing files whole or not at all.

use std::io::{self, Write};
use std::path::Path;

/// Writes a file so that a reader sees either the old content or the new, never half of it: an interrupted or
/// failed write leaves what was there.
///
/// # Errors
/// If the folder cannot be written to.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let name = path.file_name().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "no file name"))?;
    // Through a link the file behind it is replaced, not the link.
    let path = &std::fs::canonicalize(path).unwrap_or_else(|_| folder.join(name));
    let folder = path.parent().unwrap_or(folder);
    let temporary = folder.join(format!(".surefoot-{}.part", std::process::id()));
    let written = std::fs::File::create(&temporary).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()
    });
    match written.and_then(|()| std::fs::rename(&temporary, path)) {
        Ok(()) => Ok(()),
        Err(error) => {
            // The error that matters is the first one; a left-over part is only untidy.
            let _ = std::fs::remove_file(&temporary);
            Err(error)
        }
    }
}
