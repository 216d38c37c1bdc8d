//! Footsteps: from planned footprints to motion.

#[cfg(feature = "mesh")]
mod journey;
mod laid;
pub(crate) mod refinement;
#[cfg(feature = "mesh")]
mod replan;
pub(crate) mod report;

#[cfg(feature = "mesh")]
pub use journey::{FootstepJourney, FootstepJourneyError, FootstepJourneyReport, FootstepJourneyed, FootstepRuns};
pub use laid::lay_strides;
pub(crate) use report::FootstepsReport;
pub(crate) use report::FootstepsTimes;

use crate::adapt::clean::Cleaned;
use crate::adapt::footsteps::{
    BlendGroups, BodyOffsets, GroupCurves, Mark, Midway, Parts, PlayStrides, Played, Prints, RefinePrints, Score,
    SmoothPrints, Snap, lead_feet, stances, trace_body, world_root,
};
use crate::adapt::{BendToes, Clean, Lay};
use crate::library::strides::{StandsAt, Strides};
use crate::math::{FloorPose, Rigid};
use crate::motion::{Clip, Stance, Take};
use crate::plan::footsteps::{FootstepPlan, PlannedStride};
use crate::rig::Foot;
use crate::stage_times::Stopwatch;
use crate::world::{Ground, GroundAlong};
use glam::{Vec2, Vec3A};

/// Makes motion of planned footprints. Each refinement can be switched off.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
pub struct Footsteps {
    /// How planned prints are made smooth; none of its passes leaves them as they are.
    pub smooth: SmoothPrints,
    /// Prints are moved no farther than this from where they were planned, metres of a person: what was found to be free is free no
    /// farther.
    pub stray: f32,
    /// How strides are played.
    pub play: PlayStrides,
    /// How prints are refined by what was played; none of its passes leaves them as they are.
    pub refine: RefinePrints,
    /// How strides of the groups are chosen by turn and speed; `None` plays those that were planned.
    pub groups: Option<BlendGroups>,
    /// How bodies are moved over their feet; `None` leaves that to legs.
    pub body: Option<BodyOffsets>,
    /// How feet clear the ground.
    pub lay: Lay,
    /// How feet are held.
    pub clean: Clean,
}

impl Default for Footsteps {
    fn default() -> Self {
        Self {
            smooth: SmoothPrints::default(),
            stray: 0.15,
            play: PlayStrides::default(),
            refine: RefinePrints::default(),
            groups: Some(BlendGroups::default()),
            body: Some(BodyOffsets::default()),
            // Soles lie on all ground that plans step on: none is steeper than 45°, but between two triangles.
            // Feet go up before they go over, and over before they go down.
            lay: Lay { steepest: 48.0_f32.to_radians(), soon: 0.65, clears: 0.09, ..Lay::default() },
            clean: Clean::default(),
        }
    }
}

/// Motion over planned footprints.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Footstepped {
    /// The motion; its stances are those that are held.
    pub take: Take,
    /// What it took, and how good it is.
    pub report: FootstepsReport,
    /// What each stage made.
    pub stages: FootstepStages,
    /// How the pelvis was moved so that legs reach, by frame, metres, world.
    pub pelvis: Vec<Vec3A>,
    /// Greatest distance by which a held foot missed its place, by frame, metres.
    pub missed: Vec<f32>,
}

/// What each stage made of planned footprints, in order.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct FootstepStages {
    /// Prints as they were planned.
    pub planned: Vec<Mark>,
    /// And made smooth.
    pub smoothed: Vec<Mark>,
    /// Where a free play of the planned strides goes, by frame.
    pub played: Vec<FloorPose>,
    /// And the prints of it.
    pub played_prints: Vec<FloorPose>,
    /// Prints refined by that.
    pub refined: Vec<Mark>,
    /// How much the planned strides turn at each print, 1/m, left positive.
    pub planned_turns: Vec<f32>,
    /// How much the way bends at each print, 1/m, left positive; nothing without groups.
    pub turns: Vec<f32>,
    /// How fast it is gone at each print, 0 walking, 1 running; nothing without groups.
    pub speeds: Vec<f32>,
    /// Where a free play of the blended groups goes, by frame.
    pub blended: Vec<FloorPose>,
    /// And the prints of it.
    pub blended_prints: Vec<FloorPose>,
    /// The prints that are stepped on.
    pub prints: Vec<Mark>,
    /// When: the middle of each stance as it is played, seconds.
    pub times: Vec<f32>,
    /// Where the body is led over them, by frame.
    pub traced: Vec<FloorPose>,
    /// Where it goes so that feet come to their prints, by frame.
    pub body: Vec<FloorPose>,
}

