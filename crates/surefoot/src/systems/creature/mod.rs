//! A creature that walks from almost no data: plan its steps, mend them, and make a take.

mod apart;
mod body_moves;
mod folding;
pub(crate) mod hard_step;
mod knees;
mod lift;
mod like;
mod mend;
pub(crate) mod motion;
mod replan;
mod ride;
mod underfoot;

pub use motion::{CreatureFrame, CreatureMotion};

use crate::adapt::{Airborne, BodyOver, CarryBody, MotionField};
use crate::analyse::Study;
use crate::character::Character;
use crate::ik::BendLeg;
use crate::math::{Rigid, floor};
use crate::metrics::{FootFigures, Footing, measure_feet};
use crate::motion::{Clip, Span, Take};
use crate::plan::Path;
use crate::plan::steps::{Aside, Footfall, PlanSteps, StepPlan, Stride};
use crate::world::{Ground, LevelGround};
use glam::Vec3;
use std::ops::Range;
use std::sync::Arc;

/// How a creature walks.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
pub struct Creature {
    /// How its steps are planned.
    pub steps: PlanSteps,
    /// How its body follows its feet.
    pub body: BodyOver,
    /// How its body is carried: how much it moves over its feet.
    pub carry: CarryBody,
    /// How its legs bend.
    pub bend: BendLeg,
    /// Frames a second of a take, Hz.
    pub rate: f32,
}

impl Default for Creature {
    fn default() -> Self {
        Self {
            steps: PlanSteps::default(),
            body: BodyOver::default(),
            carry: CarryBody::default(),
            bend: BendLeg::default(),
            rate: 60.0,
        }
    }
}

/// A creature's walk as a take.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct CreatureTake {
    /// The motion with its stances.
    pub take: Take,
    /// How well it walks.
    pub report: CreatureReport,
}

/// How well a creature walks.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CreatureReport {
    /// How well its feet stand on the ground.
    pub figures: FootFigures,
    /// Greatest distance by which a standing foot missed its place, metres.
    pub missed: f32,
    /// The frame of that.
    pub missed_in: usize,
    /// Footfalls that legs do not reach.
    pub beyond_reach: usize,
    /// Footfalls that were planned where there is no ground.
    pub without_ground: usize,
}

/// A foot that misses its place by more than this share of the hips' height does not reach it: a millimetre of a person.
const UNREACHED: f32 = 1e-3;
/// Plans are mended so often at most.
const MENDS: usize = 12;

impl Creature {
    /// Plans a walk along a path, facing `heading` (radians) first, or where the path leads.
    #[must_use]
    pub fn plan(
        &self,
        character: &Arc<Character>,
        path: &Path,
        heading: Option<f32>,
        ground: &dyn Ground,
    ) -> CreatureMotion {
        let mut motion = self.begun(character, self.steps.run(&character.stand, path, heading, ground));
        self.finish(&mut motion, ground);
        motion
    }

    /// A motion of which only the steps are planned.
    fn begun(&self, character: &Arc<Character>, plan: StepPlan) -> CreatureMotion {
        let airborne = Airborne::new(&plan);
        CreatureMotion {
            character: Arc::clone(character),
            plan,
            body: self.body,
            carry: self.carry,
            bend: self.bend,
            stride: self.steps.stride.clone(),
            field: MotionField::default(),
            airborne,
            underfoot: underfoot::Underfoot::default(),
            settled: Vec::new(),
            raised: Vec::new(),
            lifted: Vec::new(),
            earlier: None,
        }
    }

    /// Mends the steps of a motion, and lets its body follow them: from where it is led on, if it is.
    fn finish(&self, motion: &mut CreatureMotion, ground: &dyn Ground) {
        self.clear_swings(motion, ground, |_| true);
        self.take_time(motion);
        motion.airborne = Airborne::new(&motion.plan);
        if motion.part_legs() {
            self.clear_swings(motion, ground, |swing| swing.aside != Aside::NONE);
        }
        motion.look_underfoot();
        motion.rise(ground);
        motion.settle();
        // Where bodies and hips truly are is known only now; footholds out of reach are sought again.
        for _ in 0..MENDS {
            if !self.reach_footholds(motion, ground) {
                break;
            }
            motion.look_underfoot();
            motion.settle();
        }
        motion.fold_legs();
        motion.lift(ground);
        if motion.rise_off_knees(ground) {
            motion.lifted.clear();
            motion.fold_legs();
            motion.lift(ground);
        }
    }

    /// A planned walk as a take, measured on its ground.
    ///
    /// # Panics
    /// If the rate is not positive.
    #[must_use]
    pub fn take(&self, motion: &CreatureMotion, name: &str, ground: &dyn Ground) -> CreatureTake {
        let mut frame = CreatureFrame::new(&motion.character.rig);
        let count = (motion.seconds() * self.rate).floor() as usize + 1;
        let (mut roots, mut locals) = (Vec::with_capacity(count), Vec::new());
        let (mut missed, mut missed_in) = (0.0, 0);
        let legs = &motion.plan.legs;
        let mut unreached: Vec<Vec<bool>> = legs.iter().map(|falls| vec![false; falls.len()]).collect();
        for f in 0..count {
            let time = f as f32 / self.rate;
            motion.pose_at(time, &mut frame);
            for ((falls, unreached), missed) in legs.iter().zip(&mut unreached).zip(&frame.misses) {
                let fall = falls.iter().position(|fall| (fall.stance.strike()..fall.stance.off()).contains(&time));
                if let Some(fall) = fall.filter(|_| *missed > UNREACHED * motion.character.stand.hip) {
                    unreached[fall] = true;
                }
            }
            roots.push(frame.pose.root);
            locals.extend_from_slice(&frame.pose.locals);
            if frame.missed > missed {
                (missed, missed_in) = (frame.missed, f);
            }
        }
        let mut clip = Clip::new(&motion.character.rig.skeleton, name, self.rate, locals).expect("poses are finite");
        clip.roots_mut().copy_from_slice(&roots);
        let take = Take { stances: motion.stances(self.rate, count), ..Take::from(clip) };
        let falls = || motion.plan.legs.iter().flatten();
        let beyond_reach = unreached.iter().flatten().filter(|unreached| **unreached).count();
        let without_ground = falls().filter(|fall| !fall.grounded).count();
        let figures = measure_feet(&motion.character.rig, &take, Footing::Known(ground));
        let report = CreatureReport { figures, missed, missed_in, beyond_reach, without_ground };
        CreatureTake { take, report }
    }
}

