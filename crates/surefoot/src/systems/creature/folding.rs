//! How far legs fold in their flights: as they should, and farther where the way of the foot asks for it.

use super::CreatureMotion;
use crate::adapt::{FeetLie, FootAt};
use crate::character::StandLeg;
use crate::ik::LegEnd;
use crate::math::{Rigid, floor};
use crate::plan::steps::{Swing, SwingShape};
use glam::Vec3A;

/// No flight of a leg that hangs folds it farther than this, as a share of how it stands, nor of one that is spread.
const FOLDED: [f32; 2] = [0.1, 0.35];
/// Legs are held off their hips from this share on of how near they come: so softly that feet stay on their ways.
const HELD: f32 = 0.55;
/// Legs of three and more bones are kept off how near they come by this many times as far: poses of a clip fold a little less.
const ROOM: f32 = 1.08;
/// Places of a flight that are looked at.
const LOOKS: usize = 6;

/// How near the end of a flying leg may come to its hip.
pub(super) struct Fold {
    /// The way in which they are apart: down for legs that hang, outwards for those that are spread.
    outwards: Vec3A,
    /// How far they are apart as the leg stands, metres.
    stands: f32,
    /// How far they are apart at least, whichever way: what bends any farther comes out again, metres.
    nearest: f32,
}

impl Fold {
    /// For a leg of a body.
    pub(super) fn of(leg: &StandLeg, root: Rigid) -> Self {
        let spread = Vec3A::from(floor::at_height(leg.anchor.position - floor::of_point(leg.hip), 0.0));
        match spread.try_normalize() {
            Some(out) if !leg.hangs() => {
                Self { outwards: root.rotation * out, stands: 0.6 * spread.length(), nearest: 0.0 }
            }
            _ => Self { outwards: -Vec3A::Y, stands: leg.drop(), nearest: ROOM * leg.nearest },
        }
    }

    /// How far the end of a leg that is so far from its hip (metres, world) moves away from it, metres, world.
    pub(super) fn hold_off(&self, away: Vec3A, foot: &FootAt) -> Vec3A {
        let far = away.dot(self.outwards);
        let aside = away.length_squared() - far * far;
        let least = (foot.folds * self.stands).max((self.nearest * self.nearest - aside).max(0.0).sqrt());
        let kept = 0.5 * (far + least + ((far - least).powi(2) + (0.1 * least).powi(2)).sqrt());
        self.outwards * ((kept - far) * (1.0 - foot.stands))
    }
}

impl CreatureMotion {
    /// Lets legs fold as far as their flights ask for, now that it is known where the body is.
    pub(super) fn fold_legs(&mut self) {
        for leg in 0..self.plan.legs.len() {
            for fall in self.first_fall(leg).max(1)..self.plan.legs[leg].len() {
                let folds = self.folds(leg, fall);
                self.plan.legs[leg][fall].swing.folds = folds;
            }
        }
    }

    fn folds(&self, leg: usize, fall: usize) -> f32 {
        let (stand, falls, index) = (&self.character.stand, &self.plan.legs[leg], leg);
        let (from, to, leg) = (&falls[fall - 1], &falls[fall], &stand.legs[leg]);
        let shape = self.stride.as_ref().map(|stride| (&self.plan.course, stride, index));
        let swing = Swing { from: from.print(), to: to.print(), shape: to.swing };
        let (off, strike) = (from.stance.off(), to.stance.strike());
        let room = |k: usize| {
            let x = k as f32 / LOOKS as f32;
            let t = off + x * (strike - off);
            let root = self.body_at(t);
            let hip = root.transform_point(stand.middle + leg.hip);
            let end = match leg.chain.end {
                // A foot that hangs outside its leg goes its way, however far its heel is up.
                LegEnd::Apart(_) => {
                    let sole = FootAt::shaped(leg, falls, t, shape).world_from_sole;
                    (sole * leg.sole_from_ankle).transform_point(leg.end_from_ankle)
                }
                _ => swing.at(x).translation + Vec3A::Y * leg.end_height,
            };
            let fold = Fold::of(leg, root);
            (end - hip).dot(fold.outwards) / fold.stands.max(1e-3)
        };
        let least = (1..LOOKS).map(room).fold(f32::INFINITY, f32::min);
        let usual = SwingShape::default().folds;
        (HELD * least).clamp(FOLDED[usize::from(!leg.hangs())], usual)
    }

    /// Where the body is at a time, as planned: `world_from_model`.
    fn body_at(&self, t: f32) -> Rigid {
        let lie = super::motion::at_time(&self.underfoot.lies, t, FeetLie::mix).unwrap_or_default();
        let mut root =
            self.body.run(&self.character.stand, self.character.body_plan.upright, &self.plan.course.at(t), lie);
        root.translation.y += super::motion::at_time(&self.raised, t, |a, b, x| a + x * (b - a)).unwrap_or(0.0);
        self.dip(t).apply(&self.character.stand, root)
    }
}
