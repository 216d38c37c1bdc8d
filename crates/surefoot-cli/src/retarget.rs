//! `surefoot retarget`: motion of one body on another, feet exact.

use crate::body::{Body, RigOption, text};
use crate::check::{self, CheckArgs};
use crate::clean::as_exported;
use crate::corpus::expand;
use crate::failure::Failure;
use crate::format::{Format, Kind};
use crate::input::{ImportArgs, Loaded, StudyArgs};
use crate::number::within;
use crate::output::{self, OutputArgs};
use crate::{page, progress};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use surefoot::adapt::Build;
use surefoot::metrics::CheckMotion;
use surefoot::motion::Clip;
use surefoot::rig::Rig;
use surefoot::stages::LegSkin;
use surefoot::stages::Retarget;
use surefoot::systems::{CleanedUp, OntoBody, OntoReport};
use surefoot_io::gltf::NewClip;
use surefoot_io::map_file::{self, MapFile};
use surefoot_view::cleaned_page;
use surefoot_view::report::repairs;
use surefoot_view::report::retargeted::RetargetReport;
use surefoot_view::standing::{events, standing};

/// Put a motion on another body: a capture on your character, feet exact
///
/// Bodies may differ in rest pose, size, proportions, and number, names and rolls of bones. The motion is cleaned on its own body,
/// carried over part by part (limbs reach as far in proportion, the way is as long as legs make it), and every foot is held where it
/// comes to stand. What only one of the bodies has is said. A character (.glb, .gltf, .vrm) keeps its mesh in a GLB result.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The motion: files, or folders of files (BVH, AMC, FBX, glTF)
    #[arg(required = true, value_name = "MOTION")]
    motions: Vec<PathBuf>,
    /// The character to transfer it to
    #[arg(long, value_name = "CHARACTER")]
    to: PathBuf,
    /// The file to write (.glb or .bvh); for several files or a folder, the folder to write into
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
    /// Transfer all clips of a file, not only the first
    #[arg(long)]
    all_clips: bool,
    /// Legs and feet of the body from a file (`surefoot inspect CHARACTER --write-rig` makes one); --rig is the motion's
    #[arg(long, value_name = "rig.toml")]
    to_rig: Option<PathBuf>,
    /// Which joint is which body part, from a file that --write-map made and that you may have corrected
    #[arg(long, value_name = "map.toml")]
    map: Option<PathBuf>,
    /// Write which joint was taken for which body part to this file, to correct it and pass it with --map
    #[arg(long, value_name = "map.toml")]
    write_map: Option<PathBuf>,
    /// Scale of the distance travelled; without it, the ratio of the leg lengths
    #[arg(long, value_name = "FACTOR", value_parser = factor)]
    travel: Option<f32>,
    /// Also write a web page that plays the result, with figures and curves
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
  surefoot retarget walk.bvh --to knight.glb -o knight-walk.glb
  surefoot retarget dance.fbx --to hero.vrm -o dance.glb --page dance.html
  surefoot retarget robot.glb --clip wave --to hero.glb -o wave.glb --keep-clips
  surefoot retarget robot.glb --all-clips --to hero.glb -o all.glb
  surefoot retarget captures/ --to hero.glb -o on-hero/     every file of a folder
  surefoot retarget walk.bvh --to hero.glb -o walk.glb --write-map map.toml   then correct it and give it as --map";

/// A way that is so many times as long.
fn factor(text: &str) -> Result<f32, String> {
    within("a factor", 0.001..=1000.0)(text)
}

/// One motion on the body.
struct Done {
    source: CleanedUp,
    done: CleanedUp,
    report: OntoReport,
}

pub(crate) fn run(args: &Args) -> Result<String, Failure> {
    args.page.as_deref().map_or(Ok(()), page::check_name)?;
    let files = expand(&args.motions)?;
    let several = args.motions.len() > 1 || args.motions.iter().any(|path| path.is_dir());
    // What was said about the motion's file is not said about the body's.
    let body = Body::load(&args.to, RigOption { name: "--to-rig", file: args.to_rig.as_deref() })?;
    if !several {
        let inputs: Vec<&PathBuf> =
            [&args.motions[0], &args.to].into_iter().chain(&args.map).chain(&args.to_rig).collect();
        let kind = Format::kind(&args.output)?;
        let outputs: Vec<PathBuf> =
            std::iter::once(&args.output).chain(&args.page).chain(&args.write_map).cloned().collect();
        args.out.check(&inputs, &outputs)?;
        return one(args, &body, &files[0], &args.output, kind);
    }
    if args.page.is_some() || args.write_map.is_some() {
        return Err(Failure::unusable("--page and --write-map take one motion: give one file"));
    }
    all(args, &body, &files)
}

