//! Walks over meshes: up a ramp and a stair that are made here, with feet on the ground and the body kept above them.

use surefoot::adapt::Lay;
use surefoot::glam::{Vec2, Vec3};
use surefoot::math::FloorPose;
use surefoot::metrics::Footing;
use surefoot::plan::walk::{Goal, Start, Surroundings, Tube};
use surefoot::systems::{Navigate, Navigated, Trip};
use surefoot::world::{Chart, Ground, GroundAlong, MeshGround, StandingRoom, Survey, TriangleSoup};
use surefoot_io::embedded;

/// Quads across x from 0 to 3 m between points (z, y) of a profile.
fn strip(profile: &[[f32; 2]]) -> TriangleSoup {
    let points = profile.iter().flat_map(|[z, y]| [Vec3::new(0.0, *y, *z), Vec3::new(3.0, *y, *z)]).collect();
    let quads = 0..profile.len() as u32 - 1;
    let triangles = quads.map(|k| 2 * k).flat_map(|k| [[k, k + 2, k + 1], [k + 1, k + 2, k + 3]]).collect();
    TriangleSoup::new(points, triangles, vec![]).unwrap()
}

/// 4 m level, 6 m of a ramp of 10°, 3 m level, ten steps of 12 cm every 34 cm, 4 m level.
fn ramp_and_stair() -> TriangleSoup {
    let mut profile = vec![[0.0, 0.0], [4.0, 0.0], [10.0, 6.0 * 10.0_f32.to_radians().tan()]];
    let mut add = |run: f32, rise: f32| {
        let [z, y] = profile[profile.len() - 1];
        profile.push([z + run, y + rise]);
    };
    add(3.0, 0.0);
    for _ in 0..10 {
        add(0.0, 0.12);
        add(0.34, 0.0);
    }
    add(4.0, 0.0);
    strip(&profile)
}

fn walk(soup: &TriangleSoup, from: Vec3, to: Vec3, heading: f32) -> (Navigated, MeshGround) {
    let graph = embedded::graph();
    let chart = Chart::default();
    let mesh = chart.run(soup).unwrap();
    let ground = Survey::default().run(soup);
    let room = StandingRoom::new(&mesh);
    let stand = |p: Vec3, climb: f32| {
        let rough = room.at(p, climb)?;
        Some(ground.footing(rough + 0.5 * Vec3::Y, 1.0).map_or(rough, |hit| hit.point))
    };
    let tube = Tube::new(&mesh.route(from, to).unwrap(), stand).unwrap();
    let path = tube.path();
    let [start, end] = [path.start(), path.end()].map(|p| Vec2::new(p.x, p.z));
    let start = Start::Standing(FloorPose::new(start, path.heading(0.0)));
    let goal = Goal { heading: Some(heading), ..Goal::at(end) };
    let around = Surroundings::along(&tube, chart.body.radius);
    let walk = Navigate::default().run(&graph, &Trip::over(&tube, around, &ground, start, goal)).unwrap();
    let drift = walk.walked.measure(&graph, Footing::Known(&ground)).after.drift;
    assert!(drift.p95 < 3e-3, "{drift:?}");
    (walk, ground)
}

#[test]
fn a_walk_goes_up_a_ramp_and_a_stair_and_arrives() {
    let (walk, ground) = walk(&ramp_and_stair(), Vec3::new(1.5, 0.0, 1.5), Vec3::new(1.5, 2.258, 18.5), 0.0);
    assert!(walk.report.way.missed < 0.01 && walk.report.way.askew < 1.0_f32.to_radians(), "{:?}", walk.report.way);
    assert_eq!(walk.report.way.collisions, 0);
    let fit = walk.report.ground.unwrap();
    assert!(fit.steepest > 8.0_f32.to_radians() && fit.highest_step > 0.1, "it went over both: {fit:?}");
    assert!(fit.bare == 0 && fit.missed.max < 0.01, "{fit:?}");
    assert!(fit.feet.penetration.p95 < 0.01 && fit.feet.float.max < 0.02, "{fit:?}");
    assert!(fit.feet.toes.p95 < 0.01 && fit.feet.grazing.p95 < 0.02, "{fit:?}");

    let clip = &walk.walked.take.clip;
    let roots = clip.roots();
    assert!(roots.iter().all(|root| root.is_finite()));
    assert!((0..clip.frames()).all(|f| clip.frame(f).iter().all(|joint| joint.is_finite())));
    let jump = roots.windows(2).map(|pair| (pair[1].translation.y - pair[0].translation.y).abs()).fold(0.0, f32::max);
    assert!(jump < 0.05, "{jump} m in a frame");
    let top = roots[roots.len() - 1].translation.y;
    assert!((top - 2.258).abs() < 0.02, "the root ends on the upper floor: {top}");

    // Every print is on the ground that is below it.
    for stance in &walk.walked.take.stances {
        let ball = Vec3::from(stance.ball_at);
        let hit = ground.below(ball + 0.2 * Vec3::Y, 0.5, 0.0).expect("ground");
        assert!(hit.point.y - ball.y < 0.02, "{ball} is in the ground at {}", hit.point);
    }
}

#[test]
fn the_same_walk_is_the_same_to_the_bit_and_goes_down_as_well() {
    let down =
        || walk(&ramp_and_stair(), Vec3::new(1.5, 2.258, 18.5), Vec3::new(1.5, 0.0, 1.5), std::f32::consts::PI).0;
    let (one, two) = (down(), down());
    assert_eq!(one.walked.take.clip.digest(), two.walked.take.clip.digest());
    assert!(one.report.way.missed < 0.01 && one.report.ground.unwrap().missed.max < 0.01, "{:?}", one.report);
}

#[test]
fn prints_without_ground_are_counted_and_stay_on_the_way() {
    let (walk, _) = walk(&ramp_and_stair(), Vec3::new(1.5, 0.0, 1.5), Vec3::new(1.5, 0.0, 3.5), 0.0);
    let mut take = walk.walked.played.clone();
    let nothing = |_: f32, _: f32| f32::NAN;
    let below = GroundAlong { ground: &nothing, height: &|_, _| 0.7 };
    let laid = Lay::default().run(&embedded::graph().rig, &mut take, &below);
    assert!(laid.bare == take.stances.len() && laid.bare > 3, "{} of {}", laid.bare, take.stances.len());
    assert!(take.stances.iter().all(|stance| (stance.print.world_from_sole.translation.y - 0.7).abs() < 1e-5));
}
