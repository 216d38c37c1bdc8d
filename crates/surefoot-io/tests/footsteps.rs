//! Footprints to motion, on the embedded strides.

#![cfg(feature = "embedded")]

use std::path::Path;
use surefoot::library::strides::{StrideClip, StrideKind, Strides, StridesError};
use surefoot::math::{FloorPose, wrap_angle};
use surefoot::metrics::{Footing, measure_feet};
use surefoot::motion::Take;
use surefoot::plan::footsteps::{FootstepEnd, FootstepPlan};
use surefoot::rig::Side;
use surefoot::stages::{StandsAt, TurnGroup};
use surefoot::systems::{
    FootstepJourney, FootstepJourneyed, FootstepRuns, Footstepped, Footsteps, FootstepsError, lay_strides,
};
use surefoot::world::LevelGround;
use surefoot_io::embedded;

fn order(strides: &Strides, names: &[&str]) -> Vec<usize> {
    let find = |name: &&str| strides.strides.iter().position(|stride| stride.name == *name).expect("it is embedded");
    names.iter().map(find).collect()
}

fn laid(strides: &Strides, names: &[&str]) -> FootstepPlan {
    lay_strides(strides, &order(strides, names), FloorPose::ORIGIN)
}

fn run(strides: &Strides, plan: &FootstepPlan) -> Footstepped {
    Footsteps::default().run(strides, plan, &LevelGround::default()).expect("strides that join")
}

const BENDS: [&str; 8] = ["16_15", "16_15", "16_11", "16_11", "16_15", "16_13", "16_19", "16_15"];
const JUMPS: [&str; 10] = ["16_15", "16_15", "16_36", "16_36", "127_26", "16_36", "127_28", "16_36", "16_15", "16_15"];

#[test]
fn strides_of_clips_are_ordered_by_how_they_turn_and_jumps_fly() {
    let strides = embedded::strides();
    for group in [&strides.walks, &strides.runs] {
        let TurnGroup { samples } = group;
        assert_eq!(samples.len(), 5, "{samples:?}");
        assert!(samples.windows(2).all(|pair| pair[0].curvature < pair[1].curvature), "{samples:?}");
        assert!(samples[0].curvature < -0.5 && samples[2].curvature.abs() < 0.1 && samples[4].curvature > 0.5);
    }
    for (stride, reach) in strides.strides.iter().zip(strides.reaches()) {
        assert_eq!(reach.last().map(|print| print.side), Some(Side::Right), "{}", stride.name);
        assert!(reach.prints.windows(2).all(|pair| pair[0].time < pair[1].time), "{reach:?}");
        let jumps = stride.kind == StrideKind::Special && reach.goes_on();
        assert_eq!(reach.flight.is_some(), jumps, "{}", stride.name);
        if stride.turns_on_spot {
            let last = reach.last().unwrap();
            assert!((70.0..110.0).contains(&last.heading.to_degrees().abs()), "a quarter turn: {last:?}");
        }
        if !reach.goes_on() {
            continue;
        }
        let steps = reach.prints.iter().scan(surefoot::glam::Vec3::ZERO, |last, print| {
            Some((print.place - std::mem::replace(last, print.place)).length())
        });
        let longest = steps.fold(0.0, f32::max);
        let bounds = match stride.kind {
            StrideKind::Walk => 0.3..0.9,
            StrideKind::Run => 0.5..1.6,
            StrideKind::Special => 1.4..2.5,
        };
        assert!(bounds.contains(&longest), "{}: a step of {longest} m", stride.name);
    }
}

