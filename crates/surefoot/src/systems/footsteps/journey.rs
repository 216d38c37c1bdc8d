//! Journeys by planned footsteps: a scene, strides, a start and a goal → a take and a report.

use super::{Footstepped, Footsteps, FootstepsError};
use crate::library::strides::{StrideKind, Strides};
use crate::math::{floor, single};
use crate::metrics::{Footing, GroundFit, Spread, Wanted, WayFigures, measure_feet, measure_way};
use crate::plan::Path;
use crate::plan::footsteps::{
    Barrier, FootstepEnd, FootstepMap, FootstepPlan, FootstepWorld, NoFootsteps, PlanFootsteps, PlannedStride, SoleSize,
};
use crate::rig::{Rig, Side};
use crate::stage_times::Stopwatch;
use crate::world::{Area, Ground, Scene};
use glam::{Vec2, Vec3, Vec3A};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// How a journey by planned footsteps is made.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
pub struct FootstepJourney {
    /// How footsteps are planned; its legs are those of the strides.
    pub plan: PlanFootsteps,
    /// How motion is made of them.
    pub motion: Footsteps,
    /// Where it is run.
    pub runs: FootstepRuns,
}

/// Where it is run, besides what areas of a scene forbid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum FootstepRuns {
    /// Nowhere: what only a run jumps over is refused.
    Never,
    /// Only if nothing leads to the goal at a walk.
    #[default]
    IfNeeded,
    /// Wherever that is quicker; at a walk where nothing is found so.
    Anywhere,
}

/// A journey that was made.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct FootstepJourneyed {
    /// The footsteps as they were planned.
    pub plan: FootstepPlan,
    /// The motion over them.
    pub made: Footstepped,
    /// What it took, and how good it is.
    pub report: FootstepJourneyReport,
}

/// What a journey by footsteps took, and how good it is.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct FootstepJourneyReport {
    /// Where it starts and which way it faces there.
    pub start: FootstepEnd,
    /// Where it was to end.
    pub goal: FootstepEnd,
    /// The way from print to print, midway between the feet.
    pub path: Path,
    /// Strides that walk, run, and are special such as jumps; its start and its stop are not counted.
    pub strides: [usize; 3],
    /// Where it went.
    pub way: WayFigures,
    /// How it fits the ground.
    pub ground: GroundFit,
    /// Finding where feet can be, once for a world.
    pub ready: Duration,
    /// Planning.
    pub planned: Duration,
}

