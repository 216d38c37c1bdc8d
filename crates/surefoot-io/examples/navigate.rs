//! Walks between random places of scenes: does everyone arrive, how well, and how long does it take to plan?
//!
//! `cargo run --release -p surefoot-io --example navigate -- 80 [--seed 8] [--out FOLDER] [--graph G | a.bvh b.bvh [--mirror]] scenarios/[1-8]-*.toml`
//!
//! On the embedded graph, on one of a file, or on one that is built of clips. With a folder, every walk is written there as GLB, so
//! that others can judge it, and `walks.tsv` says what each is.

use std::error::Error;
use std::f32::consts::PI;
use std::fmt::Write as _;
use std::path::{Path as FilePath, PathBuf};
use std::time::Instant;
use surefoot::glam::Vec2;
use surefoot::library::graph::{BuildGraph, MotionGraph};
use surefoot::math::FloorPose;
use surefoot::metrics::Footing;
use surefoot::motion::Take;
use surefoot::plan::walk::{Goal, Start, Surroundings};
use surefoot::plan::{Path, PathChoices};
use surefoot::random::{Rng, Seed};
use surefoot::stages::MakeStop;
use surefoot::systems::{Gather, Navigate, Trip};
use surefoot_io::{Import, ImportSettings, embedded, glb, graph_file, scene};

/// What was typed.
struct Asked {
    count: usize,
    graph: Option<PathBuf>,
    clips: Vec<PathBuf>,
    mirror: bool,
    threshold: Option<f32>,
    seed: u64,
    out: Option<PathBuf>,
    scenes: Vec<PathBuf>,
}

impl Asked {
    fn read() -> Self {
        let mut asked = Self {
            count: 80,
            graph: None,
            clips: Vec::new(),
            mirror: false,
            threshold: None,
            seed: 8,
            out: None,
            scenes: Vec::new(),
        };
        let mut args = std::env::args().skip(1);
        while let Some(arg) = args.next() {
            match (arg.as_str(), arg.parse()) {
                ("--graph", _) => asked.graph = args.next().map(PathBuf::from),
                ("--mirror", _) => asked.mirror = true,
                ("--threshold", _) => asked.threshold = args.next().and_then(|metres| metres.parse().ok()),
                ("--seed", _) => asked.seed = args.next().and_then(|seed| seed.parse().ok()).unwrap_or(asked.seed),
                ("--out", _) => asked.out = args.next().map(PathBuf::from),
                (_, Ok(count)) => asked.count = count,
                _ if arg.ends_with(".toml") => asked.scenes.push(arg.into()),
                _ => asked.clips.push(arg.into()),
            }
        }
        asked
    }

    /// The graph to walk on.
    fn graph(&self) -> Result<MotionGraph, Box<dyn Error>> {
        if let Some(file) = &self.graph {
            return Ok(graph_file::read(&std::fs::read(file)?)?);
        }
        if self.clips.is_empty() {
            return Ok(embedded::graph());
        }
        let gather = Gather::default();
        let load = |file: &PathBuf| surefoot_io::load(file, &ImportSettings::default());
        let imports = self.clips.iter().map(load).collect::<Result<Vec<Import>, _>>()?;
        let body = Gather::body(&imports.iter().map(|import| &import.clips[0]).collect::<Vec<_>>());
        let is_own = |import: &&Import| Some(import.skeleton.key()) == body;
        let skeleton = &imports.iter().find(is_own).ok_or("clips")?.skeleton;
        let own = imports.iter().filter(is_own);
        let rig = gather.rig(skeleton, None, &own.flat_map(|import| &import.clips).collect::<Vec<_>>())?;
        let mut takes: Vec<Take> = Vec::new();
        for import in &imports {
            let clip = &import.clips[0];
            let other = import.skeleton.key() != rig.skeleton.key();
            let own = if other { gather.rig(&import.skeleton, None, &[clip])? } else { rig.clone() };
            let take = gather.run(&own, clip, &rig)?.take;
            let mirrored = take.mirrored(&rig).filter(|_| self.mirror);
            takes.push(take);
            takes.extend(mirrored);
        }
        let graph = BuildGraph { threshold: self.threshold, ..BuildGraph::default() }.run(&rig, &takes)?;
        Ok(MakeStop::default().run(graph)?.0)
    }
}

/// One figure of all walks.
#[derive(Default)]
struct Figure {
    name: &'static str,
    values: Vec<f32>,
}

/// Shorter ways say nothing about detours, metres: a turn on the spot is longer than they are.
const FAR: f32 = 3.0;

