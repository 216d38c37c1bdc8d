//! Minds changed on the way: a platform that is gone, a goal that moved, and motion that goes on without a pop.

#![cfg(all(feature = "embedded", feature = "navmesh"))]

use surefoot::glam::Vec3;
use surefoot::library::strides::Strides;
use surefoot::math::{Rigid, floor};
use surefoot::metrics::{Footing, measure_feet};
use surefoot::motion::Clip;
use surefoot::plan::footsteps::{FootstepEnd, FootstepPlan, FootstepWorld};
use surefoot::rig::Side;
use surefoot::stages::{FootstepMap, PlanFootsteps, PlannedFootsteps};
use surefoot::systems::{Footstepped, Footsteps};
use surefoot::world::{MeshGround, Scene, TriangleSoup};
use surefoot_io::embedded;

fn scene(name: &str) -> Scene {
    let path = format!("{}/../../scenarios/{name}.scene.toml", env!("CARGO_MANIFEST_DIR"));
    surefoot_io::scene::load(path.as_ref()).unwrap()
}

fn planner(strides: &Strides) -> PlanFootsteps {
    PlanFootsteps { left: strides.leg(Side::Left), right: strides.leg(Side::Right), ..PlanFootsteps::default() }
}

/// The greatest changes of turn (radians) and of place (metres) of joints and root from one frame to the next.
fn roughest(clip: &Clip, frames: std::ops::Range<usize>) -> [f32; 2] {
    let mut most = [0.0_f32; 2];
    let bend = |[a, b, c]: [Rigid; 3]| {
        let [first, then] = [a.rotation.inverse() * b.rotation, b.rotation.inverse() * c.rotation];
        (first.angle_between(then), (a.translation - 2.0 * b.translation + c.translation).length())
    };
    for f in frames.start.max(1)..frames.end.min(clip.frames() - 1) {
        for joint in 0..clip.joints() {
            let (turn, _) = bend([f - 1, f, f + 1].map(|f| clip.frame(f)[joint]));
            most[0] = most[0].max(turn);
        }
        let (turn, place) = bend([f - 1, f, f + 1].map(|f| clip.roots()[f]));
        most = [most[0].max(turn), most[1].max(place)];
    }
    most
}

/// What must hold of a walk that was led elsewhere in a frame.
fn check(strides: &Strides, [old, new]: [&Footstepped; 2], now: usize, ground: &MeshGround, what: &str) {
    for f in 0..=now {
        assert_eq!(old.take.clip.frame(f), new.take.clip.frame(f), "{what}: frame {f} was shown already");
        assert_eq!(old.take.clip.roots()[f], new.take.clip.roots()[f], "{what}: frame {f} was shown already");
    }
    // In pose and speed: no rougher than the motion is by itself.
    let [turn, place] = roughest(&new.take.clip, now - 1..now + 25);
    let own = [roughest(&old.take.clip, 0..usize::MAX), roughest(&new.take.clip, now + 25..usize::MAX)];
    let most = [0, 1].map(|k| own[0][k].max(own[1][k]));
    assert!(turn <= 1.2 * most[0] && place <= 1.2 * most[1] + 1e-3, "{what} at {now}: {turn}, {place}; own {most:?}");
    let feet = measure_feet(&strides.rig, &new.take, Footing::Known(ground));
    assert!(feet.drift.max < 2e-3 && feet.penetration.max < 2e-3, "{what} at {now}: {feet:?}");
    assert!(new.report.arrival.off < 0.01 && new.report.arrival.turned < 0.0175, "{what}: {:?}", new.report);
    assert_eq!(new.stages.times.len(), new.stages.prints.len(), "{what}");
    assert_eq!(new.take.clip.frames(), new.stages.traced.len(), "{what}");
}

/// The first print that is not stepped on yet.
fn next(old: &Footstepped, now: usize) -> usize {
    old.stages.times.partition_point(|time| time * old.take.clip.rate() <= now as f32)
}

