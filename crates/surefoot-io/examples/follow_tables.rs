//! Prints how walks follow a path of 19.85 m on one clip and its mirror image, by branch and bound as published and by our own
//! search: the tables 5.1 to 5.3 of Pullens' thesis. `--limit SECONDS` (600) stops the published search in each row, `--only-ours`
//! leaves it out, `--table 1` (2, 3) takes that one alone, `--threshold METRES` is the motion graph's.

use std::fmt::Write as _;
use std::time::{Duration, Instant};
use surefoot::glam::Vec2;
use surefoot::library::graph::{BuildGraph, MotionGraph};
use surefoot::motion::{Pullens, ScalePlan, Take};
use surefoot::plan::Path;
use surefoot::stages::{BranchAndBound, FollowPath, LegWays, PathSearch, PathWalk, ProveBound, ScaleClock};
use surefoot::systems::Gather;
use surefoot_io::embedded;

const PATH: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenarios/bends.path"));

/// What the thesis printed: scale, iteration length, iteration threshold, error, time.
struct Published {
    scale: f32,
    length: f32,
    threshold: f64,
    said: &'static str,
}

const fn row(scale: f32, length: f32, threshold: f64, said: &'static str) -> Published {
    Published { scale, length, threshold, said }
}

const TABLES: [(&str, &[Published]); 3] = [
    (
        "5.1 scale",
        &[
            row(0.5, 10.0, 0.0, "> 7 h"),
            row(1.0, 10.0, 0.0, "1499.05 in 15:09"),
            row(1.5, 10.0, 0.0, "2021.81 in 1:07"),
        ],
    ),
    (
        "5.2 iteration length",
        &[
            row(1.0, 2.5, 0.0, "11238.20 in 0:06"),
            row(1.0, 5.0, 0.0, "3532.73 in 1:19"),
            row(1.0, 7.5, 0.0, "1869.43 in 2:02"),
            row(1.0, 10.0, 0.0, "1499.05 in 15:09"),
            row(1.5, 2.5, 0.0, "15428.80 in 0:01"),
            row(1.5, 5.0, 0.0, "3604.49 in 0:12"),
            row(1.5, 7.5, 0.0, "17192.10 in 0:30"),
            row(1.5, 10.0, 0.0, "2021.81 in 1:07"),
        ],
    ),
    (
        "5.3 iteration threshold (as shares of 3000)",
        &[
            row(1.0, 10.0, 3000.0, "5231.03 in 1:24"),
            row(1.0, 10.0, 2500.0, "3309.00 in 3:26"),
            row(1.0, 10.0, 2000.0, "3309.00 in 3:32"),
            row(1.0, 10.0, 1500.0, "4037.92 in 8:54"),
            row(1.0, 10.0, 1000.0, "4037.92 in 8:52"),
        ],
    ),
];

/// The thesis' thresholds are in units of its own: its best error at scale 1 is told to be this.
const BEST: f64 = 1499.05;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let number =
        |name: &str| args.iter().position(|arg| arg == name).and_then(|k| args.get(k + 1)?.parse::<f32>().ok());
    let limit = Duration::from_secs_f32(number("--limit").unwrap_or(600.0));
    let only_ours = args.iter().any(|arg| arg == "--only-ours");
    let width = number("--width").map_or(FollowPath::default().width, |width| width as usize);
    let graph = graph(number("--threshold"));
    let start = Instant::now();
    graph.lay_out();
    let ways = LegWays::new(&graph);
    let ready = start.elapsed();
    let point = |line: &str| {
        let (x, z) = line.split_once(',')?;
        Some(Vec2::new(x.trim().parse().ok()?, z.trim().parse().ok()?))
    };
    let path = Path::on_floor(&PATH.lines().filter_map(point).collect::<Vec<_>>());
    println!(
        "47_01 and its mirror image: {} frames, {} transitions under {:.4} m, {:.2} m of path; laid out in {:.0} ms",
        graph.frames(),
        graph.transitions.len(),
        graph.chosen.threshold,
        path.length(),
        1e3 * ready.as_secs_f64(),
    );
    let ours = |scale: f32| {
        let clock = clock(&graph, scale);
        let start = Instant::now();
        let ahead = number("--ahead").unwrap_or(FollowPath::default().ahead);
        let follow = FollowPath { width, ahead, ..FollowPath::default() };
        let walk = follow.run(&PathSearch { graph: &graph, ways: &ways, path: &path, clock: &clock });
        (walk, start.elapsed())
    };
    let best = ours(1.0).0.map_or(1.0, |walk| walk.error);
    println!("\nproved: no walk of this graph is nearer to the path");
    for scale in [0.5, 1.0, 1.5] {
        let (clock, start) = (clock(&graph, scale), Instant::now());
        let bound = ProveBound::default().run(&PathSearch { graph: &graph, ways: &ways, path: &path, clock: &clock });
        println!("{scale:5.2}  {bound:8.3} m² in {:.3} s", start.elapsed().as_secs_f64());
    }
    let table = number("--table").map(|table| table as usize);
    for (_, (title, rows)) in (1..).zip(TABLES).filter(|(k, _)| table.is_none_or(|table| table == *k)) {
        println!(
            "\n{title}\nscale  iteration  threshold  thesis              branch and bound                      ours"
        );
        for Published { scale, length, threshold, said } in rows {
            let threshold = threshold / BEST * best;
            let mut line = format!("{scale:5.2}  {length:7.1} m  {threshold:9.2}  {said:18}");
            if !only_ours {
                let clock = clock(&graph, *scale);
                let start = Instant::now();
                let reference = BranchAndBound {
                    iteration_length: *length,
                    iteration_threshold: threshold,
                    patience: usize::MAX,
                    ..BranchAndBound::default()
                };
                let search = PathSearch { graph: &graph, ways: &ways, path: &path, clock: &clock };
                let walk = reference.run_while(&search, &mut || start.elapsed() < limit);
                let stopped = if walk.as_ref().is_ok_and(|walk| walk.complete) { "" } else { " stopped" };
                let _ = write!(line, "  {:36}", told(walk.as_ref().ok(), start.elapsed()) + stopped);
            }
            let (walk, took) = ours(*scale);
            let walk = walk.ok();
            println!("{line}  {}", told(walk.as_ref(), took));
        }
    }
}

fn told(walk: Option<&PathWalk>, took: Duration) -> String {
    let Some(walk) = walk else { return "no walk".into() };
    let (error, distance, frames) = (walk.error, 100.0 * walk.distance(), walk.frames);
    format!("{error:8.3} m², {distance:4.1} cm, {frames} frames in {:.3} s", took.as_secs_f64())
}

fn clock(graph: &MotionGraph, scale: f32) -> ScaleClock {
    let plan = ScalePlan::constant(scale).expect("a scale");
    ScaleClock::new(&plan, &Pullens::default(), graph.rig.leg_length())
}

/// One clip and its mirror image.
fn graph(threshold: Option<f32>) -> MotionGraph {
    let known = "embedded clips are tested";
    let import = embedded::find("47_01").expect(known).import();
    let gather = Gather::default();
    let rig = gather.rig(&import.skeleton, None, &[&import.clips[0]]).expect(known);
    let take: Take = gather.run(&rig, &import.clips[0], &rig).expect(known).take;
    let mirrored = take.mirrored(&rig).expect(known);
    BuildGraph { threshold, ..BuildGraph::default() }.run(&rig, &[take, mirrored]).expect(known)
}
