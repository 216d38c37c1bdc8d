//! Scenes: what is written is what is there, and what is wrong is named.

use super::*;
use crate::world::{WorldSettings, read_obj};
use surefoot::glam::{DVec3, Vec2, Vec3};
use surefoot::random::Seed;
use surefoot::world::{Outline, Repeat};

struct Made;

impl Beside for Made {
    fn map(&self, file: &str) -> Result<Vec<u8>, String> {
        match file {
            "small.map" => Ok(b"type octile\nheight 2\nwidth 3\nmap\n..@\n...\n".to_vec()),
            "bad.map" => Ok(b"type octile\nheight 2\nwidth 3\nmap\n..@\n.x.\n".to_vec()),
            _ => Err("there is no such file".into()),
        }
    }

    fn mesh(&self, _: &str) -> Result<WorldImport, String> {
        let far = b"v 5000 1 5000\nv 5000 1 5010\nv 5010 1 5010\nf 1 2 3\n";
        read_obj(far, &WorldSettings::default()).map_err(|error| error.to_string())
    }
}

const GOOD: &str = r#"
version = 1
name = "A yard"
seed = 7

[body]
radius = 0.25
height = 1.75

[start]
at = [2, 3]
facing_deg = 90

[goal]
at = [27.5, 17]

[floor]
size = [30, 20]

[[obstacle]]
name = "crate"
at = [15, 10]
size = [4, 2]
facing_deg = 30

[[obstacle]]
at = [8, 5]
radius = 1

[[obstacle]]
corners = [[20, 2], [24, 2], [22, 6]]

[[obstacle]]
name = "guard"
radius = 0.4
path = [[0, 5, 15], [10, 25, 15]]
repeat = "back-and-forth"

[[platform]]
size = [3, 3]
path = [[0, 28, 0, 3], [4, 28, 2, 3]]
repeat = "back-and-forth"
spin_deg = 10
"#;

#[test]
fn a_scene_is_what_it_says() {
    let scene = read(GOOD.as_bytes(), &Made).unwrap();
    assert_eq!((scene.name.as_str(), scene.seed, scene.body.radius), ("A yard", Seed(7), 0.25));
    assert_eq!(scene.start.place, Vec3::new(2.0, 0.0, 3.0));
    assert!((scene.start.heading.unwrap() - std::f32::consts::FRAC_PI_2).abs() < 1e-6, "degrees to radians");
    assert_eq!(scene.goal.heading, None);
    let floor = scene.floor.as_ref().unwrap();
    assert_eq!(floor.obstacles().count(), 3);
    assert!(floor.clearance(Vec2::new(8.0, 6.5)) < 0.5 && floor.clearance(Vec2::new(8.0, 6.5)) > 0.49, "a disc");
    assert_eq!(scene.obstacles.len(), 1);
    assert_eq!(scene.obstacles[0].track.repeat(), Repeat::BackAndForth);
    assert_eq!(scene.obstacles[0].outline, Outline::Disc { radius: 0.4 });
    assert_eq!(scene.obstacles[0].height, 1.75);
    assert_eq!(scene.platforms[0].track.position(2.0), Vec3::new(28.0, 1.0, 3.0));
}

#[cfg(feature = "mesh")]
#[test]
fn a_scene_is_one_ground() {
    use surefoot::world::Ground;
    let world = read(GOOD.as_bytes(), &Made).unwrap().world();
    let y = |x: f32, z: f32, t: f32| world.below(Vec3::new(x, 9.0, z), 20.0, t).map(|hit| hit.point.y);
    assert_eq!(y(2.0, 3.0, 0.0), Some(0.0));
    assert_eq!(y(28.0, 3.0, 4.0), Some(2.2));
    assert_eq!(y(-1.0, 3.0, 0.0), None);
    assert!((world.clearance(Vec2::new(5.0, 14.0), 0.0) - 0.6).abs() < 1e-4, "the guard");
}

