//! Planning footsteps: from a start to a goal, and anew from the next print where the world has changed.

use super::barrier::{Barrier, NoFootsteps};
use super::find::{End, Find, Grain, Node, SearchOutcome};
use super::foothold::{Foothold, foothold};
use super::map::FootstepMap;
use super::samples::Samples;
use super::{FootstepPlan, PlannedPrint, PlannedStride};
use crate::library::strides::StandsAt;
use crate::math::{FloorPose, floor, wrap_angle};
use crate::motion::Footprint;
use crate::random::Seed;
use crate::rig::{LegId, Side};
use crate::world::{Scene, ScenePose};
use glam::{Vec2, Vec3};
use std::sync::atomic::AtomicBool;

/// Where footsteps begin or end.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FootstepEnd {
    /// Where the body stands, metres.
    pub place: Vec3,
    /// The way it faces, radians, left positive; any if not given.
    pub heading: Option<f32>,
    /// How fast it is there: 0 standing or walking, 1 running.
    pub speed: f32,
    /// Whether it stands there, where there are strides that set off from standing or come to stand; else it is in the middle of one.
    pub stands: bool,
}

impl From<ScenePose> for FootstepEnd {
    fn from(pose: ScenePose) -> Self {
        Self { place: pose.place, heading: pose.heading, speed: 0.0, stands: true }
    }
}

/// How strides are searched for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum FootstepSearch {
    /// Strides one after another to wherever they lead, along the corridor to the goal.
    #[default]
    Strides,
    /// Between right prints that are strewn over the surfaces beforehand, as Granberg did in 2017.
    Graph,
}

/// Plans footsteps over the surfaces of a world.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
pub struct PlanFootsteps {
    /// How strides are searched for.
    pub search: FootstepSearch,
    /// Seed of the strewn prints.
    pub seed: Seed,
    /// How many times as much as it is estimated at what is left counts for, ≥ 1: more finds a plan sooner, and mostly a dearer one.
    /// It bounds no cost, even at 1: what is left is an estimate that may be too much, and of prints that are alike only the first is
    /// followed.
    pub weight: f32,
    /// The most strides that are fitted to the ground before a search gives up; it is searched up to four times, more finely each time,
    /// and each time with a quarter of them first.
    pub most_fits: usize,
    /// The left leg.
    pub left: LegId,
    /// The right leg.
    pub right: LegId,
}

impl Default for PlanFootsteps {
    /// Strides wherever they lead, what is left counted half as much again; 40 000 of them are fitted at most each time that it is
    /// looked more finely.
    fn default() -> Self {
        Self {
            search: FootstepSearch::Strides,
            seed: Seed(0),
            weight: 1.5,
            most_fits: 40_000,
            left: LegId(0),
            right: LegId(1),
        }
    }
}

/// Footsteps that were planned.
#[derive(Clone, Debug, PartialEq)]
pub struct PlannedFootsteps {
    /// The plan.
    pub plan: FootstepPlan,
    /// How many of its prints are those of the plan that was mended; 0 for a new one.
    pub kept: usize,
}

/// A way that was found.
struct Way {
    nodes: Vec<Node>,
    /// From which of the starts.
    start: usize,
    /// To which of the goals.
    goal: usize,
}

/// How prints are told apart, first roughly, then finely where that finds nothing.
const GRAINS: [Grain; 5] = [
    Grain { place: 0.1, heading: 15.0 * DEGREE, lengths: 1, turns: 1, turns_anywhere: false, width: 6 },
    Grain { place: 0.1, heading: 15.0 * DEGREE, lengths: 2, turns: 2, turns_anywhere: false, width: 30 },
    Grain { place: 0.06, heading: 7.5 * DEGREE, lengths: 3, turns: 2, turns_anywhere: false, width: 150 },
    // Where nothing else helps: one who turns on the spot half way does so slowly.
    Grain { place: 0.1, heading: 15.0 * DEGREE, lengths: 2, turns: 2, turns_anywhere: true, width: 30 },
    Grain { place: 0.1, heading: 15.0 * DEGREE, lengths: 2, turns: 2, turns_anywhere: true, width: usize::MAX },
];
/// What is tried where there is another way to mend a plan.
const QUICK: &[Grain] = GRAINS.split_at(2).0;
/// How plans are mended near to where they are broken: strides that are fitted at most, and how finely.
const LOCAL: [(usize, &[Grain]); 2] = [(200, GRAINS.split_at(1).0), (1500, GRAINS.split_at(2).0)];
/// From so many prints before what is broken, to so many after it.
const BACK: usize = 11;
const ON: usize = 6;
/// A goal that is no farther than this many strides is gone to again.
const NEAR: usize = 16;
const DEGREE: f32 = std::f32::consts::PI / 180.0;

