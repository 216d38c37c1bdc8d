//! Walks every character over every kind of ground, from its idle pose and by its walk clip, and prints how well feet stand:
//! `cargo run --release -p surefoot-io --example creatures [NAME] [random COUNT] [bones]`; `bones` leaves their skin out.

use std::path::Path as FilePath;
use std::sync::Arc;
use surefoot::analyse::find_skinned_rig;
use surefoot::character::Character;
use surefoot::glam::Vec3;
use surefoot::motion::Clip;
use surefoot::plan::Path;
use surefoot::random::{Rng, Seed};
use surefoot::rig::{ManyLegs, Pose};
use surefoot::stages::PlanSteps;
use surefoot::stages::{Chart, FastestJoint, WalkMesh};
#[cfg(feature = "navmesh")]
use surefoot::systems::{Creature, stride_of};
use surefoot::world::{Ground, Scene, Terrain, World};
use surefoot_io::scene;
use surefoot_io::{ImportSettings, load};

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
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let random = arguments.iter().position(|word| word == "random").and_then(|i| arguments.get(i + 1)?.parse().ok());
    let bones = arguments.iter().any(|word| word == "bones");
    let only = arguments.first().filter(|word| *word != "random" && *word != "bones");
    let hills = Hills::load(&project.join("scenarios/mesh-recast-undulating.scene.toml"))?;
    println!(
        "{:18} {:10} {:10}    drift penetration  in air  missed, mm; s, fastest joint / speed",
        "", "ground", "from"
    );
    for name in CHARACTERS.iter().filter(|name| only.is_none_or(|only| name.contains(only.as_str()))) {
        let subject = subject(&project, name, bones)?;
        match random {
            Some(count) => at_random(name, &subject, &hills, count),
            None => over_every_ground(name, &subject, &hills),
        }
    }
    Ok(())
}

/// The grounds of the issue, each as rough as a creature of this size should take.
fn over_every_ground(name: &str, subject: &Subject, hills: &Hills) {
    let leg = subject.leg();
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
    let long = 7.0 * subject.character.stand.hip;
    let path = Path::new(vec![Vec3::ZERO, Vec3::Z * long, Vec3::new(0.5 * long, 0.0, 1.5 * long)]);
    for (what, ground) in &made {
        subject
            .ways()
            .into_iter()
            .for_each(|settings| println!("{}", subject.row(name, what, &settings, &path, ground).0));
    }
    let ends = [hills.scene.start.place, hills.scene.goal.place];
    if let Some(route) = hills.route(ends) {
        let path = Path::new((0..=40).map(|i| route.at(20.0 + 0.5 * i as f32)).collect());
        for settings in subject.ways() {
            println!("{}", subject.row(name, "hills", &settings, &path, &hills.world).0);
        }
    }
}

/// Random grounds, paths and speeds; prints what is not as it should be, and how often that is.
fn at_random(name: &str, subject: &Subject, hills: &Hills, count: u64) {
    let (mut walks, mut bad) = (0, 0);
    for seed in 0..count {
        let mut random = Rng::new(Seed(1000 + seed));
        let step = (random.range(0.08, 0.2) * subject.leg()).min(0.4);
        let made = [
            Terrain::Rubble { height: step, size: random.range(0.3, 0.8) * subject.leg() },
            Terrain::Stairs { rise: step, tread: random.range(1.6, 3.0) * step },
            Terrain::Slope { angle: random.range(-35.0, 35.0).to_radians() },
        ];
        let kind = random.below(4);
        let mut place = Vec3::new(random.range(-3.0, 3.0), 0.0, random.range(-0.5, 2.0));
        let (mut points, mut heading) = (vec![place], random.range(-0.8, 0.8));
        for _ in 0..3 {
            place +=
                random.range(2.0, 6.0) * subject.character.stand.hip * Vec3::new(heading.sin(), 0.0, heading.cos());
            points.push(place);
            heading += random.range(-1.2, 1.2);
        }
        let mut corner = || Vec3::new(random.range(-40.0, 40.0), 0.0, random.range(-40.0, 40.0));
        let ends = [corner(), corner()];
        let (what, ground, path): (_, &dyn Ground, _) = match made.get(kind) {
            Some(made) => (["rubble", "stairs", "slope"][kind], made, Path::new(points)),
            None => match hills.route(ends) {
                Some(route) => {
                    let far = (18.0 * subject.character.stand.hip).min(route.length());
                    ("hills", &hills.world, Path::new((0..=20).map(|i| route.at(far * i as f32 / 20.0)).collect()))
                }
                None => continue,
            },
        };
        for mut settings in subject.ways() {
            let usual = settings.steps.course.fitted(&subject.character.stand, settings.steps.stride.as_ref()).speed;
            settings.steps.course.speed = Some(random.range(0.6, 1.5) * usual);
            let (row, holds) = subject.row(name, what, &settings, &path, ground);
            walks += 1;
            if !holds {
                bad += 1;
                println!("{row}, seed {seed}");
            }
        }
    }
    println!("{name}: {bad} of {walks} walks beyond a limit");
}

