//! Makes motion of planned footprints, and tells how long each stage takes beside Granberg's figures of 2017 (his table 4.1):
//! `cargo run --release -p surefoot-io --example footsteps -- [ROWS ...]`, from the project's folder; rows are those of the table, by
//! name; all if none is named.

use std::path::Path;
use std::time::Duration;
use surefoot::library::strides::Strides;
use surefoot::math::FloorPose;
use surefoot::metrics::{Footing, measure_feet};
use surefoot::plan::footsteps::{FootstepPlan, FootstepWorld};
use surefoot::rig::Side;
use surefoot::stages::{FootstepMap, FootstepsTimes, PlanFootsteps};
use surefoot::systems::{Footsteps, lay_strides};
use surefoot::world::{Ground, LevelGround};
use surefoot_io::embedded;

/// Walks of strides laid one after the other: what each is called, and its strides with how often each is repeated.
const LAID: [(&str, &[(&str, usize)]); 4] = [
    ("straight", &[("16_15", 8)]),
    ("bends", &[("16_15", 3), ("16_17", 1), ("16_11", 3), ("16_13", 3), ("16_19", 1), ("16_15", 2)]),
    ("run", &[("16_15", 2), ("16_36", 3), ("16_37", 2), ("16_39", 2), ("16_36", 2), ("16_15", 3)]),
    (
        "short to long",
        &[
            ("16_15", 3),
            ("16_36", 2),
            ("127_26", 1),
            ("16_36", 1),
            ("127_28", 1),
            ("16_36", 2),
            ("16_15 short", 3),
            ("16_15", 2),
        ],
    ),
];

/// Scenes that are planned, if they are there.
const SCENES: [&str; 5] = ["jumps", "turns", "stairs", "stepping-stones", "course-500"];

/// How often each is made; the quickest counts.
const RUNS: usize = 9;

/// The strides of those names, each as often as it is repeated.
fn order(strides: &Strides, names: &[(&str, usize)]) -> Vec<usize> {
    let find = |name: &str| strides.strides.iter().position(|stride| stride.name == name).expect("it is embedded");
    names.iter().flat_map(|(name, count)| vec![find(name); *count]).collect()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let named: Vec<String> = std::env::args().skip(1).collect();
    let asked = |name: &str| named.is_empty() || named.iter().any(|other| other == name);
    let strides = embedded::strides();
    println!("| stride | kind | turns, 1/m | m | s | flight, m |\n|---|---|---:|---:|---:|---:|");
    for (stride, reach) in strides.strides.iter().zip(strides.reaches()) {
        let (name, kind) = (&stride.name, stride.kind);
        let (turns, length, seconds) = (stride.curvature, stride.length, stride.seconds);
        println!("| {name} | {kind:?} | {turns:+.2} | {length:.2} | {seconds:.2} | {:.2} |", reach.gap());
    }
    println!(
        "\n| plan | prints | frames | refine | trace | groups | play | body and legs | all, ms | a frame, µs | drift, mm | moved, mm |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
    println!("| Jumps of 2017 | 51 | 1384 | 11 | 30 | 3 | | 159 | 204 | 147 | | |");
    println!("| Turns of 2017 | 43 | 1314 | 7 | 52 | 3 | | 185 | 248 | 189 | | |");
    for (name, names) in LAID.into_iter().filter(|(name, _)| asked(name)) {
        let plan = lay_strides(&strides, &order(&strides, names), FloorPose::ORIGIN);
        row(name, &strides, &plan, &LevelGround::default())?;
    }
    for name in SCENES.into_iter().filter(|name| asked(name)) {
        let Ok(scene) = surefoot_io::scene::load(Path::new(&format!("scenarios/{name}.scene.toml"))) else { continue };
        let Some(world) = FootstepWorld::of(&scene) else { continue };
        let map = FootstepMap::new(world, strides.reaches());
        let (left, right) = (strides.leg(Side::Left), strides.leg(Side::Right));
        match (PlanFootsteps { left, right, ..PlanFootsteps::default() }).through(&map, &scene) {
            Ok(plan) => row(name, &strides, &plan, &map.world().ground)?,
            Err(why) => println!("| {name} | {why} |"),
        }
    }
    Ok(())
}

/// Makes the motion of a plan and prints what it took.
fn row(
    name: &str,
    strides: &Strides,
    plan: &FootstepPlan,
    ground: &dyn Ground,
) -> Result<(), Box<dyn std::error::Error>> {
    let mut best = Footsteps::default().run(strides, plan, ground)?;
    for _ in 1..RUNS {
        let again = Footsteps::default().run(strides, plan, ground)?;
        if again.report.times.total() < best.report.times.total() {
            best = again;
        }
    }
    let report = &best.report;
    let FootstepsTimes { smooth, refine, trace, groups, play, body, legs, .. } = report.times;
    let ms = |time: Duration| 1e3 * time.as_secs_f64();
    let all = ms(report.times.total());
    let feet = measure_feet(&strides.rig, &best.take, Footing::Known(ground));
    println!(
        "| {name} | {} | {} | {:.2} | {:.2} | {:.2} | {:.2} | {:.2} | {all:.2} | {:.1} | {:.2} | {:.0} |",
        report.prints,
        report.frames,
        ms(smooth + refine),
        ms(trace),
        ms(groups),
        ms(play),
        ms(body + legs),
        1e3 * all / report.frames as f64,
        1e3 * feet.drift.p95,
        1e3 * report.moved_prints,
    );
    Ok(())
}
