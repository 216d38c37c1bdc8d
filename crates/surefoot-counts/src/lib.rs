//! Work whose instructions are counted: each function makes everything ready and gives back the part that counts.
//!
//! `scripts/counts.sh` counts them under valgrind. What the engine's calls look like is said here and nowhere else.

#[path = "../../surefoot-io/tests/made_reach/mod.rs"]
#[expect(dead_code, reason = "others use more of it")]
mod made_reach;

use std::hint::black_box;
use std::path::{Path as FilePath, PathBuf};
use std::sync::Arc;
use surefoot::analyse::{Study, find_skinned_rig};
use surefoot::character::Character;
use surefoot::glam::{Vec2, Vec3};
use surefoot::ik::{BendLeg, IkState, LegChain, Objective, Reach, SolveIk};
use surefoot::library::graph::BuildGraph;
use surefoot::library::locomotion::LocomotionClips;
use surefoot::math::FloorPose;
use surefoot::motion::{Clip, Take};
use surefoot::plan::walk::{Driven, Goal, Start, Steer, Surroundings, Wish};
use surefoot::plan::{Path, PathChoices};
use surefoot::rig::{ManyLegs, ModelPose, Pose, Rig, Side, Skeleton};
use surefoot::stages::FindStances;
use surefoot::systems::{
    CleanUp, Creature, CreatureFrame, Detail, Gather, Intent, Locomotor, Navigate, PrepareClips, TargetLimb, Targets,
    Trip,
};
use surefoot::world::Terrain;
use surefoot_io::{Import, ImportSettings, embedded, load, load_character, scene};

/// Work that is ready to be done.
pub struct Work(Box<dyn FnMut()>);

impl Work {
    /// Something that is done once; what comes of it is never dropped, so that only making it counts.
    fn once<T>(mut work: impl FnMut() -> T + 'static) -> Self {
        Self(Box::new(move || std::mem::forget(black_box(work()))))
    }

    /// Something that is done in every frame; the first time, which may reserve memory, does not count.
    fn frames(times: usize, mut work: impl FnMut(usize) + 'static) -> Self {
        work(0);
        Self(Box::new(move || (0..times).for_each(&mut work)))
    }

    /// Does it.
    pub fn run(&mut self) {
        (self.0)();
    }
}