/// Brings every file of a list over, into a folder; what cannot be is said at the end.
fn all(args: &Args, body: &Body, files: &[PathBuf]) -> Result<String, Failure> {
    if args.output.is_file() {
        let name = args.output.display();
        return Err(Failure::unusable(format!(
            "{name} is a file: several motions are written into a folder, so give the name of a folder"
        )));
    }
    let known = ["bvh", "amc", "fbx", "glb", "gltf", "vrm"];
    let files: Vec<&PathBuf> = files.iter().filter(|file| known.contains(&output::ending(file).as_str())).collect();
    if files.is_empty() {
        return Err(Failure::refused(format!("found no motion file; these endings are read: {}", known.join(", "))));
    }
    let target = |file: &Path| args.output.join(file.file_stem().unwrap_or_default()).with_extension("glb");
    let outputs: Vec<PathBuf> = files.iter().map(|file| target(file)).collect();
    args.out.check(&files, &outputs)?;
    let mut names = outputs.clone();
    names.sort();
    if let Some(twice) = names.windows(2).find(|two| two[0] == two[1]) {
        return Err(Failure::refused(format!("two motions would be written to {}", twice[0].display())));
    }
    let bar = progress::bar("motions", files.len());
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(files.len());
    let work = || {
        let mut said = Vec::new();
        loop {
            let i = next.fetch_add(1, Ordering::Relaxed);
            let Some(file) = files.get(i) else { return said };
            said.push((i, one(args, body, file, &outputs[i], Kind::Glb)));
            bar.inc(1);
        }
    };
    let mut said: Vec<(usize, Result<String, Failure>)> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap_or_default()).collect()
    });
    bar.finish_and_clear();
    said.sort_by_key(|(i, _)| *i);
    let mut out = String::new();
    let mut refused = Vec::new();
    for (i, result) in said {
        match result {
            Ok(text) => out += &text,
            Err(failure) => refused.push(format!("{}: {}", files[i].display(), failure.error)),
        }
    }
    if refused.is_empty() {
        return Ok(out);
    }
    let (count, all) = (refused.len(), files.len());
    let why = refused.join("\n");
    Err(Failure { said: out, ..Failure::refused(format!("{why}\n{count} of {all} motions could not be transferred")) })
}

/// Brings the clips of one file over and writes them.
fn one(args: &Args, body: &Body, file: &Path, target: &Path, kind: Kind) -> Result<String, Failure> {
    let (loaded, others) = args.import.load_all(file)?;
    let words = args.map.as_deref().map(text).transpose()?;
    let map = words.as_deref().map(map_file::read).transpose();
    let map = map.map_err(|error| unfit(args.map.as_deref(), &error))?;
    let mut clips: Vec<Clip> = vec![loaded.clip.clone()];
    if args.all_clips {
        clips.extend(others);
    }
    let mut done = Vec::new();
    let mut map_written = None;
    for clip in clips {
        let one = Loaded { clip, ..loaded.clone() };
        let studied = args.study.run(file, &one)?;
        let (from, to) = builds(args, body, &one, studied.rig.clone(), map.as_ref())?;
        map_written.get_or_insert_with(|| map_file::write(&from, &to));
        let mut retarget = Retarget { travel: args.travel, ..Retarget::default() };
        if let Some(map) = &map {
            (retarget.modes, retarget.pelvis_offset) = (map.modes(), map.pelvis_offset());
        }
        let onto = OntoBody { retarget, ..OntoBody::default() };
        let error = |error| Failure::refused(format!("{}: {error}", args.to.display()));
        let (source, on_body, report) = onto.run_studied(&from, studied, &to).map_err(error)?;
        done.push(Done { source, done: on_body, report });
    }
    if let (Some(path), Some(text)) = (&args.write_map, map_written) {
        output::write(path, text.as_bytes())?;
    }
    finish(args, body, (&loaded, file), &done, (target, kind))
}