impl PlanFootsteps {
    /// Footsteps from one place to another; `stop` ends the search from outside.
    ///
    /// # Errors
    /// If a foot cannot stand at an end, or nothing leads from one to the other: then with what lies between.
    pub fn run(
        &self,
        map: &FootstepMap,
        start: FootstepEnd,
        goal: FootstepEnd,
        stop: Option<&AtomicBool>,
    ) -> Result<FootstepPlan, NoFootsteps> {
        let goal_end = self.goal(map, goal)?;
        let start = self.start(map, start, goal_end)?;
        let way = self.find(map, &[(start, 0.0)], &[(goal_end, 0.0)], &GRAINS, stop)?;
        Ok(self.plan(map, &way.nodes))
    }

    /// Footsteps through a scene, from its start to its goal.
    ///
    /// # Errors
    /// As [`PlanFootsteps::run`].
    pub fn through(&self, map: &FootstepMap, scene: &Scene) -> Result<FootstepPlan, NoFootsteps> {
        self.run(map, scene.start.into(), scene.goal.into(), None)
    }

    /// Mends a plan of which the prints up to `next` are taken already, where the world or the goal is another: what still fits of
    /// it stays.
    ///
    /// # Errors
    /// As [`PlanFootsteps::run`].
    pub fn mend(
        &self,
        map: &FootstepMap,
        plan: &FootstepPlan,
        next: usize,
        goal: FootstepEnd,
        stop: Option<&AtomicBool>,
    ) -> Result<PlannedFootsteps, NoFootsteps> {
        let goal_end = self.goal(map, goal)?;
        let first = plan.strides.iter().position(|stride| stride.first >= next).unwrap_or(plan.strides.len());
        let fits = |stride: &PlannedStride| map.still_fits(plan, stride);
        let last = plan.prints.last().and_then(|print| map.hold_of(print));
        let by = plan.strides.last().and_then(|last| map.reaches.get(last.stride)?.stand);
        let arrives = last.is_some_and(|last| {
            let (pose, wanted) = match (by, goal_end.stands) {
                (Some(stand), Some(body)) => (last.pose.then(stand.body), body),
                _ => (last.pose, goal_end.hold.pose),
            };
            pose.position.distance(wanted.position) < 1e-3
                && (!goal_end.faces || wrap_angle(pose.heading - wanted.heading).abs() < 1e-3)
        });
        let broken = plan.strides[first..].iter().position(|stride| !fits(stride)).map(|broken| first + broken);
        let Some(broken) = broken.or((!arrives).then(|| plan.strides.len().saturating_sub(4).max(first))) else {
            return Ok(PlannedFootsteps { plan: plan.clone(), kept: plan.prints.len() });
        };
        let mended = |way: &[Node], keep: usize, rejoin: usize| {
            let kept = plan.strides.get(keep).map_or(plan.prints.len(), |stride| stride.first + 1);
            PlannedFootsteps { plan: joined(plan, keep, &self.plan(map, way), rejoin), kept }
        };
        let ends = plan.strides.len();
        let time = |stride: usize| plan.strides.get(stride).map_or(plan.seconds, |s| plan.prints[s.first].time);
        // Back to what comes after the last stride that is broken, if the goal is the same, else to the goal if it is near: from any
        // print before what is broken to any after it, with more tries each time.
        let last = plan.strides.iter().rposition(|stride| !fits(stride)).filter(|_| arrives);
        let starts: Vec<(usize, (End, f32))> = (broken.saturating_sub(BACK - 1).max(first)..=broken)
            .filter_map(|keep| Some((keep, (self.at_stride(map, plan, keep)?, time(keep) - time(first)))))
            .collect();
        let rejoins: Vec<usize> = match last {
            Some(last) => (last + 1..(last + 1 + ON).min(ends)).collect(),
            None => Vec::new(),
        };
        let farthest = rejoins.last().copied().unwrap_or(ends);
        let mut goals: Vec<(usize, (End, f32))> = rejoins
            .into_iter()
            .filter_map(|rejoin| Some((rejoin, (self.at_stride(map, plan, rejoin)?, time(farthest) - time(rejoin)))))
            .collect();
        // To the goal, where that is near.
        if goals.is_empty() && starts.first().is_some_and(|(keep, _)| ends - keep <= NEAR) {
            goals.push((ends, (goal_end, 0.0)));
        }
        if !starts.is_empty() && !goals.is_empty() {
            let of = |ends: &[(usize, (End, f32))]| -> Vec<(End, f32)> { ends.iter().map(|(_, end)| *end).collect() };
            let (from, to) = (of(&starts), of(&goals));
            for (most_fits, grains) in LOCAL {
                let local = Self { most_fits, ..*self };
                match local.find(map, &from, &to, grains, stop) {
                    Ok(way) => return Ok(mended(&way.nodes, starts[way.start].0, goals[way.goal].0)),
                    Err(NoFootsteps::Stopped) => return Err(NoFootsteps::Stopped),
                    Err(_) => {}
                }
            }
        }
        let mut keep = broken;
        loop {
            let start = self.at_stride(map, plan, keep).ok_or(NoFootsteps::Start(goal.place))?;
            let grains = if keep == first { &GRAINS } else { QUICK };
            match self.find(map, &[(start, 0.0)], &[(goal_end, 0.0)], grains, stop) {
                Ok(way) => return Ok(mended(&way.nodes, keep, ends)),
                Err(why) if keep == first || why == NoFootsteps::Stopped => return Err(why),
                // From farther back, where there is more room to go elsewhere.
                Err(_) => keep = keep.saturating_sub(4).max(first),
            }
        }
    }

