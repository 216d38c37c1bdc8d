//! Footsteps over random worlds of platforms, steps and gaps, against an exhaustive search on a lattice of 0.1 m and 15°.

use std::collections::HashSet;
use surefoot::glam::{Vec2, Vec3};
use surefoot::library::strides::plain_strides;
use surefoot::math::{FloorPose, wrap_angle};
use surefoot::plan::footsteps::{FootstepEnd, FootstepSearch, FootstepWorld, NoFootsteps};
use surefoot::random::{Rng, Seed};
use surefoot::rig::Side;
use surefoot::stages::{Barrier, FootstepMap, PlanFootsteps, SoleSize, StrideReach};
use surefoot::world::{MeshGround, Survey, TriangleSoup};

/// A level platform: its least and greatest corner (x, z) and its height, metres.
#[derive(Clone, Copy, Debug)]
struct Platform {
    low: Vec2,
    high: Vec2,
    y: f32,
}

/// Platforms one after another with gaps between them, and the widest gap.
struct Chain {
    platforms: Vec<Platform>,
    widest: f32,
    start: FootstepEnd,
    goal: FootstepEnd,
}

/// The widest crack that is stepped over.
const CRACK: f32 = 0.4;

impl Chain {
    /// Gaps of up to 90 % of what is crossed at most; if it is to be refused, one of 110 to 160 % among them.
    fn new(rng: &mut Rng, most: f32, refused: bool) -> Self {
        let count = 2 + rng.below(3);
        let too_wide = if refused { rng.below(count - 1) } else { usize::MAX };
        let mut platforms: Vec<Platform> = Vec::new();
        let mut widest = 0.0_f32;
        let (mut heading, mut last) = (0, Platform { low: Vec2::splat(-2.0), high: Vec2::new(2.0, 5.0), y: 0.0 });
        platforms.push(last);
        for k in 0..count - 1 {
            let gap = if k == too_wide { rng.range(1.1, 1.6) } else { rng.range(0.0, 0.9) } * most;
            // Sharp bends are on platforms, where there is room for a run-up.
            if k > 0 && rng.below(2) == 0 {
                heading = if heading == 0 { 1 } else { 0 };
            }
            let (wide, long) = (rng.range(3.0, 5.0), rng.range(6.0, 8.0));
            let y = last.y + rng.range(-0.2, 0.2);
            let middle = 0.5 * (last.low + last.high);
            let next = if heading == 0 {
                let low = Vec2::new(middle.x - 0.5 * wide, last.high.y + gap);
                Platform { low, high: low + Vec2::new(wide, long), y }
            } else {
                let low = Vec2::new(last.high.x + gap, last.high.y - wide);
                Platform { low, high: low + Vec2::new(long, wide), y }
            };
            widest = widest.max(gap);
            platforms.push(next);
            last = next;
        }
        let end = |place: Vec2, y: f32, heading: f32| FootstepEnd {
            place: Vec3::new(place.x, y, place.y),
            heading: Some(heading),
            speed: 0.0,
            stands: false,
        };
        let facing = if heading == 0 { 0.0 } else { std::f32::consts::FRAC_PI_2 };
        let ahead = if heading == 0 { Vec2::Y } else { Vec2::X };
        let goal = 0.5 * (last.low + last.high) + ahead * (0.5 * (last.high - last.low).dot(ahead) - 0.8);
        Self { platforms, widest, start: end(Vec2::ZERO, 0.0, 0.0), goal: end(goal, last.y, facing) }
    }

    fn ground(&self) -> MeshGround {
        let (mut points, mut triangles) = (Vec::new(), Vec::new());
        for Platform { low, high, y } in &self.platforms {
            let first = points.len() as u32;
            let corners = [[low.x, low.y], [low.x, high.y], [high.x, high.y], [high.x, low.y]];
            points.extend(corners.map(|[x, z]| Vec3::new(x, *y, z)));
            triangles.extend([[0, 1, 2], [0, 2, 3]].map(|t: [u32; 3]| t.map(|i| first + i)));
        }
        Survey::default().run(&TriangleSoup::new(points, triangles, vec![]).unwrap())
    }

