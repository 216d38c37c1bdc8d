//! Every scenario can be read and crossed, and the pages' examples are true.

use std::path::{Path, PathBuf};
use surefoot::glam::{Vec2, Vec3};
use surefoot::library::strides::{StrideKind, plain_strides};
use surefoot::plan::footsteps::{FootstepPlan, FootstepWorld};
use surefoot::plan::{MovingObstacle, Planner};
use surefoot::random::Seed;
use surefoot::stages::{Chart, FootstepMap, NavMesh, NoRoute, PlanFootsteps, Prm, TimedSearch};
use surefoot::world::{Body, FloorMap, Ground, GrownMap, Scene};
use surefoot_io::scene;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn scenarios() -> Vec<(String, Scene)> {
    let folder = root().join("scenarios");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = files.filter(|path| scene::is_scene(path)).collect();
    files.sort();
    let load = |path: &PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy().replace(".scene.toml", "");
        (name, scene::load(path).unwrap_or_else(|error| panic!("{error}")))
    };
    files.iter().map(load).collect()
}

fn find(name: &str) -> Scene {
    scene::load(&root().join("scenarios").join(format!("{name}.scene.toml"))).unwrap()
}

fn route(scene: &Scene) -> Result<Vec<Vec3>, NoRoute> {
    let mesh = scene.mesh.as_ref();
    let soup = mesh.map_or_else(|| scene.floor.as_ref().unwrap().to_triangles(3.0), |mesh| mesh.soup.clone());
    let survey = mesh.map(|mesh| mesh.survey).unwrap_or_default();
    let chart = Chart { body: scene.body, survey, ..Chart::default() };
    chart.run(&soup).unwrap().route(scene.start.place, scene.goal.place)
}

fn length(points: &[Vec3]) -> f32 {
    points.windows(2).map(|pair| pair[0].distance(pair[1])).sum()
}

/// Points along a route, at most a step apart (metres).
fn along(route: &[Vec3], step: f32) -> Vec<Vec3> {
    let between = |pair: &[Vec3]| {
        let (a, b) = (pair[0], pair[1]);
        let parts = (a.distance(b) / step).ceil().max(1.0) as usize;
        (0..parts).map(|i| a.lerp(b, i as f32 / parts as f32)).collect::<Vec<_>>()
    };
    route.windows(2).flat_map(between).chain(route.last().copied()).collect()
}

#[test]
fn all_can_be_read_and_stood_in() {
    let all = scenarios();
    assert!(all.len() >= 24, "{}", all.len());
    for (name, scene) in &all {
        assert!(!scene.name.is_empty(), "{name}");
        let world = scene.world();
        for place in [scene.start.place, scene.goal.place] {
            let hit = world.below(place + Vec3::Y, 2.5, 0.0);
            assert!(hit.is_some(), "{name}: nothing to stand on at {place}");
            assert!(
                world.clearance(Vec2::new(place.x, place.z), 0.0) > scene.body.radius,
                "{name}: in the way at {place}"
            );
            let free = |floor: &FloorMap| floor.is_free(Vec2::new(place.x, place.z), scene.body.radius);
            assert!(scene.floor.as_ref().is_none_or(free), "{name}: no room at {place}");
        }
    }
}

#[test]
fn the_eight_floors_can_be_crossed() {
    let eight: Vec<(String, Scene)> =
        scenarios().into_iter().filter(|(name, _)| name.starts_with(|c: char| c.is_ascii_digit())).collect();
    assert_eq!(eight.len(), 8);
    for (name, scene) in &eight {
        let route = route(scene).unwrap_or_else(|error| panic!("{name}: {error}"));
        // 20 to 75 s at 1 m/s.
        assert!((20.0..75.0).contains(&length(&route)), "{name}: {} m", length(&route));
        let floor = scene.floor.as_ref().unwrap();
        for p in along(&route, 0.1) {
            let clear = floor.clearance(Vec2::new(p.x, p.z));
            assert!(clear >= scene.body.radius, "{name}: {clear} m at {p}");
        }
        // It keeps up to two voxels more than the radius from corners, so it is a little longer than the shortest.
        let map = GrownMap::new(floor.clone(), scene.body.radius).unwrap();
        let [start, goal] = [scene.start, scene.goal].map(|end| Vec2::new(end.place.x, end.place.z));
        let shortest = NavMesh::new(&map).path(&map, start, goal).into_path().unwrap().length();
        let longer = length(&route) / shortest;
        assert!((0.999..1.025).contains(&longer), "{name}: {longer} times the shortest");
    }
}

#[test]
fn grids_can_be_crossed() {
    for (name, scene) in scenarios().iter().filter(|(name, _)| name.starts_with("grid")) {
        let route = route(scene).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(length(&route) > 30.0, "{name}: {} m", length(&route));
    }
}