#[test]
fn maps_and_meshes_are_fetched() {
    let floor = "[floor]\nsize = [30, 20]";
    let only_start = GOOD.split("[[obstacle]]").next().unwrap();
    let scene = read(only_start.replace(floor, "[floor]\nmap = \"small.map\"\ncell = 2").as_bytes(), &Made).unwrap();
    assert_eq!(scene.floor.unwrap().bounds(), [Vec2::ZERO, Vec2::new(6.0, 4.0)]);
    // A mesh that lies far away is brought near, and so is all that stands on it.
    let far = only_start.replace(floor, "[mesh]\nfile = \"far.obj\"\nmax_slope_deg = 30");
    let scene = read(far.replace("at = [2, 3]", "at = [5002, 1, 5003]").as_bytes(), &Made).unwrap();
    let mesh = scene.mesh.as_ref().unwrap();
    assert!(mesh.soup.bounds().unwrap()[1].length() < 30.0, "near");
    assert_eq!(scene.start.place.as_dvec3() + mesh.offset, DVec3::new(5002.0, 1.0, 5003.0));
    assert_eq!(mesh.survey.head_room, 1.75);
}

/// A platform, a ramp behind a gap, and an area.
const PLATFORMS: &str = r#"
version = 1

[start]
at = [0, 0]

[goal]
at = [0, 0.3, 8]

[[platform]]
name = "first"
corners = [[-1, -1], [1, -1], [1, 3], [-1, 3]]

[[platform]]
corners = [[-1, 0, 3.8], [-1, 0.3, 6], [1, 0.3, 6], [1, 0, 3.8]]
height = 0.5

[[area]]
corners = [[-1, -1], [-1, 1], [1, 1], [1, -1]]
running = false
cost = 1.5
"#;

#[test]
fn platforms_that_stay_are_the_ground_whichever_way_their_corners_run() {
    let scene = read(PLATFORMS.as_bytes(), &Made).unwrap();
    let ground = scene.mesh.as_ref().unwrap().survey.run(&scene.mesh.as_ref().unwrap().soup);
    let y = |z: f32| ground.footing(Vec3::new(0.2, 5.0, z), 10.0).map(|hit| hit.point.y);
    assert_eq!((y(0.0), y(3.4)), (Some(0.0), None));
    assert!((y(4.9).unwrap() - 0.15).abs() < 1e-4, "half way up the ramp");
    let [low, high] = scene.mesh.as_ref().unwrap().soup.bounds().unwrap();
    assert_eq!((low, high), (Vec3::new(-1.0, -0.5, -1.0), Vec3::new(1.0, 0.3, 6.0)));
    assert_eq!(scene.areas.len(), 1);
    let area = &scene.areas[0];
    assert!(!area.running && area.cost == 1.5 && area.holds(Vec2::ZERO) && !area.holds(Vec2::new(0.0, 2.0)));
    // Steps may be said without a file.
    let steps = PLATFORMS.replace("[[area]]", "[mesh]\nstep_height = 0.1\n[[area]]");
    assert_eq!(read(steps.as_bytes(), &Made).unwrap().mesh.unwrap().survey.step_height, 0.1);
    for (from, to, wanted) in [
        ("[1, 3], [-1, 3]", "[0, 0], [-1, 3]", "platform 1 must be convex seen from above"),
        ("[1, -1], [1, 3], [-1, 3]", "[1, -1]", "platform 1 must be convex"),
        ("[1, 3], [-1, 3]", "[1, 3], [-1]", "platform 1's `corners`: corner 4 is [-1]"),
        ("name = \"first\"", "at = [0, 0]", "platform 1 has `corners` and stays where it is"),
        ("height = 0.5", "height = 0", "platform 2's `height` is 0"),
        ("cost = 1.5", "cost = 0.5", "cost is 0.5; it must be 1 to 1000 times"),
        ("running = false", "runing = false", "did you mean `running`?"),
        ("[[area]]", "[floor]\nsize = [3, 3]\n[[area]]", "leave out the floor"),
    ] {
        assert!(PLATFORMS.contains(from), "{from}");
        let error = read(PLATFORMS.replacen(from, to, 1).as_bytes(), &Made).unwrap_err().to_string();
        assert!(error.contains(wanted), "{to}: {error}");
    }
    let bare = PLATFORMS.split("[[platform]]").next().unwrap().to_owned() + "[mesh]\nstep_height = 0.1\n";
    assert!(read(bare.as_bytes(), &Made).unwrap_err().to_string().contains("has no `file`"));
}

