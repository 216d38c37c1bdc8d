//! `surefoot convert`: one motion file into another.

use crate::failure::Failure;
use crate::format::{Format, new_clip};
use crate::input::{ImportArgs, as_it_is};
use crate::number::{MOST_TRANSFORMS, frame_rate, seconds};
use crate::output::{self, OutputArgs};
use std::path::PathBuf;
use surefoot::motion::Clip;
use surefoot::rig::{Mirror, Skeleton};
use surefoot_view::report::counted;

/// Convert a motion file or a character: to GLB or BVH, at another rate, trimmed or mirrored
///
/// A character (.glb, .gltf, .vrm) keeps its mesh, materials, unit and axes in a GLB result. What else becomes GLB or BVH is
/// Y up and faces +Z: GLB in metres with simple bones that show in any viewer, BVH in metres unless --out-unit says
/// otherwise. Foot strikes and lifts go into a GLB animation's extras where feet are seen to stand.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The file to read
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// The file to write; its ending chooses the format (.bvh or .glb)
    #[arg(value_name = "OUT")]
    output: PathBuf,
    /// Frames per second of the result
    #[arg(long, value_parser = frame_rate)]
    fps: Option<f32>,
    /// Where to start, seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 0.0, value_parser = seconds, allow_hyphen_values = true)]
    from: f32,
    /// Where to end, seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_hyphen_values = true)]
    to: Option<f32>,
    /// Exchange left and right
    #[arg(long)]
    mirror: bool,
    #[command(flatten)]
    format: Format,
    #[command(flatten)]
    out: OutputArgs,
    #[command(flatten)]
    import: ImportArgs,
}

const EXAMPLES: &str = "Examples:
  surefoot convert walk.bvh walk.glb                    look at it in any glTF viewer
  surefoot convert walk.bvh walk30.bvh --fps 30 --out-unit cm
  surefoot convert walk.bvh right.glb --mirror --from 1.5 --to 4
  surefoot convert knight.glb walk.glb --clip walking_a --root-motion root   the knight with that clip alone
  surefoot convert knight.glb walk.bvh --clip walking_a";

pub(crate) fn run(args: &Args) -> Result<String, Failure> {
    let kind = Format::kind(&args.output)?;
    args.out.check(&[&args.input], std::slice::from_ref(&args.output))?;
    let mut loaded = args.import.load(&args.input)?;
    loaded.clip = shape(args, &loaded.skeleton, loaded.clip)?;
    let studied = loaded.study(&as_it_is()).ok();
    let tread = studied.as_ref().and_then(|studied| studied.cycle.as_ref()?.tread.as_ref());
    if let Some(tread) = tread {
        // A clip that ends in the pose it began with has a frame more than its round.
        let course = tread.course.iter().copied().cycle().take(loaded.clip.frames()).collect();
        loaded.clip = loaded.clip.with_course(Some(course));
    }
    let new = new_clip(&loaded.clip, studied.as_ref());
    let bytes = args.format.encode(kind, loaded.own(), &loaded.skeleton, &new)?;
    output::write(&args.output, &bytes)?;
    let clip = &loaded.clip;
    Ok(format!(
        "{}{}\n{}: {} at {} Hz, {:.2} s, {}{}\n",
        loaded.warning_lines(),
        loaded.title,
        args.output.display(),
        counted(clip.frames(), "frame"),
        clip.rate(),
        clip.duration(),
        output::size(bytes.len()),
        args.format.what_else(kind, loaded.own(), &new)
    ))
}

/// The clip as asked for: cut, mirrored, at its rate, with its travel where it belongs.
fn shape(args: &Args, skeleton: &Skeleton, clip: Clip) -> Result<Clip, Failure> {
    let clip = cut(clip, args.from, args.to)?;
    if let Some(fps) = args.fps {
        let transforms = f64::from(clip.duration()) * f64::from(fps) * skeleton.len() as f64;
        if transforms > MOST_TRANSFORMS {
            let what =
                format!("{:.1} s of {} joints at {fps} Hz are too much to hold", clip.duration(), skeleton.len());
            return Err(Failure::refused(what));
        }
    }
    let clip = if args.mirror {
        let mirror = Mirror::of(skeleton).map_err(|e| Failure::refused(format!("cannot mirror this body: {e}")))?;
        if mirror.paired() == 0 {
            return Err(Failure::refused("cannot mirror this body: no joint's name tells left or right"));
        }
        clip.mirrored(skeleton, &mirror)
    } else {
        clip
    };
    Ok(match args.fps {
        Some(fps) => clip.resampled(fps),
        None => clip,
    })
}

fn cut(clip: Clip, from: f32, to: Option<f32>) -> Result<Clip, Failure> {
    let end = to.unwrap_or(clip.duration()).min(clip.duration());
    if !(from >= 0.0 && from <= end && from <= clip.duration()) {
        let whole = clip.duration();
        return Err(Failure::unusable(format!("no motion from {from} s to {end} s: the clip lasts {whole:.3} s")));
    }
    let frame = |t: f32| (t * clip.rate()).round() as usize;
    Ok(if from == 0.0 && to.is_none() { clip } else { clip.trimmed(frame(from)..frame(end) + 1) })
}
