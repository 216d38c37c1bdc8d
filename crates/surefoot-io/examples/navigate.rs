//! Walks between random places of scenes: does everyone arrive, how well, and how long does it take to plan?
//!
//! `cargo run --release -p surefoot-io --example navigate -- 200 scenarios/*.toml`

use std::f32::consts::PI;
use std::time::Instant;
use surefoot::glam::Vec2;
use surefoot::math::{FloorPose, wrap_angle};
use surefoot::metrics::Footing;
use surefoot::plan::walk::{Goal, Start, Surroundings};
use surefoot::plan::{Path, PathChoices};
use surefoot::random::{Rng, Seed};
use surefoot::systems::{Navigate, Trip};

fn main() {
    let mut args = std::env::args().skip(1);
    let count: usize = args.next().and_then(|n| n.parse().ok()).unwrap_or(200);
    let graph = surefoot_io::embedded::graph();
    let mut floors = Vec::new();
    for path in args {
        let scene = surefoot_io::scene::load(path.as_ref()).expect("a scene");
        let Some(floor) = scene.floor.clone() else { continue };
        floors.push((path, PathChoices::new(floor, scene.body.radius, 0.08).expect("a radius")));
    }
    let mut rng = Rng::new(Seed(8)).stream("pairs");
    let navigate = Navigate::default();
    let (mut ahead, mut behind) = (Vec::new(), Vec::new());
    let (mut failed, mut drifts, mut rates, mut times, mut missed) =
        (0, Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut done = 0;
    while done < count {
        let (name, ways) = &floors[done % floors.len()];
        let [low, high] = ways.map().map().bounds();
        let mut place = || Vec2::new(rng.range(low.x, high.x), rng.range(low.y, high.y));
        let (from, to) = (place(), place());
        let (facing, end) = (rng.range(-PI, PI), rng.range(-PI, PI));
        let paths = ways.to_try(from, to);
        let Some(path) = paths.first() else { continue };
        let shortest = ways.shortest(from, to).path().map_or(0.0, Path::length);
        done += 1;
        let start = Start::Standing(FloorPose::new(from, facing));
        let goal = Goal { place: to, heading: Some(end), stop: true };
        let t = Instant::now();
        let trip = Trip::on_floor(Surroundings::still(ways.map()), paths.clone(), start, goal);
        let result = navigate.run(&graph, &Trip { shortest, ..trip });
        let ms = 1e3 * t.elapsed().as_secs_f64();
        match result {
            Ok(found) => {
                let figures = found.walked.measure(&graph, Footing::default());
                let seconds = found.plan.frames as f32 / 30.0;
                let rate = found.walked.seams.len() as f32 / seconds;
                if std::env::var("V").is_ok() {
                    println!(
                        "{name} {:.1} m, {seconds:.1} s: quality {:.3}, drift {:.2} mm, missed {:.1} mm {:.2}°, {} steps changed by {:.3} m {:.1}°, {rate:.2} blends/s, {} moves, {ms:.1} ms, joints {:.2}",
                        path.length(),
                        found.report.way.quality,
                        1e3 * figures.after.drift.p95,
                        1e3 * found.report.way.missed,
                        found.report.way.askew.to_degrees(),
                        found.report.arrival.steps,
                        found.report.arrival.shift.length(),
                        found.report.arrival.turn.to_degrees(),
                        found.report.moves,
                        figures.joints.speed.ratio
                    );
                }
                let first = wrap_angle(path.heading(0.0) - facing).abs();
                if first < std::f32::consts::FRAC_PI_2 {
                    ahead.push(found.report.way.quality);
                } else {
                    behind.push(found.report.way.quality);
                }
                drifts.push(figures.after.drift.p95);
                rates.push(rate);
                times.push(ms as f32 / seconds);
                missed.push(found.report.way.missed.max(found.report.way.askew / 1.745));
            }
            Err(error) => {
                failed += 1;
                println!("{name} {from} {facing:.2} -> {to} {end:.2}, {:.1} m: {error} {ms:.0} ms", path.length());
            }
        }
    }
    println!("{failed} of {count} failed");
    for (what, values) in [
        ("quality ahead", &mut ahead),
        ("quality behind", &mut behind),
        ("drift", &mut drifts),
        ("blends/s", &mut rates),
        ("ms per s", &mut times),
        ("missed", &mut missed),
    ] {
        values.sort_by(f32::total_cmp);
        if !values.is_empty() {
            println!(
                "{what}: median {:.4}, 95 % {:.4}, most {:.4}",
                values[values.len() / 2],
                values[values.len() * 95 / 100],
                values[values.len() - 1]
            );
        }
    }
}
