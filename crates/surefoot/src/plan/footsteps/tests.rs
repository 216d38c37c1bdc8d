//! Plans of footsteps over made worlds: every print on the ground, gaps crossed or named.

use super::pinned::{MatchStrides, NoMatch};
use super::*;
use crate::library::strides::{StrideKind, StrideReach, plain_strides};
use crate::math::{FloorPose, wrap_angle};
use crate::rig::Side;
use crate::world::{Area, Ground, MeshGround, Survey, TriangleSoup};
use glam::{Vec2, Vec3};

/// Level blocks: least x and z, greatest x and z, height.
pub(super) fn blocks(blocks: &[[f32; 5]]) -> MeshGround {
    let (mut points, mut triangles) = (Vec::new(), Vec::new());
    for [x0, z0, x1, z1, y] in blocks.iter().copied() {
        let first = points.len() as u32;
        for y in [y - 0.5, y] {
            points.extend([[x0, z0], [x0, z1], [x1, z1], [x1, z0]].map(|[x, z]| Vec3::new(x, y, z)));
        }
        let quads = [[4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]];
        triangles
            .extend(quads.iter().flat_map(|q| [[q[0], q[1], q[2]], [q[0], q[2], q[3]]]).map(|t| t.map(|i| first + i)));
    }
    Survey::default().run(&TriangleSoup::new(points, triangles, vec![]).unwrap())
}

pub(super) fn map(all: &[[f32; 5]]) -> FootstepMap {
    FootstepMap::new(FootstepWorld::new(blocks(all)), plain_strides())
}

fn end(x: f32, y: f32, z: f32, heading: Option<f32>) -> FootstepEnd {
    FootstepEnd { place: Vec3::new(x, y, z), heading, speed: 0.0, stands: false }
}

/// Every print on the ground, strides within their slack, ends met.
fn check(map: &FootstepMap, plan: &FootstepPlan, goal: FootstepEnd) {
    for (index, print) in plan.prints.iter().enumerate() {
        let at = print.print.world_from_sole.translation;
        let hit = map.world().ground.below(Vec3::from(at) + 0.1 * Vec3::Y, 0.2, 0.0);
        assert!(hit.is_some_and(|hit| (hit.point.y - at.y).abs() < 1e-3), "print {index} at {at} is in the air");
    }
    assert!(plan.prints.windows(2).all(|pair| pair[0].time < pair[1].time), "time goes on");
    let pose = |index: usize| FloorPose::below(plan.prints[index].print.world_from_sole).unwrap();
    for pair in plan.strides.windows(2) {
        assert_eq!(pair[0].last, pair[1].first, "strides join");
    }
    for stride in &plan.strides {
        let reach = &map.reaches()[stride.stride];
        let change = reach.change_to(pose(stride.first), pose(stride.last));
        assert!(reach.cost_of(change).is_some(), "{}: {change:?}", reach.name);
        assert_eq!(stride.last - stride.first, reach.prints.len(), "{}", reach.name);
    }
    let last = pose(plan.prints.len() - 1);
    let body = last.transform_point(Vec2::new(0.5 * map.limits.width, 0.0));
    assert!(body.distance(Vec2::new(goal.place.x, goal.place.z)) < 0.01 || goal.heading.is_none(), "ends at {body}");
    if let Some(heading) = goal.heading {
        assert!(wrap_angle(last.heading - heading).abs() < 0.017, "faces {}", last.heading);
    }
}

fn plan(map: &FootstepMap, from: FootstepEnd, to: FootstepEnd) -> Result<FootstepPlan, NoFootsteps> {
    let found = PlanFootsteps::default().run(map, from, to, None);
    if let Ok(plan) = &found {
        check(map, plan, to);
    }
    found
}

fn kinds(map: &FootstepMap, plan: &FootstepPlan) -> Vec<StrideKind> {
    plan.strides.iter().map(|stride| map.reaches()[stride.stride].kind).collect()
}

#[test]
fn a_straight_floor_is_walked_straight() {
    let map = map(&[[-2.0, -2.0, 2.0, 14.0, 0.0]]);
    let to = end(0.0, 0.0, 10.0, Some(0.0));
    let plan = plan(&map, end(0.0, 0.0, 0.0, Some(0.0)), to).unwrap();
    assert!(plan.strides.len() <= 9, "{} strides for 10 m", plan.strides.len());
    assert!(plan.prints.iter().all(|print| print.print.world_from_sole.translation.x.abs() < 0.4));
}

