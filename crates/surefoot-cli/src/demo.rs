//! `surefoot demo`: the main job on embedded data, for a first look.

use crate::body::{Body, CharacterArgs};
use crate::failure::Failure;
use crate::format::new_walk;
use crate::navigate::journey::{Trip, Walker};
use crate::output::{self, OutputArgs};
use crate::stepper::{Stepped, Stepper};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use surefoot::motion::Stance;
use surefoot::plan::footsteps::FootstepEnd;
use surefoot::systems::{FootstepJourney, FootstepJourneyError, FootstepRuns, Journey, JourneyEnds};
use surefoot_io::bvh::{self, BvhWriter};
use surefoot_io::gltf::{self, WriteSettings};
use surefoot_io::{embedded, glb};
use surefoot_view::page::{Page, PageLink};
use surefoot_view::sheet::{self, RigStances};
use surefoot_view::svg::Svg;

/// Walk a character through a labyrinth and over gaps, and write it as GLB, BVH, pictures and web pages, from data that is built in
///
/// Through the labyrinth the motion is made of clips that were captured from people at CMU, joined into a motion graph and brought onto the body that
/// walks: a figure that is built in, or a character of yours. Over platforms with gaps every footstep is planned first, and walked, run or
/// jumped. The pages play them in any browser without a network, and lead to each other.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Where to put the files
    #[arg(long, value_name = "FOLDER", default_value = "surefoot-demo")]
    out: PathBuf,
    #[command(flatten)]
    who: CharacterArgs,
    #[command(flatten)]
    output: OutputArgs,
}

const EXAMPLES: &str = "Examples:
  surefoot demo                   writes surefoot-demo/
  surefoot demo --out elsewhere   writes elsewhere/
  surefoot demo --character knight.glb   the same walk on a character of yours
  surefoot demo --force           writes it again";

/// Seconds from the start that are on the contact sheet.
const SHEET: f32 = 12.0;

pub(crate) fn run(args: &Args) -> Result<String, Failure> {
    let names = [
        "labyrinth.html",
        "labyrinth.glb",
        "labyrinth.bvh",
        "labyrinth-map.png",
        "labyrinth-steps.png",
        "jumps.html",
        "jumps-map.png",
        "jumps.glb",
    ];
    let paths = names.map(|name| args.out.join(name));
    args.output.check(&args.who.files().collect::<Vec<_>>(), &paths)?;

    let walker = Walker::load(None, Some(args.body()?))?;
    let scene = embedded::labyrinth();
    let ends = JourneyEnds::of(&scene);
    let trip =
        Trip::make(&walker, scene, &ends, &Journey::default()).map_err(|why| Failure::refused(why.to_string()))?;
    let skeleton = &walker.graph.rig.skeleton;
    let new = new_walk(&trip.clip, &walker.graph.rig, trip.done.take());
    let body = match walker.own().document {
        Some(document) => gltf::write_clips(document, skeleton, std::slice::from_ref(&new), &WriteSettings::default())
            .map_err(Failure::refused)?,
        None => glb::write_clips(skeleton, walker.own().skin, std::slice::from_ref(&new)),
    };
    let jumps = Jumps::make(args)?;
    let mut files = vec![
        (page(&walker, &trip, jumps.is_ok()).html(&body).into_bytes(), "a page that plays it: open it in a browser"),
        (body, "the character, for Blender, Unity, Unreal, Godot, Bevy or any glTF viewer"),
        (bvh::write(skeleton, &trip.clip, &BvhWriter::default()).into_bytes(), "the motion, in metres"),
        (trip.shown(&walker).map().png(), "the labyrinth from above, with every step"),
        (first_steps(&walker, &trip).png(), "a contact sheet of its start: poses, footprints, curves"),
    ];
    let mut said = said(&walker, &trip);
    match jumps {
        Ok(jumps) => {
            files.push((jumps.page().html(&jumps.glb).into_bytes(), "a page that plays the jumps"));
            files.push((jumps.stepped.shown(&jumps.stepper).map().png(), "the platforms from above, with every step"));
            said += &jumps.said();
            files.push((jumps.glb, "the character walking, running and jumping"));
        }
        // A small character does not jump that far: the labyrinth is there all the same.
        Err(why) => {
            let _ = writeln!(said, "No jumps: {why}.");
        }
    }
    let wide = paths.iter().map(|p| p.display().to_string().len()).max().unwrap_or(0);
    for (path, (bytes, what)) in paths.iter().zip(files) {
        output::write(path, &bytes)?;
        let _ = writeln!(said, "  {:wide$}  {:>7}  {what}", path.display().to_string(), output::size(bytes.len()));
    }
    said.push_str(
        "
Next, through a scene of your own (docs/worlds.md tells how to write one), or with a motion file:
  surefoot navigate --world yard.scene.toml -o walk.glb --page walk.html --character yours.glb
  surefoot retarget walk.bvh --to yours.glb -o yours-walk.glb   a motion on your character
  surefoot inspect walk.bvh               what it is, and what was assumed about it
  surefoot clean walk.bvh -o clean.glb    stop its feet from sliding
  surefoot picture walk.bvh -o walk.png
(`cargo run --release -- inspect walk.bvh` where surefoot is not installed; `--help` explains each.)
",
    );
    Ok(said)
}

