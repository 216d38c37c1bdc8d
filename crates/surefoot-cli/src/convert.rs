//! `surefoot convert`: one motion file into another.

use crate::failure::Failure;
use crate::input::{ImportArgs, Loaded, frame_rate};
use crate::output::{self, OutputArgs, ending};
use std::path::{Path, PathBuf};
use surefoot::motion::Clip;
use surefoot::rig::{Mirror, Skeleton};
use surefoot_io::bvh::{self, BvhWriter};
use surefoot_io::{Unit, glb};

/// Convert a motion file: BVH to GLB or BVH, at another rate, trimmed or mirrored
///
/// The result is Y up and faces +Z. GLB is in metres and shows simple bones in any viewer; BVH is in metres unless
/// --out-unit says otherwise.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The file to read
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// The file to write; its ending (.bvh, .glb) says what
    #[arg(value_name = "OUT")]
    output: PathBuf,
    /// Frames per second of the result
    #[arg(long, value_parser = frame_rate)]
    fps: Option<f32>,
    /// Where to start, seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 0.0, allow_negative_numbers = true)]
    from: f32,
    /// Where to end, seconds
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    to: Option<f32>,
    /// Exchange left and right
    #[arg(long)]
    mirror: bool,
    /// Where the travel goes: the hips, as captured, or the node above them, as game engines want root motion
    #[arg(long, value_name = "WHERE", default_value = "hips")]
    root_motion: RootMotion,
    #[command(flatten)]
    format: Format,
    #[command(flatten)]
    out: OutputArgs,
    #[command(flatten)]
    import: ImportArgs,
}

#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum RootMotion {
    /// On the hips
    Hips,
    /// On the node above them
    Root,
    /// Nowhere: the character walks on the spot
    None,
}

/// The most joint transforms that a result may have: a gigabyte of them.
const MOST_TRANSFORMS: f64 = 3.3e7;

const EXAMPLES: &str = "Examples:
  surefoot convert walk.bvh walk.glb                    look at it in any glTF viewer
  surefoot convert walk.bvh walk30.bvh --fps 30 --out-unit cm
  surefoot convert walk.bvh right.glb --mirror --from 1.5 --to 4";

pub(crate) fn run(args: &Args) -> Result<String, Failure> {
    let kind = Format::kind(&args.output)?;
    args.out.check(std::slice::from_ref(&args.output))?;
    let loaded = args.import.load(&args.input)?;
    let warnings = loaded.warning_lines();
    let Loaded { skeleton, clip, .. } = loaded;
    let clip = shape(args, &skeleton, clip)?;
    let bytes = args.format.encode(kind, &skeleton, &clip);
    output::write(&args.output, &bytes)?;
    Ok(format!(
        "{warnings}{}: {} frames at {} Hz, {:.2} s, {}\n",
        args.output.display(),
        clip.frames(),
        clip.rate(),
        clip.duration(),
        output::size(bytes.len())
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
    let mut clip = match args.fps {
        Some(fps) => clip.resampled(fps),
        None => clip,
    };
    if args.root_motion != RootMotion::Hips {
        clip.extract_root(skeleton);
    }
    if args.root_motion == RootMotion::None {
        clip.stay_in_place();
    }
    Ok(clip)
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

/// How a result is written.
#[derive(clap::Args)]
pub(crate) struct Format {
    /// Unit of length of a BVH result
    #[arg(long, value_name = "UNIT", default_value = "m")]
    out_unit: Unit,
    /// Digits after the point in a BVH result
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u8).range(0..=9))]
    decimals: u8,
    /// Put the rest pose before the motion of a BVH result, as the CMU database does
    #[arg(long)]
    write_rest_row: bool,
}

/// The formats that can be written.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Kind {
    Bvh,
    Glb,
}

impl Format {
    /// What a file name's ending asks for.
    pub(crate) fn kind(path: &Path) -> Result<Kind, Failure> {
        match ending(path).as_str() {
            "bvh" => Ok(Kind::Bvh),
            "glb" => Ok(Kind::Glb),
            other => {
                let what = if other.is_empty() { "a file without an ending".into() } else { format!(".{other} files") };
                let name = path.display();
                Err(Failure::unusable(format!("{name}: cannot write {what}; give a name that ends in .bvh or .glb")))
            }
        }
    }

    pub(crate) fn encode(&self, kind: Kind, skeleton: &Skeleton, clip: &Clip) -> Vec<u8> {
        if kind == Kind::Glb {
            return glb::write(skeleton, std::slice::from_ref(clip));
        }
        let decimals = usize::from(self.decimals);
        let settings = BvhWriter { unit: self.out_unit, decimals, rest_row: self.write_rest_row };
        bvh::write(skeleton, clip, &settings).into_bytes()
    }
}
