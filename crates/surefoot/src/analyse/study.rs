//! What is known of a clip: repaired, its legs found, its stances and gait measured.

use super::known::known_take;
use super::{
    Analyse, Analysis, FindStances, Levelling, Repair, RepairNote, Repaired, RigError, Tread, Treadmill,
    find_skinned_rig, stiffen, turned,
};
use crate::math::{Rigid, quat};
use crate::metrics::{FootFigures, Footing, measure_feet_in};
use crate::motion::{Clip, Take};
use crate::rig::{Rig, Skeleton, Skin};
use glam::{Quat, Vec3A};
use std::ops::Range;

/// How a clip is studied: repaired, its legs found, its stances and gait measured.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
pub struct Study {
    /// How glitches are mended.
    pub repair: Repair,
    /// How stances are found.
    pub stances: FindStances,
    /// How stances are found in walks that were drawn on the spot.
    pub drawn: FindStances,
    /// When a tilted floor is made level.
    pub level: Levelling,
}

impl Default for Study {
    fn default() -> Self {
        Self {
            repair: Repair::default(),
            stances: FindStances::default(),
            drawn: FindStances::drawn(),
            level: Levelling::default(),
        }
    }
}

/// A clip that goes round and round, as it is studied: three times over.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Cycle {
    /// The middle round: frames of the take.
    pub frames: Range<usize>,
    /// Where one round takes the root, in the frame of its start.
    pub travel: Rigid,
    /// For a walk on the spot, how its feet say that it goes; the take goes so.
    pub tread: Option<Tread>,
}

/// A clip with what is known of it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Studied {
    /// The body and its legs.
    pub rig: Rig,
    /// The clip after repair, with its stances and ground.
    pub take: Take,
    /// What was repaired; frames are those of the clip as it came.
    pub notes: Vec<RepairNote>,
    /// Of a cycle, which part of the take is one round.
    pub cycle: Option<Cycle>,
    /// How it walks; of a cycle, one round of it.
    pub analysis: Analysis,
    /// How well its feet stand; of a cycle, in one round of it. Frames are of the take.
    pub figures: FootFigures,
}

impl Study {
    /// Studies a clip.
    ///
    /// # Errors
    /// If the skeleton has no legs to stand on.
    ///
    /// # Panics
    /// If the clip was made for another skeleton.
    pub fn run(&self, skeleton: &Skeleton, clip: &Clip) -> Result<Studied, RigError> {
        self.run_skinned(skeleton, None, clip)
    }

    /// Studies a clip of a character with a skin, which tells its soles.
    ///
    /// # Errors
    /// If the character has no legs to stand on.
    ///
    /// # Panics
    /// If the clip was made for another skeleton.
    pub fn run_skinned(&self, skeleton: &Skeleton, skin: Option<&Skin>, clip: &Clip) -> Result<Studied, RigError> {
        if !skeleton.known_legs().is_empty() {
            return Ok(self.run_on(find_skinned_rig(skeleton, skin, &[])?, clip));
        }
        let mut repaired = self.repair.run(skeleton, clip);
        let mut rig = find_skinned_rig(skeleton, skin, &[&repaired.clip])?;
        stiffen(&mut rig, &repaired.clip);
        let cycle = unroll(&rig, &mut repaired);
        let Repaired { clip, mut notes } = repaired;
        let mut take = self.find_stances(cycle.as_ref()).run(&rig, clip);
        if cycle.is_none() && self.level(skeleton, &mut take, &mut notes) {
            // What is level is known better now, and so is how feet stand on it.
            rig = find_skinned_rig(skeleton, skin, &[&take.clip])?;
            stiffen(&mut rig, &take.clip);
            take = self.stances.run(&rig, take.clip);
        }
        Ok(Studied::new(rig, take, notes, cycle))
    }

