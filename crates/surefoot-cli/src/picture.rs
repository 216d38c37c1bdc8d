//! `surefoot picture`: a contact sheet of a clip, or a scene from above.

use crate::failure::Failure;
use crate::input::{ImportArgs, RigArgs, as_it_is};
use crate::output::{self, OutputArgs, ending};
use std::path::{Path, PathBuf};
use surefoot_view::shown_clip::ShownClip;
use surefoot_view::svg::Svg;

/// Draw a contact sheet of a clip: side and top views, foot heights and speeds, joint steps
///
/// Side view: poses at even times along the travel, left in orange, right in blue, over the silhouette of the mesh
/// where there is one. Top view: the hips' path and the
/// feet's traces with the prints of their stances. Curves: heights and speeds of the lowest joints with a bar for every
/// stance (dark where the foot is held), and the largest turn of any joint from one frame to the next, in which capture
/// glitches show as spikes. A scene (.scene.toml) is drawn from above.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The file to picture
    file: PathBuf,
    /// The picture to write; .png or .svg
    #[arg(short, long, value_name = "X.png|X.svg")]
    output: PathBuf,
    #[command(flatten)]
    rig: RigArgs,
    #[command(flatten)]
    out: OutputArgs,
    #[command(flatten)]
    import: ImportArgs,
}

const EXAMPLES: &str = "Examples:
  surefoot picture walk.bvh -o walk.png
  surefoot picture walk.bvh -o walk.svg --force
  surefoot picture knight.glb --clip walking_a -o walk.png
  surefoot picture yard.scene.toml -o yard.png";

pub(crate) fn run(args: &Args) -> Result<String, Failure> {
    check_name(&args.output)?;
    args.out.check(&[&args.file], std::slice::from_ref(&args.output))?;
    if surefoot_io::scene::is_scene(&args.file) {
        let scene = surefoot_io::scene::load(&args.file).map_err(Failure::unusable)?;
        let size = write(&args.output, surefoot_view::scene_picture::draw(&scene, &Default::default()))?;
        return Ok(format!("{}\n{}: {size}\n", args.file.display(), args.output.display()));
    }
    let loaded = args.import.load(&args.file)?;
    let notes: Vec<String> = loaded.warnings.iter().map(ToString::to_string).collect();
    // A body without legs is drawn all the same.
    let studied = match args.rig.rig_for(&loaded.skeleton, loaded.skin.as_ref(), &[&loaded.clip])? {
        Some(rig) => Some(as_it_is().run_on(rig, &loaded.clip)),
        None => loaded.study(&as_it_is()).ok(),
    };
    let (skeleton, clip, skin) = (&loaded.skeleton, &loaded.clip, loaded.skin.as_ref());
    let shown = ShownClip::of(skeleton, clip, studied.as_ref(), skin);
    let size = write(&args.output, shown.sheet(&notes))?;
    Ok(format!("{}{}\n{}: {size}\n", loaded.warning_lines(), loaded.title, args.output.display()))
}

/// Refuses a picture by any other name.
pub(crate) fn check_name(path: &Path) -> Result<(), Failure> {
    if ["png", "svg"].contains(&ending(path).as_str()) {
        return Ok(());
    }
    Err(Failure::unusable(format!("{}: cannot draw that; give a name that ends in .png or .svg", path.display())))
}

/// Writes a picture as its name says, and tells its size.
pub(crate) fn write(path: &Path, svg: Svg) -> Result<String, Failure> {
    let bytes = if ending(path) == "png" { svg.png() } else { svg.finish().into_bytes() };
    output::write(path, &bytes)?;
    Ok(output::size(bytes.len()))
}