    /// The right print that a stride of a plan begins on, or the last one.
    fn at_stride(&self, map: &FootstepMap, plan: &FootstepPlan, stride: usize) -> Option<End> {
        let print = plan.strides.get(stride).map_or(plan.prints.len().checked_sub(1)?, |stride| stride.first);
        let hold = map.hold_of(&plan.prints[print])?;
        let before = stride.checked_sub(1).and_then(|before| plan.strides.get(before));
        let speed = before.and_then(|before| map.reaches.get(before.stride)).map_or(0.0, |reach| reach.exit_speed);
        // Where the plan itself stands.
        let reach = |stride: Option<&PlannedStride>| stride.and_then(|stride| map.reaches.get(stride.stride)?.stand);
        let stop = reach(before).filter(|stand| stand.end == StandsAt::Stop);
        let start = reach(plan.strides.get(stride)).filter(|stand| stand.end == StandsAt::Start);
        let stands = stop.or(start).map(|stand| hold.pose.then(stand.body));
        Some(End { hold, faces: true, speed, stands, set: true })
    }

    fn goal(&self, map: &FootstepMap, goal: FootstepEnd) -> Result<End, NoFootsteps> {
        if !map.reaches.iter().any(|reach| !reach.prints.is_empty()) {
            return Err(NoFootsteps::NoStride);
        }
        let heading = goal.heading.unwrap_or(0.0);
        let end = goal.stands.then_some(StandsAt::Stop);
        let hold = map.stand(goal.place, heading, end).filter(|_| goal.place.is_finite());
        let hold = hold.ok_or(NoFootsteps::Goal(goal.place))?;
        let stands = goal.stands.then(|| FloorPose::new(Vec2::new(goal.place.x, goal.place.z), heading));
        Ok(End { hold, faces: goal.heading.is_some(), speed: goal.speed, stands, set: false })
    }