    /// The platform under a point.
    fn under(&self, at: Vec2) -> Option<usize> {
        self.platforms.iter().position(|p| at.cmpge(p.low).all() && at.cmple(p.high).all())
    }

    /// The platform that carries a whole sole.
    fn carries(&self, pose: FloorPose, sole: SoleSize) -> Option<usize> {
        let SoleSize { back, front, half_width } = sole;
        let on = self.under(pose.position)?;
        let corners = [[-half_width, -back], [half_width, -back], [half_width, front], [-half_width, front]];
        corners.iter().all(|c| self.under(pose.transform_point(Vec2::from(*c))) == Some(on)).then_some(on)
    }

    /// Whether a lattice of right prints leads from the start to the goal: every print that strides reach from it within their slack,
    /// exhaustively.
    fn is_crossed(&self, reaches: &[StrideReach], width: f32) -> bool {
        const PLACE: f32 = 0.1;
        const HEADING: f32 = std::f32::consts::PI / 12.0;
        let sole = SoleSize::default();
        let stand = |end: &FootstepEnd| {
            let body = FloorPose::new(Vec2::new(end.place.x, end.place.z), end.heading.unwrap());
            FloorPose::new(body.transform_point(Vec2::new(-0.5 * width, 0.0)), body.heading)
        };
        let (start, goal) = (stand(&self.start), stand(&self.goal));
        let key = |pose: FloorPose, speed: f32| {
            let at = (pose.position / PLACE).round().as_ivec2();
            let turns = (wrap_angle(pose.heading) / HEADING).round() as i32;
            (at.x, at.y, turns.rem_euclid(24), speed > 0.5)
        };
        let mut seen = HashSet::new();
        let mut open = vec![(start, 0.0_f32)];
        seen.insert(key(start, 0.0));
        while let Some((from, speed)) = open.pop() {
            for reach in reaches {
                if reach.flight.is_some() && (reach.entry_speed - speed).abs() > 0.75 {
                    continue;
                }
                let last = reach.last().unwrap();
                let offer = |change: Change| self.takes(reach, from, change, sole);
                let to_goal = Change::to(reach, from, goal);
                if to_goal.is_within(reach) && reach.exit_speed < 0.5 && offer(to_goal) {
                    return true;
                }
                // All lattice points within the slack.
                let middle = from.then(FloorPose::new(Vec2::new(last.place.x, last.place.z), last.heading));
                let far = (reach.slack.along.max(reach.slack.across) / PLACE).ceil() as i32 + 1;
                let near = (middle.position / PLACE).round().as_ivec2();
                let turn = (middle.heading / HEADING).round() as i32;
                for (x, z) in (-far..=far).flat_map(|x| (-far..=far).map(move |z| (x, z))) {
                    for turns in [turn - 1, turn, turn + 1] {
                        let at = Vec2::new((near.x + x) as f32, (near.y + z) as f32) * PLACE;
                        let to = FloorPose::new(at, turns as f32 * HEADING);
                        let change = Change::to(reach, from, to);
                        if !change.is_within(reach) || seen.contains(&key(to, reach.exit_speed)) {
                            continue;
                        }
                        if offer(change) {
                            seen.insert(key(to, reach.exit_speed));
                            open.push((to, reach.exit_speed));
                        }
                    }
                }
            }
        }
        false
    }

