//! `surefoot doctor`: what is wrong or odd in files, and what to do about it.

use crate::corpus;
use crate::failure::Failure;
use crate::input::{ImportArgs, StudyArgs};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use surefoot::analyse::{RigError, find_skinned_rig};
use surefoot::motion::Clip;
use surefoot::rig::{Rig, Skeleton};
use surefoot::stages::RepairNote;
use surefoot_io::world::{self, is_world};
use surefoot_io::{Import, ImportSettings, LoadError, LoadErrorKind, Severity, Warning, load};
use surefoot_view::report::repairs;
use surefoot_view::report::study::uneven_feet;

/// Tell what is wrong or odd in motion and world files, and how to mend it
///
/// Every file is read, its legs are found, glitches mended in memory, stances and gait measured; nothing is written.
/// Each finding has a severity: `note` was dealt with, `look` is worth a look, `decide` was assumed and changes the
/// result, `broken` cannot be used. A folder stands for everything below it.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Files or folders
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Print JSON for programs
    #[arg(long)]
    json: bool,
    /// Print one Markdown table of what loads and what is refused, a line for each file
    #[arg(long, conflicts_with = "json")]
    table: bool,
    /// Leave out findings that need no action
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    study: StudyArgs,
    #[command(flatten)]
    import: ImportArgs,
}

const EXAMPLES: &str = "Examples:
  surefoot doctor walk.bvh               what to know before using it
  surefoot doctor captures/ --quiet      only what needs a look, a decision or mending
  surefoot doctor captures/ --table      what loads and what is refused, as Markdown
  surefoot doctor walk.bvh --source-fps 60   look again, with the decision made
  surefoot doctor crab.glb --rig crab.toml   with its legs as that file names them

Exit codes: 0 fine, 1 something needs a decision, 2 something cannot be read.";

/// Feet that slide farther than this are seen to slide by people, metres.
pub(crate) const SEEN_DRIFT: f32 = 0.021;

/// One thing about a file.
#[derive(Clone)]
pub(crate) struct Finding {
    pub(crate) severity: Severity,
    /// A short name for programs.
    pub(crate) code: &'static str,
    /// Where in the file: a clip, a line, or the file as a whole.
    place: String,
    what: String,
    remedy: String,
}

impl Finding {
    fn new(severity: Severity, code: &'static str, what: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { severity, code, place: "file".into(), what: what.into(), remedy: remedy.into() }
    }
}

pub(crate) fn run(args: &Args) -> Result<String, Failure> {
    let files = corpus::expand(&args.files)?;
    if args.table {
        return corpus::table(&args.files, &files, &args.import, &args.study);
    }
    let mut worst = Severity::Note;
    let mut out = String::new();
    let mut values: Vec<Value> = Vec::new();
    for (index, file) in files.iter().enumerate() {
        let findings = if is_world(file) {
            world_findings(world::load(file, &args.import.world_settings()).map(|world| world.warnings))
        } else {
            motion_findings(file, &args.import.settings(), &args.study)?
        };
        let findings = merged(findings);
        worst = findings.iter().map(|finding| finding.severity).fold(worst, Severity::max);
        if args.json {
            values.push(to_json(file, &findings));
            continue;
        }
        let shown: Vec<&Finding> =
            findings.iter().filter(|finding| !args.quiet || finding.severity > Severity::Note).collect();
        if args.quiet && shown.is_empty() {
            continue;
        }
        if index > 0 && !out.is_empty() {
            out.push('\n');
        }
        out.push_str(&as_table(file, &shown));
    }
    let text = if args.json { format!("{:#}\n", Value::Array(values)) } else { out };
    let (code, error) = match worst {
        Severity::Note | Severity::Look => return Ok(text),
        Severity::Decide => (1, "refused: something needs a decision, see above"),
        Severity::Broken => (2, "error: something cannot be read, see above"),
    };
    Err(Failure { code, said: text, error: error.into() })
}

/// What there is to say of a motion file.
fn motion_findings(file: &Path, settings: &ImportSettings, study: &StudyArgs) -> Result<Vec<Finding>, Failure> {
    let mut findings = Vec::new();
    let import = match load(file, settings) {
        Ok(import) => import,
        Err(error) => {
            // What is cut short can often be used as far as it goes.
            let partial = ImportSettings { partial: true, ..settings.clone() };
            match load(file, &partial) {
                Ok(import) if !settings.partial => {
                    let what = headline(&error);
                    findings.push(Finding::new(
                        Severity::Decide,
                        "cut-short",
                        what,
                        "fetch the file again, or say --partial to keep what is whole",
                    ));
                    import
                }
                _ => return Ok(vec![broken(&error)]),
            }
        }
    };
    findings.extend(import.warnings.iter().map(warning_finding));
    findings.extend(study_findings(&import, study)?);
    Ok(findings)
}

