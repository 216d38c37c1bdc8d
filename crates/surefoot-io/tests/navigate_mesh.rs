//! Walks over meshes: up a ramp and a stair that are made here, with feet on the ground and the body kept above them.

use surefoot::glam::{DVec3, Vec2, Vec3};
use surefoot::math::{FloorPose, Rigid};
use surefoot::metrics::{Footing, measure_feet};
use surefoot::motion::{Clip, Take};
use surefoot::plan::walk::{Goal, Start, Surroundings};
use surefoot::random::Seed;
use surefoot::stages::{Chart, GroundAlong, Lay, StandingRoom, Tube, WalkMesh, slides};
use surefoot::systems::{Journey, JourneyEnds, Navigate, Navigated, Trip};
use surefoot::world::{
    Body, Ground, MeshGround, Mover, Outline, Repeat, Scene, SceneMesh, ScenePose, Survey, Track, TriangleSoup,
};
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

/// A mesh to walk on, charted.
struct Land {
    mesh: WalkMesh,
    ground: MeshGround,
    radius: f32,
}

impl Land {
    fn new(soup: &TriangleSoup) -> Self {
        let chart = Chart::default();
        Self { mesh: chart.run(soup).unwrap(), ground: Survey::default().run(soup), radius: chart.body.radius }
    }

    /// The way from a place to another, with the room beside it.
    fn tube(&self, from: Vec3, to: Vec3) -> Tube {
        let room = StandingRoom::new(&self.mesh);
        let stand = |p: Vec3, climb: f32| {
            let rough = room.at(p, climb)?;
            Some(self.ground.footing(rough + 0.5 * Vec3::Y, 1.0).map_or(rough, |hit| hit.point))
        };
        Tube::new(&self.mesh.route(from, to).unwrap(), stand).unwrap()
    }

    /// A trip along a tube to its end; it faces along the tube at first if it starts standing.
    fn trip<'a>(&'a self, tube: &'a Tube, start: Option<Start>, heading: Option<f32>) -> Trip<'a> {
        let path = tube.path();
        let [from, to] = [path.start(), path.end()].map(|p| Vec2::new(p.x, p.z));
        let start = start.unwrap_or(Start::Standing(FloorPose::new(from, path.heading(0.0))));
        let around = Surroundings::along(tube, self.radius);
        Trip::over(tube, around, &self.ground, start, Goal { heading, ..Goal::at(to) })
    }
}

