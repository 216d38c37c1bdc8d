//! `surefoot measure`: how well the feet of a clip stand and how its body goes, and whether that is good enough.

use crate::creature;
use crate::failure::Failure;
use crate::input::{ImportArgs, StudyArgs};
use crate::number::within;
use crate::world_args::WorldArgs;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use surefoot::metrics::{FootFigures, Footing, measure_feet, measure_planted_in, measure_skin_depth};
use surefoot::motion::Take;
use surefoot::stages::LegSkin;
use surefoot::world::Ground;
use surefoot_view::report::body::BodyReport;
use surefoot_view::report::feet::FootReport;
use surefoot_view::report::planted::PlantedReport;

/// Measure how well feet stand and how the body goes: drift, float, penetration, skating, facing, jumps; with limits for use in CI
///
/// Drift is measured per stance and foot point (heel, ball): how far it strays from its mean place while it should
/// hold it. People notice about 21 mm. Over a limit the exit code is 1.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Print JSON for programs
    #[arg(long)]
    json: bool,
    /// Limit: drift of 95 in 100 held points, millimetres
    #[arg(long, value_name = "MM", value_parser = limit)]
    max_drift_mm: Option<f32>,
    /// Limit: float of 95 in 100 held frames, millimetres
    #[arg(long, value_name = "MM", value_parser = limit)]
    max_float_mm: Option<f32>,
    /// Limit: penetration of 95 in 100 held frames, millimetres
    #[arg(long, value_name = "MM", value_parser = limit)]
    max_penetration_mm: Option<f32>,
    /// The clip that it was made from, or a walk that it should resemble: its figures are printed too, and where they are over a limit,
    /// they are the limit
    #[arg(long, value_name = "FILE")]
    source: Option<PathBuf>,
    /// The ground that feet are measured against: flat, slope:DEG, stairs:RISE,TREAD, rubble:HEIGHT,SIZE, a scene, a mesh or a
    /// map; without it, level ground at the height where the feet stand
    #[arg(long, value_name = "WORLD")]
    world: Option<String>,
    #[command(flatten)]
    of_world: WorldArgs,
    /// Limit: how many times a joint may jump within one frame
    #[arg(long, value_name = "COUNT")]
    max_jumps: Option<usize>,
    /// Limit: angle between where the body faces and where it goes, in 95 of 100 frames, degrees
    #[arg(long, value_name = "DEG", value_parser = limit)]
    max_facing_deg: Option<f32>,
    /// Limit: share of frames in which a foot skates, percent
    #[arg(long, value_name = "PERCENT", value_parser = limit)]
    max_skating: Option<f32>,
    #[command(flatten)]
    study: StudyArgs,
    #[command(flatten)]
    import: ImportArgs,
}