/// The route on the ground.
/// Five of them have gaps that 1000 places miss.
#[test]
fn roadmaps_find_a_way_over_every_floor() {
    for (name, scene) in scenarios() {
        let Some(floor) = &scene.floor else { continue };
        let map = GrownMap::new(floor.clone(), scene.body.radius).unwrap();
        let ends = [scene.start.place, scene.goal.place].map(|place| Vec2::new(place.x, place.z));
        for seed in 0..3 {
            let answer = Planner::Prm.path(&map, Seed(seed), None, ends);
            let exact = NavMesh::new(&map).path(&map, ends[0], ends[1]);
            // Over water there is no way without the ferry.
            let Some(exact) = exact.path() else { continue };
            let path = answer.outcome.path().unwrap_or_else(|| panic!("{name}, seed {seed}: {:?}", answer.outcome));
            assert!(path.is_free(&map) && path.length() < 1.5 * exact.length(), "{name}, seed {seed}");
        }
    }
}

/// Footsteps through a scene with plain strides, and the strides' kinds.
fn footsteps(name: &str) -> (FootstepPlan, Vec<StrideKind>) {
    let scene = find(name);
    let map = FootstepMap::new(FootstepWorld::of(&scene).unwrap(), plain_strides());
    let plan = PlanFootsteps::default().through(&map, &scene).unwrap_or_else(|why| panic!("{name}: {why}"));
    let world = scene.world();
    for print in &plan.prints {
        let at = Vec3::from(print.print.world_from_sole.translation);
        let hit = world.below(at + 0.1 * Vec3::Y, 0.2, 0.0);
        assert!(hit.is_some_and(|hit| (hit.point.y - at.y).abs() < 2e-3), "{name}: a print in the air at {at}");
    }
    let kinds = plan.strides.iter().map(|stride| map.reaches()[stride.stride].kind).collect();
    (plan, kinds)
}

#[test]
fn platforms_are_crossed_print_by_print() {
    let (jumps, kinds) = footsteps("jumps");
    let count = |kinds: &[StrideKind], kind| kinds.iter().filter(|k| **k == kind).count();
    assert!((40..60).contains(&jumps.prints.len()), "{} prints", jumps.prints.len());
    assert_eq!(count(&kinds, StrideKind::Special), 2, "two gaps");
    assert!(count(&kinds, StrideKind::Run) > 3, "run-ups");
    assert!(kinds[..3].iter().all(|kind| *kind == StrideKind::Walk), "nobody runs before the bend");
    let (turns, kinds) = footsteps("turns");
    assert!((36..56).contains(&turns.prints.len()), "{} prints", turns.prints.len());
    assert_eq!(count(&kinds, StrideKind::Walk), kinds.len(), "nobody runs");
    for name in ["stepping-stones", "stairs"] {
        let (plan, kinds) = footsteps(name);
        assert!(plan.prints.len() > 15 && count(&kinds, StrideKind::Walk) == kinds.len(), "{name}");
    }
    let (course, _) = footsteps("course-500");
    assert!((430..570).contains(&course.prints.len()), "{} prints", course.prints.len());
}

fn draped(scene: &Scene, route: &[Vec3]) -> Vec<Vec3> {
    let mesh = scene.mesh.as_ref().unwrap();
    mesh.survey.run(&mesh.soup).drape(route, 0.05).unwrap_or_else(|| panic!("the ground breaks off on {route:?}"))
}

#[test]
fn the_dungeon_is_climbed_from_floor_to_floor() {
    let scene = find("mesh-recast-dungeon");
    let route = draped(&scene, &route(&scene).unwrap());
    // The stairs from 0 to 5, to 10 and to 15 m wind; nothing else leads up.
    let heights: Vec<f32> = route.iter().map(|p| p.y).collect();
    for floor in [0.0, 5.0, 10.0, 15.0] {
        assert!(heights.iter().any(|y| (y - floor).abs() < 0.3), "the floor at {floor} m is not on the way");
    }
    assert!((110.0..140.0).contains(&length(&route)), "{} m", length(&route));
    assert!(
        route[0].distance(scene.start.place) < 0.5 && route.last().unwrap().distance(scene.goal.place) < 0.5,
        "ends"
    );
    // There and back is the same way.
    let back = Scene { start: scene.goal, goal: scene.start, ..scene.clone() };
    assert!((length(&draped(&back, &self::route(&back).unwrap())) / length(&route) - 1.0).abs() < 0.01, "back");
    // A giant does not fit.
    let giant = Scene { body: Body { radius: 3.0, height: 9.0 }, ..scene };
    assert!(self::route(&giant).is_err(), "a giant went through");
}