fn world_findings(world: Result<Vec<Warning>, LoadError>) -> Vec<Finding> {
    match world {
        Ok(warnings) => warnings.iter().map(warning_finding).collect(),
        Err(error) => vec![broken(&error)],
    }
}

fn warning_finding(warning: &Warning) -> Finding {
    let remedy = warning.remedy();
    Finding::new(remedy.severity, warning.code(), warning.to_string(), remedy.what_to_do)
}

fn broken(error: &LoadError) -> Finding {
    let (what, remedy) = match &error.kind {
        LoadErrorKind::Read(why) => (format!("cannot be read: {why}"), "check the path and its permissions".to_owned()),
        LoadErrorKind::Import(import) => (headline(error), import.remedy().what_to_do),
        _ => (headline(error), "look at the file".to_owned()),
    };
    let mut finding = Finding::new(Severity::Broken, "unreadable", what, remedy);
    if let LoadErrorKind::Import(import) = &error.kind
        && let Some(place) = &import.place
    {
        finding.place = format!("line {}, column {}", place.line, place.column);
    }
    finding
}

/// An error in one line, without the file's name.
pub(crate) fn headline(error: &LoadError) -> String {
    match &error.kind {
        LoadErrorKind::Read(why) => why.to_string(),
        LoadErrorKind::Import(import) => import.what.lines().next().unwrap_or_default().to_owned(),
        _ => error.to_string(),
    }
}

/// What repair, legs, stances and gait say of each clip.
pub(crate) fn study_findings(import: &Import, args: &StudyArgs) -> Result<Vec<Finding>, Failure> {
    let skeleton = &import.skeleton;
    let study = args.study();
    let rig = match legs(import, args)? {
        Ok(rig) => rig,
        Err(error) => return Ok(vec![rig_finding(&error)]),
    };
    let mut findings = Vec::new();
    if rig.mirror.is_none() {
        let what = "left and right of the body do not match joint by joint";
        findings.push(Finding::new(Severity::Note, "no-mirror", what, "nothing, unless clips are to be mirrored"));
    }
    let mut authored = false;
    for clip in &import.clips {
        let studied = study.run_on(rig.clone(), clip);
        authored |= studied.cycle.is_some();
        let mut of_clip: Vec<Finding> = studied.notes.iter().map(|note| repair_finding(skeleton, note)).collect();
        for doubt in &studied.analysis.doubts {
            let remedy = "say --source-fps with the true rate; half of what the file says is the usual case";
            of_clip.push(Finding::new(Severity::Decide, "timing", doubt.to_string(), remedy));
        }
        if let Some(uneven) = uneven_feet(&studied) {
            let remedy = "nothing, if it looks right: surefoot clean holds every foot; else make its strides alike where it was drawn";
            of_clip.push(Finding::new(Severity::Note, "uneven-feet", uneven, remedy));
        }
        let drift = studied.figures.drift.p95;
        if studied.figures.stances > 0 && drift > SEEN_DRIFT {
            let what = format!("feet slide {:.0} mm while they stand (95th percentile)", drift * 1e3);
            of_clip.push(Finding::new(Severity::Look, "sliding", what, "surefoot clean FILE -o OUT holds them"));
        }
        if clip.frames() > 1 && studied.take.stances.is_empty() {
            let what = "no foot ever stands in it";
            let remedy = "look at it with surefoot picture; say --rig if the legs found are wrong";
            of_clip.push(Finding::new(Severity::Look, "no-stances", what, remedy));
        }
        of_clip.iter_mut().for_each(|finding| finding.place = place_of(clip, import));
        findings.extend(of_clip);
    }
    // Who made one clip go round made the others too, and chose how fast they fall.
    findings.retain(|finding| !(authored && finding.code == "timing"));
    Ok(findings)
}

/// The legs of a body, told by the rig file, or by its skin and all its clips.
pub(crate) fn legs(import: &Import, args: &StudyArgs) -> Result<Result<Rig, RigError>, Failure> {
    let skeleton = &import.skeleton;
    let repair = args.study().repair;
    let repaired: Vec<_> = import.clips.iter().map(|clip| repair.run(skeleton, clip).clip).collect();
    let clips: Vec<&Clip> = repaired.iter().collect();
    Ok(match args.rig_for(skeleton, import.skin.as_ref(), &clips)? {
        Some(rig) => Ok(rig),
        None => find_skinned_rig(skeleton, import.skin.as_ref(), &clips),
    })
}

fn place_of(clip: &Clip, import: &Import) -> String {
    if import.clips.len() == 1 { "clip".into() } else { format!("clip {:?}", clip.name()) }
}