    /// The start; it faces along the corridor where it may face any way.
    fn start(&self, map: &FootstepMap, start: FootstepEnd, goal: End) -> Result<End, NoFootsteps> {
        let end = start.stands.then_some(StandsAt::Start);
        let stands = |heading: f32| map.stand(start.place, heading, end).filter(|_| start.place.is_finite());
        let none = || NoFootsteps::Start(start.place);
        let (hold, heading) = match start.heading {
            Some(heading) => (stands(heading).ok_or_else(none)?, heading),
            None => {
                let any = (0..12).find_map(|k| stands(30.0 * DEGREE * k as f32)).ok_or_else(none)?;
                let ahead =
                    map.corridor(&any, &goal.hold).and_then(|points| points.get(6.min(points.len() - 1)).copied());
                let heading =
                    ahead.map_or(0.0, |ahead| floor::heading_of(Vec2::new(ahead.x, ahead.z) - any.pose.position));
                stands(heading).map_or((any, any.pose.heading), |hold| (hold, heading))
            }
        };
        let place = Vec2::new(start.place.x, start.place.z);
        Ok(End {
            hold,
            faces: true,
            speed: start.speed,
            stands: start.stands.then(|| FloorPose::new(place, heading)),
            set: false,
        })
    }

    fn find(
        &self,
        map: &FootstepMap,
        starts: &[(End, f32)],
        goals: &[(End, f32)],
        grains: &[Grain],
        stop: Option<&AtomicBool>,
    ) -> Result<Way, NoFootsteps> {
        let rise = map.limits.rise.max(0.1);
        let cell = |end: &End| map.cells.near(map.body_place(&end.hold), rise);
        // The first start is the farthest one.
        let (start, goal) = (starts[0].0, goals[goals.len() - 1].0);
        let from = cell(&start).ok_or(NoFootsteps::Start(start.hold.place()))?;
        let to = cell(&goal).ok_or(NoFootsteps::Goal(goal.hold.place()))?;
        let all: Vec<(usize, f32)> = goals.iter().filter_map(|(end, rest)| Some((cell(end)?, *rest))).collect();
        let field = map.cells.field(&all, from, &map.limits);
        let away = |place: Vec3| place.distance(goal.hold.place());
        if !field.seconds[from].is_finite() {
            let (barrier, nearest) = map.barrier(from, to);
            return Err(NoFootsteps::Apart { barrier, nearest, away: away(nearest) });
        }
        let made =
            (self.search == FootstepSearch::Graph && map.samples.is_none()).then(|| Samples::new(map, self.seed));
        let samples = map.samples.as_ref().or(made.as_ref()).filter(|_| self.search == FootstepSearch::Graph);
        let mut nearest = start.hold;
        // The same again but for turns on the spot is for who has such strides.
        let turns = map.reaches.iter().any(|reach| reach.turns_on_spot);
        let again = |grain: &Grain| turns || !grain.turns_anywhere || grain.width == usize::MAX;
        for grain in grains.iter().copied().filter(again) {
            let grain = if samples.is_some() { Grain { width: usize::MAX, ..grain } } else { grain };
            // Where stairs and rubble cost more than was estimated, every detour is tried: then straight on.
            for (share, greed) in [(4, 1.0), (1, 2.0)] {
                let (most_fits, weight) = (self.most_fits.div_ceil(share), greed * self.weight.max(1.0));
                let find = Find { map, field: &field, samples, grain, weight, most_fits, stop };
                match find.run(starts, goals) {
                    SearchOutcome::Way { nodes, start, goal } => return Ok(Way { nodes, start, goal }),
                    SearchOutcome::Stopped => return Err(NoFootsteps::Stopped),
                    SearchOutcome::Nothing(near, ran_out) => {
                        nearest = near;
                        if !ran_out {
                            break;
                        }
                    }
                }
            }
            if samples.is_some() {
                break;
            }
        }
        let nearest = nearest.place();
        Err(NoFootsteps::Apart { barrier: Barrier::NoFit { at: nearest }, nearest, away: away(nearest) })
    }