#[test]
fn the_other_meshes_can_be_crossed() {
    for name in ["mesh-recast-nav-test", "mesh-recast-undulating", "mesh-collision-world"] {
        let scene = find(name);
        let route = route(&scene).unwrap_or_else(|error| panic!("{name}: {error}"));
        let end = *draped(&scene, &route).last().unwrap();
        assert!(end.distance(scene.goal.place) < 0.5, "{name}: ends at {end}");
    }
}

#[test]
fn bodies_fit_all_along_routes_over_meshes() {
    for name in ["mesh-recast-dungeon", "mesh-recast-nav-test", "mesh-collision-world"] {
        let scene = find(name);
        let mesh = scene.mesh.as_ref().unwrap();
        let ground = mesh.survey.run(&mesh.soup);
        let steps = mesh.survey.step_height;
        // Above the highest step that it can take, and a touch thinner.
        let body = Body { radius: scene.body.radius - 0.01, height: scene.body.height - steps - 0.1 };
        for place in draped(&scene, &route(&scene).unwrap()) {
            assert!(ground.is_free(body, place + (steps + 0.05) * Vec3::Y), "{name}: no room at {place}");
        }
    }
}

/// A schedule found by the search in time: never in anything's way, and never faster than the walker.
fn in_time(name: &str) -> Vec<(f32, Vec2)> {
    let scene = find(name);
    let map = GrownMap::new(scene.floor.clone().unwrap(), scene.body.radius).unwrap();
    let search = TimedSearch::default();
    let moving: Vec<MovingObstacle> =
        scene.obstacles.iter().flat_map(|mover| MovingObstacle::covering(mover, [0.0, search.horizon])).collect();
    let ends = [scene.start, scene.goal].map(|end| Vec2::new(end.place.x, end.place.z));
    let found = search.path_by_platforms(&map, &Prm::default().build(&map), &moving, &scene.platforms, ends, 0.0);
    let schedule = found.schedule;
    assert_eq!((schedule[0].1, schedule[schedule.len() - 1].1), (ends[0], ends[1]), "{name}");
    let (world, walker) = (scene.world(), MovingObstacle { radius: scene.body.radius, track: schedule.clone() });
    let end = schedule[schedule.len() - 1].0;
    for i in 0..=(100.0 * end) as usize {
        let time = 0.01 * i as f32;
        let at = walker.at(time);
        let clear = world.clearance(at, time);
        assert!(clear > scene.body.radius - 1e-3, "{name}: {clear} m at {time} s, {at}");
        // There is something to stand on, at most a gap of 0.1 m away.
        let under = |x: f32| world.below(Vec3::new(at.x + x, 1.0, at.y), 1.5, time).is_some();
        assert!(under(0.0) || under(0.06) || under(-0.06), "{name}: nothing to stand on at {time} s, {at}");
    }
    schedule
}

#[test]
fn what_moves_is_waited_for_and_ridden_on() {
    let crossing = in_time("moving-crossing");
    let arrival = |schedule: &[(f32, Vec2)]| schedule[schedule.len() - 1].0;
    // 26 m at 1.3 m/s, and what the carts take.
    assert!((20.0..35.0).contains(&arrival(&crossing)), "{} s", arrival(&crossing));
    // Faster than any walker on the ferry only.
    let fast = |pair: &[(f32, Vec2)]| pair[0].1.distance(pair[1].1) > 1.301 * (pair[1].0 - pair[0].0) + 1e-3;
    assert!(!crossing.windows(2).any(fast), "{crossing:?}");
    let ferry = in_time("moving-ferry");
    assert!((20.0..45.0).contains(&arrival(&ferry)), "{} s", arrival(&ferry));
    assert!(ferry.iter().any(|(_, at)| (12.0..18.0).contains(&at.x)), "over the water: {ferry:?}");
}

#[test]
fn the_page_s_examples_are_scenes() {
    let page = std::fs::read_to_string(root().join("docs/worlds.md")).unwrap();
    let examples: Vec<&str> = page.split("```toml\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    assert_eq!(examples.len(), 3);
    for text in examples {
        let folder = root().join("scenarios");
        struct Folder(PathBuf);
        impl scene::Beside for Folder {
            fn map(&self, file: &str) -> Result<Vec<u8>, String> {
                std::fs::read(self.0.join(file)).map_err(|error| error.to_string())
            }
            fn mesh(&self, file: &str) -> Result<surefoot_io::world::WorldImport, String> {
                surefoot_io::world::load(&self.0.join(file), &Default::default()).map_err(|error| error.to_string())
            }
        }
        scene::read(text.as_bytes(), &Folder(folder)).unwrap_or_else(|error| panic!("{error}\n{text}"));
    }
}