/// Why a plan is not played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FootstepsError {
    /// No stride.
    #[error("a plan of {prints} prints has no stride to go over them")]
    Empty {
        /// How many prints it has.
        prints: usize,
    },
    /// A stride that is not there.
    #[error("stride {number} of the plan is stride {stride} of a library of {known}")]
    Unknown {
        /// Which of the plan.
        number: usize,
        /// Which of the library it should be.
        stride: usize,
        /// How many there are.
        known: usize,
    },
    /// Strides that do not join.
    #[error(
        "stride {number} of the plan goes from print {first} to print {last} of {prints}, and should begin at print {from}"
    )]
    Apart {
        /// Which of the plan.
        number: usize,
        /// Its first print.
        first: usize,
        /// Its last print.
        last: usize,
        /// How many prints there are.
        prints: usize,
        /// Where it should begin.
        from: usize,
    },
}

/// Prints that are being played, and where.
struct Playing<'a> {
    strides: &'a Strides,
    plan: &'a FootstepPlan,
    score: Score,
    snap: Snap<'a>,
}

impl Footsteps {
    /// Makes motion of a plan over a ground.
    ///
    /// # Errors
    /// If the plan has no stride, one that the library has not, or strides that do not join.
    pub fn run(
        &self,
        strides: &Strides,
        plan: &FootstepPlan,
        ground: &dyn Ground,
    ) -> Result<Footstepped, FootstepsError> {
        check(strides, plan)?;
        let watch = Stopwatch::start();
        let mut times = FootstepsTimes::default();
        let longest = |of: &dyn Fn(&Foot) -> f32| strides.rig.legs.iter().map(|leg| of(&leg.foot)).fold(0.0, f32::max);
        let half_sole = longest(&|foot| 0.5 * (foot.ball - foot.heel).length());
        let toes = longest(&|foot| foot.length) - half_sole;
        let snap = Snap { ground, half_sole, toes, stray: strides.rig.scale().length(self.stray) };
        let playing = Playing { strides, plan, score: Score::new(strides, plan, self.play.fade), snap };
        let planned: Vec<Mark> =
            plan.prints.iter().map(|print| Mark::of(print, strides.side(print.print.leg))).collect();

        let mut marks = planned.clone();
        self.smooth.run(strides, plan, &mut marks, &playing.snap);
        let smoothed = marks.clone();
        times.smooth = watch.elapsed();

        let first = self.play.run(strides, &playing.score, None, &marks[0], Parts::Feet);
        times.play = watch.elapsed() - times.so_far();
        self.refine.run(&first.prints, &mut marks, &playing.snap);
        let refined = marks.clone();
        times.refine = watch.elapsed() - times.so_far();

        let curves = self.groups.map(|groups| groups.run(strides, &playing.score, &marks));
        times.groups = watch.elapsed() - times.so_far();
        let mut played = self.play.run(strides, &playing.score, curves.as_ref(), &marks[0], Parts::All);
        times.play += watch.elapsed() - times.so_far();
        if curves.is_some() {
            self.refine.run(&played.prints, &mut marks, &playing.snap);
        }
        times.refine += watch.elapsed() - times.so_far();

        let stands = stands(strides, plan);
        let prints = played.prints.iter().map(|print| (*print, 0.0));
        let own = Midway::new(prints, played.times.iter().copied(), stands);
        let wanted = Midway::of_marks(&marks, &played.times, stands);
        let traced = trace_body(&played, &own, &wanted, self.play.rate);
        times.trace = watch.elapsed() - times.so_far();

        let way: Vec<f32> = (0..traced.len()).map(|f| wanted.at(f as f32 / self.play.rate).1).collect();
        let locals = std::mem::take(&mut played.locals);
        let led = Led { curves: curves.as_ref(), played: &played, marks: &marks, roots: &traced, way: &way, stands };
        let (stances, body) = self.lead_body(&playing, &led);
        times.body = watch.elapsed() - times.so_far();
        let Cleaned { take, missed, pelvis, .. } = self.bring_feet(&playing, &led, locals, &stances, &body);
        times.legs = watch.elapsed() - times.so_far();

        let largest = |values: &[f32]| values.iter().copied().fold(0.0, f32::max);
        let report = FootstepsReport {
            prints: plan.prints.len(),
            frames: take.clip.frames(),
            seconds: take.clip.duration(),
            arrival: report::arrival(strides, &take, plan),
            moved_prints: report::farthest(&planned, &marks),
            moved_body: largest(&body.moved),
            missed: largest(&missed),
            times,
        };
        let at_beats = |of: &dyn Fn(&GroupCurves, f32) -> f32| {
            let beats =
                curves.iter().flat_map(|curves| playing.score.beats.iter().map(move |beat| of(curves, beat.phase)));
            beats.collect()
        };
        // Who climbs takes more time than was planned.
        marks.iter_mut().zip(&played.times).for_each(|(mark, time)| mark.time = *time);
        let stages = FootstepStages {
            planned_turns: planned_turns(strides, plan),
            turns: at_beats(&|curves, phase| curves.turn(phase)),
            speeds: at_beats(&|curves, phase| curves.speed(phase)),
            planned,
            smoothed,
            played: first.roots,
            played_prints: first.prints,
            refined,
            blended: played.roots,
            blended_prints: played.prints,
            prints: marks,
            times: played.times,
            body: body.roots,
            traced: traced.clone(),
        };
        Ok(Footstepped { take, report, stages, pelvis, missed })
    }

