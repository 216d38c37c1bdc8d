//! How long a frame of a live character takes, by detail, and of a crowd: the best of many rounds.
//! `cargo run --release -p surefoot-io --features parallel --example live_speed [full|cheap|none|frozen|fox|targets|share|crowd]`.

use std::hint::black_box;
use std::time::Instant;
use surefoot::glam::{Quat, Vec2, Vec3, Vec3A};
use surefoot::ik::{BendLeg, LegChain};
use surefoot::library::locomotion::LocomotionClips;
use surefoot::math::{FloorPose, Rigid};
use surefoot::motion::Clip;
use surefoot::rig::{Joint, ManyLegs, ModelPose, Pose, Side, Skeleton};
use surefoot::stages::BlendClips;
use surefoot::systems::{Actor, Crowd, Detail, DetailCounts, Intent, Locomotor, PrepareClips, TargetLimb, Targets};
use surefoot::world::Heightfield;
use surefoot_io::load_character;

const DT: f32 = 1.0 / 60.0;

/// Waves of 20 cm, 4 points a metre, 200 m wide.
fn hills() -> Heightfield {
    let count = 800;
    let height = |i: usize| {
        let (x, z) = ((i % count) as f32 * 0.25, (i / count) as f32 * 0.25);
        0.1 * (0.9 * x).sin() + 0.1 * (0.7 * z).cos()
    };
    Heightfield::new(Vec2::splat(-100.0), 0.25, count, (0..count * count).map(height).collect()).expect("a grid")
}

fn locomotor(name: &str, clips: &[&str]) -> Locomotor {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/characters");
    let subject = load_character(format!("{folder}/{name}.glb")).expect("an asset");
    let prepare = PrepareClips::default();
    let ready =
        |name: &&str| prepare.cycle(&subject.character, subject.clip(name).expect("its clip")).expect("a cycle");
    let idle = subject.idle.map(|index| prepare.standing(&subject.character, &subject.clips[index]));
    let all: Vec<_> = idle.into_iter().chain(clips.iter().map(ready)).collect();
    Locomotor::new(&subject.character, LocomotionClips::new(all).expect("it moves"), Vec::new())
}

/// Round in a circle, so that it stays on its ground.
fn one(locomotor: &Locomotor, speed: f32, detail: Detail) -> f64 {
    let ground = hills();
    let mut state = locomotor.start(FloorPose::ORIGIN, &ground, 0.0);
    let (mut frame, mut k, mut best) = (locomotor.frame(), 0_u32, f64::INFINITY);
    for _ in 0..40 {
        let begun = Instant::now();
        for _ in 0..600 {
            k += 1;
            let way = 0.2 * k as f32 * DT;
            let intent =
                Intent { velocity: speed * Vec2::new(way.sin(), way.cos()), facing: Some(way), ..Intent::default() };
            locomotor.step_with(&mut state, &intent, &ground, [k as f32 * DT, DT], detail, &mut frame);
            black_box(&frame.pose);
        }
        best = best.min(1e6 * begun.elapsed().as_secs_f64() / 600.0);
    }
    best
}

/// A head and a hand that follow targets, on top of walking.
fn targets(locomotor: &Locomotor) -> f64 {
    let character = locomotor.character();
    let limbs = [TargetLimb::head(character), TargetLimb::hand(character, Side::Left)].into_iter().flatten().collect();
    let locomotor = locomotor.clone().with_targets(Targets::new(character, limbs));
    let ground = hills();
    let mut state = locomotor.start(FloorPose::ORIGIN, &ground, 0.0);
    let (mut frame, mut best) = (locomotor.frame(), f64::INFINITY);
    for round in 0..40 {
        let begun = Instant::now();
        for i in 0..600 {
            let time = DT * (600 * round + i) as f32;
            let (sin, cos) = (0.2 * time).sin_cos();
            let at = Vec3::new(state.place.position.x, state.height, state.place.position.y);
            let mut intent =
                Intent { velocity: 1.6 * Vec2::new(sin, cos), facing: Some(0.2 * time), ..Intent::default() };
            intent.targets[0] = Some(at + Vec3::new(2.0, 1.0, 2.0));
            intent.targets[1] = Some(at + Vec3::new(0.3, 0.8, 0.3));
            locomotor.step(&mut state, &intent, &ground, time, DT, &mut frame);
        }
        best = best.min(1e6 * begun.elapsed().as_secs_f64() / 600.0);
    }
    best
}

