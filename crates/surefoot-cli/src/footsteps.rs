//! `surefoot footsteps`: a character goes through a world of platforms, print by print.

use crate::body::CharacterArgs;
use crate::check::CheckArgs;
use crate::failure::Failure;
use crate::format::{Format, Kind};
use crate::navigate::journey::TypedEnd;
use crate::output::{self, OutputArgs};
use crate::refinements;
use crate::stepper::{Stepped, Stepper, footstep_end};
use crate::world_args::{self, WorldArgs};
use crate::{page, picture};
use serde_json::json;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use surefoot::plan::footsteps::FootstepSearch;
use surefoot::rig::Side;
use surefoot::stages::{Mark, PlanFootsteps};
use surefoot::systems::{FootstepJourney, FootstepJourneyError, FootstepRuns, Footsteps};
use surefoot::world::ScenePose;
use surefoot_io::scene::LoadedScene;
use surefoot_io::world::write_obj;
use surefoot_view::footsteps::ShownFootsteps;
use surefoot_view::report::row;

/// Go through a world of platforms, steps and gaps from start to goal, print by print, and write the motion
///
/// Strides are cut from clips: walks, runs and jumps, each from one right print to the next. Which of them lead to the goal is
/// searched first: every print on the ground, the body clear of everything, gaps jumped where a jump reaches across. Then the
/// prints are smoothed, the strides are played and blended by how much the way turns and how fast it is gone, the body is led over
/// its prints, and every foot is held where it stands. It begins and ends standing. What cannot be reached is refused with what lies between: the gap with its width, the step with its height.
///
/// The world is a scene (.scene.toml) whose ground is a mesh or is made of [[platform]]s with corners, or a mesh by itself; [[area]]s
/// say where nobody runs and where strides cost more.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The scene (.scene.toml) with a mesh or platforms, or a mesh by itself (.obj, .glb, .gltf)
    #[arg(long, value_name = "W")]
    world: PathBuf,
    #[command(flatten)]
    of_world: WorldArgs,
    /// Where to start, in the numbers of the world's file (metres in a scene), and the way to face there, degrees from +z towards
    /// +x; on several floors x,y,z,deg
    #[arg(long, value_name = "X,Z[,DEG]", allow_hyphen_values = true)]
    start: Option<TypedEnd>,
    /// Where to go, in the same form; without DEG it may face any way there
    #[arg(long, value_name = "X,Z[,DEG]", allow_hyphen_values = true)]
    goal: Option<TypedEnd>,
    /// The file to write; its ending chooses the format (.glb or .bvh)
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
    /// Write every stage of the planning into this folder: a picture and the numbers of each, how the way bends and the speed over
    /// time, what each refinement adds (refinements.csv), and the ground as ground.obj
    #[arg(long, value_name = "DIR")]
    stages: Option<PathBuf>,
    /// Draw the scene with the walk, its footprints and its time; .png or .svg
    #[arg(long, value_name = "X.png|X.svg")]
    picture: Option<PathBuf>,
    /// Also write a web page that plays the walk over its ground
    #[arg(long, value_name = "X.html")]
    page: Option<PathBuf>,
    /// How to search for strides
    #[arg(long, default_value = "strides")]
    search: Search,
    /// A file that lists the clips to cut strides from, with notes on each (.toml, see docs/footsteps.md); without it, embedded clips
    #[arg(long, value_name = "clips.toml")]
    clips: Option<PathBuf>,
    /// Never run anywhere
    #[arg(long)]
    walk: bool,
    /// Begin and end in the middle of a stride instead of standing
    #[arg(long)]
    walk_through: bool,
    /// Leave refinements out, to see what each contributes
    #[arg(long, value_name = "WHAT", value_delimiter = ',')]
    without: Vec<refinements::Typed>,
    /// Print JSON for programs, with every print
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    who: CharacterArgs,
    #[command(flatten)]
    check: CheckArgs,
    #[command(flatten)]
    out: OutputArgs,
    #[command(flatten)]
    format: Format,
}

#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum Search {
    /// One stride after another to wherever it leads, along the corridor to the goal
    Strides,
    /// Between right prints that are strewn over the ground beforehand, as Granberg did in 2017
    Graph,
}

const EXAMPLES: &str = "Examples:
  surefoot footsteps --world scenarios/jumps.scene.toml -o jumps.glb --picture jumps.png --page jumps.html
  surefoot footsteps --world scenarios/turns.scene.toml -o turns.glb --stages stages/     a picture and numbers of every stage
  surefoot footsteps --world scenarios/stairs.scene.toml -o stairs.bvh --json
  surefoot footsteps --world scenarios/stepping-stones.scene.toml --start 0,0,0 --goal 0,2,180 -o back.glb
  surefoot footsteps --world scenarios/jumps.scene.toml --character knight.glb -o knight.glb     on your own character
  surefoot footsteps --world scenarios/jumps.scene.toml --walk -o walk.glb     refused: only a run jumps that far";