impl Creature {
    /// A walk straight ahead over level ground, and when a round of it in its middle starts and ends, seconds.
    fn round(&self, character: &Arc<Character>) -> (CreatureMotion, [f32; 2]) {
        let stand = &character.stand;
        let speed = self.steps.course.fitted(stand, self.steps.stride.as_ref()).speed;
        // Far enough to walk evenly in the middle.
        let far = Path::new(vec![Vec3::ZERO, Vec3::Z * (20.0 * (stand.hip + speed))]);
        let motion = self.plan(character, &far, None, &LevelGround::default());
        let course = &motion.plan.course;
        let first = course.at(0.5 * course.seconds()).cycles.floor();
        let ends = [first, first + 1.0].map(|cycles| {
            let (mut low, mut high) = (0.0, course.seconds());
            for _ in 0..40 {
                let middle = 0.5 * (low + high);
                if course.at(middle).cycles < cycles { low = middle } else { high = middle }
            }
            high
        });
        (motion, ends)
    }

    /// When each foot stands in one round of the walk [as a cycle](Self::cycle), by leg: from when it comes down in it, seconds from its
    /// start, until it leaves, which may be in the next round.
    #[must_use]
    pub fn cycle_standing(&self, character: &Arc<Character>) -> Vec<Option<Span>> {
        let (motion, [start, end]) = self.round(character);
        let in_round = |footfalls: &Vec<Footfall>| {
            let mut stances = footfalls.iter().map(|footfall| footfall.stance.time);
            stances.find(|time| (start..end).contains(&time.start)).map(|time| time.later(-start))
        };
        motion.plan.legs.iter().map(in_round).collect()
    }

    /// One round of the walk straight ahead over level ground, which goes on without a seam: a walk cycle, as long as frames
    /// of the wished rate come near to. Its root travels from the origin along +Z.
    #[must_use]
    pub fn cycle(&self, character: &Arc<Character>, name: &str) -> Clip {
        let rig = &character.rig;
        let (motion, [start, end]) = self.round(character);
        let course = &motion.plan.course;
        let frames = ((end - start) * self.rate).round().max(8.0);
        let rate = frames / (end - start).max(1e-3);
        let mut frame = CreatureFrame::new(rig);
        let (mut roots, mut locals) = (Vec::new(), Vec::new());
        let ahead = |t: f32| Rigid::from_translation(floor::at_height(course.at(t).place.position, 0.0).into());
        let origin = ahead(start).inverse();
        for k in 0..frames as usize {
            let time = start + k as f32 / rate;
            motion.pose_at(time, &mut frame);
            // The root goes evenly along the floor, and the body sways over it: a root that sways turns its round's travel with it.
            let root = origin * ahead(time);
            roots.push(root);
            let first = locals.len();
            locals.extend_from_slice(&frame.pose.locals);
            for joint in rig.skeleton.roots() {
                let local: &mut Rigid = &mut locals[first + joint.index()];
                *local = root.inverse() * origin * frame.pose.root * *local;
            }
        }
        let mut clip = Clip::new(&rig.skeleton, name, rate, locals).expect("poses are finite");
        clip.roots_mut().copy_from_slice(&roots);
        clip.with_cycle(Some(origin * ahead(end)))
    }
}

/// A walk clip of a character as it goes by it; `None` if it does not go round, or does not show when every foot steps.
///
/// # Panics
/// If the clip was made for another skeleton.
#[must_use]
pub fn stride_of(character: &Character, walk: &Clip) -> Option<Stride> {
    let (rig, stand) = (&character.rig, &character.stand);
    let studied = Study::default().run_on(rig.clone(), walk);
    let cycle = studied.cycle.as_ref()?;
    let clip = studied.take.clip.trimmed(cycle.frames.clone()).with_cycle(Some(cycle.travel));
    let (start, count) = (cycle.frames.start as f32, cycle.frames.len() as f32);
    let phase = |frame: usize| ((frame as f32 - start) / count).rem_euclid(1.0);
    // The longest stance of each leg that begins in the middle round.
    let mut steps = Vec::new();
    for (leg, _) in rig.legs() {
        let of_leg = studied.take.stances.iter().filter(|stance| stance.leg() == leg);
        let frames = of_leg.map(|stance| stance.frames(&studied.take.clip).whole);
        let longest = frames.filter(|frames| cycle.frames.contains(&frames.start)).max_by_key(Range::len)?;
        steps.push((leg, [phase(longest.end), phase(longest.start)]));
    }
    let travel = cycle.travel.translation.with_y(0.0).length();
    Stride::new(rig, stand, &clip, travel * clip.rate() / count, &steps)
}