    /// Studies a clip of a body whose legs are known.
    ///
    /// # Panics
    /// If the clip was made for another skeleton.
    #[must_use]
    pub fn run_on(&self, rig: Rig, clip: &Clip) -> Studied {
        // What was made, and says when its feet stand, has no glitches of capture and no floor that is askew, and is no round of a
        // walk that goes on, however alike its start and its end are.
        let made = known_take(&rig, clip).is_some();
        let as_it_is = || Repaired { clip: clip.clone(), notes: Vec::new() };
        let mut repaired = if made { as_it_is() } else { self.repair.run(&rig.skeleton, clip) };
        let cycle = if made { None } else { unroll(&rig, &mut repaired) };
        let Repaired { clip, mut notes } = repaired;
        let mut take = self.find_stances(cycle.as_ref()).run(&rig, clip);
        if cycle.is_none() && !made && self.level(&rig.skeleton, &mut take, &mut notes) {
            take = self.stances.run(&rig, take.clip);
        }
        Studied::new(rig, take, notes, cycle)
    }

    /// How the stances of a clip are found.
    pub(crate) fn find_stances(&self, cycle: Option<&Cycle>) -> &FindStances {
        if cycle.is_some_and(|cycle| cycle.tread.is_some()) { &self.drawn } else { &self.stances }
    }

    /// Makes a tilted floor level; whether there was one.
    fn level(&self, skeleton: &Skeleton, take: &mut Take, notes: &mut Vec<RepairNote>) -> bool {
        let Some((turn, about)) = self.level.run(take) else {
            return false;
        };
        take.clip = turned(skeleton, &take.clip, turn, about);
        notes.insert(0, RepairNote::Tilted { tilt: quat::angle_between(turn, Quat::IDENTITY) });
        true
    }
}

/// Slower than this a character on the spot stands: Froude number of its speed.
const STANDS: f32 = 0.004;

/// Plays a cycle three times over, so that its middle round knows what comes before and after; a walk on the spot goes as
/// its feet say.
fn unroll(rig: &Rig, repaired: &mut Repaired) -> Option<Cycle> {
    let mut round = repaired.clip.looped(&rig.skeleton)?;
    let leg = rig.leg_length();
    let travel = round.cycle()?.translation;
    let on_the_spot = crate::math::single::hypot(travel.x, travel.z) < 0.05 * leg;
    let tread = on_the_spot.then(|| match round.course() {
        Some(course) => Tread::of(course),
        None => Treadmill::default().run(rig, &round),
    });
    let tread = tread.filter(|tread| tread.velocity.length_squared() > STANDS * 9.81 * leg && tread.is_of_a_walk());
    if let Some(tread) = &tread {
        round.go(&tread.course);
    }
    let travel = round.cycle()?;
    repaired.clip = round.unrolled(3);
    Some(Cycle { frames: round.frames()..2 * round.frames(), travel, tread })
}

/// The middle round of a cycle; all frames of another clip.
fn round(cycle: Option<&Cycle>, clip: &Clip) -> Range<usize> {
    cycle.map_or(0..clip.frames(), |cycle| cycle.frames.clone())
}

impl Studied {
    pub(crate) fn new(rig: Rig, take: Take, notes: Vec<RepairNote>, cycle: Option<Cycle>) -> Self {
        let part = round(cycle.as_ref(), &take.clip);
        let analysis = Analyse { authored: cycle.is_some() }.run_in(&rig, &take, part.clone());
        let figures = measure_feet_in(&rig, &take, Footing::default(), part);
        Self { rig, take, notes, cycle, analysis, figures }
    }

    /// Of a walk on the spot, what a body goes by that is more even than its feet, by a share (from 0 to 1) of what its legs can
    /// follow, and how far it is ahead of where they say that it is then, by frame of a round, metres, world.
    pub(crate) fn evened(&self, share: f32) -> Option<(Tread, Vec<Vec3A>)> {
        let tread = self.cycle.as_ref()?.tread.as_ref()?;
        let (tread, led) = tread.evened(self.rig.leg_length(), self.take.clip.rate(), share);
        let start = self.take.clip.roots()[0];
        let led = led.iter().map(|by| start.transform_vector(Vec3A::new(by.x, 0.0, by.y))).collect();
        Some((tread, led))
    }

    /// The frames that figures are of: one round of a cycle, else all.
    #[must_use]
    pub fn frames(&self) -> Range<usize> {
        round(self.cycle.as_ref(), &self.take.clip)
    }

    /// The time of a frame of the take, seconds; of a cycle, within its round.
    #[must_use]
    pub fn seconds(&self, frame: usize) -> f32 {
        let frame = self.cycle.as_ref().map_or(frame, |cycle| frame % cycle.frames.len());
        frame as f32 / self.take.clip.rate()
    }
}
