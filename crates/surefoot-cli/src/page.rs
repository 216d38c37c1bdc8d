//! `surefoot page`: a web page that plays a clip, and what commands with pages share.

use crate::failure::Failure;
use crate::format::{Own, new_clip};
use crate::input::{ImportArgs, Loaded, as_it_is};
use crate::output::{self, OutputArgs, ending};
use std::path::{Path, PathBuf};
use surefoot::analyse::Studied;
use surefoot::motion::Clip;
use surefoot::rig::Skeleton;
use surefoot_io::glb;
use surefoot_io::gltf::{Document, WriteSettings, write_clips};
use surefoot_view::own_file::OwnFile;
use surefoot_view::page::PageClip;
use surefoot_view::shown_clip::ShownClip;

/// Write a web page that plays a clip: the character with its mesh, foot traces and figures, in any browser, offline
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The file to play
    file: PathBuf,
    /// The page to write
    #[arg(short, long, value_name = "OUT.html")]
    output: PathBuf,
    /// Take the character's other clips along, to be chosen on the page
    #[arg(long)]
    keep_clips: bool,
    #[command(flatten)]
    out: OutputArgs,
    #[command(flatten)]
    import: ImportArgs,
}

const EXAMPLES: &str = "Examples:
  surefoot page walk.bvh -o walk.html
  surefoot page knight.glb --clip walking_a -o walk.html
  surefoot page knight.glb --keep-clips -o knight.html   all its clips";

pub(crate) fn run(args: &Args) -> Result<String, Failure> {
    check_name(&args.output)?;
    args.out.check(&[&args.file], std::slice::from_ref(&args.output))?;
    let (loaded, others) = args.import.load_all(&args.file)?;
    let (skeleton, clip) = (&loaded.skeleton, &loaded.clip);
    // A body without legs is played all the same.
    let studied = loaded.study(&as_it_is()).ok();
    let new = new_clip(clip, studied.as_ref());
    let document = loaded.document.as_ref();
    let settings = WriteSettings { keep_clips: args.keep_clips, ..WriteSettings::default() };
    let glb = match document {
        Some(document) => write_clips(document, skeleton, &[new], &settings).map_err(Failure::refused)?,
        None => glb::write_clips(skeleton, loaded.skin.as_ref(), &[new]),
    };
    let shown = ShownClip::of(skeleton, clip, studied.as_ref(), loaded.skin.as_ref());
    let mut page = shown.page(document.map(|document| own_file(document, skeleton)).as_ref());
    page.subtitle = args.file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    page.notes = loaded.warnings.iter().map(ToString::to_string).collect();
    if args.keep_clips {
        page.clips = other_clips(&loaded, studied.as_ref(), &others);
    }
    let html = page.html(&glb);
    output::write(&args.output, html.as_bytes())?;
    let size = output::size(html.len());
    Ok(format!("{}{}\n{}: {size}\n", loaded.warning_lines(), loaded.title, args.output.display()))
}

/// What a page says of a file's other clips, which are kept after the one that it is about.
pub(crate) fn other_clips(loaded: &Loaded, studied: Option<&Studied>, others: &[Clip]) -> Vec<PageClip> {
    let Some(document) = &loaded.document else { return Vec::new() };
    let number = |name: &str| document.clips().iter().find(|clip| clip.name == name).map(|clip| clip.animation);
    let own = number(loaded.clip.name());
    let page_clip = |clip: &Clip| {
        let number = number(clip.name())?;
        // The clip that the page is about has gone to the front.
        let index = if own.is_some_and(|own| own < number) { number } else { number + 1 };
        let studied = studied.map(|studied| as_it_is().run_on(studied.rig.clone(), clip));
        let shown = ShownClip::of(&loaded.skeleton, clip, studied.as_ref(), loaded.skin.as_ref());
        Some(shown.page_clip(index))
    };
    others.iter().filter_map(page_clip).collect()
}

/// The file that a page plays for a clip: the character's own with its mesh if there is one, else bones.
pub(crate) fn glb(skeleton: &Skeleton, clip: &Clip, own: Own<'_>) -> Result<Vec<u8>, Failure> {
    let new = [new_clip(clip, None)];
    match own.document {
        Some(document) => write_clips(document, skeleton, &new, &WriteSettings::default()).map_err(Failure::refused),
        None => Ok(glb::write_clips(skeleton, own.skin, &new)),
    }
}

/// A character's own file, as far as pages must know it.
pub(crate) fn own_file(document: &Document, skeleton: &Skeleton) -> OwnFile {
    let (scale, turn) = document.model_from_scene();
    OwnFile { nodes: skeleton.joints().map(|joint| document.joint(joint).node).collect(), scale, turn }
}

/// Refuses a page by any other name.
pub(crate) fn check_name(path: &Path) -> Result<(), Failure> {
    if ["html", "htm"].contains(&ending(path).as_str()) {
        return Ok(());
    }
    Err(Failure::unusable(format!("{}: a page's name ends in .html", path.display())))
}