fn rig_finding(error: &RigError) -> Finding {
    // A new error should be given a remedy of its own.
    let (code, remedy) = match error {
        RigError::NoLegs => (
            "no-legs",
            "surefoot inspect FILE --write-rig rig.toml writes its limbs to choose from; pass it with --rig if it has legs",
        ),
        RigError::OneLeg { .. } => ("one-leg", "name the other leg's hip, knee and ankle in a --rig file"),
        _ => ("no-rig", "name hip, knee and ankle of every leg in a --rig file"),
    };
    Finding::new(Severity::Decide, code, error.to_string(), remedy)
}

fn repair_finding(skeleton: &Skeleton, note: &RepairNote) -> Finding {
    // Every note is listed: a new one must be given a remedy.
    let (severity, code, remedy) = match note {
        RepairNote::Spike { .. } => (Severity::Note, "spike", "nothing: it is mended; --no-repair leaves it"),
        RepairNote::Turned { .. } => {
            (Severity::Look, "turned", "look which side of the turn is right; convert --from --to takes a part")
        }
        RepairNote::Hop { .. } => (Severity::Note, "hop", "nothing: it is mended; --no-repair leaves it"),
        RepairNote::Stray { .. } => (Severity::Note, "stray", "nothing: it is mended; --no-repair leaves it"),
        RepairNote::Dropped { .. } => (Severity::Note, "dropped", "nothing: it is mended; --no-repair leaves it"),
        RepairNote::Frozen { .. } => {
            (Severity::Note, "frozen", "nothing: these frames are cut; --no-repair leaves them")
        }
        RepairNote::Cut { .. } => {
            (Severity::Look, "jump", "look whether the part you need was kept; convert --from --to takes another")
        }
        RepairNote::Tilted { .. } => (Severity::Look, "tilted", "nothing on a level floor; on a slope it must stay"),
    };
    Finding::new(severity, code, repairs::text(skeleton, note), remedy)
}

/// Findings of one kind become one: the first of them, and how many there are in how many places. The worst first.
fn merged(findings: Vec<Finding>) -> Vec<Finding> {
    let mut of_code: BTreeMap<&'static str, Vec<Finding>> = BTreeMap::new();
    let mut order = Vec::new();
    for finding in findings {
        let same = of_code.entry(finding.code).or_default();
        if same.is_empty() {
            order.push(finding.code);
        }
        same.push(finding);
    }
    let mut merged: Vec<Finding> = Vec::new();
    for code in order {
        let same = &of_code[code];
        // Up to three of a kind are told apart.
        if same.len() <= 3 {
            merged.extend(same.iter().cloned());
            continue;
        }
        let mut first = same[0].clone();
        let mut places: Vec<&str> = same.iter().map(|finding| finding.place.as_str()).collect();
        places.dedup();
        let where_else = if places.len() > 1 { format!(" in {} places", places.len()) } else { String::new() };
        let _ = write!(first.what, " (and {} more of the kind{where_else})", same.len() - 1);
        merged.push(first);
    }
    merged.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    merged
}

fn as_table(file: &Path, findings: &[&Finding]) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "{}: {}", file.display(), summary(findings));
    let wide = findings.iter().map(|finding| finding.place.chars().count()).max().unwrap_or(0).clamp(4, 30);
    for finding in findings {
        let _ = writeln!(out, "  {:7} {:wide$}  {}", finding.severity, finding.place, finding.what);
        let _ = writeln!(out, "  {:7} {:wide$}  → {}", "", "", finding.remedy);
    }
    out
}

fn summary(findings: &[&Finding]) -> String {
    let count = |severity: Severity| findings.iter().filter(|finding| finding.severity == severity).count();
    let parts = [
        (Severity::Broken, "broken"),
        (Severity::Decide, "to decide"),
        (Severity::Look, "to look at"),
        (Severity::Note, "notes"),
    ];
    let parts = parts.into_iter().map(|(severity, word)| (count(severity), word)).filter(|(count, _)| *count > 0);
    let parts: Vec<String> = parts.map(|(count, word)| format!("{count} {word}")).collect();
    if parts.is_empty() { "fine".into() } else { parts.join(", ") }
}

fn to_json(file: &Path, findings: &[Finding]) -> Value {
    let worst = findings.iter().map(|finding| finding.severity).max().unwrap_or(Severity::Note);
    let finding = |f: &Finding| json!({ "severity": f.severity.to_string(), "code": f.code, "where": f.place, "what": f.what, "remedy": f.remedy });
    json!({
        "file": file.display().to_string(),
        "worst": if findings.is_empty() { "fine".into() } else { worst.to_string() },
        "findings": findings.iter().map(finding).collect::<Vec<_>>(),
    })
}
