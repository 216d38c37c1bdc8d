//! `surefoot analyse`: who stands where and when, and how a clip walks.

use crate::failure::Failure;
use crate::input::{ImportArgs, StudyArgs};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::PathBuf;
use surefoot::stages::Treadmill;
use surefoot_io::gltf::Document;
use surefoot_view::report::counted;
use surefoot_view::report::repairs;
use surefoot_view::report::study::StudyReport;

/// Find legs, steps and stances: cadence, strides, speed, turning, flight, and what was repaired
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Print JSON for programs
    #[arg(long)]
    json: bool,
    /// List every stance
    #[arg(long)]
    stances: bool,
    #[command(flatten)]
    study: StudyArgs,
    #[command(flatten)]
    import: ImportArgs,
}

const EXAMPLES: &str = "Examples:
  surefoot analyse walk.bvh               how it walks
  surefoot analyse walk.bvh --stances     with the time of every stance
  surefoot analyse knight.glb --clip walking_a   one clip of a character
  surefoot analyse walk.bvh --json";

pub(crate) fn run(args: &Args) -> Result<String, Failure> {
    let mut out = String::new();
    let mut values = Vec::new();
    for file in &args.files {
        let loaded = args.import.load(file)?;
        let studied = args.study.run(file, &loaded)?;
        // What a table of clips may say of a walk on the spot.
        let on_the_spot = studied.cycle.as_ref().is_some_and(|cycle| cycle.tread.is_some());
        let drawn = on_the_spot.then(|| {
            let points = Treadmill::points(&studied.rig);
            let sources = loaded.document.as_ref().map(Document::clips).unwrap_or_default();
            let lead =
                sources.iter().find(|source| source.name == loaded.clip.name()).map_or(0.0, |source| source.start);
            Treadmill::default().as_drawn(&loaded.skeleton, &loaded.clip, &points, lead).length()
        });
        let report = StudyReport::new(&studied);
        if args.json {
            let mut value = json!(report);
            value["implied_speed_as_drawn"] = drawn.into();
            value["file"] = file.display().to_string().into();
            value["clip"] = loaded.clip.name().into();
            values.push(value);
            continue;
        }
        let clip = &studied.take.clip;
        // Of a cycle, one round.
        let (frames, rate) = (studied.frames().len(), clip.rate());
        let seconds = if studied.cycle.is_some() { frames as f32 / rate } else { clip.duration() };
        let _ = writeln!(out, "{}: {} at {rate} Hz, {seconds:.2} s", loaded.title, counted(frames, "frame"));
        report.gait_rows(&mut out, drawn);
        repairs::rows(&mut out, &report.repairs);
        if args.stances {
            report.stance_rows(&mut out);
        }
        out.push_str(&loaded.warning_lines());
    }
    Ok(if args.json { format!("{:#}\n", Value::Array(values)) } else { out })
}
