//! `surefoot bench`: what live characters cost on this machine.

use crate::drive_body::DriveBody;
use crate::failure::Failure;
use crate::input::{ImportArgs, RigArgs};
use crate::subject::Subject;
use serde_json::json;
use std::path::PathBuf;
use std::time::Instant;
use surefoot::glam::Vec2;
use surefoot::math::FloorPose;
use surefoot::systems::{Actor, Crowd, DetailCounts, Intent, Locomotor};
use surefoot::world::Heightfield;
use surefoot_view::report::row;

/// Measure what live characters cost on this machine
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand)]
enum What {
    Crowd(CrowdArgs),
}

/// Move many of a character over hills: what a frame costs, for all and for each, by level of detail
///
/// A tenth gets whole soles, three tenths one look for each foot, the rest legs as in the clips, unless told otherwise.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
struct CrowdArgs {
    /// The character: a BVH, FBX, glTF or VRM file, or legs:N, a made one with 2 to 16 legs
    #[arg(long, value_name = "C")]
    character: PathBuf,
    /// How many characters
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    count: u32,
    /// How many of 100 characters get full foot placement, cheap legs, and legs as in the clips; the rest are frozen
    #[arg(long, value_name = "A,B,C", value_delimiter = ',', num_args = 3, default_values_t = [10, 30, 60])]
    detail: Vec<u32>,
    /// How many frames to measure; the best one and the mean are printed
    #[arg(long, value_name = "N", default_value_t = 120, value_parser = clap::value_parser!(u32).range(10..=10_000))]
    frames: u32,
    /// The clips to move by, with commas between; without it, those with walk, run, trot and the like in their names
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    clips: Vec<String>,
    #[command(flatten)]
    rig: RigArgs,
    /// Print JSON for programs
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    import: ImportArgs,
}

const EXAMPLES: &str = "Examples:
  surefoot bench crowd --character knight.glb --count 10000
  surefoot bench crowd --character fox.glb --count 500 --detail 100,0,0 --json";

/// A frame at 60 Hz, milliseconds.
const FRAME: f64 = 1e3 / 60.0;
/// Frames from standing that are not measured.
const FIRST: u32 = 60;

/// Waves of 20 cm, 4 points a metre, as wide as a crowd needs.
fn hills(width: f32) -> Heightfield {
    let count = (4.0 * width) as usize + 2;
    let height = |i: usize| {
        let (x, z) = ((i % count) as f32 * 0.25, (i / count) as f32 * 0.25);
        0.1 * (0.9 * x).sin() + 0.1 * (0.7 * z).cos()
    };
    let heights = (0..count * count).map(height).collect();
    Heightfield::new(Vec2::splat(-0.5 * width), 0.25, count, heights).expect("a grid")
}

pub(crate) fn run(args: &Args) -> Result<String, Failure> {
    let What::Crowd(args) = &args.what;
    let subject = Subject { character: &args.character, idle: None, rig: &args.rig, import: &args.import }.load()?;
    let body = DriveBody {
        file: &args.character,
        subject: &subject,
        clips: &args.clips,
        styles: &[],
        actions: &[],
        layers: &[],
        look: None,
        field: None,
        input: None,
    };
    let locomotor: Locomotor = body.build()?.locomotor;
    let count = args.count as usize;
    let share = |hundredths: u32| (count as u64 * u64::from(hundredths.min(100)) / 100) as usize;
    let detail =
        DetailCounts { full: share(args.detail[0]), cheap_legs: share(args.detail[1]), no_ik: share(args.detail[2]) };
    let side = (count as f32).sqrt().ceil() as usize;
    let speed = locomotor.clips().clips()[locomotor.clips().slowest()].motion.velocity.length();
    let room = 2.0 * locomotor.character().leg_length.max(0.5);
    let walked = speed * (args.frames + FIRST) as f32 / 60.0;
    let ground = hills((side as f32 * room + 2.0 * walked + 4.0).min(2000.0));
    let actor = |i: usize| {
        let at = Vec2::new((i % side) as f32, (i / side) as f32) - Vec2::splat(0.5 * side as f32);
        let way = 0.37 * i as f32;
        let velocity = speed * Vec2::new(way.sin(), way.cos());
        let intent = Intent { velocity, facing: Some(way), ..Intent::default() };
        Actor { intent, ..Actor::new(&locomotor, FloorPose::new(at * room, way), &ground, 0.0) }
    };
    let actors = (0..count).map(actor).collect();
    let mut crowd = Crowd::new(locomotor, actors, detail);
    let (mut best, mut sum) = (f64::INFINITY, 0.0);
    for k in 0..args.frames + FIRST {
        let begun = Instant::now();
        crowd.step(&ground, k as f32 / 60.0, 1.0 / 60.0);
        if k >= FIRST {
            let took = 1e3 * begun.elapsed().as_secs_f64();
            (best, sum) = (best.min(took), sum + took);
        }
    }
    let mean = sum / f64::from(args.frames);
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let each = 1e3 * best / count as f64;
    if args.json {
        let report = json!({
            "count": count,
            "cores": cores,
            "detail": { "full": detail.full, "cheap_legs": detail.cheap_legs, "no_ik": detail.no_ik },
            "best_ms": best,
            "mean_ms": mean,
            "each_us": each,
        });
        return Ok(format!("{report:#}\n"));
    }
    let mut out = format!("{} of {} on {cores} cores\n", count, args.character.display());
    let frozen = count.saturating_sub(detail.full + detail.cheap_legs + detail.no_ik);
    row(
        &mut out,
        "detail",
        format!("{} full, {} cheap legs, {} without IK, {frozen} frozen", detail.full, detail.cheap_legs, detail.no_ik),
    );
    row(&mut out, "a frame", format!("{best:.2} ms at best, {mean:.2} ms on average ({FRAME:.1} ms at 60 Hz)"));
    row(&mut out, "each", format!("{each:.2} µs"));
    Ok(out)
}
