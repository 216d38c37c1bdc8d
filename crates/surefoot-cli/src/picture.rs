//! `surefoot picture`: a contact sheet of a clip, or a scene from above.

use crate::failure::Failure;
use crate::input::{ImportArgs, as_it_is};
use crate::output::{self, OutputArgs, ending};
use std::path::{Path, PathBuf};
use surefoot::motion::Clip;
use surefoot::systems::Studied;
use surefoot_view::sheet;
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
    args.out.check(std::slice::from_ref(&args.output))?;
    if surefoot_io::scene::is_scene(&args.file) {
        let scene = surefoot_io::scene::load(&args.file).map_err(Failure::unusable)?;
        let size = write(&args.output, surefoot_view::scene_picture::draw(&scene, &Default::default()))?;
        return Ok(format!("{}\n{}: {size}\n", args.file.display(), args.output.display()));
    }
    let loaded = args.import.load(&args.file)?;
    let mut notes: Vec<String> = loaded.warnings.iter().map(ToString::to_string).collect();
    // A body without legs is drawn all the same.
    let studied = loaded.study(&as_it_is()).ok();
    let stances = studied.as_ref().map(|studied| (&studied.rig, &studied.found));
    notes.extend(studied.as_ref().and_then(cycle_note));
    let clip = studied.as_ref().map_or(&loaded.clip, |studied| drawn(studied, &loaded.clip));
    let svg = sheet::draw(&loaded.skeleton, clip, loaded.skin.as_ref(), stances, &notes);
    let size = write(&args.output, svg)?;
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

/// The clip to draw: a cycle as it was studied, which is what its stances are of.
pub(crate) fn drawn<'a>(studied: &'a Studied, clip: &'a Clip) -> &'a Clip {
    if studied.cycle.is_some() { &studied.repaired.clip } else { clip }
}

/// What is said of a cycle that is drawn.
pub(crate) fn cycle_note(studied: &Studied) -> Option<String> {
    let cycle = studied.cycle.as_ref()?;
    Some(match &cycle.tread {
        Some(tread) => {
            let speed = tread.velocity.length();
            format!("a cycle on the spot: three rounds of it, drawn as its feet say that it goes ({speed:.2} m/s)")
        }
        None => "a cycle: three rounds of it".into(),
    })
}
