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
        let Planned { map, plan, ready, planned } = planned;
        let world = map.world();
        let made = self.motion.run(strides, &plan, &world.ground)?;
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
        let legs = PlanFootsteps { left: strides.leg(Side::Left), right: strides.leg(Side::Right), ..self.plan };
        let plan = legs.run(&map, start, goal, stop)?;
        Ok(Planned { map, plan, ready, planned: watch.elapsed() - ready })
    }
}

/// Where the body went, and whether it had room there: over the highest of the prints around it, as it was planned.
fn way(rig: &Rig, made: &Footstepped, world: &FootstepWorld, goal: &FootstepEnd, shortest: f32) -> WayFigures {
    let (take, marks) = (&made.take, &made.stages.prints);
    let rate = take.clip.rate();
    let height = |frame: usize| {
        let next = marks.partition_point(|mark| mark.time <= frame as f32 / rate);
        let near = &marks[next.saturating_sub(2)..(next + 2).min(marks.len())];
        near.iter().map(|mark| mark.height).fold(f32::NEG_INFINITY, f32::max)
    };
    let is_free = |p: Vec2, frame: usize| world.is_free(floor::at_height(p, height(frame)));
    let place = Vec2::new(goal.place.x, goal.place.z);
    measure_way(rig, take, &Wanted { is_free: &is_free, shortest, place, heading: goal.heading })
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
