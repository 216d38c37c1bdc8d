//! How fast graphs are built: three jogs as in the thesis of 2005, and N frames made of the embedded walks by mirroring and by
//! playing them up to 10 % faster or slower, all pairs with optimal alignment.
//!
//! `cargo run --release -p surefoot-io --example graph_speed -- 20000 [--points points.f32]`; the file is what
//! `scripts/graph_numpy.py` reads to do the same with numpy.

use std::error::Error;
use std::io::Write as _;
use std::time::Instant;
use surefoot::analyse::{Study, find_rig};
use surefoot::library::graph::{BuildGraph, MotionGraph};
use surefoot::motion::{Clip, Take};
use surefoot::rig::{ModelPose, Pose, Rig};
use surefoot::stages::Rule;
use surefoot::stages::{BodyPoints, Cloud, Columns, near_pairs};
use surefoot_io::Import;
use surefoot_io::embedded;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let count: usize = args.first().map_or(Ok(20_000), |count| count.parse())?;
    let file = args.iter().position(|arg| arg == "--points").and_then(|k| args.get(k + 1));
    jogs()?;
    let (rig, takes) = takes(count)?;
    // Every joint with the same weight, as papers do: no point is spared.
    let points = BodyPoints::weighted(&rig.skeleton, &vec![1.0; rig.skeleton.len()]);
    let frames: usize = takes.iter().map(|take| take.clip.frames()).sum();
    println!("{frames} frames in {} clips, {} points, windows of 5 frames", takes.len(), points.len());
    if let Some(file) = file {
        write_points(&rig, &takes, std::path::Path::new(file))?;
    }

    let clouds: Vec<Cloud> = takes.iter().map(|take| Cloud::new(&rig.skeleton, &points, 2, &take.clip)).collect();
    // All clips end to end, as numpy has them: windows over joins are computed too.
    let joined = Cloud::new(&rig.skeleton, &points, 2, &joined(&rig, &takes)?);
    let windows = joined.windows();
    let mut out = vec![0.0; ROWS * windows];
    let start = Start::now();
    let columns = Columns::new(&joined);
    let (mut pairs, mut near) = (0, 0);
    for row in (0..windows).step_by(ROWS) {
        let rows = row..(row + ROWS).min(windows);
        let out = &mut out[..rows.len() * (windows - row)];
        columns.squared(&joined, rows, row..windows, out);
        pairs += out.len();
        near += out.iter().filter(|squared| **squared < 9e-4).count();
    }
    told("all distances", start, pairs);
    println!("  {near} pairs within 3 cm (windows over joins included)");

    for limit in [0.03, 0.04, 0.05] {
        let mut counts = Vec::new();
        for skip in [true, false] {
            if !skip && count > 30_000 {
                continue;
            }
            let start = Start::now();
            let mut hits = 0;
            near_pairs(&clouds, limit, 15, skip, |_, _, found| hits += found.len());
            let how = if skip { "under a limit, skipping" } else { "under a limit, one by one" };
            told(how, start, pairs);
            println!("  {hits} pairs within {} cm", 100.0 * limit);
            counts.push(hits);
        }
        assert!(counts.iter().all(|count| *count == counts[0]), "skipping changes nothing");
    }

    let start = Start::now();
    let build = BuildGraph { threshold: Some(0.03), ..BuildGraph::default() };
    let graph = build.run(&rig, &takes)?;
    told("a whole graph at 3 cm, all cores", start, pairs);
    println!("  {} transitions", graph.transitions.len());
    let start = Start::now();
    let mut more = takes[0].clone();
    more.clip = more.clip.named("once more");
    let graph = BuildGraph::add(graph, &[more], &|_, _| {})?;
    told("one clip added, all cores", start, pairs);
    println!("  {} transitions", graph.transitions.len());
    Ok(())
}

/// Rows that are looked at before the next ones overwrite them.
const ROWS: usize = 128;

fn joined(rig: &Rig, takes: &[Take]) -> Result<Clip, Box<dyn Error>> {
    let frames =
        |take: &Take| (0..take.clip.frames()).flat_map(|frame| take.clip.frame(frame).to_vec()).collect::<Vec<_>>();
    let mut clip = Clip::new(&rig.skeleton, "joined", 30.0, takes.iter().flat_map(frames).collect())?;
    let roots: Vec<_> = takes.iter().flat_map(|take| take.clip.roots()).copied().collect();
    clip.roots_mut().copy_from_slice(&roots);
    Ok(clip)
}

/// Time as the clock has it, and as this thread was at work (Linux): the same on a quiet machine.
struct Start(Instant, Option<f64>);

impl Start {
    fn now() -> Self {
        Self(Instant::now(), busy())
    }
}

/// Seconds that this thread has been at work.
fn busy() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse::<f64>().ok().map(|nanoseconds| nanoseconds * 1e-9)
}

fn told(what: &str, start: Start, pairs: usize) {
    let clock = start.0.elapsed().as_secs_f64();
    let seconds = busy().zip(start.1).map_or(clock, |(now, then)| now - then);
    let each = seconds * 1e9 / pairs as f64;
    println!(
        "{what}: {clock:.3} s by the clock, {seconds:.3} s of this core, {each:.2} ns for each of {pairs} pairs of frames"
    );
}