/// Why a journey was not made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FootstepJourneyError {
    /// The scene has neither mesh nor platforms.
    #[error("footsteps need a mesh or platforms to step on")]
    NoMesh,
    /// Nothing leads there.
    #[error(transparent)]
    Plan(#[from] NoFootsteps),
    /// The plan cannot be played.
    #[error(transparent)]
    Motion(#[from] FootstepsError),
}

/// What plans keep from walls where there is room, metres: as far as bodies stray from the line between two prints.
const SPARE: f32 = 0.05;
/// How often it is planned again so that the body has room.
const SLOWED_DOWN: usize = 4;
/// Nobody runs so near to where a body at a run had no room, metres: over about two steps.
const SLOW_WITHIN: f32 = 2.0;

/// A plan, and the world that it is for.
struct Planned {
    map: FootstepMap,
    plan: FootstepPlan,
    ready: Duration,
    planned: Duration,
}

impl FootstepJourney {
    /// Goes through a scene from one end to the other; `stop` ends the search from outside.
    ///
    /// # Errors
    /// If the scene has nothing to step on, or nothing leads there: then with what lies between.
    pub fn run(
        &self,
        scene: &Scene,
        strides: &Strides,
        [start, goal]: [FootstepEnd; 2],
        stop: Option<&AtomicBool>,
    ) -> Result<FootstepJourneyed, FootstepJourneyError> {
        let planned = match self.runs {
            FootstepRuns::Never => self.planned(scene, strides, [start, goal], false, stop)?,
            FootstepRuns::Anywhere => match self.planned(scene, strides, [start, goal], true, stop) {
                // Among runs a narrow way may be looked for in vain.
                Err(FootstepJourneyError::Plan(NoFootsteps::Apart { barrier: Barrier::NoFit { .. }, .. })) => {
                    self.planned(scene, strides, [start, goal], false, stop)?
                }
                planned => planned?,
            },
            FootstepRuns::IfNeeded => match self.planned(scene, strides, [start, goal], false, stop) {
                Err(FootstepJourneyError::Plan(NoFootsteps::Apart {
                    barrier: Barrier::Gap { .. } | Barrier::Step { .. },
                    ..
                })) => self.planned(scene, strides, [start, goal], true, stop)?,
                planned => planned?,
            },
        };
        let (Planned { map, plan, ready, planned }, made) = self.clear(strides, planned, [start, goal], stop)?;
        let world = map.world();
        let kinds = [StrideKind::Walk, StrideKind::Run, StrideKind::Special];
        let is = |stride: &PlannedStride, kind| {
            let reach = &map.reaches()[stride.stride];
            reach.kind == kind && reach.stand.is_none()
        };
        let count = |kind| plan.strides.iter().filter(|stride| is(stride, kind)).count();
        let places: Vec<Vec3> = made.stages.prints.iter().map(|mark| mark.place().into()).collect();
        let middles = places.windows(2).map(|pair| 0.5 * (pair[0] + pair[1]));
        let path = Path::new(std::iter::once(start.place).chain(middles).chain([goal.place]).collect());
        let flat = Path::on_floor(&path.points().iter().map(|p| Vec2::new(p.x, p.z)).collect::<Vec<_>>());
        let report = FootstepJourneyReport {
            start,
            goal,
            strides: kinds.map(count),
            way: way(&strides.rig, &made, world, &goal, flat.length()),
            ground: fit(&strides.rig, &made, &plan, &world.ground),
            path,
            ready,
            planned,
        };
        Ok(FootstepJourneyed { plan, made, report })
    }

    /// Makes motion of a plan in which the body has room all the way: where it has none, nobody runs and it is planned again. What does
    /// not help is not taken.
    fn clear(
        &self,
        strides: &Strides,
        mut planned: Planned,
        ends: [FootstepEnd; 2],
        stop: Option<&AtomicBool>,
    ) -> Result<(Planned, Footstepped), FootstepJourneyError> {
        let make = |planned: &Planned| -> Result<(Footstepped, Vec<Vec2>), FootstepJourneyError> {
            let made = self.motion.run(strides, &planned.plan, &planned.map.world().ground)?;
            let bumps = bumps(&strides.rig, &made, planned.map.world());
            Ok((made, bumps))
        };
        let (made, bumps) = make(&planned)?;
        let mut best = (bumps.len(), planned.plan.clone(), made);
        let mut slow = bumps;
        for _ in 0..SLOWED_DOWN {
            if slow.is_empty() {
                break;
            }
            let watch = Stopwatch::start();
            let around = |place: &Vec2| (*place - SLOW_WITHIN, *place + SLOW_WITHIN);
            joined(slow.iter().map(around)).into_iter().for_each(|(low, high)| planned.map.slow_down(low, high));
            let again = self.legs(strides).run(&planned.map, ends[0], ends[1], stop);
            planned.planned += watch.elapsed();
            let plan = match again {
                Err(NoFootsteps::Stopped) => return Err(NoFootsteps::Stopped.into()),
                // What only a run leads over stays as it was.
                Err(_) => break,
                Ok(plan) => plan,
            };
            if plan == planned.plan {
                break;
            }
            planned.plan = plan;
            let (made, bumps) = make(&planned)?;
            if bumps.len() < best.0 {
                best = (bumps.len(), planned.plan.clone(), made);
            }
            slow = bumps;
        }
        let (_, plan, made) = best;
        Ok((Planned { plan, ..planned }, made))
    }

    /// Plans for the legs of the strides.
    fn legs(&self, strides: &Strides) -> PlanFootsteps {
        PlanFootsteps { left: strides.leg(Side::Left), right: strides.leg(Side::Right), ..self.plan }
    }

    fn planned(
        &self,
        scene: &Scene,
        strides: &Strides,
        [start, goal]: [FootstepEnd; 2],
        runs: bool,
        stop: Option<&AtomicBool>,
    ) -> Result<Planned, FootstepJourneyError> {
        // Where it gets through with room to spare, it keeps that.
        let roomy = self.planned_with(scene, strides, [start, goal], (runs, SPARE), stop);
        match roomy {
            Err(FootstepJourneyError::Plan(why)) if why != NoFootsteps::Stopped => {
                self.planned_with(scene, strides, [start, goal], (runs, 0.0), stop)
            }
            planned => planned,
        }
    }

    fn planned_with(
        &self,
        scene: &Scene,
        strides: &Strides,
        [start, goal]: [FootstepEnd; 2],
        (runs, spare): (bool, f32),
        stop: Option<&AtomicBool>,
    ) -> Result<Planned, FootstepJourneyError> {
        let watch = Stopwatch::start();
        let world = FootstepWorld::of(scene).ok_or(FootstepJourneyError::NoMesh)?;
        let mut world = FootstepWorld { spare, ..world };
        if !runs {
            world.areas.push(Area { name: String::new(), outline: Vec::new(), running: false, cost: 1.0 });
        }
        if let Some(leg) = strides.rig.legs.first() {
            world.sole = SoleSize::of(&leg.foot);
        }
        let map = FootstepMap::new(world, strides.reaches());
        let ready = watch.elapsed();
        let plan = self.legs(strides).run(&map, start, goal, stop)?;
        Ok(Planned { map, plan, ready, planned: watch.elapsed() - ready })
    }
}

/// Where the body has no room (x, z), metres, frame by frame.
fn bumps(rig: &Rig, made: &Footstepped, world: &FootstepWorld) -> Vec<Vec2> {
    let clip = &made.take.clip;
    let places = (0..clip.frames()).map(|frame| floor::of_point(clip.body(&rig.skeleton, frame).translation));
    places.enumerate().filter(|(frame, place)| !has_room(made, world, *place, *frame)).map(|(_, place)| place).collect()
}

/// Boxes (least and greatest corner), each with those that follow it and overlap it.
fn joined(boxes: impl Iterator<Item = (Vec2, Vec2)>) -> Vec<(Vec2, Vec2)> {
    let mut joined: Vec<(Vec2, Vec2)> = Vec::new();
    for (low, high) in boxes {
        match joined.last_mut() {
            Some(last) if low.cmple(last.1).all() && high.cmpge(last.0).all() => {
                *last = (last.0.min(low), last.1.max(high));
            }
            _ => joined.push((low, high)),
        }
    }
    joined
}

/// Whether the body has room at a floor point in a frame: over the highest of the prints around it, as it was planned.
fn has_room(made: &Footstepped, world: &FootstepWorld, place: Vec2, frame: usize) -> bool {
    let marks = &made.stages.prints;
    let next = marks.partition_point(|mark| mark.time <= frame as f32 / made.take.clip.rate());
    let near = &marks[next.saturating_sub(2)..(next + 2).min(marks.len())];
    let height = near.iter().map(|mark| mark.height).fold(f32::NEG_INFINITY, f32::max);
    world.is_free(floor::at_height(place, height))
}

/// Where the body went, and whether it had room there.
fn way(rig: &Rig, made: &Footstepped, world: &FootstepWorld, goal: &FootstepEnd, shortest: f32) -> WayFigures {
    let is_free = |place: Vec2, frame: usize| has_room(made, world, place, frame);
    let place = Vec2::new(goal.place.x, goal.place.z);
    measure_way(rig, &made.take, &Wanted { is_free: &is_free, shortest, place, heading: goal.heading })
}

/// How the motion fits the ground.
fn fit(rig: &Rig, made: &Footstepped, plan: &FootstepPlan, ground: &dyn Ground) -> GroundFit {
    let clip = &made.take.clip;
    let rise = |pair: &[crate::math::Rigid]| (pair[1].translation.y - pair[0].translation.y).abs() * clip.rate();
    let place = |k: usize| plan.prints[k].print.world_from_sole;
    let steep = |k: usize| single::acos((place(k).rotation * Vec3A::Y).y.clamp(-1.0, 1.0));
    let step = |k: usize| (place(k).translation.y - place(k - 1).translation.y).abs();
    GroundFit {
        feet: measure_feet(rig, &made.take, Footing::Known(ground)),
        missed: Spread::of(made.missed.iter().enumerate().map(|(f, missed)| (*missed, f)).collect()),
        lowered: made.pelvis.iter().map(|shift| -shift.y).fold(0.0, f32::max),
        climb: clip.roots().windows(2).map(rise).fold(0.0, f32::max),
        steepest: (0..plan.prints.len()).map(steep).fold(0.0, f32::max),
        highest_step: (1..plan.prints.len()).map(step).fold(0.0, f32::max),
        bare: 0,
    }
}