/// What other runtimes do of this, on 67 joints: three clips sampled and blended, made a model pose, and two legs bent.
fn ozz_share() -> f64 {
    // A body of two legs, and arms and fingers up to 67 joints.
    let rig = ManyLegs { pairs: 1, ..ManyLegs::default() }.run();
    let mut joints: Vec<Joint> = rig
        .skeleton
        .joints()
        .map(|joint| {
            let parent = rig.skeleton.parent(joint).map(surefoot::rig::JointId::index);
            Joint::new(rig.skeleton.name(joint), parent, rig.skeleton.rest_of(joint))
        })
        .collect();
    while joints.len() < 67 {
        let last = joints.len() - 1;
        let parent = if last.is_multiple_of(5) { 0 } else { last };
        joints.push(Joint::new(format!("finger {last}"), Some(parent), Rigid::from_translation(Vec3A::Y * 0.05)));
    }
    let skeleton = Skeleton::new(joints).expect("a body");
    let order = |joint: surefoot::rig::JointId| skeleton.find(rig.skeleton.name(joint)).expect("its joints");
    let legs: Vec<LegChain> = rig
        .legs
        .iter()
        .map(|leg| {
            let leg = surefoot::rig::Leg {
                chain: leg.chain.iter().map(|joint| order(*joint)).collect(),
                toe: leg.toe.map(order),
                ..leg.clone()
            };
            LegChain::of(&skeleton, &leg, &[]).expect("a leg")
        })
        .collect();
    let clip = |n: usize| {
        let local = |f: usize, j: usize| {
            let rest = skeleton.rest()[j];
            Rigid {
                rotation: (rest.rotation * Quat::from_rotation_x(0.02 * ((f + n * 7 + j) as f32).sin())).normalize(),
                ..rest
            }
        };
        let locals = (0..30).flat_map(|f| (0..67).map(move |j| (f, j))).map(|(f, j)| local(f, j)).collect();
        Clip::new(&skeleton, "clip", 30.0, locals).expect("a clip")
    };
    let blend = BlendClips::new(&skeleton, (0..3).map(clip).collect());
    let (mut pose, mut model, bend) = (Pose::rest(&skeleton), ModelPose::new(&skeleton), BendLeg::default());
    let mut best = f64::INFINITY;
    for round in 0..40 {
        let begun = Instant::now();
        for i in 0..600 {
            let phase = 1e-3 * (600 * round + i) as f32;
            blend.run(phase, &[0.5, 0.3, 0.2], &mut pose);
            pose.to_model(&skeleton, &mut model);
            for chain in &legs {
                let ankle = model[chain.ankle];
                let goal = Rigid { translation: ankle.translation + Vec3A::new(0.0, 0.01, 0.005), ..ankle };
                bend.run(&skeleton, chain, &mut pose, &mut model, goal);
            }
            black_box(&model);
        }
        best = best.min(1e6 * begun.elapsed().as_secs_f64() / 600.0);
    }
    best
}

/// Processor time of all threads so far, seconds; nothing where the system does not tell.
fn worked() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    let fields: Vec<&str> = stat.rsplit(')').next()?.split_whitespace().collect();
    // User and system time, in hundredths.
    Some((fields.get(11)?.parse::<f64>().ok()? + fields.get(12)?.parse::<f64>().ok()?) / 100.0)
}

/// One in ten full, three in ten with cheap legs, the rest without IK: the best frame, and the processor time of one on average,
/// which others on the machine disturb less; milliseconds.
fn crowd(locomotor: &Locomotor, count: usize) -> (f64, Option<f64>) {
    let ground = hills();
    let actors = (0..count).map(|i| {
        let place = FloorPose::new(Vec2::new((i % 100) as f32 - 50.0, (i / 100) as f32 - 50.0), 0.0);
        let way = 0.37 * i as f32;
        let intent = Intent { velocity: Vec2::new(way.sin(), way.cos()), facing: Some(way), ..Intent::default() };
        Actor { intent, ..Actor::new(locomotor, place, &ground, 0.0) }
    });
    let detail = DetailCounts { full: count / 10, cheap_legs: 3 * count / 10, no_ik: count };
    let mut crowd = Crowd::new(locomotor.clone(), actors.collect(), detail);
    let (mut best, before) = (f64::INFINITY, worked());
    for k in 1..300 {
        let begun = Instant::now();
        crowd.step(&ground, k as f32 * DT, DT);
        // The first second is on from standing.
        best = if k > 60 { best.min(1e3 * begun.elapsed().as_secs_f64()) } else { best };
    }
    (best, worked().zip(before).map(|(after, before)| 1e3 * (after - before) / 299.0))
}

fn main() {
    let wanted = std::env::args().nth(1);
    let asked = |name: &str| wanted.as_deref().is_none_or(|wanted| wanted == name);
    let knight = locomotor("kaykit_Knight", &["Walking_A", "Running_B", "Running_A"]);
    let details =
        [("full", Detail::Full), ("cheap", Detail::CheapLegs), ("none", Detail::NoIk), ("frozen", Detail::Frozen)];
    for (name, detail) in details.into_iter().filter(|(name, _)| asked(name)) {
        println!("knight {name}: {:.2} µs", one(&knight, 1.6, detail));
    }
    if asked("fox") {
        println!("fox full: {:.2} µs", one(&locomotor("m2m_fox", &["Walk"]), 1.2, Detail::Full));
    }
    if asked("targets") {
        println!("knight full, looking and reaching: {:.2} µs", targets(&knight));
    }
    if asked("share") {
        println!("67 joints, three clips, model pose, two legs: {:.2} µs", ozz_share());
    }
    if asked("crowd") {
        for count in [100, 1000, 10_000] {
            let (best, work) = crowd(&knight, count);
            let work = work.map_or(String::new(), |work| format!(", {work:.1} ms of processor time"));
            println!("crowd of {count}: {best:.2} ms{work}");
        }
    }
}
