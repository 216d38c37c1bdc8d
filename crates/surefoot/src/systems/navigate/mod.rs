//! From "start here, go there" to a finished walk: path → walk of the graph → arrival → ground → feet → figures.

pub(crate) mod gather;
pub(crate) mod journey;
mod lacks;
mod reference;
pub(crate) mod replan;
pub(crate) mod walk_graph;

pub use gather::{Gather, GatherError};
pub use journey::{Journey, JourneyEnd, JourneyEnds, JourneyError, JourneyReport, Journeyed};
pub(crate) use walk_graph::WalkFigures;
pub use walk_graph::WalkGraph;
pub(crate) use walk_graph::Walked;

use crate::adapt::turn_round::{SWAYS, Turn};
use crate::adapt::{Arrival, Arrive, Laid, Lay};
use crate::library::graph::{MotionGraph, Seam};
use crate::math::{FloorPose, Rigid, floor, wrap_angle};
use crate::metrics::{CheckMotion, Fault, Footing, GroundFit, Spread, Wanted, WayFigures, measure_feet, measure_way};
use crate::motion::{Clip, Take};
use crate::plan::Path;
use crate::plan::walk::{
    Errand, FindWalk, FirstSteps, FreeSpace, Goal, NoWalk, PathTry, Start, Surroundings, Tried, Tube, WalkCandidates,
    WalkPlan, WayRound,
};
use crate::rig::{Rig, Scale};
use crate::world::{Ground, GroundAlong, GroundHit, SurfaceId};
use glam::{Vec2, Vec3, Vec3A};
use lacks::Lacks;
use replan::Onward;
use std::cell::Cell;
use std::f32::consts::FRAC_PI_4;

/// How a character finds its way.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
pub struct Navigate {
    /// How a walk is looked for.
    pub find: FindWalk,
    /// How it is brought to the goal.
    pub arrive: Arrive,
    /// How it is played and its feet are held.
    pub walk: WalkGraph,
    /// How it is laid on a ground that is not level.
    pub lay: Lay,
}

/// Where a walk is to lead, and through what.
#[derive(Clone)]
pub struct Trip<'a> {
    /// What it goes through.
    pub around: Surroundings<'a>,
    /// The ground to lay it on; level at height 0 if `None`.
    pub ground: Option<&'a dyn Ground>,
    /// Paths to try, in this order.
    pub paths: Vec<Path>,
    /// Length of the shortest way there is, metres, which the walk is measured by.
    pub shortest: f32,
    /// Where it begins.
    pub start: Start,
    /// Where it should end.
    pub goal: Goal,
}

impl<'a> Trip<'a> {
    /// Over a floor, along the first of the paths that can be walked.
    #[must_use]
    pub fn on_floor(around: Surroundings<'a>, paths: Vec<Path>, start: Start, goal: Goal) -> Self {
        let shortest = paths.iter().map(Path::length).fold(f32::MAX, f32::min);
        Self { around, ground: None, paths, shortest, start, goal }
    }

    /// Along a tube over a ground, from its one end to its other; `around` says what moves.
    #[must_use]
    pub fn over(tube: &'a Tube, around: Surroundings<'a>, ground: &'a dyn Ground, start: Start, goal: Goal) -> Self {
        let path = tube.path();
        let flat = Path::on_floor(&path.points().iter().map(|p| floor::of_point((*p).into())).collect::<Vec<_>>());
        let shortest = flat.length();
        // The same path again: the search is wider then.
        Self { around, ground: Some(ground), paths: vec![flat.clone(), flat], shortest, start, goal }
    }
}

impl Trip<'_> {
    /// From where to where it leads.
    #[must_use]
    pub fn errand(&self) -> Errand {
        Errand { start: self.start, goal: self.goal }
    }
}

/// A finished walk.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Navigated {
    /// What is played.
    pub plan: WalkPlan,
    /// The motion and its feet.
    pub walked: Walked,
    /// Frames that it turns on the spot before the plan's first edge.
    turned_first: usize,
    /// What it took, and how good it is.
    pub report: NavigateReport,
}

impl Navigated {
    /// The motion with its stances.
    #[must_use]
    pub fn take(&self) -> &Take {
        &self.walked.take
    }