/// Starts and stops: both feet stand at that end, the body is where the stride says, and hardly moves.
#[test]
fn ways_begin_and_end_standing() {
    let strides = embedded::strides();
    assert!(strides.stand());
    let by_end = |end: StandsAt| -> Vec<usize> {
        let stands = |k: &usize| strides.strides[*k].stand.is_some_and(|stand| stand.end == end);
        (0..strides.strides.len()).filter(stands).collect()
    };
    let walk = order(&strides, &["16_15"; 3]);
    for (start, stop) in by_end(StandsAt::Start).into_iter().zip(by_end(StandsAt::Stop)) {
        let plan = lay_strides(&strides, &[&[start][..], &walk, &[stop]].concat(), FloorPose::ORIGIN);
        let done = run(&strides, &plan);
        let clip = &done.take.clip;
        let last = clip.frames() - 1;
        for (frame, stride, print) in [(0, start, 0), (last, stop, plan.prints.len() - 1)] {
            let stand = strides.strides[stride].stand.unwrap();
            let sole = FloorPose::below(plan.prints[print].print.world_from_sole).unwrap();
            let (wanted, body) = (sole.then(stand.body), clip.body(&strides.rig.skeleton, frame));
            let body = FloorPose::below(body).unwrap();
            let turned = wrap_angle(body.heading - wanted.heading).abs();
            assert!(body.position.distance(wanted.position) < 0.01, "{body:?} instead of {wanted:?}");
            assert!(turned < 1_f32.to_radians(), "{turned} rad off");
            let time = frame as f32 / clip.rate();
            let down = done.take.stances.iter().filter(|s| s.time.start <= time && s.time.end >= time).count();
            assert_eq!(down, 2, "both feet stand at {time} s");
        }
        let speed = |a: usize, b: usize| {
            let [a, b] = [a, b].map(|f| clip.body(&strides.rig.skeleton, f).translation.with_y(0.0));
            a.distance(b) * clip.rate() / 6.0
        };
        assert!(speed(0, 6) < 0.2 && speed(last - 6, last) < 0.2, "{} {}", speed(0, 6), speed(last - 6, last));
    }
}

#[test]
fn a_stride_by_itself_goes_as_its_clip_does() {
    let strides = embedded::strides();
    for name in ["16_15", "16_17", "16_36"] {
        let plan = laid(&strides, &[name; 4]);
        let free = Footsteps { groups: None, ..Footsteps::default() };
        let done = free.run(&strides, &plan, &LevelGround::default()).unwrap();
        for (played, planned) in done.stages.played_prints.iter().zip(&done.stages.planned) {
            let off = (played.position - planned.at.position).length();
            let turned = wrap_angle(played.heading - planned.at.heading).abs();
            assert!(off < 0.02 && turned < 2e-3, "{name}: {off} m, {turned} rad");
        }
    }
}

#[test]
fn feet_stand_where_they_should_and_the_goal_is_met() {
    let strides = embedded::strides();
    for names in [&BENDS[..], &JUMPS[..]] {
        let plan = laid(&strides, names);
        let done = run(&strides, &plan);
        let feet = measure_feet(&strides.rig, &done.take, Footing::default());
        assert!(feet.drift.max < 2e-3 && feet.penetration.max < 2e-3, "{feet:?}");
        let report = done.report;
        assert!(report.arrival.off < 0.01 && report.arrival.turned < 1_f32.to_radians(), "{report:?}");
        assert!(report.missed < 2e-3, "{report:?}");
        assert_eq!(report.prints, done.take.stances.len(), "every print is stood on");
    }
}

/// Joints turn no faster than in the clips they are blended of.
#[test]
fn no_joint_turns_much_faster_than_in_its_clips() {
    let strides = embedded::strides();
    let fastest = |take: &surefoot::motion::Clip, joint: usize| {
        let turn = |f: usize| take.frame(f - 1)[joint].rotation.angle_between(take.frame(f)[joint].rotation);
        (1..take.frames()).map(turn).fold(0.0, f32::max) * take.rate()
    };
    let clip_of = |name: &str| embedded::find(name).unwrap().import().clips.remove(0);
    let sources: Vec<_> = ["16_15", "16_11", "16_13", "16_17", "16_19"].iter().map(|name| clip_of(name)).collect();
    let done = run(&strides, &laid(&strides, &BENDS));
    for joint in 0..strides.rig.skeleton.len() {
        let own = sources.iter().map(|clip| fastest(clip, joint)).fold(0.0, f32::max);
        let made = fastest(&done.take.clip, joint);
        assert!(made < 1.2 * own + 1.0, "joint {joint}: {made} rad/s, {own} in the clips");
    }
}

#[test]
fn every_refinement_can_be_left_out() {
    let strides = embedded::strides();
    let plan = laid(&strides, &BENDS);
    let mut ways = [Footsteps::default(); 5];
    ways[0].smooth.passes = 0;
    ways[1].refine.passes = 0;
    ways[2].groups = None;
    ways[3].body = None;
    ways[4].play.anchored = false;
    for way in ways {
        let done = way.run(&strides, &plan, &LevelGround::default()).unwrap();
        assert!(done.report.arrival.off < 0.01, "{:?}", done.report);
        let feet = measure_feet(&strides.rig, &done.take, Footing::default());
        assert!(feet.drift.max < 2e-3, "{feet:?}");
    }
}