pub(crate) fn run(args: &Args) -> Result<String, Failure> {
    let kind = Format::kind(&args.output)?;
    args.picture.as_deref().map_or(Ok(()), picture::check_name)?;
    args.page.as_deref().map_or(Ok(()), page::check_name)?;
    let outputs: Vec<PathBuf> = std::iter::once(&args.output).chain(&args.picture).chain(&args.page).cloned().collect();
    let read: Vec<&PathBuf> = std::iter::once(&args.world).chain(&args.clips).chain(args.who.files()).collect();
    args.out.check(&read, &outputs)?;
    let loaded = args.of_world.load(&args.world)?;
    let said_of_world = world_args::said(&loaded);
    let stepper = Stepper::load(args.clips.as_deref(), args.who.load()?)?;
    let mut stepped = args.walk(loaded, &stepper)?;
    let (bytes, faults) = stepped.encode(&stepper, &args.format, kind)?;
    args.check.judge(&faults, &stepper.strides.rig.skeleton)?;
    output::write(&args.output, &bytes)?;
    let shown = stepped.shown(&stepper);
    if let Some(path) = &args.picture {
        picture::write(path, shown.map())?;
    }
    if let Some(path) = &args.page {
        let glb = (kind == Kind::Glb).then_some(&*bytes);
        stepped.write_page(&stepper, path, glb, kind == Kind::Bvh || args.format.own_mesh())?;
    }
    let mut written = outputs;
    if let Some(folder) = &args.stages {
        let adds = refinements::csv(&stepper, &stepped, &args.motion());
        written.extend(write_stages(folder, &shown, &adds, args.out.force)?);
    }
    let walked = Walked { stepper: &stepper, stepped: &stepped };
    Ok(if args.json { walked.json(&written) } else { walked.in_words(&args.world, &written) + &said_of_world })
}

impl Args {
    /// How motion is made, without what is left out.
    fn motion(&self) -> Footsteps {
        self.without.iter().fold(Footsteps::default(), |motion, left_out| motion.without((*left_out).into()))
    }

    /// Plans the footsteps and makes the motion.
    fn walk(&self, loaded: LoadedScene, stepper: &Stepper) -> Result<Stepped, Failure> {
        let LoadedScene { scene, frame, .. } = loaded;
        let end = |typed: Option<TypedEnd>, own: ScenePose| match typed {
            None => own.into(),
            Some(typed) => footstep_end(typed.end(&frame), own),
        };
        let mut ends = [end(self.start, scene.start), end(self.goal, scene.goal)];
        ends.iter_mut().for_each(|end| end.stands = !self.walk_through);
        let search = if self.search == Search::Graph { FootstepSearch::Graph } else { FootstepSearch::Strides };
        let plan = PlanFootsteps { search, seed: scene.seed, ..PlanFootsteps::default() };
        let runs = if self.walk { FootstepRuns::Never } else { FootstepRuns::Anywhere };
        let journey = FootstepJourney { plan, runs, motion: self.motion() };
        Stepped::make(stepper, scene, ends, &journey).map_err(|why| {
            let more = match why {
                FootstepJourneyError::NoMesh => "; for a floor with obstacles there is surefoot navigate",
                _ => "",
            };
            let why = format!("{why}{more}");
            let said =
                if self.json { format!("{:#}\n", json!({ "found": false, "why_not": why })) } else { String::new() };
            Failure { said, ..Failure::refused(why) }
        })
    }
}

/// A walk that was made, to be told of.
struct Walked<'a> {
    stepper: &'a Stepper,
    stepped: &'a Stepped,
}