#[test]
fn gaps_are_jumped_up_to_what_the_strides_reach_and_else_named() {
    let widest = map(&[[0.0, 0.0, 1.0, 1.0, 0.0]]).widest_gap();
    for share in [0.5, 0.9, 1.1, 1.5] {
        let gap = share * widest;
        let map = map(&[[-2.0, -2.0, 2.0, 8.0, 0.0], [-2.0, 8.0 + gap, 2.0, 18.0, 0.0]]);
        let found = plan(&map, end(0.0, 0.0, 0.0, Some(0.0)), end(0.0, 0.0, 16.0, Some(0.0)));
        match found {
            Ok(plan) => {
                assert!(share <= 1.0, "a gap of {share} of the reach was crossed");
                assert!(kinds(&map, &plan).contains(&StrideKind::Special));
                assert!(plan.prints.iter().filter(|print| print.fixed).count() >= 4);
            }
            Err(NoFootsteps::Apart { barrier: Barrier::Gap { width, .. }, .. }) => {
                assert!(share > 1.0, "a gap of {share} of the reach was refused");
                assert!((width - gap).abs() < 0.05, "{width} m instead of {gap}");
            }
            Err(other) => panic!("{share}: {other}"),
        }
    }
}

#[test]
fn steps_are_taken_up_to_what_the_strides_rise_and_else_named() {
    for (rise, taken) in [(0.2, true), (-0.2, true), (0.9, false), (-0.9, false)] {
        let map = map(&[[-2.0, -2.0, 2.0, 4.0, 0.0], [-2.0, 4.0, 2.0, 10.0, rise]]);
        let found = plan(&map, end(0.0, 0.0, 0.0, Some(0.0)), end(0.0, rise, 8.0, Some(0.0)));
        match found {
            Ok(_) => assert!(taken, "{rise}"),
            Err(NoFootsteps::Apart { barrier: Barrier::Step { rise: found, .. }, .. }) => {
                assert!(!taken && (found - rise).abs() < 0.01, "{rise}: {found}");
            }
            Err(other) => panic!("{rise}: {other}"),
        }
    }
}

#[test]
fn nobody_runs_where_the_scene_forbids_it() {
    let world = |running: bool| {
        let area = Area { name: String::new(), outline: Vec::new(), running, cost: 1.0 };
        FootstepWorld { areas: vec![area], ..FootstepWorld::new(blocks(&[[-2.0, -2.0, 2.0, 34.0, 0.0]])) }
    };
    for running in [true, false] {
        let map = FootstepMap::new(world(running), plain_strides());
        let plan = plan(&map, end(0.0, 0.0, 0.0, Some(0.0)), end(0.0, 0.0, 30.0, Some(0.0))).unwrap();
        assert_eq!(kinds(&map, &plan).contains(&StrideKind::Run), running);
    }
}

/// Runs that turn are slower than those that do not, as their clips have it: so is a runner round a corner.
#[test]
fn sharp_corners_slow_a_runner_down() {
    let map = map(&[[-0.6, -1.0, 0.6, 14.0, 0.0], [0.6, 12.8, 15.0, 14.0, 0.0]]);
    let goal = end(14.0, 0.0, 13.4, Some(std::f32::consts::FRAC_PI_2));
    let plan = plan(&map, end(0.0, 0.0, 0.0, Some(0.0)), goal).unwrap();
    check(&map, &plan, goal);
    let speeds: Vec<(f32, Vec2)> = plan
        .strides
        .iter()
        .map(|stride| {
            let [a, b] = [stride.first, stride.last].map(|k| plan.prints[k]);
            let [from, to] = [a, b].map(|print| print.print.world_from_sole.translation);
            let middle = 0.5 * (from + to);
            (from.distance(to) / (b.time - a.time), Vec2::new(middle.x, middle.z))
        })
        .collect();
    let near = |at: &Vec2| at.distance(Vec2::new(0.0, 13.4)) < 1.5;
    let slowest = speeds.iter().filter(|(_, at)| near(at)).map(|(speed, _)| *speed).fold(f32::INFINITY, f32::min);
    let fastest = speeds.iter().map(|(speed, _)| *speed).fold(0.0, f32::max);
    // 3.5 and 2.4 m/s.
    assert!(
        fastest > 3.0 && slowest < 0.8 * fastest,
        "{fastest} m/s at most, {slowest} m/s round the corner: {speeds:?}"
    );
}

