//! Arriving: what is missing at the end of a walk, spread over its last steps.

use crate::math::{FloorPose, Rigid, floor, quat};
use crate::motion::{Stance, StepRamp, Take};
use glam::Vec2;

/// How a walk is brought to where it should end.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
pub struct Arrive {
    /// What one step is changed by, at most, metres.
    pub shift: f32,
    /// What one step is turned by, at most, radians.
    pub turn: f32,
    /// Steps that are changed, at least and at most.
    pub steps: [usize; 2],
}

impl Default for Arrive {
    fn default() -> Self {
        Self { shift: 0.04, turn: 4.0_f32.to_radians(), steps: [4, 16] }
    }
}

/// What was changed to arrive, or would have had to be.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Arrival {
    /// Whether it arrives; if not, nothing was changed.
    pub arrives: bool,
    /// What was missing, (x, z), metres, besides what bending the way did.
    pub shift: Vec2,
    /// And the turn, radians.
    pub turn: f32,
    /// Steps over which it was spread.
    pub steps: usize,
    /// What the most changed step was shifted by, metres.
    pub step_shift: f32,
    /// What the most changed step was turned by, radians.
    pub step_turn: f32,
}

impl Arrival {
    /// Of a walk that does not arrive and was left as it is: what is missing at its end.
    #[must_use]
    pub fn missed_by(shift: Vec2, turn: f32) -> Self {
        Self { arrives: false, shift, turn, steps: 0, step_shift: 0.0, step_turn: 0.0 }
    }
}

impl Arrive {
    /// Moves and turns the last steps of a walk so that its last frame is at `end`: its roots, and the prints of its stances,
    /// each as a whole; putting feet onto them is left to clean-up. A turn bends the way, so that the character goes where it
    /// faces; what is missing then is shifted. What happens up to frame `after` is left alone. Where steps would be changed by
    /// more than is allowed, nothing is changed.
    ///
    /// # Panics
    /// If the clip has no frame.
    pub fn run(&self, take: &mut Take, end: FloorPose, after: usize) -> Arrival {
        let last = take.clip.frames() - 1;
        let now = place(take.clip.roots()[last]);
        let turn = crate::math::wrap_angle(end.heading - now.heading);
        let mut marks = strikes(take, after);
        // A walk that goes on through its end arrives in the middle of a step.
        let stands = |stance: &&Stance| stance.frames(&take.clip).whole.end > last;
        let goes_on = take.stances.iter().filter(stands).count() < legs(&take.stances);
        if goes_on && marks.last().is_some_and(|strike| *strike < last) {
            marks.push(last);
        }
        let places: Vec<Vec2> = take.clip.roots().iter().map(|root| floor::of_point(root.translation)).collect();
        let most = marks.len().saturating_sub(1).min(self.steps[1]);
        // Over more steps the way is bent from farther back, and something else is missing then.
        let (mut steps, mut bent, mut shift) = (0, vec![Vec2::ZERO; places.len()], end.position - now.position);
        for _ in 0..TRIES {
            // One step more than an even change would need: it begins and ends smoothly.
            let needed = 1 + (shift.length() / self.shift).max(turn.abs() / self.turn).ceil() as usize;
            let wanted = needed.max(self.steps[0]).min(most);
            if wanted <= steps {
                break;
            }
            steps = wanted;
            let ramp = StepRamp::new(marks[marks.len() - 1 - steps..].to_vec());
            bent = bend(&places, |frame| ramp.share(frame) * turn);
            shift = end.position - now.position - bent[last];
        }
        let share = if steps > 1 { 1.0 / (steps - 1) as f32 } else { f32::INFINITY };
        let of_step = |all: f32| if shift.length() + turn.abs() > 1e-6 { share * all } else { 0.0 };
        let (step_shift, step_turn) = (of_step(shift.length()), of_step(turn.abs()));
        let arrives = step_shift <= self.shift * 1.001 && step_turn <= self.turn * 1.001;
        if arrives && steps > 0 {
            let ramp = StepRamp::new(marks.split_off(marks.len() - 1 - steps));
            lead(take, 0, |frame| (bent[frame] + ramp.share(frame) * shift, ramp.share(frame) * turn));
        }
        Arrival { arrives, shift, turn, steps, step_shift, step_turn }
    }

    /// Turns a walk from frame `after` on, by `turn` radians there and by less with each step: one that was turned to arrive
    /// elsewhere faces where it goes again.
    pub(crate) fn take_back(&self, take: &mut Take, turn: f32, after: usize) {
        let mut marks = strikes(take, after);
        marks.insert(0, after);
        marks.truncate(2 + (turn.abs() / self.turn).ceil() as usize);
        if turn != 0.0 && marks.len() > 1 {
            let ramp = StepRamp::new(marks);
            lead(take, after, |frame| (Vec2::ZERO, (1.0 - ramp.share(frame)) * turn));
        }
    }
}

/// How often it is looked again over how many steps a change must be spread.
const TRIES: usize = 4;

/// What every place of a way is shifted by, metres, if each of its steps is turned by an angle (radians) for each frame.
fn bend(places: &[Vec2], turn: impl Fn(usize) -> f32) -> Vec<Vec2> {
    let mut shift = Vec2::ZERO;
    let steps = places.windows(2).enumerate().map(|(frame, pair)| {
        let step = pair[1] - pair[0];
        let by = 0.5 * (turn(frame) + turn(frame + 1));
        if by != 0.0 {
            shift += floor::turned(step, by) - step;
        }
        shift
    });
    std::iter::once(Vec2::ZERO).chain(steps).collect()
}

/// Moves the roots and prints of a walk from a frame on, by a shift and a turn (radians) for each frame.
fn lead(take: &mut Take, from: usize, by: impl Fn(usize) -> (Vec2, f32)) {
    let change = |frame: usize, root: Rigid| {
        let (shift, turn) = by(frame);
        let about = floor::of_point(root.translation);
        // Turned about where the character is, then shifted.
        FloorPose::new(about + shift, turn).to_rigid() * FloorPose::new(about, 0.0).to_rigid().inverse()
    };
    let Take { clip, stances, .. } = take;
    for stance in stances {
        let frames = stance.frames(clip).whole;
        let middle = usize::midpoint(frames.start, frames.end).min(clip.frames() - 1);
        if middle >= from {
            stance.transform(change(middle, clip.roots()[middle]));
        }
    }
    for (frame, root) in clip.roots_mut().iter_mut().enumerate().skip(from) {
        *root = change(frame, *root) * *root;
    }
}

fn place(root: Rigid) -> FloorPose {
    FloorPose { position: floor::of_point(root.translation), heading: quat::heading(root.rotation).unwrap_or(0.0) }
}

/// Frames after one in which a foot comes down, in order.
fn strikes(take: &Take, after: usize) -> Vec<usize> {
    let starts = take.stances.iter().map(|stance| stance.frames(&take.clip).whole.start);
    let mut strikes: Vec<usize> = starts.filter(|start| *start > after).collect();
    strikes.sort_unstable();
    strikes.dedup();
    strikes
}

/// Legs that stand at some time.
fn legs(stances: &[Stance]) -> usize {
    stances.iter().map(|stance| stance.leg().index() + 1).max().unwrap_or(0)
}