/// Looks at what was made, writes it and tells of it.
fn finish(
    args: &Args,
    body: &Body,
    (loaded, file): (&Loaded, &Path),
    done: &[Done],
    (target, kind): (&Path, Kind),
) -> Result<String, Failure> {
    let own = body.own();
    let skeleton = &body.rig.skeleton;
    let leg_skin = own.skin.and_then(|skin| LegSkin::new(&body.rig, skin));
    let clips: Vec<Clip> = done.iter().map(|one| one.done.clip()).collect();
    let new: Vec<NewClip<'_>> =
        done.iter().zip(&clips).map(|(one, clip)| new_clip(&body.rig, &one.done, clip)).collect();
    if kind == Kind::Bvh && new.len() > 1 {
        return Err(Failure::unusable("a BVH file holds one clip: give a name that ends in .glb for all of them"));
    }
    for (one, clip) in done.iter().zip(&new) {
        let rig = &one.source.before.rig;
        let notes = one.source.before.notes.iter();
        for warning in notes.filter_map(|note| repairs::warning(&rig.skeleton, note, clip.clip.rate())) {
            eprintln!("warning: {warning}");
        }
        let bytes = args.format.encode(kind, own, skeleton, clip)?;
        let looked_at = match check::exported(args.format.read_back(kind, own, skeleton, clip.clip, &bytes)) {
            Some(exported) => as_exported(&one.done, &exported),
            None => one.done.clone(),
        };
        args.check.judge(&looked_at.check(&CheckMotion::default(), leg_skin.as_ref()), skeleton)?;
    }
    let bytes = args.format.encode_all(kind, own, skeleton, &new)?;
    output::write(target, &bytes)?;
    let first = &done[0];
    if let Some(path) = &args.page {
        let bones;
        let (glb, shown) = match kind {
            Kind::Glb => (&bytes, own.document.filter(|_| args.format.own_mesh())),
            Kind::Bvh => {
                bones = surefoot_io::glb::write_clips(skeleton, own.skin, &new[..1]);
                (&bones, None)
            }
        };
        let shown = shown.map(|document| page::own_file(document, skeleton));
        let mut page = cleaned_page::page(&first.done, shown.as_ref(), own.skin);
        page.subtitle = format!("{} on {}", name(file), name(&args.to));
        output::write(path, page.html(glb).as_bytes())?;
    }
    let report = |one: &Done| RetargetReport::new(&one.source, &one.done, &one.report);
    let reports: Vec<RetargetReport> = done.iter().map(report).collect();
    if args.json {
        let value = if args.all_clips { json!(reports) } else { json!(reports[0]) };
        return Ok(format!("{value:#}\n"));
    }
    let what = format!("{}{}", output::size(bytes.len()), args.format.what_else(kind, own, &new[0]));
    let mut out = format!("{}\n{}: {what}\n", loaded.title, target.display());
    reports.iter().for_each(|report| report.rows(&mut out));
    Ok(out + &loaded.warning_lines())
}

fn name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

fn new_clip<'a>(rig: &'a Rig, done: &CleanedUp, clip: &'a Clip) -> NewClip<'a> {
    let stances = standing(&done.take, done.before.cycle.as_ref());
    let (events, looped) = (events(&done.before.rig, &stances, clip.rate()), clip.cycle().is_some());
    NewClip { clip, events, looped, rig: Some(rig), standing: None }
}

/// The two bodies, by their own evidence or as a map has them.
fn builds(args: &Args, body: &Body, one: &Loaded, rig: Rig, map: Option<&MapFile>) -> Result<(Build, Build), Failure> {
    let Some(map) = map else {
        return Ok((Build::new(rig, one.skin.as_ref()), Build::new(body.rig.clone(), body.import.skin.as_ref())));
    };
    let of = |error: map_file::MapFileError| unfit(args.map.as_deref(), &error);
    let from = map.source(rig, one.skin.as_ref()).map_err(of)?;
    let to = map.target(body.rig.clone(), body.import.skin.as_ref()).map_err(of)?;
    Ok((from, to))
}

fn unfit(path: Option<&Path>, error: &dyn std::fmt::Display) -> Failure {
    Failure::unusable(format!("{}: {error}", path.unwrap_or(Path::new("")).display()))
}
