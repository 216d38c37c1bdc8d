//! Turning on the spot: by how many steps, when each foot flies, and how far the body has turned by then.

use glam::Vec2;

/// How a character turns where it stands: feet step round it one after the other, and it turns over them.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
pub struct TurnOnSpot {
    /// Turns smaller than this are not made, radians.
    pub least: f32,
    /// Most that a foot turns in one step, radians: beyond that the standing leg twists.
    pub most: f32,
    /// Most that a foot moves in one step where the character steps aside as it turns, metres: steps to a place that one does not
    /// face are short.
    pub stride: f32,
    /// The same where it steps to a place that it faces, metres: one foot past the other, as in walking.
    pub ahead: f32,
    /// Time from when one foot leaves the ground to when the next does, seconds.
    pub step: f32,
    /// Share of that time for which a foot is in the air, 0 to 1.
    pub flight: f32,
    /// Time before the first foot leaves, seconds: the head turns first.
    pub look: f32,
    /// Time that the character stands after the last foot has landed, seconds.
    pub settle: f32,
    /// How high feet are lifted, metres for a person.
    pub lift: f32,
}

impl Default for TurnOnSpot {
    fn default() -> Self {
        let [least, most] = [15.0_f32, 45.0].map(f32::to_radians);
        Self { least, most, stride: 0.18, ahead: 0.45, step: 0.35, flight: 0.85, look: 0.25, settle: 0.15, lift: 0.05 }
    }
}

impl TurnOnSpot {
    /// The turn (radians) that takes as many steps as turning by `turn` radians and moving by `shift` metres, facing a way.
    #[must_use]
    pub(crate) fn effort(&self, turn: f32, shift: Vec2, facing: Vec2) -> f32 {
        let far = shift.length();
        if self.goes_ahead(turn, shift, facing) {
            return self.effort_ahead(far);
        }
        turn.abs().max(self.most * (far / self.stride.max(0.01)).min(64.0))
    }

    /// The turn (radians) that takes as many steps as going so far (metres), one foot past the other.
    #[must_use]
    pub(crate) fn effort_ahead(&self, far: f32) -> f32 {
        // The first step and the last one are half as long.
        self.most * (far / self.ahead.max(0.01) + 0.5).ceil().clamp(2.0, 64.0)
    }

    /// Whether it is farther than a step, and faced, so that one goes there as in walking.
    #[must_use]
    pub(crate) fn goes_ahead(&self, turn: f32, shift: Vec2, facing: Vec2) -> bool {
        turn == 0.0 && !self.is_aside(shift.length()) && self.faces(shift, facing)
    }

    /// Whether a way is faced.
    #[must_use]
    pub(crate) fn faces(&self, way: Vec2, facing: Vec2) -> bool {
        facing.dot(way) > AHEAD * way.length()
    }

    /// How far a body comes with each step of a foot to a place, metres.
    #[must_use]
    pub(crate) fn comes(&self, turn: f32, shift: Vec2, facing: Vec2) -> f32 {
        0.5 * if self.goes_ahead(turn, shift, facing) { self.ahead } else { self.stride }
    }

    /// Whether a place so far away (metres) is stepped to while turning, however one faces; else one steps there first.
    #[must_use]
    pub(crate) fn is_aside(&self, shift: f32) -> bool {
        shift <= self.stride
    }

    /// How often every foot steps for a turn, radians.
    #[must_use]
    pub(crate) fn rounds(&self, turn: f32) -> usize {
        (turn.abs() / self.most.max(0.1) - 1e-4).ceil().clamp(1.0, 64.0) as usize
    }

    /// How long a turn takes, seconds; none for one that is not made.
    #[must_use]
    pub(crate) fn seconds(&self, turn: f32) -> f32 {
        if turn == 0.0 { 0.0 } else { self.look + 2.0 * self.rounds(turn) as f32 * self.step + self.settle }
    }

    /// Frames that a turn takes at a rate, Hz.
    #[must_use]
    pub(crate) fn frames(&self, turn: f32, rate: f32) -> usize {
        (self.seconds(turn) * rate).round() as usize
    }

    /// When a foot flies, seconds: `step` counts the steps of all feet, two groups of which go by turns.
    pub(crate) fn flies(&self, step: usize) -> [f32; 2] {
        let leaves = self.look + step as f32 * self.step;
        [leaves, leaves + self.flight.clamp(0.1, 1.0) * self.step]
    }

    /// The share of a turn that the body has made by a time, seconds: it speeds up and slows down over a step.
    pub(crate) fn share(&self, turn: f32, time: f32) -> f32 {
        let (from, to) = (self.look, self.seconds(turn) - 0.5 * self.settle);
        let ease = (self.step / (to - from).max(1e-3)).clamp(0.05, 0.5);
        let x = ((time - from) / (to - from).max(1e-3)).clamp(0.0, 1.0);
        // Even but for its ends, where speed itself comes and goes smoothly.
        let slope = 1.0 / (1.0 - ease);
        let near = x.min(1.0 - x);
        let rise = if near < ease { slope * ease * rising(near / ease) } else { slope * (near - 0.5 * ease) };
        if x < 0.5 { rise } else { 1.0 - rise }
    }
}

/// A place is faced if it is no farther aside than this cosine (20°): hips sway by as much again while one steps there.
const AHEAD: f32 = 0.94;

/// What lies under a smooth step up to a share of it: from 0 to a half.
fn rising(x: f32) -> f32 {
    x * x * x - 0.5 * x * x * x * x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_are_whole_even_and_no_foot_turns_too_far() {
        let turning = TurnOnSpot::default();
        for degrees in [16.0_f32, 60.0, 90.0, -135.0, 180.0] {
            let turn = degrees.to_radians();
            let last = turning.seconds(turn);
            assert!(turn.abs() / turning.rounds(turn) as f32 <= turning.most + 1e-3, "{degrees}");
            assert!(turning.share(turn, turning.look) == 0.0 && (turning.share(turn, last) - 1.0).abs() < 1e-6);
            let shares: Vec<f32> = (0..=100).map(|k| turning.share(turn, 0.01 * k as f32 * last)).collect();
            assert!(shares.windows(2).all(|pair| pair[1] >= pair[0]), "{shares:?}");
            let bends = shares.windows(3).map(|three| (three[2] - 2.0 * three[1] + three[0]).abs());
            assert!(bends.fold(0.0, f32::max) < 0.004, "{shares:?}");
            // The last foot is down before it is over.
            assert!(turning.flies(2 * turning.rounds(turn) - 1)[1] < last);
        }
        assert_eq!(turning.frames(0.0, 30.0), 0);
    }
}
