//! OBJ worlds: a real one and hand-made ones.

use std::path::Path;
use surefoot::glam::{DVec3, Vec3};
use surefoot_io::world::{WorldImport, WorldSettings, is_world, load, read_obj};
use surefoot_io::{Axis, Unit, Warning};

fn read(text: &str) -> WorldImport {
    read_obj(text.as_bytes(), &WorldSettings::default()).unwrap()
}

fn codes(world: &WorldImport) -> Vec<&'static str> {
    world.warnings.iter().map(Warning::code).collect()
}

fn area(world: &WorldImport) -> f32 {
    (0..world.mesh.triangles().len()).map(|t| world.mesh.normal(t).length()).sum()
}

#[test]
fn a_real_world_with_polygons_of_up_to_twelve_corners() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/worlds/recast_nav_test.obj");
    assert!(is_world(&path), "by its ending");
    let world = load(&path, &WorldSettings::default()).unwrap();
    assert_eq!(codes(&world), ["no-materials"]);
    // 792 faces; each of n corners makes n - 2 triangles.
    assert_eq!((world.mesh.positions().len(), world.mesh.triangles().len()), (884, 1612));
    assert_eq!((world.mesh.groups().len(), world.offset), (30, DVec3::ZERO));
    let [low, high] = world.mesh.bounds().unwrap();
    assert!((high - low - Vec3::new(91.38, 21.88, 77.35)).length() < 0.01, "{low} to {high}");
    assert_eq!(world.mesh.groups().iter().map(|g| g.triangles.len()).sum::<usize>(), 1612);
}

#[test]
fn corners_may_be_written_in_any_way() {
    let points = "v 0 0 0\nv 0 0 1\nv 1 0 1\nv 1 0 0\n";
    for face in [
        "f 1 2 3 4\n",
        "f 1/1 2/1 3/1 4/1\n",
        "f 1//1 2//1 3//1 4//1\n",
        "f -4 -3 -2 -1\n",
        "f 1/1/1 2/2/2 -2 4\n",
        "f 1 2 \\\n  3 4\n",
        "f 1 2\\\r\n3 4\r\n",
        "# f 9 9 9\n\nf 1 2 3 4 # a square",
    ] {
        let world = read(&format!("{points}{face}"));
        assert_eq!((world.mesh.triangles().len(), area(&world)), (2, 1.0), "{face:?}");
        assert!((0..2).all(|t| world.mesh.normal(t).y > 0.0), "{face:?} faces up");
    }
    // Faces may come before their points, in files of careless programs.
    assert_eq!(area(&read(&format!("f 1 2 3 4\n{points}"))), 1.0);
    // Weights and colours after a point are no coordinates.
    assert_eq!(area(&read("v 0 0 0 1\nv 0 0 1 0.5 0.5 0.5\nv 1 0 0\nf 1 2 3\n")), 0.5);
}

#[test]
fn groups_are_runs_of_triangles() {
    let world =
        read("v 0 0 0\nv 0 0 1\nv 1 0 0\nf 1 2 3\no house\ng roof top\nf 1 2 3\nf 1 2 3\ng empty\no door\nf 1 2 3\n");
    let groups: Vec<_> = world.mesh.groups().iter().map(|g| (g.name.as_str(), g.triangles.clone())).collect();
    assert_eq!(groups, [("roof top", 1..3), ("door", 3..4)]);
}

#[test]
fn odd_faces_are_dropped_or_told_and_counted() {
    let points = "v 0 0 0\nv 0 0 3\nv 3 0 3\nv 3 0 0\nv 0 0 1\n";
    let world = read(&format!("{points}f 1 2 3 4\nf 1 1 2\nf 1 5 2\nf 1 2\nf\n"));
    assert_eq!(world.warnings, [Warning::FlatFaces { count: 4, line: Some(7) }]);
    let world = read(&format!("{points}f 1 3 4 5\n"));
    assert_eq!(world.warnings, [Warning::CrossingFaces { count: 1, line: Some(6) }]);
    let world = read(&format!("{points}curv 1 2\nf 1 2 3\ncurv 1\nl 1 2\n"));
    assert_eq!(world.warnings, [Warning::Ignored { line: 6, keyword: "curv".into(), count: 2 }]);
    assert_eq!(codes(&read(&format!("{points}f 4 3 2 1\n"))), ["faces-down"]);
    assert_eq!(codes(&read("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")), ["level-elsewhere"]);
}

