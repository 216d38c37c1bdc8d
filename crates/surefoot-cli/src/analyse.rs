//! `surefoot analyse`: who stands where and when, and how a clip walks.

use crate::failure::Failure;
use crate::input::{ImportArgs, Loaded, StudyArgs};
use crate::output::OutputArgs;
use crate::picture;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use surefoot::stages::Treadmill;
use surefoot::systems::PrepareClips;
use surefoot_io::gltf::Document;
use surefoot_io::{LoadCharacter, notes_file};
use surefoot_view::cycle_sheet;
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
    /// Draw what a live character takes from a cycle, leg by leg: track and axis, heights and key times, flight; one file only
    #[arg(long, value_name = "X.png|X.svg")]
    picture: Option<PathBuf>,
    /// Key times and speeds to use for the picture instead of the measured ones (.toml, see docs/live.md)
    #[arg(long, value_name = "NOTES", requires = "picture")]
    notes: Option<PathBuf>,
    #[command(flatten)]
    study: StudyArgs,
    #[command(flatten)]
    out: OutputArgs,
    #[command(flatten)]
    import: ImportArgs,
}

const EXAMPLES: &str = "Examples:
  surefoot analyse walk.bvh               how it walks
  surefoot analyse walk.bvh --stances     with the time of every stance
  surefoot analyse knight.glb --clip walking_a   one clip of a character
  surefoot analyse fox.glb --clip walk --picture walk.png   what a live character takes from it
  surefoot analyse walk.bvh --json";

pub(crate) fn run(args: &Args) -> Result<String, Failure> {
    if let Some(file) = &args.picture {
        picture::check_name(file)?;
        let inputs: Vec<&PathBuf> = args.files.iter().chain(&args.notes).collect();
        args.out.check(&inputs, std::slice::from_ref(file))?;
        if args.files.len() != 1 {
            return Err(Failure::unusable("--picture: give one file"));
        }
    }
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
        let drawn_at = args.picture.as_deref().map(|picture| args.draw(file, &loaded, picture)).transpose()?;
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
        out.extend(drawn_at);
    }
    Ok(if args.json { format!("{:#}\n", Value::Array(values)) } else { out })
}

impl Args {
    /// Draws the cycle of a clip; a line about the picture.
    fn draw(&self, file: &Path, loaded: &Loaded, picture: &Path) -> Result<String, Failure> {
        let refused = |why: &dyn std::fmt::Display| Failure::refused(format!("{}: {why}", file.display()));
        let import = surefoot_io::load(file, &self.import.settings()).map_err(Failure::unusable)?;
        let load = LoadCharacter { rig: self.study.rig_text()?, ..LoadCharacter::default() };
        let subject = load.of_import(import).map_err(|why| refused(&why))?;
        let clip = subject.clips.iter().find(|clip| clip.name() == loaded.clip.name());
        let clip = clip.ok_or_else(|| refused(&"the clip is not among the character's"))?;
        let prepare = PrepareClips { study: self.study.study(), ..PrepareClips::default() };
        let mut cycle = prepare.cycle(&subject.character, clip).map_err(|why| refused(&why))?;
        if let Some(notes) = &self.notes {
            let unusable = |why: &dyn std::fmt::Display| Failure::unusable(format!("{}: {why}", notes.display()));
            let text = std::fs::read_to_string(notes).map_err(|why| unusable(&why))?;
            let notes = notes_file::read(&text, &subject.character.rig).map_err(|why| unusable(&why))?;
            if let Some(own) = notes.of(&cycle) {
                cycle = cycle.noted(&subject.character, &own);
            }
        }
        if !cycle.moves() {
            return Err(refused(&"the clip goes nowhere: there are no steps to draw"));
        }
        let size = picture::write(picture, cycle_sheet::draw(&subject.character, &cycle, &loaded.title))?;
        Ok(format!("{}: {size}\n", picture.display()))
    }
}