#[test]
fn dear_ground_is_walked_around() {
    let mud = Area {
        name: "mud".into(),
        outline: vec![Vec2::new(-1.0, 3.0), Vec2::new(1.0, 3.0), Vec2::new(1.0, 9.0), Vec2::new(-1.0, 9.0)],
        running: true,
        cost: 4.0,
    };
    let world =
        FootstepWorld { areas: vec![mud.clone()], ..FootstepWorld::new(blocks(&[[-4.0, -2.0, 4.0, 14.0, 0.0]])) };
    let map = FootstepMap::new(world, plain_strides());
    let plan = plan(&map, end(0.0, 0.0, 0.0, Some(0.0)), end(0.0, 0.0, 12.0, Some(0.0))).unwrap();
    let inside = |print: &PlannedPrint| {
        let at = print.print.world_from_sole.translation;
        mud.holds(Vec2::new(at.x, at.z))
    };
    assert!(plan.prints.iter().filter(|print| inside(print)).count() <= 2, "through the mud");
}

#[test]
fn walls_are_gone_round_and_doors_too_narrow_named() {
    let wall = |x0: f32, x1: f32| [x0, 5.0, x1, 5.2, 2.5];
    let floor = [-4.0, -2.0, 4.0, 12.0, 0.0];
    let (from, to) = (end(0.0, 0.0, 0.0, Some(0.0)), end(0.0, 0.0, 10.0, Some(0.0)));
    let tall = |blocks: &[[f32; 5]]| {
        // Down to the floor.
        let mut all = blocks.to_vec();
        for k in 1..5 {
            all.extend(blocks[1..].iter().map(|[x0, z0, x1, z1, y]| [*x0, *z0, *x1, *z1, y - 0.5 * k as f32]));
        }
        map(&all)
    };
    let open = tall(&[floor, wall(-4.0, 1.5)]);
    let round = plan(&open, from, to).unwrap();
    assert!(round.prints.iter().any(|print| print.print.world_from_sole.translation.x > 1.5));
    let shut = tall(&[floor, wall(-4.0, 1.5), wall(1.9, 4.0)]);
    let found = plan(&shut, from, to);
    assert!(matches!(found, Err(NoFootsteps::Apart { barrier: Barrier::Narrow { .. }, .. })), "{found:?}");
}

#[test]
fn ends_in_the_air_and_numbers_that_are_none_are_refused() {
    let map = map(&[[-2.0, -2.0, 2.0, 4.0, 0.0]]);
    let here = end(0.0, 0.0, 0.0, None);
    for place in [Vec3::new(9.0, 0.0, 0.0), Vec3::NAN, Vec3::new(0.0, 5.0, 0.0)] {
        let odd = FootstepEnd { place, heading: Some(0.0), speed: 0.0, stands: false };
        assert!(matches!(plan(&map, odd, here), Err(NoFootsteps::Start(_))), "{place}");
        assert!(matches!(plan(&map, here, odd), Err(NoFootsteps::Goal(_))), "{place}");
    }
    let none = FootstepMap::new(FootstepWorld::new(blocks(&[])), plain_strides());
    assert!(PlanFootsteps::default().run(&none, here, here, None).is_err());
    let bare = FootstepMap::new(FootstepWorld::new(blocks(&[[-2.0, -2.0, 2.0, 4.0, 0.0]])), Vec::<StrideReach>::new());
    assert_eq!(PlanFootsteps::default().run(&bare, here, here, None), Err(NoFootsteps::NoStride));
}