    /// What of it is worse than the graph's takes that it plays, or over a limit, on its ground.
    ///
    /// # Panics
    /// If it is not a walk of this graph.
    #[must_use]
    pub fn check(&self, check: &CheckMotion, graph: &MotionGraph, footing: Footing<'_>) -> Vec<Fault> {
        // Down a step a body goes down with its feet.
        let laid = self.report.ground.is_some();
        let moved: Vec<Vec3A> =
            self.walked.pelvis.iter().map(|moved| if laid { moved.with_y(0.0) } else { *moved }).collect();
        self.walked.check_moved(check, graph, footing, &moved)
    }
}

/// What a walk took, and how good it is.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct NavigateReport {
    /// What was done to arrive.
    pub arrival: Arrival,
    /// Where it went.
    pub way: WayFigures,
    /// How it fits the ground, if it was laid on one; of one that was taken up again, slopes and steps are those laid since.
    pub ground: Option<GroundFit>,
    /// Moves that were looked at to find it.
    pub moves: usize,
}

/// Why there is no walk.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum NavigateError {
    /// The graph has none.
    #[error(transparent)]
    Walk(#[from] NoWalk),
    /// Those that were found could not be brought to the goal by changing steps a little, or came too near to something then.
    #[error("of {tried} walks that come near the goal none arrives: the best misses by {missed:.2} m")]
    Missed {
        /// How many were tried.
        tried: usize,
        /// What the best misses by, metres.
        missed: f32,
    },
}

/// What a body may be nearer to an obstacle than its radius, metres: rounding.
const TOUCH: f32 = 1e-4;

impl Navigate {
    /// Walks along the first path on which a walk has nothing that one would not want, from a start to a goal at its end; else
    /// along the one on which it lacks least.
    ///
    /// # Errors
    /// If no walk of the graph comes through or arrives: why not on the last path.
    pub fn run(&self, graph: &MotionGraph, trip: &Trip<'_>) -> Result<Navigated, NavigateError> {
        let find = |one: PathTry, path: &Path| self.find.trying(one).run(graph, trip.around, path, trip.errand());
        let finish = |plan| self.finish(graph, trip, plan, Some(self.arrive), None);
        let lacks = |done: &Navigated| Lacks::of(graph, trip, done);
        let found = self.first_that_arrives(graph, trip, find, finish, lacks);
        // Where there is a walk that looks aside or stands on its way, steps are looked for with less work.
        let (looked, spare) = match &found {
            Ok((least, _)) if !least.asks_for_steps() => return found.map(|(_, done)| done),
            Ok((least, done)) => (done.report.moves, least.asks_again()),
            Err(_) => (0, false),
        };
        let find = self.find.trying(PathTry::first(spare));
        let stepped = self.step_first(graph, trip, find, lacks);
        let better = |(own, _): &(Lacks, Navigated)| match &found {
            Ok((least, _)) => own.is_less(least),
            Err(_) => !own.asks_for_steps(),
        };
        let Some((_, mut stepped)) = stepped.filter(better) else { return found.map(|(_, done)| done) };
        stepped.report.moves += looked;
        Ok(stepped)
    }

    /// A walk that begins with steps past a corner, from where one must turn back to walk round it; of all paths the one that lacks least.
    fn step_first(
        &self,
        graph: &MotionGraph,
        trip: &Trip<'_>,
        find: FindWalk,
        lacks: impl Fn(&Navigated) -> Lacks,
    ) -> Option<(Lacks, Navigated)> {
        let (FreeSpace::Floor(map), Start::Standing(from)) = (trip.around.space, trip.start) else { return None };
        if !trip.around.moving.is_empty() || !graph.stands() {
            return None;
        }
        let mut best: Option<(Lacks, Navigated)> = None;
        let mut looked = 0;
        for (steps, rest) in trip.paths.iter().flat_map(|path| FirstSteps::along(path, from, map)) {
            let errand = Errand { start: Start::Standing(steps.to), ..trip.errand() };
            let Ok(WalkCandidates { walks, moves }) = find.run(graph, trip.around, &rest, errand) else {
                continue;
            };
            looked += moves;
            let plans = walks.into_iter().map(|plan| WalkPlan { first_steps: Some(steps), ..plan });
            let mut done = plans.filter_map(|plan| self.finish(graph, trip, plan, Some(self.arrive), None));
            let Some(done) = done.next() else { continue };
            let lacks = lacks(&done);
            if best.as_ref().is_none_or(|(least, _)| lacks.is_less(least)) {
                best = Some((lacks, done));
            }
        }
        let (least, mut done) = best?;
        done.report.moves = looked;
        Some((least, done))
    }