/// A scene's ground with a block on a place.
fn blocked(scene: &Scene, [low, high]: [Vec3; 2]) -> MeshGround {
    let mesh = scene.mesh.as_ref().unwrap();
    let (mut positions, mut triangles) = (mesh.soup.positions().to_vec(), mesh.soup.triangles().to_vec());
    let first = positions.len() as u32;
    for y in [low.y, high.y] {
        let corners = [[low.x, low.z], [low.x, high.z], [high.x, high.z], [high.x, low.z]];
        positions.extend(corners.map(|[x, z]| Vec3::new(x, y, z)));
    }
    let sides: [[u32; 4]; 5] = [[0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7], [4, 5, 6, 7]];
    let two = sides.iter().flat_map(|q| [[q[0], q[1], q[2]], [q[0], q[2], q[3]]]);
    triangles.extend(two.map(|t| t.map(|i| first + i)));
    mesh.survey.run(&TriangleSoup::new(positions, triangles, Vec::new()).unwrap())
}

struct Gone {
    map: FootstepMap,
    plan: FootstepPlan,
    old: Footstepped,
}

fn walk(strides: &Strides, scene: &Scene) -> Gone {
    let map = FootstepMap::new(FootstepWorld::of(scene).unwrap(), strides.reaches());
    let plan = planner(strides).through(&map, scene).unwrap();
    let old = Footsteps::default().run(strides, &plan, &map.world().ground).unwrap();
    Gone { map, plan, old }
}

#[test]
fn a_goal_that_moved_is_gone_to_from_the_next_print() {
    let strides = embedded::strides();
    for name in ["turns", "jumps"] {
        let scene = scene(name);
        let Gone { map, plan, old } = walk(&strides, &scene);
        let mut goal = FootstepEnd::from(scene.goal);
        let back = 0.4 * floor::direction(goal.heading.unwrap_or(0.0));
        goal.place -= Vec3::new(back.x, 0.0, back.y);
        for share in [0.2, 0.45, 0.63] {
            let now = (share * old.take.clip.frames() as f32) as usize;
            let mended = planner(&strides).mend(&map, &plan, next(&old, now), goal, None).unwrap();
            let ground = &map.world().ground;
            let new = Footsteps::default().replan(&strides, &old, &mended, now, ground).unwrap();
            check(&strides, [&old, &new], now, ground, name);
            // And back again.
            let again =
                planner(&strides).mend(&map, &mended.plan, next(&new, now + 40), scene.goal.into(), None).unwrap();
            let twice = Footsteps::default().replan(&strides, &new, &again, now + 40, ground).unwrap();
            check(&strides, [&new, &twice], now + 40, ground, name);
        }
    }
}

#[test]
fn what_came_into_the_way_is_gone_around() {
    let strides = embedded::strides();
    let scene = scene("turns");
    let Gone { mut map, plan, old } = walk(&strides, &scene);
    let now = old.take.clip.frames() * 2 / 5;
    let ahead = (next(&old, now) + 8).min(plan.prints.len() - 4);
    let at = Vec3::from(plan.prints[ahead].print.world_from_sole.translation);
    let size = Vec3::new(0.2, 0.0, 0.2);
    let changed = [at - size, at + size + 1.8 * Vec3::Y];
    map.update(blocked(&scene, changed), changed);
    let PlannedFootsteps { plan: around, kept } =
        planner(&strides).mend(&map, &plan, next(&old, now), scene.goal.into(), None).unwrap();
    let print = |plan: &FootstepPlan, k: usize| plan.prints[k].print;
    assert!(kept < plan.prints.len() && (0..kept).all(|k| print(&around, k) == print(&plan, k)), "{kept} are kept");
    let mended = PlannedFootsteps { plan: around, kept };
    let new = Footsteps::default().replan(&strides, &old, &mended, now, &map.world().ground).unwrap();
    check(&strides, [&old, &new], now, &map.world().ground, "a block");
    for print in &new.take.stances {
        let off = Vec3::from(print.print.world_from_sole.translation) - at;
        assert!(off.x.abs() > 0.2 || off.z.abs() > 0.2 || off.y.abs() > 0.5, "a print in the block at {off}");
    }
}