/// A file of the project.
fn file(path: &str) -> PathBuf {
    FilePath::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

/// An embedded clip and its body of 31 joints.
fn walk(name: &str) -> (Skeleton, Clip) {
    let Import { skeleton, mut clips, .. } = embedded::find(name).expect("embedded").import();
    (skeleton, clips.remove(0))
}

/// A character of `assets` in its idle pose.
fn character(name: &str) -> (Arc<Character>, Vec<Clip>) {
    let file = file(&format!("assets/characters/{name}.glb"));
    let Import { skeleton, skin, clips, .. } = load(&file, &ImportSettings::default()).expect("a character");
    let all: Vec<&Clip> = clips.iter().collect();
    let rig = find_skinned_rig(&skeleton, skin.as_ref(), &all).expect("legs");
    let mut pose = Pose::rest(&rig.skeleton);
    let idle = clips.iter().find(|clip| clip.name() == "Idle").expect("an idle clip");
    pose.locals.copy_from_slice(idle.frame(0));
    let character = Character::new(rig, pose, &all).expect("legs to stand on");
    (character, clips)
}

/// A made creature of six legs.
fn six_legs() -> Arc<Character> {
    let rig = ManyLegs::default().run();
    let idle = Pose::rest(&rig.skeleton);
    Character::new(rig, idle, &[]).expect("legs to stand on")
}

/// Three walks as takes of a graph: straight on, to the left, to the right.
fn three_takes() -> (Rig, Vec<Take>) {
    let walks = ["16_15", "16_11", "16_13"].map(walk);
    let clips = walks.each_ref().map(|(_, clip)| clip);
    let gather = Gather::default();
    let rig = gather.rig(&walks[0].0, None, &clips).expect("legs");
    let takes = clips.map(|clip| gather.run(&rig, clip, &rig).expect("the same body").take);
    (rig, takes.into())
}

/// A pose of a clip at 1000 moments.
#[must_use]
pub fn sample() -> Work {
    let (skeleton, clip) = walk("16_15");
    let mut pose = Pose::rest(&skeleton);
    Work::frames(1000, move |i| clip.sample(black_box(0.0037 * i as f32), &mut pose))
}

/// A pose composed into model space, 1000 times.
#[must_use]
pub fn local_to_model() -> Work {
    let (skeleton, clip) = walk("16_15");
    let (mut pose, mut model) = (Pose::rest(&skeleton), ModelPose::new(&skeleton));
    clip.sample(1.0, &mut pose);
    Work::frames(1000, move |_| black_box(&pose).to_model(&skeleton, &mut model))
}

/// 1000 bends of a leg whose ankle goes up and down by a twentieth of the leg.
fn bend(skeleton: Skeleton, chain: LegChain, mut pose: Pose) -> Work {
    let mut model = ModelPose::new(&skeleton);
    pose.to_model(&skeleton, &mut model);
    let (stood, lift) = (model[chain.ankle], 0.05 * chain.length(&model));
    Work::frames(1000, move |i| {
        let mut ankle = stood;
        ankle.translation.y += lift * (i % 50) as f32 / 50.0;
        black_box(BendLeg::default().run(&skeleton, &chain, &mut pose, &mut model, ankle));
    })
}

/// A person's leg.
#[must_use]
pub fn bend_two_bones() -> Work {
    let (skeleton, clip) = walk("16_15");
    let rig = find_skinned_rig(&skeleton, None, &[&clip]).expect("legs");
    let chain = LegChain::of(&skeleton, &rig.legs[0], &[&clip]).expect("a leg");
    assert_eq!(chain.bones(), 2, "a person's leg has two bones");
    let mut pose = Pose::rest(&skeleton);
    clip.sample(1.0, &mut pose);
    bend(skeleton, chain, pose)
}

/// A fox's leg.
#[must_use]
pub fn bend_three_bones() -> Work {
    let (fox, clips) = character("m2m_fox");
    let clips: Vec<&Clip> = clips.iter().collect();
    let rig = fox.rig.clone();
    let mut chains = rig.legs.iter().filter_map(|leg| LegChain::of(&rig.skeleton, leg, &clips));
    let chain = chains.find(|chain| chain.bones() == 3).expect("a leg of three bones");
    bend(rig.skeleton.clone(), chain, fox.stand.pose.clone())
}

/// 50 poses of a walk for four effectors with 60 freedoms, each without a start to go on from.
#[must_use]
pub fn solve_ik() -> Work {
    let task = made_reach::task(50);
    let mut state = IkState::new(&task.problem);
    let mut pose = Pose::rest(&task.skeleton);
    Work::frames(task.cases.len(), move |i| {
        let case = &task.cases[i];
        let objectives = case.targets.each_ref().map(|target: &Reach| target as &dyn Objective);
        pose.clone_from(&case.pose);
        state.reset();
        black_box(SolveIk::default().run(&task.problem, &mut state, &objectives, &mut pose));
    })
}

/// When feet stand in a walk of 3.9 s.
#[must_use]
pub fn find_stances() -> Work {
    let (skeleton, clip) = walk("16_15");
    let studied = Study::default().run(&skeleton, &clip).expect("legs");
    // The clip is handed over; copying it does not count.
    let (rig, mut clip) = (studied.rig, Some(studied.take.clip));
    Work::once(move || clip.take().map(|clip| FindStances::default().run(&rig, clip)))
}

/// The whole clean-up of that walk.
#[must_use]
pub fn clean_up() -> Work {
    let (skeleton, clip) = walk("16_15");
    Work::once(move || CleanUp::default().run(&skeleton, &clip))
}

/// A graph of three takes.
#[must_use]
pub fn build_graph() -> Work {
    let (rig, takes) = three_takes();
    Work::once(move || BuildGraph::default().run(&rig, &takes))
}

/// Moves of that graph.
#[must_use]
pub fn lay_out_moves() -> Work {
    let (rig, takes) = three_takes();
    let graph = BuildGraph::default().run(&rig, &takes).expect("a graph");
    Work::once(move || graph.lay_out())
}

/// Moves of the graph that these takes give at the threshold that was chosen before thresholds were chosen by ways on: with so
/// many blends as then.
#[must_use]
pub fn lay_out_few_moves() -> Work {
    let (rig, takes) = three_takes();
    let build = BuildGraph { threshold: Some(0.0175), ..BuildGraph::default() };
    let graph = build.run(&rig, &takes).expect("a graph");
    Work::once(move || graph.lay_out())
}

/// A journey through six rooms, from path to held feet, on the embedded graph.
#[must_use]
pub fn journey() -> Work {
    let graph = embedded::graph();
    graph.lay_out();
    let scene = scene::load(&file("scenarios/6-rooms.scene.toml")).expect("a scene");
    let ways = PathChoices::new(scene.floor.expect("a floor"), scene.body.radius, 0.08).expect("a radius");
    let [from, to] = [scene.start, scene.goal].map(|end| Vec2::new(end.place.x, end.place.z));
    Work::once(move || {
        let paths = ways.to_try(from, to);
        let start = Start::Standing(FloorPose::new(from, paths[0].heading(0.0)));
        let goal = Goal { place: to, heading: scene.goal.heading, stop: true };
        let around = Surroundings::still(ways.map());
        Navigate::default().run(&graph, &Trip::on_floor(around, paths, start, goal)).expect("a walk")
    })
}

/// 100 moves of a character that is steered in a circle, on the embedded graph.
#[must_use]
pub fn steer() -> Work {
    let graph = embedded::graph();
    graph.lay_out();
    let mut driven = Driven::new(&graph, Start::Standing(FloorPose::ORIGIN));
    Work::frames(100, move |i| {
        let wish = Wish { velocity: 1.2 * Vec2::from_angle(0.05 * i as f32), heading: None };
        black_box(Steer::default().run(&graph, None, &mut driven, &wish));
    })
}

/// A way of 6 m with a bend.
fn bent() -> Path {
    Path::new(vec![Vec3::ZERO, 4.0 * Vec3::Z, Vec3::new(1.2, 0.0, 5.6)])
}

/// Steps of 12 cm, 30 cm deep.
const STAIRS: Terrain = Terrain::Stairs { rise: 0.12, tread: 0.3 };
/// Rocks of up to 17 cm, 45 cm across.
const RUBBLE: Terrain = Terrain::Rubble { height: 0.17, size: 0.45 };

/// The plan of a creature of six legs over stairs.
#[must_use]
pub fn plan_six_legs() -> Work {
    let legs = six_legs();
    Work::once(move || Creature::default().plan(&legs, &bent(), None, &STAIRS))
}

/// The plan of a fox over rubble.
#[must_use]
pub fn plan_fox() -> Work {
    let (fox, _) = character("m2m_fox");
    Work::once(move || Creature::default().plan(&fox, &bent(), None, &RUBBLE))
}

/// 1000 frames of that fox.
#[must_use]
pub fn creature_frame() -> Work {
    let (fox, _) = character("m2m_fox");
    let motion = Creature::default().plan(&fox, &bent(), None, &RUBBLE);
    let mut frame = CreatureFrame::new(&fox.rig);
    Work::frames(1000, move |i| motion.pose_at(1e-3 * i as f32 * motion.seconds(), &mut frame))
}

/// 1000 frames of a live knight over rubble, round in a circle, by three clips and its idle.
fn live(detail: Detail, looks: bool) -> Work {
    let subject = load_character(file("assets/characters/kaykit_Knight.glb")).expect("a character");
    let prepare = PrepareClips::default();
    let cycle = |name: &str| prepare.cycle(&subject.character, subject.clip(name).expect("a clip")).expect("a cycle");
    let mut clips = vec![prepare.stands(&subject.character, &subject.clips, subject.idle)];
    clips.extend(["Walking_A", "Running_B", "Running_A"].map(cycle));
    let clips = LocomotionClips::new(clips).expect("clips that move");
    let limbs = [TargetLimb::head(&subject.character), TargetLimb::hand(&subject.character, Side::Left)];
    let targets = Targets::new(&subject.character, limbs.into_iter().flatten().collect());
    let locomotor = Locomotor::new(&subject.character, clips, Vec::new()).with_targets(targets);
    let mut state = locomotor.start(FloorPose::ORIGIN, &RUBBLE, 0.0);
    let (mut frame, mut k) = (locomotor.frame(), 0);
    Work::frames(1000, move |_| {
        k += 1;
        let time = k as f32 / 60.0;
        let (sin, cos) = (0.2 * time).sin_cos();
        let mut intent = Intent { velocity: 1.6 * Vec2::new(sin, cos), facing: Some(0.2 * time), ..Intent::default() };
        if looks {
            let at = state.place.position;
            intent.targets[0] = Some(Vec3::new(at.x + 2.0, 1.0, at.y + 2.0));
            intent.targets[1] = Some(Vec3::new(at.x + 0.3, 0.8, at.y + 0.3));
        }
        locomotor.step_with(&mut state, &intent, &RUBBLE, [time, 1.0 / 60.0], detail, &mut frame);
    })
}

/// 1000 frames of a live knight with whole soles.
#[must_use]
pub fn live_full() -> Work {
    live(Detail::Full, false)
}

/// 1000 frames of a live knight with one look for each foot.
#[must_use]
pub fn live_cheap() -> Work {
    live(Detail::CheapLegs, false)
}

/// 1000 frames of a live knight with legs as in its clips.
#[must_use]
pub fn live_no_ik() -> Work {
    live(Detail::NoIk, false)
}

/// 1000 frames of a live knight that looks and reaches.
#[must_use]
pub fn live_targets() -> Work {
    live(Detail::Full, true)
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_work_can_be_done() {
        let all = [
            super::sample,
            super::local_to_model,
            super::bend_two_bones,
            super::bend_three_bones,
            super::solve_ik,
            super::find_stances,
            super::clean_up,
            super::build_graph,
            super::lay_out_moves,
            super::lay_out_few_moves,
            super::journey,
            super::steer,
            super::plan_six_legs,
            super::plan_fox,
            super::creature_frame,
            super::live_full,
            super::live_cheap,
            super::live_no_ik,
            super::live_targets,
        ];
        for work in all {
            work().run();
        }
    }
}