    /// Makes walks along one path after the other until one arrives without touching anything and lacks nothing; else the one of those
    /// that arrive that lacks least, and of these the shortest.
    fn first_that_arrives(
        &self,
        graph: &MotionGraph,
        trip: &Trip<'_>,
        find: impl Fn(PathTry, &Path) -> Result<WalkCandidates, NoWalk>,
        finish: impl Fn(WalkPlan) -> Option<Navigated>,
        lacks: impl Fn(&Navigated) -> Lacks,
    ) -> Result<(Lacks, Navigated), NavigateError> {
        let mut looked = 0;
        let mut best: Option<(Lacks, Navigated)> = None;
        let mut failure = NavigateError::Walk(NoWalk::NothingToWalk);
        let mut next = Some(PathTry::default()).filter(|_| !trip.paths.is_empty());
        while let Some(one) = next {
            match find(one, &trip.paths[one.path]) {
                Ok(WalkCandidates { walks, moves }) => {
                    looked += moves;
                    let tried = walks.len();
                    let missed = |plan: &WalkPlan| trip.goal.place.distance(plan.end.position);
                    let missed = walks.iter().map(missed).fold(f32::MAX, f32::min);
                    // Where the best that arrives lacks something, some of the others may not.
                    let mut arrived = false;
                    for done in walks.into_iter().filter_map(&finish).take(PathTry::FINISHED) {
                        debug_assert_eq!(done.walked.take.clip.skeleton(), graph.rig.skeleton.key(), "of this graph");
                        let lacks = lacks(&done);
                        if best.as_ref().is_none_or(|(least, _)| lacks.is_less(least)) {
                            best = Some((lacks, done));
                        }
                        arrived = true;
                        if !lacks.asks_again() {
                            break;
                        }
                    }
                    if !arrived {
                        failure = NavigateError::Missed { tried, missed };
                    }
                }
                Err(no_walk) => failure = no_walk.into(),
            }
            let tried = match &best {
                Some((lacks, _)) if lacks.nothing() => break,
                Some((lacks, _)) if lacks.asks_again() => Tried::Lacks,
                None if matches!(failure, NavigateError::Missed { .. }) => Tried::Misses,
                _ => Tried::Ends,
            };
            next = one.next(trip.paths.len(), tried);
        }
        let (least, done) = best.ok_or(failure)?;
        let report = NavigateReport { moves: looked, ..done.report };
        Ok((least, Navigated { report, ..done }))
    }

    /// The stages from a plan to a finished walk: play, go on from an old walk if there is one, arrive, lay, hold, go over from
    /// the old walk, measure. `None` if it does not arrive or touches something; without `arrive` it ends where it ends.
    fn finish(
        &self,
        graph: &MotionGraph,
        trip: &Trip<'_>,
        plan: WalkPlan,
        arrive: Option<Arrive>,
        onward: Option<&Onward<'_>>,
    ) -> Option<Navigated> {
        let kept = onward.map_or(0, |onward| onward.kept);
        let mut played = match onward {
            Some(onward) => onward.play(graph, &plan),
            None => graph.play(plan.start, &plan.edges),
        };
        played.trim(kept + plan.frames);
        let (mut take, mut seams) = self.walk.play(graph, played);
        if let Some(onward) = onward {
            onward.lead_in(&self.arrive, &mut take);
        }
        let goal = trip.goal;
        let arrival = match arrive {
            Some(arrive) => self.arrive(arrive, graph, trip, &plan, &mut take, kept)?,
            None => {
                let (shift, turn) = goal.missed_by(plan.end);
                Arrival::missed_by(shift, turn)
            }
        };
        let room = room_to_sway(trip, plan.start.position, graph.rig.scale(), 0.0);
        let first = Turn { by: plan.turns_first, shift: Vec2::ZERO, round: None, sway: room };
        let mut turned = self.find.turn.before(&graph.rig, &mut take, first);
        if let Some((steps, (way, by))) = plan.first_steps.and_then(|steps| Some((steps, steps.way()?))) {
            let shift = steps.to.position - steps.from.position;
            let round = Turn { by: way.turned(1.0), shift, round: Some(way), ..first };
            turned += self.find.turn.before(&graph.rig, &mut take, round);
            turned += self.find.turn.before(&graph.rig, &mut take, Turn { by, ..first });
        }
        seams.iter_mut().for_each(|seam| seam.frame += turned);
        let over = onward.map(|onward| onward.stay(&mut take));
        let (mut walked, laid) = self.stand(graph, trip, take, seams, onward);
        if let (Some(onward), Some(over)) = (onward, over) {
            onward.splice(graph, over, &mut walked);
        }
        let first = onward.map_or(0, |onward| onward.resume.frame);
        let fit = laid.zip(trip.ground).map(|(laid, ground)| {
            let by = trip.around.time - first as f32 / graph.settings.rate;
            fit(graph, &walked, &laid, &Later { ground, by })
        });
        let way = self.measure(graph, trip, &walked, onward);
        let plan = match onward {
            Some(onward) => onward.joined(plan),
            None => plan,
        };
        let report = NavigateReport { arrival, way, ground: fit, moves: 0 };
        // A walk that ends where it ends is told as it is.
        let turned_first = onward.map_or(turned, |onward| onward.turned_first());
        (way.collisions == 0 || arrive.is_none()).then_some(Navigated { plan, walked, report, turned_first })
    }