    /// Where feet stand, and where the body goes over them.
    fn lead_body(&self, playing: &Playing<'_>, led: &Led<'_>) -> (Vec<(Stance, Mark)>, Body) {
        let Led { curves, played, marks, roots, way, stands } = *led;
        let rate = self.play.rate;
        let mut body = Body { roots: roots.to_vec(), heights: way.to_vec(), moved: Vec::new() };
        let height = |_: Vec2, time: f32| led.height(time * rate);
        let below = GroundAlong { ground: playing.snap.ground, height: &height };
        let prints = Prints { plan: playing.plan, marks, lay: &self.lay, below };
        let stances = stances(playing.strides, &playing.score, curves, played, rate, &prints);
        if let Some(offsets) = self.body {
            body.moved = offsets.run(played, &stances, rate, stands, (&mut body.roots, &mut body.heights));
        }
        (stances, body)
    }

    /// Brings feet to where they stand.
    fn bring_feet(
        &self,
        playing: &Playing<'_>,
        led: &Led<'_>,
        locals: Vec<Rigid>,
        stances: &[(Stance, Mark)],
        body: &Body,
    ) -> Cleaned {
        let (rig, rate) = (&playing.strides.rig, self.play.rate);
        let mut clip = Clip::new(&rig.skeleton, "footsteps", rate, locals).expect("blends of clips are rigid");
        clip.roots_mut().iter_mut().zip(&body.roots).for_each(|(root, to)| *root = world_root(*to, 0.0));
        let height = |_: Vec2, time: f32| led.height(time * rate);
        let below = GroundAlong { ground: playing.snap.ground, height: &height };
        let leads = lead_feet(rig, &clip, stances, (&self.lay, &below), &body.heights);
        clip.roots_mut().iter_mut().zip(&body.heights).for_each(|(root, height)| root.translation.y = *height);
        let take = Take {
            clip,
            stances: stances.iter().map(|(stance, _)| *stance).collect(),
            ground: led.marks.first().map_or(0.0, |mark| mark.height),
            sources: Vec::new(),
        };
        let clean = Clean { lower: self.lay.lower, ..self.clean };
        let mut cleaned = clean.run_led(rig, &take, &leads, &below);
        BendToes::default().run(rig, &mut cleaned.take, &below);
        cleaned
    }
}

/// Strides as they were played, and where their body is led.
#[derive(Clone, Copy)]
struct Led<'a> {
    curves: Option<&'a GroupCurves>,
    played: &'a Played,
    marks: &'a [Mark],
    roots: &'a [FloorPose],
    /// How high the way is, by frame, metres.
    way: &'a [f32],
    /// Whether it begins and ends standing.
    stands: [bool; 2],
}

impl Led<'_> {
    /// How high the way is at a frame, which may be between two or beyond the ends, metres.
    fn height(&self, frame: f32) -> f32 {
        let last = self.way.len() - 1;
        let at = frame.clamp(0.0, last as f32);
        let (low, share) = (at as usize, at.fract());
        self.way[low] + share * (self.way[(low + 1).min(last)] - self.way[low])
    }
}

/// Where a body goes, by frame.
struct Body {
    roots: Vec<FloorPose>,
    /// Metres.
    heights: Vec<f32>,
    /// How far it was moved over its feet, metres.
    moved: Vec<f32>,
}

/// How much the planned strides turn, 1/m, by print.
fn planned_turns(strides: &Strides, plan: &FootstepPlan) -> Vec<f32> {
    let mut turns = vec![0.0; plan.prints.len()];
    for planned in &plan.strides {
        turns[planned.first..=planned.last].fill(strides.strides[planned.stride].curvature);
    }
    turns
}

/// Whether a plan begins and ends standing.
fn stands(strides: &Strides, plan: &FootstepPlan) -> [bool; 2] {
    let stands = |planned: Option<&PlannedStride>, end: StandsAt| {
        planned.and_then(|planned| strides.strides[planned.stride].stand).is_some_and(|stand| stand.end == end)
    };
    [stands(plan.strides.first(), StandsAt::Start), stands(plan.strides.last(), StandsAt::Stop)]
}

/// Refuses plans that cannot be played.
fn check(strides: &Strides, plan: &FootstepPlan) -> Result<(), FootstepsError> {
    let (prints, known) = (plan.prints.len(), strides.strides.len());
    if plan.strides.is_empty() || prints < 2 {
        return Err(FootstepsError::Empty { prints });
    }
    let mut from = 0;
    for (number, planned) in plan.strides.iter().enumerate() {
        let (first, last, stride) = (planned.first, planned.last, planned.stride);
        if stride >= known {
            return Err(FootstepsError::Unknown { number, stride, known });
        }
        if first != from || last <= first || last >= prints {
            return Err(FootstepsError::Apart { number, first, last, prints, from });
        }
        from = last;
    }
    Ok(())
}
