//! What a walk over ground is written as beside its motion: a picture, a page, and the ground.

use crate::failure::Failure;
use crate::format::Own;
use crate::output::{self, ending};
use crate::{page, picture};
use std::path::{Path, PathBuf};
use surefoot::world::TriangleSoup;
use surefoot_io::world::write_obj;
use surefoot_view::shown_walk::ShownWalk;

/// Which files are wanted.
#[derive(clap::Args)]
pub(crate) struct WalkFiles {
    /// Draw the walk with the ground, from the side and from above; .png or .svg
    #[arg(long, value_name = "X.png|X.svg")]
    picture: Option<PathBuf>,
    /// Write a page that plays the walk over its ground in 3-D, in any browser, offline
    #[arg(long, value_name = "OUT.html")]
    page: Option<PathBuf>,
    /// Also write the ground as .obj for other tools, placed as in the result (metres, Y up): a mesh as it is, other ground along the
    /// walk
    #[arg(long, value_name = "X.obj")]
    ground_out: Option<PathBuf>,
}

/// A walk as it is written.
pub(crate) struct WrittenWalk<'a> {
    pub(crate) shown: ShownWalk<'a>,
    /// Who walks over what.
    pub(crate) title: &'a str,
    /// By what.
    pub(crate) subtitle: &'a str,
    /// What the character brings along for the page.
    pub(crate) own: Own<'a>,
    /// The mesh that is the ground, if one is.
    pub(crate) mesh: Option<&'a TriangleSoup>,
}

/// How large cells of the ground are that is written, metres: half a sole; edges of made ground are met all the same.
const CELL: f32 = 0.05;

impl WalkFiles {
    /// Refuses names that say another kind of file.
    pub(crate) fn check_names(&self) -> Result<(), Failure> {
        self.picture.as_deref().map_or(Ok(()), picture::check_name)?;
        self.page.as_deref().map_or(Ok(()), page::check_name)?;
        match self.ground_out.as_deref().filter(|file| ending(file) != "obj") {
            Some(file) => Err(Failure::unusable(format!("{}: ground is written as .obj", file.display()))),
            None => Ok(()),
        }
    }

    /// The files that will be written.
    pub(crate) fn paths(&self) -> Vec<PathBuf> {
        [&self.picture, &self.page, &self.ground_out].into_iter().flatten().cloned().collect()
    }

    /// Writes them; gives a line for each.
    pub(crate) fn write(&self, walk: &WrittenWalk<'_>) -> Result<Vec<String>, Failure> {
        let mut written = Vec::new();
        let mut told = |file: &Path, size: String| written.push(format!("{}: {size}", file.display()));
        if let Some(file) = &self.picture {
            let drawn = walk.shown.picture(&format!("{}, {}", walk.title, walk.subtitle));
            told(file, picture::write(file, drawn)?);
        }
        if let Some(file) = &self.page {
            let html = walk.html()?;
            output::write(file, html.as_bytes())?;
            told(file, output::size(html.len()));
        }
        if let Some(file) = &self.ground_out {
            let text = walk.ground();
            output::write(file, text.as_bytes())?;
            told(file, output::size(text.len()));
        }
        Ok(written)
    }
}

impl WrittenWalk<'_> {
    fn html(&self) -> Result<String, Failure> {
        let skeleton = &self.shown.character.rig.skeleton;
        let glb = page::glb(skeleton, &self.shown.take.clip, self.own)?;
        let file = self.own.document.map(|document| page::own_file(document, skeleton));
        Ok(self.shown.page(self.title, self.subtitle, file.as_ref()).html(&glb))
    }

    fn ground(&self) -> String {
        if let Some(mesh) = self.mesh {
            return write_obj(mesh.positions(), mesh.triangles());
        }
        let mesh = self.shown.ground_mesh(CELL, 0.0);
        write_obj(&mesh.points, &mesh.triangles())
    }
}