impl Walked<'_> {
    /// Milliseconds: cutting strides, looking at the world, planning, making motion.
    fn ms(&self) -> [f64; 4] {
        let report = &self.stepped.done.report;
        let [ready, planned] = [report.ready, report.planned].map(|time| 1e3 * time.as_secs_f64());
        [self.stepper.ms, ready, planned, self.stepped.motion_ms]
    }

    fn json(&self, written: &[PathBuf]) -> String {
        let [cut, looked, planned, made] = self.ms();
        let Stepped { done, drift, .. } = self.stepped;
        let ([walks, runs, special], report, way) = (done.report.strides, &done.made.report, &done.report.way);
        let files: Vec<String> = written.iter().map(|path| path.display().to_string()).collect();
        let said = json!({
            "found": true,
            "files": files,
            "prints": done.plan.prints.len(),
            "footprints": self.footprints(),
            "strides": { "walk": walks, "run": runs, "special": special },
            "frames": report.frames,
            "seconds": report.seconds,
            "arrival": { "off_mm": 1e3 * way.missed, "turned_deg": way.askew.to_degrees(),
                "print_off_mm": 1e3 * report.arrival.off, "print_turned_deg": report.arrival.turned.to_degrees() },
            "collisions": way.collisions,
            "prints_moved_mm": 1e3 * report.moved_prints,
            "feet_missed_mm": 1e3 * report.missed,
            "drift_p95_mm": 1e3 * drift.p95,
            "ms": { "strides": cut, "world": looked, "plan": planned, "motion": made },
        });
        format!("{said:#}\n")
    }

    /// The prints that are stepped on, by time; places are of the soles' middles.
    fn footprints(&self) -> Vec<serde_json::Value> {
        let print = |mark: &Mark| {
            let place = mark.place();
            json!({
                "side": if mark.side == Side::Left { "left" } else { "right" },
                "seconds": mark.time,
                "x_m": place.x,
                "y_m": place.y,
                "z_m": place.z,
                "heading_deg": mark.at.heading.to_degrees(),
            })
        };
        self.stepped.done.made.stages.prints.iter().map(print).collect()
    }

    fn in_words(&self, world: &Path, written: &[PathBuf]) -> String {
        let [cut, looked, planned, made] = self.ms();
        let Stepped { done, drift, .. } = self.stepped;
        let ([walks, runs, special], report, way) = (done.report.strides, &done.made.report, &done.report.way);
        let mut out = format!("{}, on {}\n", world.display(), self.stepper.name);
        let strides = format!("{} prints: {walks} strides walking, {runs} running, {special} special", report.prints);
        row(&mut out, "plan", strides);
        row(&mut out, "walk", format!("{} frames, {:.1} s", report.frames, report.seconds));
        row(
            &mut out,
            "collisions",
            if way.collisions == 0 { "none".into() } else { format!("{} frames", way.collisions) },
        );
        let (off, turned) = (1e3 * way.missed, way.askew.to_degrees());
        row(&mut out, "at the goal", format!("off by {off:.1} mm and {turned:.1}°"));
        let (moved, missed) = (1e3 * report.moved_prints, 1e3 * report.missed);
        let drift = 1e3 * drift.p95;
        row(
            &mut out,
            "feet",
            format!("drift {drift:.2} mm (95 %), prints moved by {moved:.0} mm at most, missed by {missed:.1} mm"),
        );
        let took = format!("strides {cut:.0} ms, world {looked:.0} ms, plan {planned:.1} ms, motion {made:.1} ms");
        row(&mut out, "took", took);
        for path in written {
            let size = path.metadata().map_or(0, |meta| meta.len() as usize);
            let _ = writeln!(out, "{}: {}", path.display(), output::size(size));
        }
        out
    }
}

/// Writes every stage, and the ground; gives what was written.
fn write_stages(folder: &Path, shown: &ShownFootsteps<'_>, adds: &str, force: bool) -> Result<Vec<PathBuf>, Failure> {
    let (stages, curves) = (shown.stages(), shown.curves());
    let named = |name: &str, ending: &str| folder.join(format!("{name}.{ending}"));
    let mut paths: Vec<PathBuf> =
        stages.iter().flat_map(|stage| [named(stage.name, "png"), named(stage.name, "csv")]).collect();
    paths.extend(curves.iter().flat_map(|curve| [named(curve.name, "png"), named(curve.name, "csv")]));
    paths.extend([named("refinements", "csv"), named("ground", "obj")]);
    OutputArgs { force }.check(&[], &paths)?;
    for stage in &stages {
        picture::write(&named(stage.name, "png"), shown.picture(stage))?;
        output::write(&named(stage.name, "csv"), stage.csv().as_bytes())?;
    }
    for curve in &curves {
        picture::write(&named(curve.name, "png"), curve.picture(&shown.scene.name))?;
        output::write(&named(curve.name, "csv"), curve.csv().as_bytes())?;
    }
    output::write(&named("refinements", "csv"), adds.as_bytes())?;
    if let Some(mesh) = &shown.scene.mesh {
        output::write(&named("ground", "obj"), write_obj(mesh.soup.positions(), mesh.soup.triangles()).as_bytes())?;
    }
    Ok(paths)
}
