//! Every scenario can be read and crossed, and the pages' examples are true.

use std::path::{Path, PathBuf};
use surefoot::glam::{Vec2, Vec3};
use surefoot::world::{Body, Chart, FloorMap, Ground, NoRoute, TriangleSoup};
use surefoot_io::scene::{self, Scene};

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

/// A floor as triangles, with walls of 3 m around its obstacles.
fn walls(floor: &FloorMap) -> TriangleSoup {
    let mut points: Vec<Vec3> = floor.boundary().iter().map(|p| Vec3::new(p.x, 0.0, p.y)).collect();
    let mut triangles: Vec<[u32; 3]> = (2..points.len() as u32).map(|i| [0, i - 1, i]).collect();
    for (_, obstacle) in floor.obstacles() {
        let corners = obstacle.corners();
        for (i, a) in corners.iter().enumerate() {
            let b = corners[(i + 1) % corners.len()];
            let first = points.len() as u32;
            points.extend([(*a, 0.0), (b, 0.0), (b, 3.0), (*a, 3.0)].map(|(p, y)| Vec3::new(p.x, y, p.y)));
            triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
        }
    }
    TriangleSoup::new(points, triangles, vec![]).unwrap()
}

fn route(scene: &Scene) -> Result<Vec<Vec3>, NoRoute> {
    let mesh = scene.mesh.as_ref();
    let soup = mesh.map_or_else(|| walls(scene.floor.as_ref().unwrap()), |mesh| mesh.soup.clone());
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
    assert!(all.len() >= 18, "{}", all.len());
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
fn the_eight_floors_can_be_crossed_and_get_longer() {
    let eight: Vec<(String, Scene)> =
        scenarios().into_iter().filter(|(name, _)| name.starts_with(|c: char| c.is_ascii_digit())).collect();
    assert_eq!(eight.len(), 8);
    let mut before = 0.0;
    for (name, scene) in &eight {
        let route = route(scene).unwrap_or_else(|error| panic!("{name}: {error}"));
        // 20 to 64 s at 2.5 m/s.
        assert!((50.0..160.0).contains(&length(&route)), "{name}: {} m", length(&route));
        assert!(length(&route) > before, "{name}: {} m after {before} m", length(&route));
        before = length(&route);
        let floor = scene.floor.as_ref().unwrap();
        // True to a voxel.
        for p in along(&route, 0.1) {
            let clear = floor.clearance(Vec2::new(p.x, p.z));
            assert!(clear > scene.body.radius - 0.15, "{name}: {clear} m at {p}");
        }
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
    assert!((80.0..110.0).contains(&length(&route)), "{} m", length(&route));
    assert!(
        route[0].distance(scene.start.place) < 0.5 && route.last().unwrap().distance(scene.goal.place) < 0.5,
        "ends"
    );
    // There and back is the same way, as far as the search over middles of edges goes.
    let back = Scene { start: scene.goal, goal: scene.start, ..scene.clone() };
    assert!((length(&draped(&back, &self::route(&back).unwrap())) / length(&route) - 1.0).abs() < 0.05, "back");
    // A giant does not fit.
    let giant = Scene { body: Body { radius: 3.0, height: 9.0 }, ..scene };
    assert!(self::route(&giant).is_err(), "a giant went through");
}

#[test]
fn the_other_meshes_can_be_crossed() {
    for name in ["mesh-recast-nav-test", "mesh-collision-world"] {
        let scene = find(name);
        let route = route(&scene).unwrap_or_else(|error| panic!("{name}: {error}"));
        let end = *draped(&scene, &route).last().unwrap();
        assert!(end.distance(scene.goal.place) < 0.5, "{name}: ends at {end}");
    }
}

#[test]
fn the_page_s_examples_are_scenes() {
    let page = std::fs::read_to_string(root().join("docs/worlds.md")).unwrap();
    let examples: Vec<&str> = page.split("```toml\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    assert_eq!(examples.len(), 2);
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