#[test]
fn what_is_wrong_is_named_with_its_line() {
    for (from, to, wanted) in [
        ("version = 1", "version = 2", "line 2, column 11: version 2 of the format"),
        ("version = 1", "", "there is no `version = 1`"),
        ("version = 1", "version = \"1\"", "line 2"),
        ("seed = 7", "seed = -7", "line 4, column 8: seed is -7"),
        ("seed = 7", "sed = 7", "line 4, column 1: `sed` is not a key here; did you mean `seed`?"),
        ("radius = 0.25", "raduis = 0.25", "line 7, column 1: `raduis` is not a key here; did you mean `radius`?"),
        ("radius = 0.25", "colour = 0.25", "known here: radius, height"),
        ("radius = 0.25", "radius = -0.25", "line 7, column 10: radius is -0.25; it must be 0.01 to 10 m"),
        ("radius = 0.25", "radius = nan", "radius is NaN"),
        ("height = 1.75", "height = 0.3", "a body is at least as tall as it is wide"),
        ("at = [2, 3]", "at = [2]", "line 11, column 6: start's `at` is [2]; it must be [x, z] or [x, y, z]"),
        ("at = [2, 3]", "at = [2, inf]", "start's `at` is [2, inf]"),
        ("facing_deg = 90", "facing_deg = 1e9", "facing_deg is 1000000000"),
        ("[goal]\nat = [27.5, 17]", "", "missing field `goal`"),
        ("size = [30, 20]", "size = [30, -20]", "line 18, column 8: size is [30, -20]"),
        ("size = [30, 20]", "size = [30, 20]\nmap = \"small.map\"", "a floor has one of"),
        ("size = [30, 20]", "map = \"none.map\"", "line 18, column 7: \"none.map\" cannot be read: there is no such"),
        ("size = [30, 20]", "map = \"bad.map\"", "'x' is not a cell"),
        ("size = [30, 20]", "outline = [[0, 0], [30, 0]]", "the floor has too few corners (2)"),
        ("size = [30, 20]", "size = [30, 20]\n[mesh]\nfile = \"x.obj\"", "not both"),
        ("[floor]\nsize = [30, 20]", "", "there is nothing to walk on"),
        ("size = [4, 2]", "", "obstacle 1 needs one of `size = [x, z]` and `radius`"),
        ("size = [4, 2]", "size = [4, 0]", "obstacle 1's `size` is [4, 0]"),
        ("at = [15, 10]", "at = [150, 10]", "lies outside the floor"),
        (
            "[[20, 2], [24, 2], [22, 6]]",
            "[[20, 2], [24, 2, 1], [22, 6]]",
            "obstacle 3's `corners`: corner 2 is [24, 2, 1]",
        ),
        ("[[20, 2], [24, 2], [22, 6]]", "[[20, 2], [24, 6], [24, 2], [20, 5]]", "obstacle 3 edges 0 and 2 cross"),
        ("[[0, 5, 15], [10, 25, 15]]", "[[10, 5, 15], [0, 25, 15]]", "key 2 is at 0 s"),
        ("[[0, 5, 15], [10, 25, 15]]", "[[0, 5, 15], [10]]", "obstacle 4's `path`: key 2 is [10]"),
        ("\"back-and-forth\"\nspin_deg", "\"forever\"\nspin_deg", "unknown variant `forever`"),
        ("repeat = \"back-and-forth\"\nspin_deg", "repeat = \"loop\"\nspin_deg", "a loop must end where it starts"),
        ("radius = 1\n", "radius = 1\nspin_deg = 5\n", "obstacle 2 has no `path`"),
        ("[body]", "[body", "line 6"),
    ] {
        assert!(GOOD.contains(from), "{from}");
        let error = read(GOOD.replacen(from, to, 1).as_bytes(), &Made).unwrap_err().to_string();
        assert!(error.contains(wanted), "{to}: {error}");
    }
    assert!(read(b"\xff\xfe", &Made).unwrap_err().to_string().contains("no text"), "bytes");
}

#[test]
fn broken_scenes_give_a_scene_or_an_error() {
    let mut rng = surefoot::random::Rng::new(Seed(5)).stream("scene");
    for _ in 0..3000 {
        let mut bytes = GOOD.as_bytes().to_vec();
        for _ in 0..=rng.below(4) {
            let at = rng.below(bytes.len());
            bytes[at] = rng.bits() as u8;
        }
        bytes.truncate(rng.below(bytes.len() + 1).max(bytes.len() / 2));
        if let Ok(scene) = read(&bytes, &Made) {
            assert!(scene.start.place.is_finite() && scene.body.radius > 0.0, "{scene:?}");
        }
    }
}