/// The undulating mesh.
struct Hills {
    scene: Scene,
    world: World,
    #[cfg(feature = "navmesh")]
    charted: WalkMesh,
}

impl Hills {
    fn load(file: &FilePath) -> Result<Self, Box<dyn std::error::Error>> {
        let scene = scene::load(file)?;
        let world = scene.world();
        #[cfg(feature = "navmesh")]
        {
            let mesh = scene.mesh.as_ref().ok_or("a scene without a mesh")?;
            let charted = Chart { survey: mesh.survey, body: scene.body, ..Chart::default() }.run(&mesh.soup)?;
            Ok(Self { scene, world, charted })
        }
        #[cfg(not(feature = "navmesh"))]
        Ok(Self { scene, world })
    }

    /// The way between two places; their heights are those of the ground.
    #[cfg(feature = "navmesh")]
    fn route(&self, ends: [Vec3; 2]) -> Option<Path> {
        let down = |p: Vec3| self.world.below(p.with_y(50.0), 100.0, 0.0).map(|hit| hit.point);
        let [Some(from), Some(to)] = ends.map(down) else { return None };
        self.charted.route(from, to).ok().map(Path::new)
    }

    #[cfg(not(feature = "navmesh"))]
    fn route(&self, _: [Vec3; 2]) -> Option<Path> {
        None
    }
}

struct Subject {
    character: Arc<Character>,
    clips: Vec<Clip>,
}

impl Subject {
    /// Mean length of its legs, metres.
    fn leg(&self) -> f32 {
        let legs = &self.character.stand.legs;
        legs.iter().map(|leg| leg.length).sum::<f32>() / legs.len() as f32
    }

    /// From its idle pose, and by its walk clip if it has one.
    fn ways(&self) -> Vec<Creature> {
        let walks = self.clips.iter().filter(|clip| clip.name().contains("Walk"));
        let stride = walks.min_by_key(|clip| clip.name().len()).and_then(|walk| stride_of(&self.character, walk));
        let by = |stride| Creature { steps: PlanSteps { stride, ..PlanSteps::default() }, ..Creature::default() };
        std::iter::once(by(None)).chain(stride.map(|stride| by(Some(stride)))).collect()
    }

    /// What became of a walk, and whether its feet are within all limits.
    fn row(&self, name: &str, what: &str, settings: &Creature, path: &Path, ground: &dyn Ground) -> (String, bool) {
        let motion = settings.plan(&self.character, path, None, ground);
        let done = settings.take(&motion, "walk", ground);
        let (figures, missed) = (&done.report.figures, done.report.missed);
        let row = [figures.drift.max, figures.penetration.max, figures.grazing.max, missed].map(|x| 1e3 * x);
        let holds = row.iter().zip([1.0, 5.0, 5.0, 1.0]).all(|(x, limit)| *x < limit);
        let FastestJoint { speed: fast, time: when, joint, .. } = motion.fastest(2e-3);
        let times = fast / settings.steps.course.fitted(&self.character.stand, settings.steps.stride.as_ref()).speed;
        let how = if settings.steps.stride.is_some() { "clip" } else { "idle pose" };
        let [drift, under, grazing, missed] = row;
        let seconds = motion.seconds();
        let joint = self.character.rig.skeleton.name(joint);
        let row = format!(
            "{name:18} {what:10} {how:10} {drift:8.3} {under:8.2} {grazing:8.1} {missed:8.2} {seconds:7.1} {times:6.1} ({joint} at {when:.2} s)"
        );
        (if holds { row } else { row + " *" }, holds)
    }
}

fn subject(project: &FilePath, name: &str, bones: bool) -> Result<Subject, Box<dyn std::error::Error>> {
    if name == "legs:6" {
        // A made one; its walk clip is how it walks over level ground of itself.
        let rig = ManyLegs::default().run();
        let idle = Pose::rest(&rig.skeleton);
        let character = Character::new(rig, idle, &[])?;
        let walk = Creature::default().cycle(&character, "Walk");
        return Ok(Subject { character, clips: vec![walk] });
    }
    let import = load(&project.join(format!("assets/characters/{name}.glb")), &ImportSettings::default())?;
    let clips: Vec<&Clip> = import.clips.iter().collect();
    let rig = find_skinned_rig(&import.skeleton, import.skin.as_ref(), &clips)?;
    let mut pose = Pose::rest(&rig.skeleton);
    let idles = clips.iter().filter(|clip| clip.name().to_lowercase().contains("idle"));
    if let Some(idle) = idles.min_by_key(|clip| clip.name().len()) {
        pose.locals.copy_from_slice(idle.frame(0));
    }
    let skin = import.skin.as_ref().filter(|_| !bones);
    let character = Character::skinned(rig, pose, &clips, skin)?;
    Ok(Subject { character, clips: import.clips })
}