#[test]
fn plans_that_cannot_be_played_are_refused_and_short_ones_are_played() {
    let strides = embedded::strides();
    let refused = |plan: &FootstepPlan| Footsteps::default().run(&strides, plan, &LevelGround::default()).err();
    assert_eq!(refused(&FootstepPlan::default()), Some(FootstepsError::Empty { prints: 0 }));
    let good = laid(&strides, &["16_15"; 2]);
    let mut unknown = good.clone();
    unknown.strides[1].stride = 99;
    assert!(matches!(refused(&unknown), Some(FootstepsError::Unknown { number: 1, stride: 99, .. })));
    let mut apart = good.clone();
    apart.strides[1].first = 1;
    assert!(matches!(refused(&apart), Some(FootstepsError::Apart { number: 1, .. })));
    for name in ["16_15", "16_36", "127_26"] {
        let one = run(&strides, &laid(&strides, &[name]));
        assert!(one.take.clip.frames() > 20 && one.report.arrival.off < 0.01, "{name}: {:?}", one.report);
    }
    // All prints in one place.
    let mut heap = good;
    for print in &mut heap.prints {
        print.print.world_from_sole = surefoot::math::Rigid::IDENTITY;
    }
    let done = run(&strides, &heap);
    assert!(done.take.clip.roots().iter().all(|root| root.is_finite()));
}

/// Stairs of 15 cm a tread, as long as the short steps that climb them.
#[test]
fn stairs_are_climbed_tread_by_tread() {
    let strides = embedded::strides();
    let mut plan = laid(&strides, &["16_15 short"; 6]);
    let places: Vec<f32> = plan.prints.iter().map(|print| print.print.world_from_sole.translation.z).collect();
    // A tread begins half way between two prints; the first three lie on the floor.
    let edges: Vec<f32> = places.windows(2).skip(2).map(|pair| 0.5 * (pair[0] + pair[1])).collect();
    let stairs = |_: f32, z: f32| 0.15 * edges.iter().filter(|edge| z > **edge).count() as f32;
    for print in &mut plan.prints {
        let place = &mut print.print.world_from_sole.translation;
        place.y = stairs(0.0, place.z);
    }
    let done = Footsteps::default().run(&strides, &plan, &stairs).unwrap();
    let feet = measure_feet(&strides.rig, &done.take, Footing::Known(&stairs));
    assert!(feet.drift.max < 2e-3 && feet.penetration.max < 5e-3, "{feet:?}");
    assert!(done.report.missed < 5e-3 && done.report.arrival.off < 0.01, "{:?}", done.report);
    for (mark, planned) in done.stages.prints.iter().zip(&done.stages.planned) {
        assert_eq!(mark.height, planned.height, "no print slips onto another tread");
    }
    let rise = |f: usize| done.take.clip.roots()[f].translation.y;
    let end = done.take.clip.frames() - 1;
    assert!(rise(end) - rise(0) > 1.2, "the body climbs with its feet: {}", rise(end) - rise(0));
}

/// A journey through a shipped scene, with runs wherever they are quicker.
fn through(name: &str) -> FootstepJourneyed {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../scenarios/{name}.scene.toml"));
    let scene = surefoot_io::scene::load(&file).unwrap();
    let journey = FootstepJourney { runs: FootstepRuns::Anywhere, ..FootstepJourney::default() };
    let ends = [scene.start, scene.goal].map(FootstepEnd::from);
    journey.run(&scene, &embedded::strides(), ends, None).unwrap()
}

/// A ledge that is wide enough for feet and too narrow for a bend.
const LEDGE: &str = "version = 1
[start]
at = [0, 0]
facing_deg = 0
[goal]
at = [0, 6]
[[platform]]
corners = [[-0.35, -0.5], [-0.35, 7], [0.35, 7], [0.35, -0.5]]
";