impl Args {
    /// The character that was given, or the figure that is built in.
    fn body(&self) -> Result<Body, Failure> {
        match self.who.load()? {
            Some(body) => Ok(body),
            None => Body::of_import(embedded::figure(), Path::new(FIGURE), self.who.rig_option()),
        }
    }
}

/// What the figure is called that is built in.
const FIGURE: &str = "the embedded figure";

/// Platforms with gaps, walked, run and jumped.
struct Jumps {
    stepper: Stepper,
    stepped: Stepped,
    glb: Vec<u8>,
}

impl Jumps {
    /// What was made, or why a character does not get there.
    fn make(args: &Args) -> Result<Result<Self, FootstepJourneyError>, Failure> {
        let stepper = Stepper::load(None, Some(args.body()?))?;
        let scene = embedded::jumps();
        let ends = [scene.start, scene.goal].map(FootstepEnd::from);
        let journey = FootstepJourney { runs: FootstepRuns::Anywhere, ..FootstepJourney::default() };
        let stepped = match Stepped::make(&stepper, scene, ends, &journey) {
            Ok(stepped) => stepped,
            Err(why) => return Ok(Err(why)),
        };
        let (rig, skeleton) = (&stepper.strides.rig, &stepper.strides.rig.skeleton);
        let new = new_walk(&stepped.clip, rig, &stepped.done.made.take);
        let glb = match stepper.own().document {
            Some(document) => {
                gltf::write_clips(document, skeleton, std::slice::from_ref(&new), &WriteSettings::default())
                    .map_err(Failure::refused)?
            }
            None => glb::write_clips(skeleton, stepper.own().skin, std::slice::from_ref(&new)),
        };
        Ok(Ok(Self { stepper, stepped, glb }))
    }

    fn said(&self) -> String {
        let Stepped { done, clip, drift, .. } = &self.stepped;
        let ([walks, runs, special], way) = (done.report.strides, &done.report.way);
        let planned = 1e3 * (done.report.ready + done.report.planned).as_secs_f64() + self.stepped.motion_ms;
        format!(
            "Planned {} footsteps over platforms with gaps and made them motion in {planned:.0} ms: {walks} strides walked, {runs} run, {} jumps;
{:.1} m in {:.1} s, {:.1} mm and {:.2}° off at the goal; feet slide by {:.2} mm.\n",
            done.plan.prints.len(),
            special,
            way.length,
            clip.duration(),
            1e3 * way.missed,
            way.askew.to_degrees(),
            1e3 * drift.p95,
        )
    }

    fn page(&self) -> Page {
        let mut page = self.stepped.shown(&self.stepper).page(self.stepper.own_file().as_ref());
        page.subtitle = "every footstep planned first: walked, run and jumped".into();
        page.beside.push(PageLink { text: "through the labyrinth".into(), file: "labyrinth.html".into() });
        say_sources(&mut page, self.stepper.body.as_ref());
        page
    }
}

/// What was done, in a few sentences.
fn said(walker: &Walker, trip: &Trip) -> String {
    let (walk, clip, times) = (&trip.done.walk, &trip.clip, &trip.done.report.times);
    let planned = 1e3 * (times.ready + times.path + times.walk).as_secs_f64();
    let prepared = walker.times.iter().sum::<f64>();
    format!(
        "Loaded a motion graph of {} captured clips and their mirror images, and brought it onto the body that walks, in {prepared:.0} ms.
Walked {:.1} m through a labyrinth in {:.1} s, planned in {planned:.0} ms: {} transitions between clips, {} collisions,
{:.1} mm and {:.2}° off at the goal; feet slide by {:.2} mm (95th percentile).\n",
        walker.graph.takes.len() / 2,
        walk.report.way.length,
        clip.duration(),
        walk.walked.seams.len(),
        walk.report.way.collisions,
        1e3 * walk.report.way.missed,
        walk.report.way.askew.to_degrees(),
        1e3 * trip.done.report.figures.after.drift.p95,
    )
}

/// The contact sheet of the walk's start.
fn first_steps(walker: &Walker, trip: &Trip) -> Svg {
    let last = ((SHEET * trip.clip.rate()) as usize).min(trip.clip.frames());
    let clip = trip.clip.trimmed(0..last);
    let stances = trip.done.take().stances.iter().filter(|stance| stance.off() <= SHEET).copied();
    let stances: Vec<Stance> = stances.collect();
    let note = format!("the first {:.0} s of {:.1}", clip.duration(), trip.clip.duration());
    let rig = &walker.graph.rig;
    sheet::draw(&rig.skeleton, &clip, None, Some(RigStances { rig, stances: &stances }), &[note])
}

/// The page, with what is said of where the data comes from.
fn page(walker: &Walker, trip: &Trip, jumps: bool) -> Page {
    let mut page = trip.shown(walker).page(walker.own_file().as_ref());
    page.subtitle = "a walk of captured clips, joined on a motion graph".into();
    if jumps {
        page.beside.push(PageLink { text: "over platforms and gaps".into(), file: "jumps.html".into() });
    }
    say_sources(&mut page, walker.body.as_ref());
    page
}

/// Says where the data comes from.
fn say_sources(page: &mut Page, body: Option<&Body>) {
    if body.is_some_and(|body| body.path == Path::new(FIGURE)) {
        page.notes.push("The figure is by Mesh2Motion (CC0).".into());
    }
    page.notes.push(
        "The motion was obtained from mocap.cs.cmu.edu; the database was created with funding from NSF EIA-0196217."
            .into(),
    );
}
