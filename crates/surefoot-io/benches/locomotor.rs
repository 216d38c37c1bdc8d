//! A live character, per frame, over a height field; and crowds. `cargo bench -p surefoot-io --bench locomotor`.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use std::path::PathBuf;
use surefoot::glam::Vec2;
use surefoot::library::locomotion::LocomotionClips;
use surefoot::math::FloorPose;
use surefoot::systems::{Actor, Crowd, Detail, DetailCounts, Intent, Locomotor, PrepareClips};
use surefoot::world::Heightfield;
use surefoot_io::load_character;

fn main() {
    divan::main();
}

/// Waves of 20 cm, 4 points a metre, 200 m wide.
fn hills() -> Heightfield {
    let count = 800;
    let height = |i: usize| {
        let (x, z) = ((i % count) as f32 * 0.25, (i / count) as f32 * 0.25);
        0.1 * (0.9 * x).sin() + 0.1 * (0.7 * z).cos()
    };
    Heightfield::new(Vec2::splat(-100.0), 0.25, count, (0..count * count).map(height).collect()).expect("a grid")
}

/// A character of the assets that moves by some of its clips.
fn locomotor(name: &str, clips: &[&str]) -> Locomotor {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("../../assets/characters/{name}.glb"));
    let subject = load_character(path).expect("an asset");
    let prepare = PrepareClips::default();
    let ready =
        |name: &&str| prepare.cycle(&subject.character, subject.clip(name).expect("its clip")).expect("a cycle");
    let idle = subject.idle.map(|index| prepare.standing(&subject.character, &subject.clips[index]));
    let all: Vec<_> = idle.into_iter().chain(clips.iter().map(ready)).collect();
    Locomotor::new(&subject.character, LocomotionClips::new(all).expect("it moves"), Vec::new())
}

fn one(bencher: Bencher<'_, '_>, locomotor: &Locomotor, speed: f32, detail: Detail) {
    let ground = hills();
    let mut state = locomotor.start(FloorPose::ORIGIN, &ground, 0.0);
    let mut frame = locomotor.frame();
    let (mut k, dt) = (0_u32, 1.0 / 60.0);
    bencher.counter(ItemsCount::new(600_usize)).bench_local(|| {
        for _ in 0..600 {
            k += 1;
            // Round in a circle, so that it stays on its ground.
            let way = 0.2 * k as f32 * dt;
            let velocity = speed * Vec2::new(way.sin(), way.cos());
            let intent = Intent { velocity, facing: Some(way), ..Intent::default() };
            locomotor.step_with(&mut state, &intent, &ground, [k as f32 * dt, dt], detail, &mut frame);
            black_box(&frame.pose);
        }
    });
}

/// Knight, 41 joints: three clips in the blend.
#[divan::bench(args = [Detail::Full, Detail::CheapLegs, Detail::NoIk, Detail::Frozen])]
fn knight(bencher: Bencher<'_, '_>, detail: Detail) {
    let knight = locomotor("kaykit_Knight", &["Walking_A", "Running_B", "Running_A"]);
    one(bencher, &knight, 1.6, detail);
}

/// Fox, 49 joints, four legs.
#[divan::bench]
fn fox(bencher: Bencher<'_, '_>) {
    one(bencher, &locomotor("m2m_fox", &["Walk"]), 1.2, Detail::Full);
}

/// Many knights, one in ten full, three in ten with cheap legs, the rest without IK.
#[divan::bench(args = [100, 1000, 10_000], sample_count = 5)]
fn crowd(bencher: Bencher<'_, '_>, count: usize) {
    let knight = locomotor("kaykit_Knight", &["Walking_A", "Running_B", "Running_A"]);
    let ground = hills();
    let actors = (0..count).map(|i| {
        let (row, column) = (i / 100, i % 100);
        let place = FloorPose::new(Vec2::new(column as f32 - 50.0, row as f32 - 50.0), 0.0);
        let way = 0.37 * i as f32;
        let velocity = Vec2::new(way.sin(), way.cos());
        let intent = Intent { velocity, facing: Some(way), ..Intent::default() };
        Actor { intent, ..Actor::new(&knight, place, &ground, 0.0) }
    });
    let detail = DetailCounts { full: count / 10, cheap_legs: 3 * count / 10, no_ik: count };
    let actors = actors.collect();
    let mut crowd = Crowd::new(knight, actors, detail);
    let mut k = 0_u32;
    bencher.counter(ItemsCount::new(count)).bench_local(|| {
        k += 1;
        crowd.step(&ground, k as f32 / 60.0, 1.0 / 60.0);
    });
}
