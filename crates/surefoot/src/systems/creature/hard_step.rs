//! A step that legs cannot make, told by name: up or down what is too high for them, or to where there is no ground.

use super::CreatureMotion;
use crate::math::floor;
use crate::plan::steps::Footfall;
use crate::rig::LegId;
use crate::world::Ground;
use glam::{Vec3, Vec3A};
use std::fmt;

/// Legs step up and down by this share of their length at most: as high as a knee, and a little more.
const HIGHEST: f32 = 0.6;
/// Places between two prints that are looked at: what is steep between two neighbours is a step, what is not is a slope.
const LOOKS: usize = 32;

/// The first step of a walk that legs cannot make.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct HardStep {
    /// Whose step it is.
    pub leg: LegId,
    /// Which step of that foot, from 1.
    pub number: usize,
    /// When it should land, seconds.
    pub time: f32,
    /// Where it should go, metres, world.
    pub at: Vec3,
    /// Why it cannot.
    pub why: Hardness,
}

/// Why a step cannot be made.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Hardness {
    /// The ground goes up (positive) or down at once by more than the leg steps.
    High {
        /// By how much, metres.
        rise: f32,
        /// How much the leg steps at most, metres.
        most: f32,
    },
    /// There is no ground within reach.
    NoGround {
        /// How far from where the foot left there is ground again on its way, metres, where there is.
        again: Option<f32>,
    },
}

impl fmt::Display for Hardness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::High { rise, most } if *rise > 0.0 => {
                write!(f, "goes up by {rise:.2} m at once, where its leg steps up by {most:.2} m at most")
            }
            Self::High { rise, most } => {
                write!(f, "goes down by {:.2} m at once, where its leg steps down by {most:.2} m at most", -rise)
            }
            Self::NoGround { again: Some(far) } => {
                write!(f, "finds no ground: the next place to stand is {far:.2} m from where it left")
            }
            Self::NoGround { again: None } => write!(f, "finds no ground, nor does any step of that foot after it"),
        }
    }
}

impl CreatureMotion {
    /// The first step that legs cannot make on a ground: a way that has one must lead past it. `None` if all can be made.
    #[must_use]
    pub fn hard_step(&self, ground: &dyn Ground) -> Option<HardStep> {
        let mut first: Option<HardStep> = None;
        for (i, falls) in self.plan.legs.iter().enumerate() {
            let most = HIGHEST * self.character.stand.legs[i].length;
            for k in 1..falls.len() {
                let time = falls[k].stance.strike();
                if first.is_some_and(|first| first.time <= time) {
                    break;
                }
                if let Some(why) = hardness(&falls[k - 1..], most, ground) {
                    let at = falls[k].print().translation.into();
                    first = Some(HardStep { leg: LegId(i as u8), number: k, time, at, why });
                    break;
                }
            }
        }
        first
    }
}

/// What makes the second of these footfalls too hard for a leg that steps up and down by `most`, metres.
fn hardness(falls: &[Footfall], most: f32, ground: &dyn Ground) -> Option<Hardness> {
    let (from, to) = (falls[0].print().translation, falls[1].print().translation);
    let time = falls[1].stance.strike();
    // From high above: what is too high to be seen by a look for a foothold is there.
    let look = |at: Vec3A| {
        let high = from.y.max(to.y) + 10.0 * most;
        ground.below(floor::at_height(floor::of_point(at), high), 20.0 * most, time).map(|hit| hit.point.y)
    };
    if falls[1].grounded && (to.y - from.y).abs() <= most {
        return None;
    }
    let mut before = from.y;
    for k in 1..=LOOKS {
        let Some(height) = look(from.lerp(to, k as f32 / LOOKS as f32)) else { continue };
        if (height - before).abs() > most {
            return Some(Hardness::High { rise: height - before, most });
        }
        before = height;
    }
    if falls[1].grounded {
        return None;
    }
    let again = falls[1..].iter().find(|fall| fall.grounded);
    let far = |fall: &Footfall| floor::of_point(fall.print().translation - from).length();
    Some(Hardness::NoGround { again: again.map(far) })
}