/// The small graph that the thesis of 2005 built, as nearly as these clips allow: three jogs and their mirror images.
fn jogs() -> Result<(), Box<dyn Error>> {
    let (rig, sources) = sources(&["16_36", "16_37", "16_39"])?;
    for rule in [Rule::Regions, Rule::Minima] {
        let build = BuildGraph { rule, ..BuildGraph::default() };
        // Once to warm up.
        build.run(&rig, &sources)?;
        let start = Instant::now();
        let graph = build.run(&rig, &sources)?;
        let took = 1e3 * start.elapsed().as_secs_f64();
        let topology = &graph.topology;
        let kept_edges = topology.edges.iter().filter(|edge| topology.keeps_edge(edge)).count();
        let kept_nodes = topology.components().first().map_or(0, |largest| largest.nodes);
        let missing = graph.takes.len() - held(&graph);
        println!(
            "jogs, {rule:?}: {} frames in {took:.1} ms; {} nodes, {} edges (thesis: 87, 147); {kept_nodes}, {kept_edges} after \
             pruning (74, 120); threshold {:.1} cm; {missing} clips lost",
            graph.frames(),
            topology.nodes.len(),
            topology.edges.len(),
            100.0 * graph.chosen.threshold
        );
    }
    Ok(())
}

/// Takes that have a part in the component.
fn held(graph: &MotionGraph) -> usize {
    let topology = &graph.topology;
    let kept = topology.edges.iter().filter(|edge| topology.keeps_edge(edge));
    kept.map(|edge| topology.nodes[edge.from.index()].take).collect::<std::collections::BTreeSet<_>>().len()
}

/// Repaired takes of embedded clips of one body, and their mirror images.
fn sources(names: &[&str]) -> Result<(Rig, Vec<Take>), Box<dyn Error>> {
    let imports: Vec<Import> = names.iter().filter_map(|name| embedded::find(name)).map(|clip| clip.import()).collect();
    let clips: Vec<&Clip> = imports.iter().map(|import| &import.clips[0]).collect();
    let rig = find_rig(&imports[0].skeleton, &clips)?;
    let mut sources = Vec::new();
    for clip in clips {
        let take = Study::default().run_on(rig.clone(), clip).take.levelled(&rig);
        sources.extend([take.mirrored(&rig).ok_or("no mirror image")?, take]);
    }
    Ok((rig, sources))
}

/// Takes at 30 Hz with `count` frames in all, or a few more.
fn takes(count: usize) -> Result<(Rig, Vec<Take>), Box<dyn Error>> {
    let walks: Vec<&str> =
        embedded::CLIPS.iter().map(|clip| clip.name).filter(|name| name.starts_with("16_")).collect();
    let (rig, sources) = sources(&walks)?;
    let mut takes = Vec::new();
    let mut frames = 0;
    for round in 0.. {
        // 0.9, 1.1, 0.91, 1.09 … as fast.
        let pace = 1.0 + (if round % 2 == 0 { -1.0 } else { 1.0 }) * (0.1 - 0.01 * ((round / 2) % 10) as f32);
        for source in &sources {
            if frames >= count {
                return Ok((rig, takes));
            }
            // Sampled more densely and then said to be at 30 Hz: as much slower.
            let dense = source.resampled(30.0 / pace);
            let locals = (0..dense.clip.frames()).flat_map(|frame| dense.clip.frame(frame).to_vec()).collect();
            let mut clip = Clip::new(&rig.skeleton, format!("{} {round}", source.clip.name()), 30.0, locals)?;
            clip.roots_mut().copy_from_slice(dense.clip.roots());
            frames += clip.frames();
            let mut stances = dense.stances;
            stances.iter_mut().for_each(|stance| stance.set_frames(&stance.frames(&dense.clip), 30.0));
            takes.push(Take { stances, ..Take::from(clip) });
        }
    }
    unreachable!("rounds do not end")
}

/// Joint positions as f32, frame by frame, x y z; before them the number of clips, their frames and the joints, as u32.
fn write_points(rig: &Rig, takes: &[Take], path: &std::path::Path) -> Result<(), Box<dyn Error>> {
    let mut out = std::io::BufWriter::new(std::fs::File::create(path)?);
    out.write_all(&(takes.len() as u32).to_le_bytes())?;
    for take in takes {
        out.write_all(&(take.clip.frames() as u32).to_le_bytes())?;
    }
    out.write_all(&(rig.skeleton.len() as u32).to_le_bytes())?;
    let mut pose = Pose::rest(&rig.skeleton);
    let mut model = ModelPose::new(&rig.skeleton);
    for take in takes {
        for frame in 0..take.clip.frames() {
            pose.locals.copy_from_slice(take.clip.frame(frame));
            pose.to_model(&rig.skeleton, &mut model);
            for joint in rig.skeleton.joints() {
                let at = take.clip.roots()[frame].transform_point(model[joint].translation);
                for number in at.to_array() {
                    out.write_all(&number.to_le_bytes())?;
                }
            }
        }
    }
    Ok(out.flush()?)
}