    /// Whether a stride can be taken: whole soles, steps that are not too high, gaps by flights only.
    fn takes(&self, reach: &StrideReach, from: FloorPose, change: Change, sole: SoleSize) -> bool {
        let Some(first) = self.carries(from, sole) else { return false };
        let (mut before, mut on) = (from, first);
        for (index, print) in reach.prints.iter().enumerate() {
            let flies = reach.flight == Some(index);
            let share = match reach.flight {
                Some(flight) => f32::from(u8::from(index >= flight)),
                None => print.time / reach.seconds,
            };
            let at = Vec2::new(print.place.x + share * change.across, print.place.z + share * change.along);
            let pose = from.then(FloorPose::new(at, print.heading + share * change.turn));
            let Some(to) = self.carries(pose, sole) else { return false };
            let rise = self.platforms[to].y - self.platforms[on].y;
            let [a, b] = [before.position, pose.position];
            let parts = (a.distance(b) / 0.02).ceil().max(1.0) as usize;
            let off = (0..parts).filter(|i| self.under(a.lerp(b, *i as f32 / parts as f32)).is_none()).count();
            let gap = off as f32 * a.distance(b) / parts as f32;
            if rise.abs() > reach.slack.rise || (!flies && gap > CRACK) {
                return false;
            }
            (before, on) = (pose, to);
        }
        let steps = if reach.flight.is_some() { 1.0 } else { reach.prints.len() as f32 };
        (self.platforms[on].y - self.platforms[first].y).abs() <= steps * reach.slack.rise
    }
}

/// How a stride's last print is put otherwise.
#[derive(Clone, Copy)]
struct Change {
    along: f32,
    across: f32,
    turn: f32,
}

impl Change {
    fn to(reach: &StrideReach, from: FloorPose, to: FloorPose) -> Self {
        let last = reach.last().unwrap();
        let at = from.inverse().transform_point(to.position);
        let turn = wrap_angle(to.heading - from.heading - last.heading);
        Self { along: at.y - last.place.z, across: at.x - last.place.x, turn }
    }

    fn is_within(&self, reach: &StrideReach) -> bool {
        let slack = reach.slack;
        self.along.abs() <= slack.along && self.across.abs() <= slack.across && self.turn.abs() <= slack.turn
    }
}

/// Plans over random worlds: how many were crossed, how many refused; panics where the planner is wrong.
fn compare(worlds: u64, search: FootstepSearch) -> [usize; 2] {
    let reaches = plain_strides();
    let most = reaches.iter().map(StrideReach::gap).fold(0.0, f32::max) - SoleSize::default().length();
    let mut rng = Rng::new(Seed(11)).stream("chains");
    let mut counts = [0, 0];
    for number in 0..worlds {
        let refused = number % 3 == 2;
        let chain = Chain::new(&mut rng, most, refused);
        let map = FootstepMap::new(FootstepWorld::new(chain.ground()), reaches.clone());
        let planner = PlanFootsteps { search, ..PlanFootsteps::default() };
        let found = planner.run(&map, chain.start, chain.goal, None);
        match found {
            Ok(plan) => {
                assert!(!refused, "world {number}: a gap of {} m was crossed", chain.widest);
                for print in &plan.prints {
                    let at = print.print.world_from_sole.translation;
                    let on = chain.under(Vec2::new(at.x, at.z));
                    let stands = on.is_some_and(|on| (chain.platforms[on].y - at.y).abs() < 1e-3);
                    assert!(stands, "world {number}: a print in the air at {at}");
                }
                let sides: Vec<Side> =
                    plan.strides.iter().flat_map(|s| reaches[s.stride].prints.iter().map(|p| p.side)).collect();
                assert_eq!(sides.len() + 1, plan.prints.len(), "world {number}");
                counts[0] += 1;
            }
            Err(NoFootsteps::Apart { barrier: Barrier::Gap { width, .. }, .. }) if refused => {
                assert!((width - chain.widest).abs() < 0.1, "world {number}: {width} m instead of {}", chain.widest);
                counts[1] += 1;
            }
            // A refusal stands only if the lattice, which takes long, does not get there either.
            Err(why) => {
                let agreed = !refused && !chain.is_crossed(&reaches, 0.2);
                assert!(agreed, "world {number}: {why}; {:?}", chain.platforms);
            }
        }
    }
    counts
}

#[test]
fn two_hundred_random_worlds_are_crossed_where_a_lattice_crosses_them_and_gaps_too_wide_are_named() {
    let [crossed, refused] = compare(200, FootstepSearch::Strides);
    assert_eq!([crossed, refused], [134, 66], "crossed and refused");
}

#[test]
fn strewn_prints_cross_two_hundred_random_worlds() {
    let [crossed, refused] = compare(200, FootstepSearch::Graph);
    assert_eq!([crossed, refused], [134, 66], "crossed and refused");
}