#[test]
fn a_plan_is_mended_from_the_next_print_where_a_platform_is_gone() {
    // Two ways round a hole; the bridge on the right is taken away.
    let [near, far] = [[-3.0, -2.0, 3.0, 6.0, 0.0], [-3.0, 12.0, 3.0, 22.0, 0.0]];
    let [left, right] = [[1.0, 6.0, 3.0, 12.0, 0.0], [-1.6, 6.0, 0.4, 12.0, 0.0]];
    let mut map = map(&[near, far, left, right]);
    let to = end(0.0, 0.0, 20.0, Some(0.0));
    let first = plan(&map, end(0.0, 0.0, 0.0, Some(0.0)), to).unwrap();
    let on = |plan: &FootstepPlan, [x0, z0, x1, z1, _]: [f32; 5]| {
        plan.prints
            .iter()
            .filter(|print| {
                let at = print.print.world_from_sole.translation;
                (x0..x1).contains(&at.x) && (z0..z1).contains(&at.z)
            })
            .count()
    };
    assert!(on(&first, right) > 2 && on(&first, left) == 0, "over the right bridge first");
    map.update(blocks(&[near, far, left]), [Vec3::new(-1.6, -1.0, 6.0), Vec3::new(0.4, 1.0, 12.0)]);
    let planner = PlanFootsteps::default();
    let mended = planner.mend(&map, &first, 2, to, None).unwrap();
    check(&map, &mended.plan, to);
    assert_eq!(on(&mended.plan, right), 0);
    assert!(on(&mended.plan, left) > 2 && mended.kept > 2, "{} kept", mended.kept);
    assert_eq!(mended.plan.prints[..mended.kept - 1], first.prints[..mended.kept - 1]);
    // Looked at all anew, the world is the same.
    let anew = self::map(&[near, far, left]);
    let whole = |map: &FootstepMap| plan(map, end(0.0, 0.0, 0.0, Some(0.0)), to).unwrap();
    assert_eq!(whole(&map), whole(&anew));
    // Nothing to mend, nothing changed.
    let same = planner.mend(&map, &mended.plan, 2, to, None).unwrap();
    assert_eq!((same.plan, same.kept), (mended.plan.clone(), mended.plan.prints.len()));
    // Another goal: the beginning stays.
    let aside = end(1.5, 0.0, 19.0, Some(0.3));
    let led = planner.mend(&map, &mended.plan, 2, aside, None).unwrap();
    check(&map, &led.plan, aside);
    assert!(led.kept > 5, "{}", led.kept);
}

#[test]
fn placed_prints_become_the_strides_that_come_nearest() {
    let strides = plain_strides();
    let map = map(&[[-4.0, -2.0, 4.0, 14.0, 0.0]]);
    let planned = plan(&map, end(0.0, 0.0, 0.0, Some(0.0)), end(2.0, 0.0, 10.0, Some(0.5))).unwrap();
    let side =
        |index: usize| if planned.prints[index].print.leg == crate::rig::LegId(0) { Side::Left } else { Side::Right };
    let placed: Vec<PlacedPrint> = planned
        .prints
        .iter()
        .enumerate()
        .map(|(index, print)| PlacedPrint { side: side(index), world_from_sole: print.print.world_from_sole })
        .collect();
    let matched = MatchStrides::default().run(&placed, &strides).unwrap();
    assert_eq!(matched.strides.len(), planned.strides.len());
    assert!(matched.prints.iter().all(|print| print.fixed && print.print.pinned));
    assert!(matched.prints.windows(2).all(|pair| pair[0].time < pair[1].time));
    let kinds = |plan: &FootstepPlan| plan.strides.iter().map(|s| strides[s.stride].kind).collect::<Vec<_>>();
    assert_eq!(kinds(&matched), kinds(&planned));
    assert_eq!(MatchStrides::default().run(&placed[1..], &strides), Err(NoMatch::Ends));
    assert_eq!(MatchStrides::default().run(&[], &strides), Err(NoMatch::Ends));
    let twice = [placed[0], placed[1], placed[1], placed[2]];
    assert_eq!(MatchStrides::default().run(&twice, &strides), Err(NoMatch::Feet { first: 0, last: 3 }));
}

#[test]
fn a_search_is_stopped_from_outside_and_a_seed_tells_all() {
    let map = map(&[[-2.0, -2.0, 2.0, 8.0, 0.0], [-2.0, 8.8, 2.0, 18.0, 0.0]]);
    let (from, to) = (end(0.0, 0.0, 0.0, Some(0.0)), end(0.0, 0.0, 16.0, Some(1.0)));
    let graph = PlanFootsteps { search: FootstepSearch::Graph, ..PlanFootsteps::default() };
    let [one, other] = [0, 1].map(|_| graph.run(&map, from, to, None));
    check(&map, one.as_ref().unwrap(), to);
    assert_eq!(one, other);
    let stop = std::sync::atomic::AtomicBool::new(true);
    let narrow = PlanFootsteps { weight: 1.0, ..graph };
    assert_eq!(narrow.run(&map, from, to, Some(&stop)), Err(NoFootsteps::Stopped));
}
