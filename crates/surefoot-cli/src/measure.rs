//! `surefoot measure`: how well the feet of a clip stand, and whether that is good enough.

use crate::failure::Failure;
use crate::input::{ImportArgs, StudyArgs};
use crate::number::within;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::PathBuf;
use surefoot::metrics::FootFigures;
use surefoot_view::report::feet::FootReport;

/// Measure how well feet stand: drift, float, penetration, skating; with limits for use in CI
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
    /// Most drift of 95 in 100 held points, millimetres
    #[arg(long, value_name = "MM", value_parser = limit)]
    max_drift_mm: Option<f32>,
    /// Most float of 95 in 100 held frames, millimetres
    #[arg(long, value_name = "MM", value_parser = limit)]
    max_float_mm: Option<f32>,
    /// Most penetration of 95 in 100 held frames, millimetres
    #[arg(long, value_name = "MM", value_parser = limit)]
    max_penetration_mm: Option<f32>,
    /// Most share of frames in which a foot skates, percent
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
  surefoot measure export/*.bvh --max-drift-mm 1 --max-float-mm 5   fails a build over a limit";

pub(crate) fn run(args: &Args) -> Result<String, Failure> {
    let mut out = String::new();
    let mut values = Vec::new();
    let mut over = Vec::new();
    for file in &args.files {
        let loaded = args.import.load(file)?;
        let studied = args.study.run(file, &loaded)?;
        over.extend(args.over(&studied.figures).into_iter().map(|what| format!("{}: {what}", file.display())));
        let report = FootReport::new(&studied.figures, &studied);
        if args.json {
            let mut value = json!(report);
            value["file"] = file.display().to_string().into();
            value["clip"] = loaded.clip.name().into();
            values.push(value);
        } else {
            let _ = writeln!(out, "{}", loaded.title);
            report.rows(&mut out);
        }
    }
    let text = if args.json { format!("{:#}\n", Value::Array(values)) } else { out };
    if over.is_empty() {
        return Ok(text);
    }
    Err(Failure { code: 1, said: text, error: format!("over the limit:\n  {}", over.join("\n  ")) })
}

impl Args {
    /// What is over its limit, in words.
    fn over(&self, figures: &FootFigures) -> Vec<String> {
        let limits = [
            ("drift", figures.drift.p95 * 1e3, self.max_drift_mm, "mm"),
            ("float", figures.float.p95 * 1e3, self.max_float_mm, "mm"),
            ("penetration", figures.penetration.p95 * 1e3, self.max_penetration_mm, "mm"),
            ("skating", figures.skating_ratio * 100.0, self.max_skating, "%"),
        ];
        if self.max_drift_mm.is_some() && figures.stances == 0 {
            return vec!["there is no whole stance whose drift could be measured".into()];
        }
        let over = limits.into_iter().filter_map(|(name, value, limit, unit)| {
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
