//! What `surefoot inspect` says of a scene.

use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use surefoot::world::{Mover, Outline, Scene, ScenePose};
use surefoot_io::LoadError;
use surefoot_io::scene::load;
use surefoot_view::report::counted;

/// A file and what became of it.
pub(crate) struct Loaded<'a> {
    path: &'a Path,
    pub(crate) scene: Result<Scene, LoadError>,
}

pub(crate) fn load_all(paths: &[PathBuf]) -> Vec<Loaded<'_>> {
    paths.iter().map(|path| Loaded { path, scene: load(path) }).collect()
}

/// The report for a person; `None` if it could not be read.
pub(crate) fn at_length(loaded: &Loaded<'_>) -> Option<String> {
    let scene = loaded.scene.as_ref().ok()?;
    let mut out = String::new();
    let name = if scene.name.is_empty() { "without a name" } else { &scene.name };
    let _ = writeln!(out, "{}: scene, {name}, seed {}", loaded.path.display(), scene.seed.0);
    let mut row = |label: &str, text: String| {
        let _ = writeln!(out, "  {label:10} {text}");
    };
    if let Some(floor) = &scene.floor {
        let [low, high] = floor.bounds();
        let size = high - low;
        let obstacles = floor.obstacles().count();
        row("floor", format!("{:.2} × {:.2} m (x, z), {} that stay", size.x, size.y, counted(obstacles, "obstacle")));
    }
    if let Some(mesh) = &scene.mesh {
        let slope = mesh.survey.max_slope.to_degrees();
        let limits = format!("slopes to {slope:.0}°, steps to {:.2} m", mesh.survey.step_height);
        row("mesh", format!("{}, {}; {limits}", mesh.file, counted(mesh.soup.triangles().len(), "triangle")));
    }
    row("body", format!("{:.2} m radius, {:.2} m tall", scene.body.radius, scene.body.height));
    row("start", pose(scene, &scene.start));
    row("goal", pose(scene, &scene.goal));
    row("between", format!("{:.2} m straight", scene.start.place.distance(scene.goal.place)));
    for (label, movers) in [("platform", &scene.platforms), ("obstacle", &scene.obstacles)] {
        for mover in movers {
            row(label, self::mover(mover));
        }
    }
    Some(out)
}

/// A place, its facing, and what is in the way there.
fn pose(scene: &Scene, pose: &ScenePose) -> String {
    let ScenePose { place, heading } = pose;
    let facing = heading.map_or("any facing".into(), |heading| format!("facing {:.0}°", heading.to_degrees()));
    let mut text = format!("{:.2}, {:.2}, {:.2} m, {facing}", place.x, place.y, place.z);
    let blocked = scene
        .floor
        .as_ref()
        .is_some_and(|floor| floor.blocker(surefoot::glam::Vec2::new(place.x, place.z), scene.body.radius).is_some());
    if blocked {
        text.push_str("; warning: the body cannot stand there");
    }
    text
}

fn mover(mover: &Mover) -> String {
    let shape = match mover.outline {
        Outline::Rectangle { half } => format!("{:.2} × {:.2} m", 2.0 * half.x, 2.0 * half.y),
        Outline::Disc { radius } => format!("disc of {radius:.2} m radius"),
    };
    let keys = mover.track.keys().len();
    let motion = if mover.track.moves() { format!("moves over {keys} keys") } else { "stays".into() };
    format!("{shape}, {:.2} m tall, {motion}", mover.height)
}

/// The report for a program.
pub(crate) fn to_json(loaded: &Loaded<'_>) -> Value {
    let file = loaded.path.display().to_string();
    let scene = match &loaded.scene {
        Ok(scene) => scene,
        Err(error) => return json!({ "file": file, "error": error.to_string() }),
    };
    let pose = |pose: &ScenePose| {
        let facing = pose.heading.map(f32::to_degrees);
        json!({ "at_m": pose.place.to_array(), "facing_deg": facing })
    };
    json!({
        "file": file,
        "format": "scene",
        "name": scene.name,
        "seed": scene.seed.0,
        "body": { "radius_m": scene.body.radius, "height_m": scene.body.height },
        "start": pose(&scene.start),
        "goal": pose(&scene.goal),
        "mesh": scene.mesh.as_ref().map(|mesh| mesh.file.clone()),
        "fixed_obstacles": scene.floor.as_ref().map(|floor| floor.obstacles().count()),
        "platforms": scene.platforms.len(),
        "obstacles": scene.obstacles.len(),
    })
}
