//! `surefoot footsteps`: a character goes through a world of platforms, print by print.

use crate::check::{self, CheckArgs};
use crate::failure::Failure;
use crate::format::{Format, Kind, Own, new_walk};
use crate::navigate::journey::TypedEnd;
use crate::output::{self, OutputArgs};
use crate::{page, picture};
use serde_json::json;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;
use surefoot::adapt::footsteps::Mark;
use surefoot::library::strides::{StrideKind, Strides};
use surefoot::metrics::{CheckMotion, Checked, CheckedSource, Footing, measure_feet};
use surefoot::plan::footsteps::{
    FootstepEnd, FootstepMap, FootstepPlan, FootstepSearch, FootstepWorld, PlanFootsteps, SoleSize,
};
use surefoot::rig::Side;
use surefoot::systems::{Footstepped, Footsteps};
use surefoot::world::Scene;
use surefoot_io::scene::LoadedScene;
use surefoot_io::world::write_obj;
use surefoot_view::footsteps::ShownFootsteps;
use surefoot_view::report::row;

use crate::world_args::{self, WorldArgs};

/// Go through a world of platforms, steps and gaps from start to goal, print by print, and write the motion
///
/// Strides are cut from clips: walks, runs and jumps, each from one right print to the next. Which of them lead to the goal is
/// searched first: every print on the ground, the body clear of everything, gaps jumped where a jump reaches across. Then the
/// prints are smoothed, the strides are played and blended by how much the way turns and how fast it is gone, the body is led over
/// its prints, and every foot is held where it stands. The motion begins and ends in the middle of a stride. What cannot be
/// reached is refused with what lies between: the gap with its width, the step with its height.
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
    /// Where to go, likewise; without DEG it may face any way there
    #[arg(long, value_name = "X,Z[,DEG]", allow_hyphen_values = true)]
    goal: Option<TypedEnd>,
    /// The file to write; its ending (.glb, .bvh) says what
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
    /// Write every stage into this folder: a picture and its numbers each, and the ground as ground.obj
    #[arg(long, value_name = "DIR")]
    stages: Option<PathBuf>,
    /// Draw the scene with the walk, its footprints and its time; .png or .svg
    #[arg(long, value_name = "X.png|X.svg")]
    picture: Option<PathBuf>,
    /// Write a web page too that plays the walk over its ground
    #[arg(long, value_name = "X.html")]
    page: Option<PathBuf>,
    /// How strides are searched for
    #[arg(long, default_value = "strides")]
    search: Search,
    /// Never run, wherever it is
    #[arg(long)]
    walk: bool,
    /// Print JSON for programs, with every print
    #[arg(long)]
    json: bool,
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
  surefoot footsteps --world scenarios/jumps.scene.toml --walk -o walk.glb     refused: only a run jumps that far";

/// A walk that was planned and made.
struct Walked {
    scene: Scene,
    plan: FootstepPlan,
    done: Footstepped,
    kinds: [usize; 3],
    /// Milliseconds: cutting strides, looking at the world, planning, making motion.
    ms: [f64; 4],
}

pub(crate) fn run(args: &Args) -> Result<String, Failure> {
    let kind = Format::kind(&args.output)?;
    args.picture.as_deref().map_or(Ok(()), picture::check_name)?;
    args.page.as_deref().map_or(Ok(()), page::check_name)?;
    let outputs: Vec<PathBuf> = std::iter::once(&args.output).chain(&args.picture).chain(&args.page).cloned().collect();
    args.out.check(&[&args.world], &outputs)?;
    let loaded = args.of_world.load(&args.world)?;
    let said_of_world = world_args::said(&loaded);
    let start = Instant::now();
    let strides = surefoot_io::embedded::strides();
    let cut = milliseconds(start);
    let mut walked = args.walk(loaded, &strides, cut)?;

    let rig = &strides.rig;
    let skeleton = &rig.skeleton;
    let name = if walked.scene.name.is_empty() { "footsteps".to_owned() } else { walked.scene.name.clone() };
    let mut clip = walked.done.take.clip.clone().named(name);
    let new = new_walk(&clip, rig, &walked.done.take);
    let bytes = args.format.encode(kind, Own::default(), skeleton, &new)?;
    let exported = check::exported(args.format.read_back(kind, Own::default(), skeleton, &clip, &bytes));
    if let Some(exported) = &exported {
        clip = exported.shown_in(skeleton, &clip, |frame| frame);
        walked.done.take.clip = clip.clone();
    }
    let ground = walked.scene.world();
    let footing = Footing::Known(&ground);
    let motion = Checked { rig, skin: None, take: &walked.done.take, planned: true, footing, part: None };
    let faults = CheckMotion::default().run(motion, &CheckedSource::default());
    args.check.judge(&faults, skeleton)?;
    output::write(&args.output, &bytes)?;
    let shown =
        ShownFootsteps { rig, strides: "embedded strides", scene: &walked.scene, done: &walked.done, clip: &clip };
    if let Some(path) = &args.picture {
        picture::write(path, shown.map())?;
    }
    if let Some(path) = &args.page {
        let glb = match kind {
            Kind::Glb => &bytes,
            Kind::Bvh => &page::glb(skeleton, &clip, Own::default())?,
        };
        output::write(path, shown.page().html(glb).as_bytes())?;
    }
    let mut written = outputs;
    if let Some(folder) = &args.stages {
        written.extend(write_stages(folder, &shown, args.out.force)?);
    }
    let feet = measure_feet(rig, &walked.done.take, footing);
    let drift = 1e3 * feet.drift.p95;
    Ok(if args.json {
        walked.json(drift, &written)
    } else {
        walked.in_words(&args.world, drift, &written) + &said_of_world
    })
}

