//! How long a frame of a live character takes, by detail, and of a crowd: the best of many rounds.
//! `cargo run --release -p surefoot-io --features parallel --example live_speed [full|cheap|none|frozen|fox|crowd]`.

use std::hint::black_box;
use std::time::Instant;
use surefoot::glam::Vec2;
use surefoot::library::locomotion::LocomotionClips;
use surefoot::math::FloorPose;
use surefoot::systems::{Actor, Crowd, Detail, DetailCounts, Intent, Locomotor, PrepareClips};
use surefoot::world::Heightfield;
use surefoot_io::load_character;

const DT: f32 = 1.0 / 60.0;

/// Waves of 20 cm, 4 points a metre, 200 m wide.
fn hills() -> Heightfield {
    let count = 800;
    let height = |i: usize| {
        let (x, z) = ((i % count) as f32 * 0.25, (i / count) as f32 * 0.25);
        0.1 * (0.9 * x).sin() + 0.1 * (0.7 * z).cos()
    };
    Heightfield::new(Vec2::splat(-100.0), 0.25, count, (0..count * count).map(height).collect()).expect("a grid")
}

fn locomotor(name: &str, clips: &[&str]) -> Locomotor {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/characters");
    let subject = load_character(format!("{folder}/{name}.glb")).expect("an asset");
    let prepare = PrepareClips::default();
    let ready =
        |name: &&str| prepare.cycle(&subject.character, subject.clip(name).expect("its clip")).expect("a cycle");
    let idle = subject.idle.map(|index| prepare.standing(&subject.character, &subject.clips[index]));
    let all: Vec<_> = idle.into_iter().chain(clips.iter().map(ready)).collect();
    Locomotor::new(&subject.character, LocomotionClips::new(all).expect("it moves"), Vec::new())
}

/// Round in a circle, so that it stays on its ground.
fn one(locomotor: &Locomotor, speed: f32, detail: Detail) -> f64 {
    let ground = hills();
    let mut state = locomotor.start(FloorPose::ORIGIN, &ground, 0.0);
    let (mut frame, mut k, mut best) = (locomotor.frame(), 0_u32, f64::INFINITY);
    for _ in 0..40 {
        let begun = Instant::now();
        for _ in 0..600 {
            k += 1;
            let way = 0.2 * k as f32 * DT;
            let intent =
                Intent { velocity: speed * Vec2::new(way.sin(), way.cos()), facing: Some(way), ..Intent::default() };
            locomotor.step_with(&mut state, &intent, &ground, [k as f32 * DT, DT], detail, &mut frame);
            black_box(&frame.pose);
        }
        best = best.min(1e6 * begun.elapsed().as_secs_f64() / 600.0);
    }
    best
}

/// Processor time of all threads so far, seconds; nothing where the system does not tell.
fn worked() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    let fields: Vec<&str> = stat.rsplit(')').next()?.split_whitespace().collect();
    // User and system time, in hundredths.
    Some((fields.get(11)?.parse::<f64>().ok()? + fields.get(12)?.parse::<f64>().ok()?) / 100.0)
}

/// One in ten full, three in ten with cheap legs, the rest without IK: the best frame, and the processor time of one on average,
/// which others on the machine disturb less; milliseconds.
fn crowd(locomotor: &Locomotor, count: usize) -> (f64, Option<f64>) {
    let ground = hills();
    let actors = (0..count).map(|i| {
        let place = FloorPose::new(Vec2::new((i % 100) as f32 - 50.0, (i / 100) as f32 - 50.0), 0.0);
        let way = 0.37 * i as f32;
        let intent = Intent { velocity: Vec2::new(way.sin(), way.cos()), facing: Some(way), ..Intent::default() };
        Actor { intent, ..Actor::new(locomotor, place, &ground, 0.0) }
    });
    let detail = DetailCounts { full: count / 10, cheap_legs: 3 * count / 10, no_ik: count };
    let mut crowd = Crowd::new(locomotor.clone(), actors.collect(), detail);
    let (mut best, before) = (f64::INFINITY, worked());
    for k in 1..300 {
        let begun = Instant::now();
        crowd.step(&ground, k as f32 * DT, DT);
        // The first second is on from standing.
        best = if k > 60 { best.min(1e3 * begun.elapsed().as_secs_f64()) } else { best };
    }
    (best, worked().zip(before).map(|(after, before)| 1e3 * (after - before) / 299.0))
}

fn main() {
    let wanted = std::env::args().nth(1);
    let asked = |name: &str| wanted.as_deref().is_none_or(|wanted| wanted == name);
    let knight = locomotor("kaykit_Knight", &["Walking_A", "Running_B", "Running_A"]);
    let details =
        [("full", Detail::Full), ("cheap", Detail::CheapLegs), ("none", Detail::NoIk), ("frozen", Detail::Frozen)];
    for (name, detail) in details.into_iter().filter(|(name, _)| asked(name)) {
        println!("knight {name}: {:.2} µs", one(&knight, 1.6, detail));
    }
    if asked("fox") {
        println!("fox full: {:.2} µs", one(&locomotor("m2m_fox", &["Walk"]), 1.2, Detail::Full));
    }
    if asked("crowd") {
        for count in [100, 1000, 10_000] {
            let (best, work) = crowd(&knight, count);
            let work = work.map_or(String::new(), |work| format!(", {work:.1} ms of processor time"));
            println!("crowd of {count}: {best:.2} ms{work}");
        }
    }
}
