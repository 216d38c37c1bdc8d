//! `surefoot clean`: a clip whose feet stop sliding.

use crate::check::{self, CheckArgs};
use crate::failure::Failure;
use crate::format::{Format, Kind};
use crate::input::{ImportArgs, Loaded, StudyArgs};
use crate::output::{self, OutputArgs};
use crate::page;
use serde_json::json;
use std::fmt::Display;
use std::fmt::Write as _;
use std::path::PathBuf;
use surefoot::adapt::Build;
use surefoot::metrics::CheckMotion;
use surefoot::stages::LegSkin;
use surefoot::systems::{CleanUp, CleanedUp, OntoBody};
use surefoot_io::exported::Exported;
use surefoot_io::gltf::NewClip;
use surefoot_view::cleaned_page;
use surefoot_view::report::cleaned::CleanReport;
use surefoot_view::report::counted;
use surefoot_view::report::repairs;
use surefoot_view::report::study::uneven_feet;
use surefoot_view::standing::{events, standing};

/// Stop feet from sliding: every stance is held where it stands, the rest changed as little as can be
///
/// Capture glitches are repaired first. Feet are put on level ground (stances on steps keep their height), eased in and
/// out, and knees solved; the pelvis moves up and down only as far as it must. Says how far feet slid before and after.
/// A character (.glb, .gltf, .vrm) keeps its mesh, materials, unit and axes in a GLB result.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The file to clean
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// The file to write; its ending chooses the format (.bvh or .glb)
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
    /// Transfer the motion to the body in this file, of any proportions with the same number of legs (`surefoot retarget` has more options)
    #[arg(long, value_name = "FILE")]
    onto: Option<PathBuf>,
    /// Also write a web page that plays the result, with figures and curves before and after
    #[arg(long, value_name = "X.html")]
    page: Option<PathBuf>,
    /// Print JSON for programs
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    check: CheckArgs,
    #[command(flatten)]
    out: OutputArgs,
    #[command(flatten)]
    format: Format,
    #[command(flatten)]
    study: StudyArgs,
    #[command(flatten)]
    import: ImportArgs,
}

const EXAMPLES: &str = "Examples:
  surefoot clean walk.bvh -o clean.glb       look at it in any glTF viewer
  surefoot clean walk.bvh -o clean.bvh && surefoot measure clean.bvh --max-drift-mm 1
  surefoot clean fox.glb --clip walk -o clean.glb --keep-clips --page clean.html   a character, and a page to judge it by
  surefoot clean walk.bvh --onto tall.bvh -o tall-walk.glb   the same walk on another body";

pub(crate) fn run(args: &Args) -> Result<String, Failure> {
    let kind = Format::kind(&args.output)?;
    args.page.as_deref().map_or(Ok(()), page::check_name)?;
    let outputs: Vec<PathBuf> = std::iter::once(&args.output).chain(&args.page).cloned().collect();
    args.out.check(&[&args.input], &outputs)?;
    let (loaded, others) = args.import.load_all(&args.input)?;
    let studied = args.study.run(&args.input, &loaded)?;
    let (done, body) = match &args.onto {
        None => (CleanUp::default().run_studied(studied), None),
        Some(other) => {
            let unfit = |error: &dyn Display| Failure::refused(format!("{}: {error}", other.display()));
            let body = args.import.load_body(other)?;
            // A rig file names joints, which both bodies share.
            let onto = match args.study.rig(&body)? {
                Some(rig) => rig,
                None => body.rig().map_err(|error| unfit(&error))?,
            };
            let from = Build::new(studied.rig.clone(), loaded.skin.as_ref());
            let to = Build::new(onto, body.skin.as_ref());
            let onto = OntoBody::default().run_studied(&from, studied, &to);
            let (source, mut done, _) = onto.map_err(|error| unfit(&error))?;
            // It was mended on its own body.
            done.before.notes = source.before.notes;
            (done, Some(body))
        }
    };
    let body = body.as_ref().unwrap_or(&loaded);
    let (Loaded { document, skin, .. }, own) = (body, body.own());
    let (rig, clip) = (&done.before.rig, done.clip());
    let leg_skin = skin.as_ref().and_then(|skin| LegSkin::new(rig, skin));
    for warning in done.before.notes.iter().filter_map(|note| repairs::warning(&rig.skeleton, note, clip.rate())) {
        eprintln!("warning: {warning}");
    }
    let stances = standing(&done.take, done.before.cycle.as_ref());
    // Legs that were found in this clip alone are found in it again; those of a rig file are not.
    let told = args.study.is_told().then_some(rig);
    let looped = clip.cycle().is_some();
    let new = NewClip { events: events(rig, &stances, clip.rate()), looped, clip: &clip, rig: told, standing: None };
    let bytes = args.format.encode(kind, own, &rig.skeleton, &new)?;
    let looked_at = match check::exported(args.format.read_back(kind, own, &rig.skeleton, &clip, &bytes)) {
        Some(exported) => as_exported(&done, &exported),
        None => done.clone(),
    };
    args.check.judge(&looked_at.check(&CheckMotion::default(), leg_skin.as_ref()), &rig.skeleton)?;
    output::write(&args.output, &bytes)?;
    if let Some(path) = &args.page {
        // The page plays the result itself where that is a GLB file.
        let own;
        let (glb, shown) = match kind {
            Kind::Glb => (&bytes, document.as_ref().filter(|_| args.format.own_mesh())),
            Kind::Bvh => {
                own = surefoot_io::glb::write_clips(&rig.skeleton, skin.as_ref(), std::slice::from_ref(&new));
                (&own, None)
            }
        };
        let file = shown.map(|document| page::own_file(document, &rig.skeleton));
        let mut page = cleaned_page::page(&done, file.as_ref(), skin.as_ref());
        page.subtitle = args.input.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if args.format.keeps_clips() && args.onto.is_none() {
            page.clips = page::other_clips(&loaded, Some(&done.before), &others);
        }
        output::write(path, page.html(glb).as_bytes())?;
    }
    let report = CleanReport::new(&done);
    if args.json {
        return Ok(format!("{:#}\n", json!(report)));
    }
    let what = format!("{}{}", output::size(bytes.len()), args.format.what_else(kind, own, &new));
    let (frames, rate) = (clip.frames(), clip.rate());
    let mut out =
        format!("{}\n{}: {} at {rate} Hz, {what}\n", loaded.title, args.output.display(), counted(frames, "frame"));
    report.rows(&mut out);
    for doubt in &done.before.analysis.doubts {
        let _ = writeln!(out, "warning: {doubt} (--source-fps; surefoot doctor tells more)");
    }
    if let Some(uneven) = uneven_feet(&done.before) {
        let _ = writeln!(out, "warning: {uneven}; they are held all the same");
    }
    Ok(out + &loaded.warning_lines())
}

/// A cleaned clip as its file gives it back, every round of a cycle alike.
pub(crate) fn as_exported(done: &CleanedUp, exported: &Exported) -> CleanedUp {
    let round = done.before.frames();
    let frame_of = |f: usize| (f + round.len() - round.start % round.len()) % round.len();
    let clip = exported.shown_in(&done.before.rig.skeleton, &done.take.clip, frame_of);
    done.clone().with_clip(clip)
}
