//! Which of the two files one is, and where a motion's skeleton is.

use super::{parse, read_motion};
use crate::import::{LoadErrorKind, read_file};
use crate::lines::Lines;
use crate::{Import, ImportError, ImportSettings, LoadError};
use std::path::{Path, PathBuf};

/// Which of the two files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// ASF.
    Skeleton,
    /// AMC.
    Motion,
}

/// Tells by its first words what a file is; `None` if it is neither.
pub(crate) fn part(bytes: &[u8]) -> Option<Part> {
    let (mut lines, mut words) = (Lines::acclaim(bytes), Vec::new());
    let mut headers = 0;
    // Headers of motions are a few lines.
    while headers < 32 && lines.next(&mut words) {
        let first = words[0];
        if [":version", ":name", ":units", ":documentation", ":root", ":bonedata"].iter().any(|key| first.is(key)) {
            return Some(Part::Skeleton);
        }
        if first.text.first() != Some(&b':') {
            let number = words.len() == 1 && first.text.iter().all(u8::is_ascii_digit);
            return (number || headers > 0).then_some(Part::Motion);
        }
        headers += 1;
    }
    (headers > 0).then_some(Part::Motion)
}

/// Where the skeleton of a motion file is looked for: beside it, named after the subject, which is what its name has
/// before the first `_` (`02_01.amc`: `02.asf`).
#[must_use]
pub fn skeleton_beside(motion: &Path) -> PathBuf {
    let stem = motion.file_stem().unwrap_or_default().to_string_lossy();
    let subject = stem.split('_').next().unwrap_or_default();
    motion.with_file_name(format!("{subject}.asf"))
}

/// Loads a motion file whose bytes were read, with its skeleton.
pub(crate) fn load_motion(path: &Path, amc: &[u8], name: &str, settings: &ImportSettings) -> Result<Import, LoadError> {
    let fail = |path: &Path, error| LoadError { path: path.to_path_buf(), kind: LoadErrorKind::Import(error) };
    let beside = skeleton_beside(path);
    let skeleton = settings.skeleton.as_deref().unwrap_or(&beside);
    if settings.skeleton.is_none() && !skeleton.is_file() {
        let what = format!(
            "an AMC file needs the skeleton it was captured with, and {} is not there; give it with --skeleton",
            skeleton.display()
        );
        return Err(fail(path, ImportError::new(what)));
    }
    let asf = read_file(skeleton)
        .map_err(|error| LoadError { path: skeleton.to_path_buf(), kind: LoadErrorKind::Read(error) })?;
    let (document, warnings) = parse(&asf).map_err(|error| fail(skeleton, error))?;
    let mut import = read_motion(amc, &document, name, settings).map_err(|error| fail(path, error))?;
    import.warnings.splice(0..0, warnings);
    Ok(import)
}