const EXAMPLES: &str = "Examples:
  surefoot measure walk.bvh
  surefoot measure knight.glb --clip walking_a
  surefoot measure cleaned.bvh --source raw.bvh
  surefoot measure climb.glb --world stairs:0.16,0.3 --max-penetration-mm 5
  surefoot measure export/*.bvh --max-drift-mm 1 --max-float-mm 5   fails a build over a limit";

pub(crate) fn run(args: &Args) -> Result<String, Failure> {
    let mut out = String::new();
    let mut values = Vec::new();
    let mut over = Vec::new();
    let world = args.world.as_deref().map(|text| creature::world(text, &args.of_world)).transpose()?;
    let ground = world.as_ref().map(|world| world.ground.as_ref());
    // The source stands on its own ground.
    let source = args.source.as_ref().map(|file| args.measure(file, None)).transpose()?;
    for file in &args.files {
        let measured = args.measure(file, ground)?;
        over.extend(
            args.over(&measured, source.as_ref()).into_iter().map(|what| format!("{}: {what}", file.display())),
        );
        if args.json {
            let mut value = measured.to_json(file);
            if let (Some(source), Some(path)) = (&source, &args.source) {
                value["source"] = source.to_json(path);
            }
            values.push(value);
        } else {
            measured.rows(&mut out);
        }
    }
    if let Some(source) = source.as_ref().filter(|_| !args.json) {
        let _ = write!(out, "\nsource: ");
        source.rows(&mut out);
    }
    let text = if args.json { format!("{:#}\n", Value::Array(values)) } else { out };
    if over.is_empty() {
        return Ok(text);
    }
    Err(Failure { code: 1, said: text, error: format!("over the limit:\n  {}", over.join("\n  ")) })
}

/// A file and its figures.
struct Measured {
    title: String,
    clip: String,
    figures: FootFigures,
    feet: FootReport,
    planted: PlantedReport,
    body: BodyReport,
}

impl Measured {
    fn to_json(&self, file: &Path) -> Value {
        let mut value = json!(self.feet);
        value["planted"] = json!(self.planted);
        value["body"] = json!(self.body);
        value["file"] = file.display().to_string().into();
        value["clip"] = self.clip.as_str().into();
        value
    }

    fn rows(&self, out: &mut String) {
        let _ = writeln!(out, "{}", self.title);
        self.feet.rows(out);
        self.planted.rows(out);
        self.body.rows(out);
    }
}

impl Args {
    /// Measures a file on a ground, or on level ground where it stands.
    fn measure(&self, file: &Path, ground: Option<&dyn Ground>) -> Result<Measured, Failure> {
        let loaded = self.import.load(file)?;
        let studied = self.study.run(file, &loaded)?;
        let (rig, take, footing) = (&studied.rig, &studied.take, ground.map_or(Footing::default(), Footing::Known));
        let figures = match ground {
            Some(_) => measure_feet(rig, take, footing),
            None => studied.figures,
        };
        let skin = loaded.skin.as_ref().and_then(|skin| LegSkin::new(rig, skin));
        // What anyone sees is measured on the clip as the file has it; a cycle has to go round first.
        let as_it_is = match studied.cycle {
            Some(_) => take.clone(),
            None => Take { clip: loaded.clip.clone(), ..take.clone() },
        };
        let part = if studied.cycle.is_some() { studied.frames() } else { 0..as_it_is.clip.frames() };
        let feet = loaded.skin.as_ref().and_then(|skin| LegSkin::of_feet(rig, skin));
        let planted = measure_planted_in(rig, feet.as_ref(), &as_it_is, footing, part.clone());
        let depth = measure_skin_depth(rig, skin.as_ref(), &as_it_is, footing, part);
        Ok(Measured {
            feet: FootReport::new(&figures, &studied),
            planted: PlantedReport::new(&planted, &depth, &studied),
            body: BodyReport::new(&studied, &as_it_is.clip),
            title: loaded.title,
            clip: loaded.clip.name().to_owned(),
            figures,
        })
    }

    /// What is over its limit and over the source's, in words.
    fn over(&self, measured: &Measured, source: Option<&Measured>) -> Vec<String> {
        let values = |measured: &Measured| {
            let Measured { figures, body, .. } = measured;
            [
                figures.drift.p95 * 1e3,
                figures.float.p95 * 1e3,
                figures.penetration.p95 * 1e3,
                figures.skating_ratio * 100.0,
                body.jumps as f32,
                body.facing_p95_deg.unwrap_or(0.0),
            ]
        };
        let names = ["drift", "float", "penetration", "skating", "jumps", "facing"];
        let limits = [
            (self.max_drift_mm, "mm"),
            (self.max_float_mm, "mm"),
            (self.max_penetration_mm, "mm"),
            (self.max_skating, "%"),
            (self.max_jumps.map(|most| most as f32), ""),
            (self.max_facing_deg, "°"),
        ];
        let of_source = source.map_or([0.0; 6], values);
        let limits = (0..names.len()).map(|i| {
            let (limit, unit) = limits[i];
            (names[i], values(measured)[i], limit.map(|limit| limit.max(of_source[i])), unit)
        });
        let figures = &measured.figures;
        if self.max_drift_mm.is_some() && figures.stances == 0 {
            return vec!["there is no whole stance whose drift could be measured".into()];
        }
        let over = limits.filter_map(|(name, value, limit, unit)| {
            // NaN is over every limit.
            let limit = limit?;
            (value.is_nan() || value > limit).then(|| format!("{name} {value:.2} {unit}, allowed {limit} {unit}"))
        });
        over.collect()
    }
}

/// A limit: a number that is not below 0, for clap.
fn limit(text: &str) -> Result<f32, String> {
    within("a limit", 0.0..=1e6)(text)
}