    /// Brings a walk to its goal: by changing its last steps, and by turning on the spot where the plan says so; `None` if
    /// that is more than is allowed.
    fn arrive(
        &self,
        arrive: Arrive,
        graph: &MotionGraph,
        trip: &Trip<'_>,
        plan: &WalkPlan,
        take: &mut Take,
        kept: usize,
    ) -> Option<Arrival> {
        let goal = trip.goal;
        let wanted = goal.heading.unwrap_or(plan.end.heading);
        let end = FloorPose { position: goal.place, heading: wanted };
        if plan.turns_last == 0.0 {
            return Some(arrive.run(take, end, kept)).filter(|arrival| arrival.arrives);
        }
        let mut arrival = arrive.run(take, FloorPose { heading: plan.end.heading, ..end }, kept);
        let now = FloorPose::below(take.clip.roots()[take.clip.frames() - 1])?;
        let seconds = take.clip.duration() + self.find.turn.seconds(plan.turns_first);
        let sway = room_to_sway(trip, goal.place, graph.rig.scale(), seconds);
        let by = wrap_angle(wanted - now.heading);
        let turn = Turn { by, shift: goal.place - now.position, round: None, sway };
        let round = plan.round.filter(|_| !arrival.arrives);
        if let Some(way) = round.and_then(|corner| WayRound::new(now.position, corner, goal.place)) {
            let on_spot = &self.find.turn;
            let round = Turn { by: way.turned(1.0), round: Some(way), ..turn };
            on_spot.after(&graph.rig, take, round);
            let there = FloorPose::below(take.clip.roots()[take.clip.frames() - 1])?;
            let rest = goal.heading.map_or(0.0, |heading| wrap_angle(heading - there.heading));
            on_spot.after(&graph.rig, take, Turn { by: rest, shift: Vec2::ZERO, ..turn });
            let steps = 2 * on_spot.rounds(on_spot.effort_ahead(way.length()));
            let [step_shift, step_turn] = [way.length(), round.by.abs()].map(|all| all / steps as f32);
            return Some(Arrival { arrives: true, steps, step_shift, step_turn, turn: by, ..arrival });
        }
        if !arrival.arrives {
            // The steps of the turn may lead there.
            let (on_spot, far) = (&self.find.turn, turn.shift.length());
            // A place that is farther than a step is gone to first.
            let first = if on_spot.is_aside(far) { turn } else { Turn { by: 0.0, ..turn } };
            let facing = floor::direction(now.heading);
            let steps = 2 * on_spot.rounds(on_spot.effort(first.by, first.shift, facing));
            let [step_shift, step_turn] = [turn.shift.length(), turn.by.abs()].map(|all| all / steps as f32);
            arrival = Arrival { arrives: true, steps, step_shift, step_turn, turn: turn.by, ..arrival };
            on_spot.after(&graph.rig, take, first);
            if first.by != turn.by {
                on_spot.after(&graph.rig, take, Turn { shift: Vec2::ZERO, ..turn });
            }
            let comes = on_spot.comes(first.by, first.shift, facing);
            return (arrival.step_shift <= comes + TOUCH).then_some(arrival);
        }
        self.find.turn.after(&graph.rig, take, turn);
        (arrival.step_shift <= arrive.shift).then_some(arrival)
    }