fn walk(soup: &TriangleSoup, from: Vec3, to: Vec3, heading: f32) -> (Navigated, MeshGround) {
    let (graph, land) = (embedded::graph(), Land::new(soup));
    let tube = land.tube(from, to);
    let walk = Navigate::default().run(&graph, &land.trip(&tube, None, Some(heading))).unwrap();
    let drift = walk.walked.measure(&graph, Footing::Known(&land.ground)).after.drift;
    assert!(drift.p95 < 3e-3, "{drift:?}");
    (walk, land.ground)
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

/// Steps as high as they are deep, on which feet find no room to lie and legs hardly reach.
#[test]
fn on_steep_narrow_steps_nobody_stands_on_air_nor_on_what_is_out_of_reach() {
    let mut profile = vec![[0.0, 0.0], [4.0, 0.0]];
    for k in 0..14 {
        profile.extend([[4.0 + 0.2 * k as f32, 0.2 * (k + 1) as f32], [4.2 + 0.2 * k as f32, 0.2 * (k + 1) as f32]]);
    }
    profile.push([11.0, 2.8]);
    for (from, to) in [([0.0, 1.0], [2.8, 10.0]), ([2.8, 10.0], [0.0, 1.0])] {
        let [from, to] = [from, to].map(|[y, z]| Vec3::new(1.5, y, z));
        let (walk, _) = walk(&strip(&profile), from, to, if to.z > from.z { 0.0 } else { std::f32::consts::PI });
        let fit = walk.report.ground.unwrap();
        assert!(fit.highest_step > 0.35, "it takes two at a time: {fit:?}");
        assert!(fit.missed.max < 1e-3, "{fit:?}");
        assert!(fit.feet.float.max < 0.04, "{fit:?}");
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

/// How far the sole of the print that is tilted most from the ground below it is, radians, of prints that lie on a slope.
fn most_askew(take: &Take, ground: &MeshGround) -> f32 {
    let prints = take.stances.iter().map(|stance| stance.print.world_from_sole);
    let slopes = prints.filter_map(|print| {
        let hit = ground.below(Vec3::from(print.translation) + 0.2 * Vec3::Y, 0.5, 0.0)?;
        // Prints at both ends of a slope lie across its edge.
        let on_slope = hit.normal.y < 0.999 && (4.3..9.7).contains(&print.translation.z);
        on_slope.then(|| (print.rotation * Vec3::Y).angle_between(hit.normal))
    });
    slopes.fold(0.0, f32::max)
}

#[test]
fn a_mind_is_changed_on_a_ramp_and_on_a_stair_and_the_walk_stays_on_the_ground() {
    let (graph, land) = (embedded::graph(), Land::new(&ramp_and_stair()));
    let (rig, ground) = (&graph.rig, &land.ground);
    let feet_of = |walk: &Navigated| measure_feet(rig, walk.take(), Footing::Known(ground));
    let change = |old: &Navigated, now: usize, goal: Vec3| {
        let resume = old.resume_after(&graph, now).unwrap();
        let (place, y) = (resume.start.pose().position, old.take().clip.roots()[resume.frame].translation.y);
        let tube = land.tube(Vec3::new(place.x, y, place.y), goal);
        let trip = land.trip(&tube, Some(resume.start), None);
        let new = Navigate::default().replan(&graph, &trip, old, now, resume);
        new.unwrap_or_else(|error| panic!("{now} to {goal}: {error}"))
    };
    let [low, high] = [Vec3::new(1.5, 0.0, 1.5), Vec3::new(1.5, 2.258, 18.5)];
    for (from, to, others) in [
        (low, high, [Vec3::new(0.8, 2.258, 19.0), Vec3::new(2.2, 2.258, 18.2)]),
        (high, low, [Vec3::new(2.2, 0.0, 1.2), Vec3::new(0.8, 0.0, 2.2)]),
    ] {
        let tube = land.tube(from, to);
        let old = Navigate::default().run(&graph, &land.trip(&tube, None, None)).unwrap();
        let (own, steepest) = (feet_of(&old), old.report.ground.unwrap().steepest);
        let check = |old: &Navigated, new: &Navigated, now: usize| {
            let (clip, take) = (&old.take().clip, new.take());
            let same = |f: usize| take.clip.frame(f) == clip.frame(f) && take.clip.roots()[f] == clip.roots()[f];
            assert!((0..=now).all(same), "{now}");
            let feet = feet_of(new);
            let what = format!("{from} {now}: {feet:?}, before {own:?}");
            // A print across the edge of a slope is off by as much as it may be.
            let uneven = Lay::default().uneven;
            // As if it had been walked so from the start. Before it was remembered what is below, all of it was at height 0; when
            // prints that lie on a slope were laid on it again they were twice as steep, and heels 30 mm in the ground.
            assert!(feet.float.p95 < own.float.p95 + 1e-3 && feet.float.max < own.float.max + uneven, "{what}");
            let (under, usual) = (feet.penetration, own.penetration);
            assert!(under.p95 < usual.p95 + 3e-3 && under.max < usual.max + uneven, "{what}");
            assert!(feet.grazing.p95 < own.grazing.p95 + 1e-3 && feet.toes.p95 < own.toes.p95 + 1e-3, "{what}");
            assert!(most_askew(take, ground) < 1.0_f32.to_radians(), "{from} {now}: {}", most_askew(take, ground));
            let mut whole = take.clone();
            whole.stances.iter_mut().for_each(|stance| stance.open = false);
            let slid = slides(rig, &whole, Footing::Known(ground))[0];
            assert!(slid.drift < 1e-3, "{from} {now}: {slid:?}");
            let jump = |pair: &[Rigid]| (pair[1].translation.y - pair[0].translation.y).abs();
            assert!(take.clip.roots().windows(2).map(jump).fold(0.0, f32::max) < 0.05, "{from} {now}");
            let (way, fit) = (new.report.way, new.report.ground.unwrap());
            assert!(way.collisions == 0 && way.missed < 0.01, "{from} {now}: {way:?}");
            // What is told is of the whole walk.
            assert!(fit.feet == feet && fit.bare == 0 && fit.steepest <= steepest + 1e-3, "{fit:?}");
            assert_eq!(
                (new.walked.missed.len(), new.walked.played.clip.frames()),
                (take.clip.frames(), take.clip.frames())
            );
        };
        for now in (60..old.take().clip.frames() - 60).step_by(17) {
            let new = change(&old, now, others[0]);
            check(&old, &new, now);
            // And again, a moment later.
            let again = change(&new, now + 10, others[1]);
            check(&new, &again, now + 10);
        }
    }
}

/// The ramp and stair as a scene to go up, with things in the way.
fn scene(obstacles: Vec<Mover>) -> Scene {
    let mesh = SceneMesh {
        file: "ramp and stair".into(),
        soup: ramp_and_stair(),
        offset: DVec3::ZERO,
        survey: Survey::default(),
    };
    let pose = |z: f32, y: f32| ScenePose { place: Vec3::new(1.5, y, z), heading: Some(0.0) };
    Scene {
        name: "ramp and stair".into(),
        seed: Seed(0),
        body: Body::default(),
        start: pose(1.5, 0.0),
        goal: pose(18.5, 2.258),
        floor: None,
        mesh: Some(mesh),
        platforms: vec![],
        areas: vec![],
        obstacles,
    }
}

#[test]
fn things_in_the_way_on_a_mesh_are_gone_round() {
    let graph = embedded::graph();
    let go = |obstacles: &[&Mover]| {
        let scene = scene(obstacles.iter().map(|thing| (*thing).clone()).collect());
        Journey::default().run(&scene, &graph, &JourneyEnds::of(&scene)).unwrap()
    };
    // How near the pelvis comes to the edge of a thing, metres.
    let nearest = |clip: &Clip, thing: &Mover| {
        let gap = |frame: usize| {
            let p = clip.body(&graph.rig.skeleton, frame).translation;
            thing.distance(Vec2::new(p.x, p.z), frame as f32 / clip.rate())
        };
        (0..clip.frames()).map(gap).fold(f32::MAX, f32::min)
    };
    let plain = go(&[]).walk.walked.take.clip;
    let ramp = |z: f32| (z - 4.0) * 10.0_f32.to_radians().tan();
    let thing = |outline: Outline, track: Track| Mover { outline, height: 1.0, track, heading: 0.3, spin: 0.0 };
    // Both stay: a bin in the middle of the ramp, and a block before the stair.
    let bin = thing(Outline::Disc { radius: 0.3 }, Track::still(Vec3::new(1.5, ramp(7.0), 7.0)));
    let half = Vec2::new(0.4, 0.2);
    let block = thing(Outline::Rectangle { half }, Track::still(Vec3::new(1.4, ramp(10.0), 11.5)));
    // And one crosses the ramp just when somebody comes.
    let there = (0..plain.frames()).find(|f| plain.body(&graph.rig.skeleton, *f).translation.z > 7.0).unwrap();
    let time = there as f32 / plain.rate();
    let beside = |x: f32| Vec3::new(x, ramp(7.0), 7.0);
    let keys = [(time - 4.0, beside(-2.5)), (time + 4.0, beside(5.5))];
    let cart = thing(Outline::Disc { radius: 0.4 }, Track::new(&keys, Repeat::Hold).unwrap());
    for things in [&[&bin][..], &[&block], &[&cart], &[&bin, &block], &[&cart, &block]] {
        let done = go(things);
        let clip = &done.take().clip;
        for thing in things {
            let (before, now) = (nearest(&plain, thing), nearest(clip, thing));
            assert!(before < 0.0 && now >= Body::default().radius, "{before} m without {thing:?}, {now} m with it");
        }
        let (way, fit) = (done.walk.report.way, done.walk.report.ground.unwrap());
        assert!(way.collisions == 0 && way.missed < 0.01 && way.askew < 0.0175, "{way:?}");
        assert!(fit.bare == 0 && fit.feet.float.max < 0.02 && fit.feet.penetration.p95 < 0.01, "{fit:?}");
        let top = clip.roots()[clip.frames() - 1].translation.y;
        assert!((top - 2.258).abs() < 0.02, "on the upper floor: {top}");
    }
}
