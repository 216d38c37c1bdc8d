//! A floor path as it is typed, or as a file has it.

use std::path::PathBuf;
use surefoot::plan::Path;
use surefoot_io::path_file;

/// A path and what it is called.
#[derive(Clone, Debug)]
pub(crate) struct TypedPath {
    pub(crate) path: Path,
    pub(crate) name: String,
    /// The file that it was read from.
    pub(crate) file: Option<PathBuf>,
}

/// The longest path, metres: a quarter of an hour's walk.
const LONGEST: f32 = 1000.0;

/// Points "x,z x,z" (or with semicolons between), or a file with one on each line; what follows a # is no point.
pub(super) fn typed_path(text: &str) -> Result<TypedPath, String> {
    let file = Some(PathBuf::from(text.trim())).filter(|file| file.is_file());
    let points = match &file {
        Some(file) => std::fs::read_to_string(file)
            .map_err(|error| error.to_string())
            .and_then(|read| path_file::read(&read).map_err(|why| why.to_string()))
            .map_err(|why| format!("{}: {why}", file.display()))?,
        None => path_file::read(text).map_err(|why| why.to_string())?,
    };
    let name = file.as_ref().and_then(|file| Some(file.file_stem()?.to_string_lossy().into_owned()));
    let path = Path::on_floor(&points);
    match path.length() <= LONGEST {
        true => Ok(TypedPath { path, name: name.unwrap_or_else(|| "walk".into()), file }),
        false => Err(format!("a path of {:.0} m: the longest is {LONGEST} m", path.length())),
    }
}
