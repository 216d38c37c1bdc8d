//! Planning on a labyrinth of 46 walls and 40 m: building, asking and repairing. `cargo bench -p surefoot --bench paths`.

use divan::{Bencher, black_box};
use surefoot::glam::Vec2;
use surefoot::math::FloorPose;
use surefoot::plan::{MovingObstacle, PathOutcome};
use surefoot::random::{Rng, Seed};
use surefoot::stages::{Labyrinth, NavMesh, Prm, RrtConnect, TimedSearch, VisibilityGraph};
use surefoot::world::{GrownMap, Obstacle};

fn main() {
    divan::main();
}

fn labyrinth() -> GrownMap {
    GrownMap::new(Labyrinth::default().build(), 0.3).expect("a radius")
}

/// Free pairs of points, drawn evenly.
fn queries(map: &GrownMap) -> Vec<[Vec2; 2]> {
    let mut rng = Rng::new(Seed(3)).stream("queries");
    let mut free = || loop {
        let p = Vec2::new(rng.range(0.0, 40.0), rng.range(0.0, 40.0));
        if map.is_free(p) {
            return p;
        }
    };
    (0..200).map(|_| [free(), free()]).collect()
}

/// One query after the other, so that the mean is that of all 200.
fn ask(bencher: Bencher<'_, '_>, map: &GrownMap, plan: impl Fn(Vec2, Vec2) -> PathOutcome) {
    let queries = queries(map);
    let mut next = 0;
    bencher.bench_local(|| {
        next = (next + 1) % queries.len();
        let [start, goal] = black_box(queries[next]);
        plan(start, goal)
    });
}

/// Segments as long as the ways of a roadmap.
fn look(bencher: Bencher<'_, '_>, is_free: impl Fn(&GrownMap, Vec2, Vec2) -> bool) {
    let map = labyrinth();
    let queries = queries(&map);
    let mut next = 0;
    bencher.bench_local(|| {
        next = (next + 1) % queries.len();
        let [start, goal] = queries[next];
        is_free(black_box(&map), start, start + (goal - start).clamp_length_max(1.5))
    });
}

#[divan::bench]
fn segment_exact(bencher: Bencher<'_, '_>) {
    look(bencher, |map, a, b| map.map().segment_is_free(a, b, 0.3));
}

#[divan::bench]
fn segment_grown(bencher: Bencher<'_, '_>) {
    look(bencher, GrownMap::segment_is_free);
}

#[divan::bench]
fn grow_map(bencher: Bencher<'_, '_>) {
    let map = Labyrinth::default().build();
    bencher.bench_local(|| GrownMap::new(map.clone(), 0.3));
}

#[divan::bench]
fn roadmap_build(bencher: Bencher<'_, '_>) {
    let map = labyrinth();
    bencher.bench_local(|| Prm::default().build(&map));
}

#[divan::bench(sample_count = 1000)]
fn roadmap_query(bencher: Bencher<'_, '_>) {
    let map = labyrinth();
    let roadmap = Prm::default().build(&map);
    ask(bencher, &map, |start, goal| roadmap.path(&map, start, goal));
}

#[divan::bench(sample_count = 1000)]
fn roadmap_query_and_shortcut(bencher: Bencher<'_, '_>) {
    let map = labyrinth();
    let roadmap = Prm::default().build(&map);
    ask(bencher, &map, |start, goal| roadmap.path(&map, start, goal).shortcut(&map));
}

#[divan::bench(sample_count = 1000)]
fn navmesh_query(bencher: Bencher<'_, '_>) {
    let map = labyrinth();
    let mesh = NavMesh::new(&map);
    ask(bencher, &map, |start, goal| mesh.path(&map, start, goal));
}

#[divan::bench]
fn navmesh_build(bencher: Bencher<'_, '_>) {
    let map = labyrinth();
    bencher.bench_local(|| NavMesh::new(&map));
}

#[divan::bench(sample_count = 1000)]
fn rrt_query_and_shortcut(bencher: Bencher<'_, '_>) {
    let map = labyrinth();
    ask(bencher, &map, |start, goal| RrtConnect::default().path(&map, start, goal).shortcut(&map));
}

#[divan::bench(sample_count = 1000)]
fn visibility_query(bencher: Bencher<'_, '_>) {
    let map = labyrinth();
    let graph = VisibilityGraph::new(&map);
    ask(bencher, &map, |start, goal| graph.path(&map, start, goal));
}

#[divan::bench(sample_count = 10)]
fn visibility_build(bencher: Bencher<'_, '_>) {
    let map = labyrinth();
    bencher.bench_local(|| VisibilityGraph::new(&map));
}

/// Twenty circles that go to and fro in the labyrinth.
#[divan::bench(sample_count = 200)]
fn timed_query(bencher: Bencher<'_, '_>) {
    let map = labyrinth();
    let roadmap = Prm::default().build(&map);
    let ends = queries(&map);
    let track = |[a, b]: &[Vec2; 2]| (0..20).map(|k| (8.0 * k as f32, if k % 2 == 0 { *a } else { *b })).collect();
    let moving: Vec<_> = ends[..20].iter().map(|ends| MovingObstacle { radius: 0.3, track: track(ends) }).collect();
    ask(bencher, &map, |start, goal| TimedSearch::default().path(&map, &roadmap, &moving, [start, goal], 0.0).outcome);
}

/// A crate of 1 × 2 m that is somewhere else each time: the map is changed, then what was made of it.
fn moving(bencher: Bencher<'_, '_>, mut repair: impl FnMut(&GrownMap, [Vec2; 2])) {
    let mut map = labyrinth();
    let mut rng = Rng::new(Seed(4)).stream("crate");
    let place = |x, z, h| Obstacle::rectangle("crate", FloorPose::new(Vec2::new(x, z), h), Vec2::new(1.0, 2.0));
    let (id, _) = map.add(place(20.0, 20.0, 0.0)).expect("on the floor");
    let (mut x, mut z) = (20.0_f32, 20.0_f32);
    bencher.bench_local(|| {
        // A metre at most from where it was.
        x = (x + rng.range(-0.7, 0.7)).clamp(1.0, 39.0);
        z = (z + rng.range(-0.7, 0.7)).clamp(1.0, 39.0);
        let region = map.replace(id, place(x, z, rng.range(-3.0, 3.0))).expect("on the floor");
        repair(&map, region);
    });
}

#[divan::bench]
fn map_repair(bencher: Bencher<'_, '_>) {
    moving(bencher, |_, _| {});
}

#[divan::bench]
fn roadmap_repair(bencher: Bencher<'_, '_>) {
    let mut roadmap = Prm::default().build(&labyrinth());
    moving(bencher, |map, region| roadmap.update(map, region));
}

#[divan::bench]
fn navmesh_repair(bencher: Bencher<'_, '_>) {
    let mut mesh = NavMesh::new(&labyrinth());
    moving(bencher, |map, region| mesh.update(map, region));
}
