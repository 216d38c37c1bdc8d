//! Creatures over ground: stand → course → planned footfalls → mended footfalls → body → poses → stances → figures.

use super::{Staged, project};
use std::sync::Arc;
use surefoot::analyse::find_skinned_rig;
use surefoot::character::Character;
use surefoot::glam::Vec3;
use surefoot::motion::Clip;
use surefoot::plan::Path;
use surefoot::rig::{ManyLegs, Pose};
use surefoot::systems::{Creature, stride_of};
use surefoot::world::Terrain;
use surefoot_io::{ImportSettings, load};

pub fn run() -> Vec<Staged> {
    let rubble = Terrain::Rubble { height: 0.1, size: 0.3 };
    let stairs = Terrain::Stairs { rise: 0.1, tread: 0.25 };
    let slope = Terrain::Slope { angle: 0.4 };
    vec![
        from_idle("fox-rubble", "m2m_fox.glb", &rubble),
        from_idle("spider-stairs", "m2m_spider.glb", &stairs),
        six_legs("six-legs-slope", &slope),
        by_clip("horse-by-clip-rubble", "m2m_horse.glb", &rubble),
        by_clip("bird-by-clip-slope", "m2m_bird.glb", &slope),
    ]
}

/// The two quickest.
pub fn some() -> Vec<Staged> {
    let slope = Terrain::Slope { angle: 0.4 };
    vec![six_legs("six-legs-slope", &slope), by_clip("bird-by-clip-slope", "m2m_bird.glb", &slope)]
}

fn character(file: &str) -> (Arc<Character>, Vec<Clip>) {
    let import = load(&project("assets/characters").join(file), &ImportSettings::default()).expect(file);
    let clips: Vec<&Clip> = import.clips.iter().collect();
    let rig = find_skinned_rig(&import.skeleton, import.skin.as_ref(), &clips).expect(file);
    let mut pose = Pose::rest(&rig.skeleton);
    pose.locals.copy_from_slice(clips.iter().find(|clip| clip.name() == "Idle").expect(file).frame(0));
    (Character::new(rig, pose, &clips).expect(file), import.clips)
}

fn from_idle(name: &str, file: &str, ground: &Terrain) -> Staged {
    walk(name, &character(file).0, &Creature::default(), ground)
}

fn by_clip(name: &str, file: &str, ground: &Terrain) -> Staged {
    let (character, clips) = character(file);
    let clip = clips.iter().find(|clip| clip.name() == "Walk").expect(file);
    let mut settings = Creature::default();
    settings.steps.stride = Some(stride_of(&character, clip).expect(file));
    walk(name, &character, &settings, ground)
}

fn six_legs(name: &str, ground: &Terrain) -> Staged {
    let rig = ManyLegs::default().run();
    let idle = Pose::rest(&rig.skeleton);
    walk(name, &Character::new(rig, idle, &[]).expect("six legs"), &Creature::default(), ground)
}

fn walk(name: &str, character: &Arc<Character>, settings: &Creature, ground: &Terrain) -> Staged {
    let mut staged = Staged::new(format!("creature/{name}"));
    let stand = &character.stand;
    let long = 5.0 * stand.hip;
    let path = Path::new(vec![Vec3::ZERO, Vec3::Z * long, Vec3::new(0.5 * long, 0.0, 1.5 * long)]);
    staged.stage("rig", |bits| character.rig.legs.iter().for_each(|leg| bits.leg(leg)));
    staged.stage("stand", |bits| {
        bits.rigids(&stand.pose.locals);
        bits.vector(stand.middle);
        bits.numbers(&[stand.hip, stand.hips_at, stand.radius]);
        for leg in &stand.legs {
            bits.pose(leg.anchor);
            bits.vectors(&[leg.hip, leg.sole[0], leg.sole[1]]);
            bits.numbers(&[leg.end_height, leg.length, leg.stands_at]);
        }
    });
    if let Some(stride) = &settings.steps.stride {
        staged.stage("stride", |bits| {
            bits.clip(&stride.clip);
            bits.number(stride.speed);
            for leg in &stride.legs {
                bits.numbers(&[leg.lift, leg.air]);
                bits.pose(leg.anchor);
            }
        });
    }
    let plan = settings.steps.run(stand, &path, None, ground);
    staged.stage("course", |bits| {
        let seconds = plan.course.seconds();
        bits.number(seconds);
        for i in 0..=(50.0 * seconds) as usize {
            let moment = plan.course.at(0.02 * i as f32);
            bits.pose(moment.place);
            bits.numbers(&[moment.height, moment.slope, moment.side, moment.speed, moment.turning, moment.cycles]);
        }
    });
    staged.stage("footfalls", |bits| bits.footfalls(&plan.legs));
    let motion = settings.plan(character, &path, None, ground);
    staged.stage("mended", |bits| bits.footfalls(&motion.plan.legs));
    let done = settings.take(&motion, name, ground);
    // Raised and settled over its feet.
    staged.stage("body", |bits| bits.rigids(done.take.clip.roots()));
    staged.stage("poses", |bits| bits.clip(&done.take.clip));
    staged.stage("stances", |bits| bits.stances(&done.take.stances));
    staged.stage("figures", |bits| {
        bits.feet(&done.report.figures);
        bits.number(done.report.missed);
        bits.count(done.report.missed_in);
        bits.count(done.report.beyond_reach);
        bits.count(done.report.without_ground);
    });
    staged
}
