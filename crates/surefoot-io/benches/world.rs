//! Worlds: building a tree of triangles, looking down, rays, nearest places, swept bodies.

use divan::{Bencher, black_box};
use std::path::Path;
use surefoot::glam::Vec3;
use surefoot::random::{Rng, Seed};
use surefoot::world::{Body, Ground, MeshGround, Survey, TriangleSoup};
use surefoot_io::world::{WorldSettings, load};

fn main() {
    divan::main();
}

const WORLDS: [&str; 3] = ["recast_nav_test.obj", "recast_undulating.obj", "recast_dungeon.obj"];

fn soup(name: &str) -> TriangleSoup {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/worlds").join(name);
    load(&path, &WorldSettings::default()).unwrap().mesh
}

/// A mesh and a thousand places over it.
fn world(name: &str) -> (MeshGround, Vec<Vec3>) {
    let soup = soup(name);
    let [low, high] = soup.bounds().unwrap();
    let mut rng = Rng::new(Seed(1)).stream("bench");
    let mut unit = || rng.below(1 << 20) as f32 / (1 << 20) as f32;
    let places = (0..1000).map(|_| low + (high - low) * Vec3::new(unit(), unit(), unit())).collect();
    (Survey::default().run(&soup), places)
}

#[divan::bench(args = WORLDS)]
fn build(bencher: Bencher<'_, '_>, name: &str) {
    let soup = soup(name);
    bencher.bench_local(|| Survey::default().run(black_box(&soup)));
}

fn each(bencher: Bencher<'_, '_>, name: &str, ask: impl Fn(&MeshGround, Vec3) -> bool) {
    let (ground, places) = world(name);
    let mut i = 0;
    bencher.bench_local(|| {
        i = (i + 1) % places.len();
        ask(&ground, places[i])
    });
}

#[divan::bench(args = WORLDS, sample_size = 1000)]
fn look_down(bencher: Bencher<'_, '_>, name: &str) {
    each(bencher, name, |ground, place| ground.below(place, 100.0, 0.0).is_some());
}

#[divan::bench(args = WORLDS, sample_size = 1000)]
fn cast_ray(bencher: Bencher<'_, '_>, name: &str) {
    let direction = Vec3::new(0.8, -0.1, 0.6).normalize();
    each(bencher, name, |ground, place| ground.cast_ray(place, direction, 100.0).is_some());
}

#[divan::bench(args = WORLDS, sample_size = 1000)]
fn nearest(bencher: Bencher<'_, '_>, name: &str) {
    each(bencher, name, |ground, place| ground.nearest(place, 100.0).is_some());
}

#[divan::bench(args = WORLDS, sample_size = 1000)]
fn sweep_a_body_one_metre(bencher: Bencher<'_, '_>, name: &str) {
    each(bencher, name, |ground, place| ground.sweep(Body::default(), place, Vec3::X) < 1.0);
}
