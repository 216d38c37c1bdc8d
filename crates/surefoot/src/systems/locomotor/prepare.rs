//! From a character's clips to what it moves by: each studied, its feet held, and those chosen that belong together.

use crate::adapt::Clean;
use crate::analyse::Study;
use crate::character::Character;
use crate::library::locomotion::{BandSample, LocomotionClip, LocomotionClips, LocomotionError};
use crate::motion::Clip;
use glam::Vec2;

/// How clips are made ready for a live character.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
pub struct PrepareClips {
    /// How each is studied.
    pub study: Study,
    /// How its feet are held.
    pub clean: Clean,
}

/// Clips that were chosen, and why others were not.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ChosenClips {
    /// What the character moves by.
    pub clips: LocomotionClips,
    /// Clips that look like walking by their names, and could not be used.
    pub refused: Vec<LocomotionError>,
}

/// Names of clips that go somewhere.
const GOES: [&str; 9] = ["walk", "run", "trot", "gallop", "jog", "strafe", "sprint", "canter", "pace"];
/// Names of clips that are not for usual walking, though they go somewhere.
const SPECIAL: [&str; 16] = [
    "jump", "attack", "hit", "carry", "hold", "shoot", "death", "sneak", "crouch", "swim", "climb", "gun", "punch",
    "slash", "kick", "roll",
];
/// Clips whose velocities are nearer to each other than this share of the faster are one sample: the first stands for both.
const ALIKE: f32 = 0.15;

impl PrepareClips {
    /// A clip that goes round, made ready; one that stands if it goes nowhere.
    ///
    /// # Errors
    /// If it does not go round, or a leg does not step once in a round.
    ///
    /// # Panics
    /// If the clip was made for another skeleton.
    pub fn cycle(&self, character: &Character, clip: &Clip) -> Result<LocomotionClip, LocomotionError> {
        let rig = &character.rig;
        let studied = self.study.run_on(rig.clone(), clip);
        let Some(cycle) = studied.cycle.clone() else {
            return Err(LocomotionError::NoCycle(clip.name().to_owned()));
        };
        let held = self.clean.run_evenly(&studied).take;
        let take = self.study.find_stances(Some(&cycle)).run(rig, held.clip);
        LocomotionClip::cycle_as_drawn(character, &take, &studied.take.clip, cycle.frames, cycle.travel)
    }

    /// A clip in which nobody goes anywhere: an idle, or an action such as a jump.
    ///
    /// # Panics
    /// If the clip was made for another skeleton.
    #[must_use]
    pub fn standing(&self, character: &Character, clip: &Clip) -> LocomotionClip {
        let studied = self.study.run_on(character.rig.clone(), clip);
        LocomotionClip::standing(character, clip, studied.take.ground)
    }

    /// The idle pose alone, as a clip that stands.
    #[must_use]
    pub fn idle_pose(&self, character: &Character) -> LocomotionClip {
        let stand = &character.stand;
        let still = stand.pose.locals.repeat(2);
        let clip = Clip::new(&character.rig.skeleton, "idle pose", 1.0, still).expect("an idle pose is finite");
        LocomotionClip::standing(character, &clip, stand.middle.y)
    }

    /// Those of a character's clips that it moves by: an idle, and walks and runs of different velocities, by their names and by
    /// what their feet do.
    ///
    /// # Errors
    /// If none of them moves.
    ///
    /// # Panics
    /// If a clip was made for another skeleton.
    pub fn choose(
        &self,
        character: &Character,
        clips: &[Clip],
        idle: Option<usize>,
    ) -> Result<ChosenClips, LocomotionError> {
        let (moving, refused) = self.moving(character, clips);
        let mut chosen = vec![self.stands(character, clips, idle)];
        chosen.extend(moving);
        Ok(ChosenClips { clips: LocomotionClips::new(chosen)?, refused })
    }

    /// The clip in which a character stands about: the one of this number, or its idle pose.
    ///
    /// # Panics
    /// If there is no clip of that number, or it was made for another skeleton.
    #[must_use]
    pub fn stands(&self, character: &Character, clips: &[Clip], idle: Option<usize>) -> LocomotionClip {
        match idle {
            Some(index) => self.standing(character, &clips[index]),
            None => self.idle_pose(character),
        }
    }

    /// Walks and runs of different velocities among a character's clips, by their names and by what their feet do; and why others
    /// that look like such by their names could not be used.
    ///
    /// # Panics
    /// If a clip was made for another skeleton.
    #[must_use]
    pub fn moving(&self, character: &Character, clips: &[Clip]) -> (Vec<LocomotionClip>, Vec<LocomotionError>) {
        let named = |clip: &&Clip| {
            let name = clip.name().to_lowercase();
            GOES.iter().any(|word| name.contains(word)) && !SPECIAL.iter().any(|word| name.contains(word))
        };
        let mut refused = Vec::new();
        let mut moving: Vec<LocomotionClip> = Vec::new();
        let by_name: Vec<&Clip> = clips.iter().filter(named).collect();
        let all: Vec<&Clip> = if by_name.is_empty() { clips.iter().collect() } else { by_name };
        for clip in all {
            match self.cycle(character, clip) {
                Ok(ready) if ready.moves() && !moving.iter().any(|other| alike(other.motion, ready.motion)) => {
                    moving.push(ready);
                }
                Ok(_) => {}
                Err(why) => refused.push(why),
            }
        }
        (moving, refused)
    }
}

/// Whether two motions are nearly one.
fn alike(a: BandSample, b: BandSample) -> bool {
    let speed = |motion: BandSample| Vec2::length(motion.velocity);
    let near = (a.velocity - b.velocity).length() < ALIKE * speed(a).max(speed(b));
    near && (a.turn_rate - b.turn_rate).abs() < 0.2
}
