//! A clip to be shown as it is, with what is known of it, and its contact sheet.

use crate::sheet::{self, RigStances};
use crate::svg::Svg;
use surefoot::analyse::Studied;
use surefoot::motion::{Clip, Take};
use surefoot::rig::{Rig, Skeleton, Skin};
use surefoot::stages::{Analysis, Cycle};

/// A clip to be shown. Everything is of one body.
#[derive(Clone, Copy, Debug)]
pub struct ShownClip<'a> {
    /// The body's skeleton.
    pub skeleton: &'a Skeleton,
    /// The motion.
    pub clip: &'a Clip,
    /// How its feet stand; none for a body without legs.
    pub feet: Option<ShownFeet<'a>>,
    /// How it walks, where that was looked at.
    pub analysis: Option<&'a Analysis>,
    /// Its mesh.
    pub skin: Option<&'a Skin>,
}

/// Feet to be shown.
#[derive(Clone, Copy, Debug)]
pub struct ShownFeet<'a> {
    /// The body and its legs.
    pub rig: &'a Rig,
    /// The motion with its stances; of a cycle, as it was studied.
    pub take: &'a Take,
    /// Of a cycle, which part of the take is one round.
    pub cycle: Option<&'a Cycle>,
}

impl<'a> ShownFeet<'a> {
    /// The feet of a clip that was studied.
    #[must_use]
    pub fn of(studied: &'a Studied) -> Self {
        Self { rig: &studied.rig, take: &studied.take, cycle: studied.cycle.as_ref() }
    }
}

impl<'a> ShownClip<'a> {
    /// A clip that was studied, if its body has legs.
    #[must_use]
    pub fn of(skeleton: &'a Skeleton, clip: &'a Clip, studied: Option<&'a Studied>, skin: Option<&'a Skin>) -> Self {
        let analysis = studied.map(|studied| &studied.analysis);
        Self { skeleton, clip, feet: studied.map(ShownFeet::of), analysis, skin }
    }

    /// Its contact sheet, with notes below the title; of a cycle as it was studied, which is what its stances are of.
    ///
    /// # Panics
    /// If clip or skin were made for another skeleton.
    #[must_use]
    pub fn sheet(&self, notes: &[String]) -> Svg {
        let stances = self.feet.map(|feet| RigStances { rig: feet.rig, stances: &feet.take.stances });
        let cycle = self.feet.and_then(|feet| Some((feet.take, feet.cycle?)));
        let clip = cycle.map_or(self.clip, |(take, _)| &take.clip);
        let notes: Vec<String> = notes.iter().cloned().chain(cycle.map(|(_, cycle)| cycle_note(cycle))).collect();
        sheet::draw(self.skeleton, clip, self.skin, stances, &notes)
    }
}

/// What is said of a cycle that is drawn.
fn cycle_note(cycle: &Cycle) -> String {
    match &cycle.tread {
        Some(tread) => {
            let speed = tread.velocity.length();
            format!("a cycle on the spot: three rounds of it, drawn as its feet say that it goes ({speed:.2} m/s)")
        }
        None => "a cycle: three rounds of it".into(),
    }
}
