//! A clip to be shown as it is, with what is known of it, and its contact sheet.

use crate::sheet;
use crate::svg::Svg;
use surefoot::motion::Clip;
use surefoot::rig::{Skeleton, Skin};
use surefoot::systems::Studied;

/// A clip to be shown. Everything is of one body.
#[derive(Clone, Copy, Debug)]
pub struct ShownClip<'a> {
    /// Who moves.
    pub skeleton: &'a Skeleton,
    /// The motion.
    pub clip: &'a Clip,
    /// How it walks; none for a body without legs.
    pub studied: Option<&'a Studied>,
    /// Its mesh.
    pub skin: Option<&'a Skin>,
}

impl ShownClip<'_> {
    /// Its contact sheet, with notes below the title; of a cycle as it was studied, which is what its stances are of.
    ///
    /// # Panics
    /// If clip or skin were made for another skeleton.
    #[must_use]
    pub fn sheet(&self, notes: &[String]) -> Svg {
        let stances = self.studied.map(|studied| (&studied.rig, &studied.found));
        let rounds = self.studied.filter(|studied| studied.cycle.is_some());
        let clip = rounds.map_or(self.clip, |studied| &studied.repaired.clip);
        let notes: Vec<String> = notes.iter().cloned().chain(self.studied.and_then(cycle_note)).collect();
        sheet::draw(self.skeleton, clip, self.skin, stances, &notes)
    }
}

/// What is said of a cycle that is drawn.
fn cycle_note(studied: &Studied) -> Option<String> {
    let cycle = studied.cycle.as_ref()?;
    Some(match &cycle.tread {
        Some(tread) => {
            let speed = tread.velocity.length();
            format!("a cycle on the spot: three rounds of it, drawn as its feet say that it goes ({speed:.2} m/s)")
        }
        None => "a cycle: three rounds of it".into(),
    })
}