#[test]
fn far_worlds_come_to_the_origin_with_all_their_digits() {
    let text = "v 5000000.0001 2 7000\nv 5000000.0002 2 7001\nv 5000001.0001 2.0001 7000\nf 1 2 3\n";
    let world = read(text);
    assert_eq!(world.offset, DVec3::new(5_000_001.0, 0.0, 7001.0));
    let [a, b, _] = world.mesh.corners(0);
    assert!(((b - a) - Vec3::new(0.0001, 0.0, 1.0)).length() < 2e-7, "{}", b - a);
    assert_eq!(a.y, 2.0);
    // Large worlds around the origin stay where they are, and so do near ones.
    for near in ["v -9000 0 0\nv 0 0 9000\nv 9000 0 0\nf 1 2 3\n", "v 900 0 0\nv 900 0 1\nv 901 0 0\nf 1 2 3\n"] {
        assert_eq!(read(near).offset, DVec3::ZERO, "{near}");
    }
    // A stray point of no face does not move anything.
    assert_eq!(read("v 0 0 0\nv 0 0 1\nv 1 0 0\nv 9e8 0 0\nf 1 2 3\n").offset, DVec3::ZERO);
}

#[test]
fn unit_and_up_can_be_said() {
    let settings = WorldSettings { unit: Some(Unit::Centimetre), up: Some(Axis::Z) };
    // A floor in Blender's axes, 2 m wide, 3 m long, 1 m up.
    let text = "v 0 0 100\nv 200 0 100\nv 200 300 100\nv 0 300 100\nf 1 2 3 4\n";
    let world = read_obj(text.as_bytes(), &settings).unwrap();
    let [low, high] = world.mesh.bounds().unwrap();
    assert!((low - Vec3::new(0.0, 1.0, -3.0)).length() < 1e-6 && (high - Vec3::new(2.0, 1.0, 0.0)).length() < 1e-6);
    assert!(world.mesh.normal(0).y > 0.0 && world.warnings.is_empty(), "{:?}", world.warnings);
}

#[test]
fn errors_have_a_place_and_the_reason() {
    for (text, line, words) in [
        ("", 1, "no face"),
        ("v 0 0 0\n", 2, "no face"),
        ("HIERARCHY\nROOT a\n", 3, "line 1 starts with \"HIERARCHY\""),
        ("v 0 0\n", 1, "2 numbers where 3 belong"),
        ("v 0 nan 0\n", 1, "not a finite number"),
        ("v 0 2e9 0\n", 1, "out of range"),
        ("v 0 0 0\nf 1 2 4\n", 2, "names point 4; the file has 1"),
        ("v 0 0 0\nf 1 0 1\n", 2, "counted from 1"),
        ("v 0 0 0\nf -1 -2 1\n", 2, "point -2, and there are 1"),
        ("v 0 0 0\nf 1 4294967296 1\n", 2, "no point \"4294967296\""),
        ("v 0 0 0\nf 1 99999999999999999999 1\n", 2, "no point"),
        ("v 0 0 0\nf 1 -99999999999999999999 1\n", 2, "no point"),
        ("v 0 0 0\nf 1 a 1\n", 2, "\"a\" is not a corner"),
        ("v 0 0 0\nf /1 1 1\n", 2, "is not a corner"),
    ] {
        let error = read_obj(text.as_bytes(), &WorldSettings::default()).unwrap_err();
        assert!(error.what.contains(words), "{text:?}: {error}");
        assert_eq!(error.place.as_ref().map(|p| p.line), Some(line), "{text:?}: {error}");
    }
    let flat = read_obj(b"v 0 0 0\nf 1 1 1\n", &WorldSettings::default()).unwrap_err();
    assert!(flat.what.contains("no face has an area"), "{flat}");
    let glb = read_obj(b"glTF\x02\0\0\0", &WorldSettings::default()).unwrap_err();
    assert!(glb.what.contains("GLB"), "{glb}");
    let words: String = (0..100).map(|i| format!("word{i}\n")).collect();
    assert!(read_obj(words.as_bytes(), &WorldSettings::default()).unwrap_err().what.contains("not an OBJ file"));
}