    /// Puts the feet of a walk onto the ground, and holds them there.
    fn stand(
        &self,
        graph: &MotionGraph,
        trip: &Trip<'_>,
        take: Take,
        seams: Vec<Seam>,
        onward: Option<&Onward<'_>>,
    ) -> (Walked, Option<Laid>) {
        let (FreeSpace::Tube(tube, _), Some(ground)) = (trip.around.space, trip.ground) else {
            return (self.walk.hold(graph, take, seams), None);
        };
        let kept = onward.map_or(0, |onward| onward.kept);
        let at = stations(&graph.rig, &take.clip, tube, kept);
        let rate = take.clip.rate();
        let height = |p: Vec2, time: f32| {
            // A hair more than the frame's own time, which may be rounded down.
            let frame = ((time * rate + 1e-3) as usize).min(at.len() - 1);
            match onward.filter(|_| frame < kept) {
                Some(onward) => onward.height(frame),
                None => tube.height(p, at[frame]),
            }
        };
        let later = Later { ground, by: trip.around.time - kept as f32 / rate };
        let along = GroundAlong { ground: &later, height: &height };
        let (walked, laid) = self.walk.hold_on(graph, take, seams, (&self.lay, &along));
        (walked, Some(laid))
    }

    fn measure(
        &self,
        graph: &MotionGraph,
        trip: &Trip<'_>,
        walked: &Walked,
        onward: Option<&Onward<'_>>,
    ) -> WayFigures {
        let (around, rate) = (trip.around, graph.settings.rate);
        let first = onward.map_or(0, |onward| onward.resume.frame);
        let place = Cell::new(0);
        let is_free = |p: Vec2, frame: usize| {
            if frame < first {
                return true;
            }
            let seconds = (frame - first) as f32 / rate;
            match around.space {
                FreeSpace::Floor(_) => around.is_free(p, around.radius() - TOUCH, seconds),
                FreeSpace::Tube(tube, radius) => {
                    place.set(tube.follow(p, if frame == first { tube.start() } else { place.get() }));
                    tube.is_free(p, place.get(), 0.0) && around.is_free_of_moving(p, radius - TOUCH, seconds)
                }
            }
        };
        let Goal { place, heading, .. } = trip.goal;
        measure_way(&graph.rig, &walked.take, &Wanted { is_free: &is_free, shortest: trip.shortest, place, heading })
    }
}

/// How much of its room to sway a body has at a place at a time (seconds), 0 to 1: who stands close to a wall keeps off it.
fn room_to_sway(trip: &Trip<'_>, place: Vec2, scale: Scale, seconds: f32) -> f32 {
    let is_free = |p: Vec2| match trip.around.space {
        FreeSpace::Floor(_) => trip.around.is_free(p, trip.around.radius(), seconds),
        FreeSpace::Tube(tube, _) => [tube.start(), tube.end() as u16].iter().any(|at| tube.is_free(p, *at, 0.0)),
    };
    let around = |reach: f32| (0..8).all(|k| is_free(place + reach * floor::direction(k as f32 * FRAC_PI_4)));
    [1.0, 0.5].into_iter().find(|share| around(share * scale.length(SWAYS))).unwrap_or(0.0)
}

/// A ground whose time began earlier than a walk.
struct Later<'a> {
    ground: &'a dyn Ground,
    /// By how much, seconds.
    by: f32,
}

impl Ground for Later<'_> {
    fn below(&self, point: Vec3, reach: f32, time: f32) -> Option<GroundHit> {
        self.ground.below(point, reach, time + self.by)
    }

    fn world_from_surface(&self, surface: SurfaceId, time: f32) -> Rigid {
        self.ground.world_from_surface(surface, time + self.by)
    }
}

/// Where along a tube a walk is, by frame; it is at its start up to frame `first`.
fn stations(rig: &Rig, clip: &Clip, tube: &Tube, first: usize) -> Vec<u16> {
    let mut at = tube.start();
    let mut follow = |frame: usize| {
        if frame >= first {
            at = tube.follow(floor::of_point(clip.body(&rig.skeleton, frame).translation), at);
        }
        at
    };
    (0..clip.frames()).map(&mut follow).collect()
}

fn fit(graph: &MotionGraph, walked: &Walked, laid: &Laid, ground: &dyn Ground) -> GroundFit {
    let clip = &walked.take.clip;
    let rise = |pair: &[Rigid]| (pair[1].translation.y - pair[0].translation.y).abs() * clip.rate();
    GroundFit {
        feet: measure_feet(&graph.rig, &walked.take, Footing::Known(ground)),
        missed: Spread::of(walked.missed.iter().enumerate().map(|(f, missed)| (*missed, f)).collect()),
        lowered: walked.pelvis.iter().map(|shift| -shift.y).fold(0.0, f32::max),
        climb: clip.roots().windows(2).map(rise).fold(0.0, f32::max),
        steepest: laid.steepest,
        highest_step: laid.highest_step,
        bare: laid.bare,
    }
}