impl Args {
    /// Plans the footsteps and makes the motion.
    fn walk(&self, loaded: LoadedScene, strides: &Strides, cut: f64) -> Result<Walked, Failure> {
        let LoadedScene { mut scene, frame, .. } = loaded;
        let own = [scene.start, scene.goal].map(FootstepEnd::from);
        let typed = |typed: Option<TypedEnd>, own: FootstepEnd| match typed {
            None => own,
            Some(typed) => {
                let end = typed.end(&frame);
                let y = end.height.unwrap_or(own.place.y);
                let place = surefoot::glam::Vec3::new(end.place.x, y, end.place.y);
                FootstepEnd { place, heading: end.heading, ..own }
            }
        };
        let [start, goal] = [typed(self.start, own[0]), typed(self.goal, own[1])];
        let begun = Instant::now();
        let what =
            "footsteps need a mesh or platforms to step on; for a floor with obstacles there is surefoot navigate";
        let mut world =
            FootstepWorld::of(&scene).ok_or_else(|| Failure::refused(format!("{}: {what}", self.world.display())))?;
        if self.walk {
            let area = surefoot::world::Area { name: String::new(), outline: Vec::new(), running: false, cost: 1.0 };
            world.areas.push(area);
        }
        if let Some(leg) = strides.rig.legs.first() {
            world.sole = SoleSize::of(&leg.foot);
        }
        let map = FootstepMap::new(world, strides.reaches());
        let looked = milliseconds(begun);
        let search = if self.search == Search::Graph { FootstepSearch::Graph } else { FootstepSearch::Strides };
        let planner = PlanFootsteps {
            search,
            seed: scene.seed,
            left: strides.leg(Side::Left),
            right: strides.leg(Side::Right),
            ..PlanFootsteps::default()
        };
        let begun = Instant::now();
        let refused = |why: String| {
            let said =
                if self.json { format!("{:#}\n", json!({ "found": false, "why_not": why })) } else { String::new() };
            Failure { said, ..Failure::refused(why) }
        };
        let plan = planner.run(&map, start, goal, None).map_err(|why| refused(why.to_string()))?;
        let planned = milliseconds(begun);
        let begun = Instant::now();
        let done = Footsteps::default().run(strides, &plan, &map.world().ground);
        let done = done.map_err(|why| refused(why.to_string()))?;
        let made = milliseconds(begun);
        let count = |kind| plan.strides.iter().filter(|stride| map.reaches()[stride.stride].kind == kind).count();
        let kinds = [StrideKind::Walk, StrideKind::Run, StrideKind::Special].map(count);
        (scene.start.place, scene.goal.place) = (start.place, goal.place);
        (scene.start.heading, scene.goal.heading) = (start.heading, goal.heading);
        Ok(Walked { scene, plan, done, kinds, ms: [cut, looked, planned, made] })
    }
}

impl Walked {
    fn json(&self, drift: f32, written: &[PathBuf]) -> String {
        let [walks, runs, jumps] = self.kinds;
        let [cut, looked, planned, made] = self.ms;
        let report = &self.done.report;
        let files: Vec<String> = written.iter().map(|path| path.display().to_string()).collect();
        let said = json!({
            "found": true,
            "files": files,
            "prints": self.plan.prints.len(),
            "footprints": self.footprints(),
            "strides": { "walk": walks, "run": runs, "special": jumps },
            "frames": report.frames,
            "seconds": report.seconds,
            "arrival": { "off_mm": 1e3 * report.arrival.off, "turned_deg": report.arrival.turned.to_degrees() },
            "prints_moved_mm": 1e3 * report.moved_prints,
            "feet_missed_mm": 1e3 * report.missed,
            "drift_p95_mm": drift,
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
        self.done.stages.prints.iter().map(print).collect()
    }

    fn in_words(&self, world: &Path, drift: f32, written: &[PathBuf]) -> String {
        let [walks, runs, jumps] = self.kinds;
        let [cut, looked, planned, made] = self.ms;
        let report = &self.done.report;
        let mut out = format!("{}, on embedded strides\n", world.display());
        let strides = format!("{} prints: {walks} strides walking, {runs} running, {jumps} special", report.prints);
        row(&mut out, "plan", strides);
        row(&mut out, "walk", format!("{} frames, {:.1} s", report.frames, report.seconds));
        let (off, turned) = (1e3 * report.arrival.off, report.arrival.turned.to_degrees());
        row(&mut out, "at the goal", format!("last print off by {off:.1} mm and {turned:.1}°"));
        let (moved, missed) = (1e3 * report.moved_prints, 1e3 * report.missed);
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
fn write_stages(folder: &Path, shown: &ShownFootsteps<'_>, force: bool) -> Result<Vec<PathBuf>, Failure> {
    let stages = shown.stages();
    let named = |name: &str, ending: &str| folder.join(format!("{name}.{ending}"));
    let mut paths: Vec<PathBuf> =
        stages.iter().flat_map(|stage| [named(stage.name, "png"), named(stage.name, "csv")]).collect();
    paths.push(named("ground", "obj"));
    OutputArgs { force }.check(&[], &paths)?;
    for stage in &stages {
        picture::write(&named(stage.name, "png"), shown.picture(stage))?;
        output::write(&named(stage.name, "csv"), stage.csv().as_bytes())?;
    }
    if let Some(mesh) = &shown.scene.mesh {
        output::write(&named("ground", "obj"), write_obj(mesh.soup.positions(), mesh.soup.triangles()).as_bytes())?;
    }
    Ok(paths)
}

fn milliseconds(since: Instant) -> f64 {
    1e3 * since.elapsed().as_secs_f64()
}