fn main() -> Result<(), Box<dyn Error>> {
    let asked = Asked::read();
    let watch = Instant::now();
    let graph = asked.graph()?;
    graph.lay_out();
    println!(
        "threshold {:.1} of {:.1} mm, {} transitions, {} blends, {:.0} % of frames kept, stands {}, pace {:.2} m/s, {:.1} s to make",
        1e3 * graph.chosen.threshold,
        1e3 * graph.chosen.ceiling,
        graph.transitions.len(),
        graph.blend_poses() / (graph.settings.blend_frames() - 1),
        100.0 * graph.topology.components().first().map_or(0, |largest| largest.frames) as f32 / graph.frames() as f32,
        graph.stands(),
        graph.pace(),
        watch.elapsed().as_secs_f32()
    );
    if let Some(out) = &asked.out {
        std::fs::create_dir_all(out)?;
    }
    let mut floors = Vec::new();
    for file in &asked.scenes {
        let scene = scene::load(file)?;
        let Some(floor) = scene.floor.clone() else { continue };
        let name = file.file_stem().unwrap_or_default().to_string_lossy().replace(".scene", "");
        floors.push((name, PathChoices::new(floor, scene.body.radius, 0.08)?));
    }
    let mut rng = Rng::new(Seed(asked.seed)).stream("pairs");
    let navigate = Navigate::default();
    let names =
        ["length / shortest", "the same, over 3 m", "drift m", "blends/s", "ms", "ms per s", "missed m or 0.57°"];
    let mut figures = names.map(|name| Figure { name, ..Figure::default() });
    let (mut failed, mut done, mut table) = (0, 0, String::new());
    while done < asked.count && !floors.is_empty() {
        let (name, ways) = &floors[done % floors.len()];
        let [low, high] = ways.map().map().bounds();
        let mut place = || Vec2::new(rng.range(low.x, high.x), rng.range(low.y, high.y));
        let (from, to) = (place(), place());
        let (facing, end) = (rng.range(-PI, PI), rng.range(-PI, PI));
        let paths = ways.to_try(from, to);
        let Some(shortest) = ways.shortest(from, to).path().map(Path::length) else { continue };
        done += 1;
        let start = Start::Standing(FloorPose::new(from, facing));
        let goal = Goal { place: to, heading: Some(end), stop: true };
        let ends = format!(
            "{:.2},{:.2},{:.0} {:.2},{:.2},{:.0}",
            from.x,
            from.y,
            facing.to_degrees(),
            to.x,
            to.y,
            end.to_degrees()
        );
        let watch = Instant::now();
        let trip = Trip::on_floor(Surroundings::still(ways.map()), paths, start, goal);
        let result = navigate.run(&graph, &Trip { shortest, ..trip });
        let ms = 1e3 * watch.elapsed().as_secs_f32();
        let found = match result {
            Ok(found) => found,
            Err(error) => {
                failed += 1;
                println!("{done} {name} {ends}, {shortest:.1} m: {error}, {ms:.0} ms");
                continue;
            }
        };
        let measured = found.walked.measure(&graph, Footing::default());
        let (way, arrival) = (found.report.way, found.report.arrival);
        let seconds = found.take().clip.duration();
        let file = format!("{done:03}-{name}.glb");
        let _ = writeln!(
            table,
            "{file}\t{ends}\t{shortest:.2}\t{:.3}\t{seconds:.1}\t{ms:.1}\t{:.3}\t{:.1}\t{}",
            way.quality,
            arrival.shift.length(),
            arrival.turn.to_degrees(),
            arrival.steps
        );
        write(&graph, &asked.out, &file, &found.take().clip)?;
        let values = [
            way.quality,
            way.quality,
            measured.after.drift.p95,
            found.walked.seams.len() as f32 / seconds,
            ms,
            ms / seconds,
            way.missed.max(way.askew),
        ];
        for (k, (figure, value)) in figures.iter_mut().zip(values).enumerate() {
            if k != 1 || shortest >= FAR {
                figure.values.push(value);
            }
        }
    }
    if let Some(out) = &asked.out {
        std::fs::write(out.join("walks.tsv"), &table)?;
    }
    println!("{failed} of {done} failed");
    for Figure { name, mut values } in figures {
        values.sort_by(f32::total_cmp);
        if let Some(most) = values.last() {
            let (median, high) = (values[values.len() / 2], values[values.len() * 95 / 100]);
            println!("{name}: median {median:.4}, 95 % {high:.4}, most {most:.4}");
        }
    }
    Ok(())
}

fn write(
    graph: &MotionGraph,
    folder: &Option<PathBuf>,
    file: &str,
    clip: &surefoot::motion::Clip,
) -> std::io::Result<()> {
    let Some(folder) = folder.as_deref().map(FilePath::to_path_buf) else { return Ok(()) };
    std::fs::write(folder.join(file), glb::write(&graph.rig.skeleton, std::slice::from_ref(clip)))
}