/// Who faces away from the way, or should face elsewhere at its end, turns on the spot, to both sides.
#[test]
fn on_a_ledge_a_body_turns_on_the_spot() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ledge.scene.toml");
    std::fs::write(&file, LEDGE).unwrap();
    let scene = surefoot_io::scene::load(&file).unwrap();
    let strides = embedded::strides();
    for (from, to) in [(180.0, 0.0), (90.0, 0.0), (-90.0, 0.0), (0.0, 180.0), (0.0, 90.0), (0.0, -90.0), (120.0, -60.0)]
    {
        let end = |end: surefoot::world::ScenePose, degrees: f32| FootstepEnd {
            heading: Some(degrees.to_radians()),
            ..end.into()
        };
        let ends = [end(scene.start, from), end(scene.goal, to)];
        let done = FootstepJourney::default().run(&scene, &strides, ends, None);
        let FootstepJourneyed { plan, made, report, .. } = done.unwrap_or_else(|why| panic!("{from}° to {to}°: {why}"));
        let turns = plan.strides.iter().any(|stride| strides.strides[stride.stride].turns_on_spot);
        assert!(turns, "{from}° to {to}°: {:?}", plan.strides);
        let feet = report.ground.feet;
        assert!(feet.drift.max < 2e-3 && feet.penetration.max < 2e-3, "{from}° to {to}°: {feet:?}");
        for (frame, end) in [(0, ends[0]), (made.take.clip.frames() - 1, ends[1])] {
            let body = FloorPose::below(made.take.clip.body(&strides.rig.skeleton, frame)).unwrap();
            let off = body.position.distance(surefoot::glam::Vec2::new(end.place.x, end.place.z));
            let turned = wrap_angle(body.heading - end.heading.unwrap()).abs();
            assert!(off < 0.01 && turned < 1_f32.to_radians(), "{from}° to {to}°: {off} m, {turned} rad at {frame}");
        }
    }
}

/// Feet that pass the edges of stairs do not leap: they go up before they go on, and are over their print before they go down.
#[test]
fn knees_do_not_snap_at_the_edges_of_stairs() {
    let FootstepJourneyed { made, .. } = through("stairs");
    let clip = &made.take.clip;
    for leg in &embedded::strides().rig.legs {
        let knee = leg.chain[1].index();
        let turn = |f: usize| clip.frame(f - 1)[knee].rotation.angle_between(clip.frame(f)[knee].rotation);
        let fastest = (1..clip.frames()).map(turn).fold(0.0, f32::max) * clip.rate();
        // 19 rad/s before they did so; 9.5 in the clip of a walk.
        assert!(fastest < 13.0, "{fastest} rad/s");
    }
}

/// Swings that rise take more time than was planned: prints tell when they are stepped on, and bodies are measured over those.
#[test]
fn prints_tell_when_they_are_stepped_on() {
    let FootstepJourneyed { plan, made, report, .. } = through("stairs");
    let late = made.take.clip.duration() - plan.seconds;
    assert!(late > 0.5, "stairs take longer: {late} s");
    for mark in &made.stages.prints {
        let there = |print: surefoot::motion::Footprint| {
            FloorPose::below(print.world_from_sole).is_some_and(|at| at.position.distance(mark.at.position) < 0.05)
        };
        let stood = made.take.stances.iter().any(|stance| {
            there(stance.print) && stance.time.start <= mark.time + 1e-3 && stance.time.end >= mark.time - 1e-3
        });
        assert!(stood, "nobody stands on {mark:?} then");
    }
    assert_eq!(report.way.collisions, 0, "{:?}", report.way);
}

/// Bodies that run stray from what was planned and bump into what is steep beside their way: there they walk.
#[test]
fn runs_have_room_all_the_way() {
    let FootstepJourneyed { report, .. } = through("mesh-recast-undulating");
    assert!(report.strides[1] > 40, "it runs: {:?}", report.strides);
    assert_eq!(report.way.collisions, 0, "{:?}", report.way);
}

/// Among runs the narrow ways of the dungeon are looked for in vain; then it is walked.
#[test]
fn what_can_be_walked_is_never_refused_because_running_is_allowed() {
    let FootstepJourneyed { report, .. } = through("mesh-recast-dungeon");
    assert!(report.strides[0] > 60 && report.strides[1] == 0, "{:?}, {:?}", report.strides, report.way);
}

#[test]
fn the_same_plan_gives_the_same_bits() {
    let strides = embedded::strides();
    let plan = laid(&strides, &JUMPS);
    assert_eq!(run(&strides, &plan).take.clip.digest(), run(&strides, &plan).take.clip.digest());
}

#[test]
fn clips_without_a_stride_are_refused_by_name() {
    let strides = embedded::strides();
    let still = embedded::find("77_02").unwrap().import();
    let studied = surefoot::analyse::Study::default().run(&still.skeleton, &still.clips[0]).unwrap();
    let clips = [(StrideClip::new("stand", StrideKind::Walk), studied.take.clone())];
    let refused = Strides::new(&studied.rig, &clips);
    assert!(matches!(&refused, Err(StridesError::NoStride { name, .. }) if name == "stand"), "{refused:?}");
    let none: [(StrideClip, Take); 0] = [];
    assert_eq!(Strides::new(&strides.rig, &none), Err(StridesError::NoGait { clips: 0 }));
}