    /// The plan of a way that was found.
    fn plan(&self, map: &FootstepMap, way: &[Node]) -> FootstepPlan {
        let leg = |side: Side| if side == Side::Left { self.left } else { self.right };
        let print = |side: Side, hold: &Foothold| Footprint {
            surface: hold.surface,
            ..Footprint::new(leg(side), hold.world_from_sole())
        };
        let first = PlannedPrint { print: print(Side::Right, &way[0].hold), time: 0.0, fixed: true };
        let mut plan = FootstepPlan { prints: vec![first], ..FootstepPlan::default() };
        for (stride, fitted) in way.iter().filter_map(|node| node.by.as_ref()) {
            let (first, start) = (plan.prints.len() - 1, plan.seconds);
            let (stands, turns) = (map.reaches[*stride].stand.is_some(), map.reaches[*stride].turns_on_spot);
            plan.prints[first].fixed |= fitted.leaves_edge || turns;
            plan.prints.extend(fitted.prints.iter().map(|fitted| PlannedPrint {
                print: print(fitted.side, &fitted.hold),
                time: start + fitted.time,
                // Where there is no room around it or for the body, a print is where it must be; and a foot that stands beside the
                // other; and of who turns on the spot.
                fixed: fitted.edge
                    || turns
                    || fitted.hold.tight > 0.0
                    || stands && fitted.side == Side::Left
                    || !map.is_roomy_over(fitted),
            }));
            plan.strides.push(PlannedStride { stride: *stride, first, last: plan.prints.len() - 1 });
            plan.seconds += map.reaches[*stride].seconds;
        }
        if let Some(last) = plan.prints.last_mut() {
            last.fixed = true;
        }
        plan
    }
}

/// The first `keep` strides of a plan, then another plan, then what the first has from stride `rejoin` on.
fn joined(plan: &FootstepPlan, keep: usize, middle: &FootstepPlan, rejoin: usize) -> FootstepPlan {
    let mut whole = FootstepPlan { prints: plan.prints[..1].to_vec(), ..FootstepPlan::default() };
    let parts = [(plan, 0..keep), (middle, 0..middle.strides.len()), (plan, rejoin..plan.strides.len())];
    let mut seams = Vec::new();
    for (part, strides) in parts {
        for stride in &part.strides[strides] {
            let first = whole.prints.len() - 1;
            let shift = whole.prints[first].time - part.prints[stride.first].time;
            let prints = part.prints[stride.first + 1..=stride.last].iter();
            whole.prints.extend(prints.map(|print| PlannedPrint { time: print.time + shift, ..*print }));
            whole.strides.push(PlannedStride { stride: stride.stride, first, last: whole.prints.len() - 1 });
        }
        seams.push(whole.prints.len() - 1);
    }
    // What was an end is one no more; the first print that is planned anew stays where the foot is.
    let count = whole.prints.len();
    for seam in seams {
        whole.prints[seam].fixed = true;
    }
    whole.prints[count - 1].fixed = true;
    whole.seconds = whole.prints[count - 1].time;
    whole
}

impl FootstepMap {
    /// The foothold of a print of a plan; `None` where the ground does not carry it any more.
    fn hold_of(&self, print: &PlannedPrint) -> Option<Foothold> {
        let sole = print.print.world_from_sole;
        let pose = FloorPose::below(sole)?;
        foothold(&self.world.ground, self.world.sole, pose, sole.translation.y, 0.05)
    }

    /// Whether a stride of a plan can still be taken as planned.
    fn still_fits(&self, plan: &FootstepPlan, stride: &PlannedStride) -> bool {
        let Some(reach) = self.reaches.get(stride.stride) else { return false };
        let Some(holds) =
            plan.prints[stride.first..=stride.last].iter().map(|print| self.hold_of(print)).collect::<Option<Vec<_>>>()
        else {
            return false;
        };
        self.passes(&holds, reach)
    }

    /// The way of cells from one print to another.
    fn corridor(&self, from: &Foothold, to: &Foothold) -> Option<Vec<Vec3>> {
        let rise = self.limits.rise.max(0.1);
        let [from, to] = [from, to].map(|hold| self.cells.near(self.body_place(hold), rise));
        let (from, to) = (from?, to?);
        let field = self.cells.field(&[(to, 0.0)], from, &self.limits);
        self.cells.down(&field, from, &self.limits)
    }
}
