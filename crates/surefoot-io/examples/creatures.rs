//! Walks every character over every kind of ground, from its idle pose and by its walk clip, and prints how well feet stand:
//! `cargo run --release -p surefoot-io --example creatures [--features navmesh] [NAME]`.

use std::path::Path as FilePath;
use surefoot::analyse::find_skinned_rig;
use surefoot::glam::Vec3;
use surefoot::motion::Clip;
use surefoot::plan::Path;
use surefoot::plan::steps::Stand;
use surefoot::rig::{ManyLegs, Pose, Rig};
use surefoot::systems::{Creature, stride_of};
use surefoot::world::{Ground, Terrain};
use surefoot_io::{ImportSettings, load, scene};

const CHARACTERS: [&str; 11] = [
    "kaykit_Knight",
    "m2m_fox",
    "m2m_horse",
    "m2m_spider",
    "m2m_bird",
    "legs:6",
    "m2m_kaiju",
    "RobotExpressive",
    "khronos_CesiumMan",
    "khronos_Fox",
    "quaternius_Rat",
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let project = FilePath::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let only = std::env::args().nth(1);
    let hills = scene::load(&project.join("scenarios/mesh-recast-undulating.scene.toml"))?;
    let route = route(&hills);
    println!("{:18} {:8} {:10}    drift penetration   in air  missed  s", "", "ground", "clip");
    for name in CHARACTERS.iter().filter(|name| only.as_ref().is_none_or(|only| name.contains(only.as_str()))) {
        let Subject { rig, stand, clips } = subject(&project, name)?;
        let leg = stand.legs.iter().map(|leg| leg.length).sum::<f32>() / stand.legs.len() as f32;
        let step = (0.2 * leg).min(0.4);
        let slope = |degrees: f32| Terrain::Slope { angle: degrees.to_radians() };
        let made: [(&str, Terrain); 6] = [
            ("flat", Terrain::Flat),
            ("15°", slope(15.0)),
            ("35°", slope(35.0)),
            ("down 35°", slope(-35.0)),
            ("stairs", Terrain::Stairs { rise: step, tread: 2.2 * step }),
            ("rubble", Terrain::Rubble { height: step, size: 0.5 * leg }),
        ];
        let long = 7.0 * stand.hip;
        let path = Path::new(vec![Vec3::ZERO, Vec3::Z * long, Vec3::new(0.5 * long, 0.0, 1.5 * long)]);
        let world = hills.world();
        let mut grounds: Vec<(&str, &dyn Ground, &Path)> =
            made.iter().map(|(n, g)| (*n, g as &dyn Ground, &path)).collect();
        if let Some(route) = &route {
            grounds.push(("hills", &world, route));
        }
        let walks = clips.iter().filter(|clip| clip.name().contains("Walk"));
        let walk = walks.min_by_key(|clip| clip.name().len());
        let stride = walk.and_then(|walk| stride_of(&rig, &stand, walk));
        for (what, ground, path) in grounds {
            for stride in std::iter::once(None).chain(stride.clone().map(Some)) {
                let mut settings = Creature::default();
                let how = if stride.is_some() { "clip" } else { "idle pose" };
                settings.steps.stride = stride;
                let motion = settings.plan(&rig, &stand, path, None, ground);
                let done = settings.take(&motion, "walk", ground);
                let f = &done.figures;
                let row = [f.drift.max, f.penetration.max, f.grazing.max, done.missed.0].map(|x| 1e3 * x);
                let (fast, when, joint) = motion.fastest(2e-3);
                let speed = settings.steps.course.fitted(&stand, settings.steps.stride.as_ref()).speed;
                let times = fast / speed;
                let bad = times > 12.0 || row.iter().zip([1.0, 5.0, 5.0, 1.0]).any(|(x, limit)| *x > limit);
                println!(
                    "{name:18} {what:8} {:10} {:8.3} {:8.2} {:8.1} {:8.2} {:5.1} {times:5.1} {}",
                    how,
                    row[0],
                    row[1],
                    row[2],
                    row[3],
                    motion.seconds(),
                    if bad { format!("* {} at {when:.2}", rig.skeleton.name(joint)) } else { String::new() }
                );
            }
        }
    }
    Ok(())
}

struct Subject {
    rig: Rig,
    stand: Stand,
    clips: Vec<Clip>,
}

fn subject(project: &FilePath, name: &str) -> Result<Subject, Box<dyn std::error::Error>> {
    if name == "legs:6" {
        // A made one; its walk clip is how it walks over level ground of itself.
        let rig = ManyLegs::default().run();
        let stand = Stand::new(&rig, Pose::rest(&rig.skeleton), &[])?;
        let walk = Creature::default().cycle(&rig, &stand, "Walk");
        return Ok(Subject { rig, stand, clips: vec![walk] });
    }
    let import = load(&project.join(format!("assets/characters/{name}.glb")), &ImportSettings::default())?;
    let clips: Vec<&Clip> = import.clips.iter().collect();
    let rig = find_skinned_rig(&import.skeleton, import.skin.as_ref(), &clips)?;
    let mut pose = Pose::rest(&rig.skeleton);
    let idles = clips.iter().filter(|clip| clip.name().to_lowercase().contains("idle"));
    if let Some(idle) = idles.min_by_key(|clip| clip.name().len()) {
        pose.locals.copy_from_slice(idle.frame(0));
    }
    let stand = Stand::new(&rig, pose, &clips)?;
    Ok(Subject { rig, stand, clips: import.clips })
}

#[cfg(not(feature = "navmesh"))]
fn route(_: &scene::Scene) -> Option<Path> {
    None
}

/// A stretch of the way over the hills.
#[cfg(feature = "navmesh")]
fn route(scene: &scene::Scene) -> Option<Path> {
    use surefoot::world::Chart;
    let mesh = scene.mesh.as_ref()?;
    let charted = Chart { survey: mesh.survey, body: scene.body, ..Chart::default() }.run(&mesh.soup).ok()?;
    let route = Path::new(charted.route(scene.start.place, scene.goal.place).ok()?);
    Some(Path::new((0..=40).map(|i| route.at(20.0 + 0.5 * i as f32)).collect()))
}
