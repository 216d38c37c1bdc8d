//! What feet do on the ground, told from the motion alone.

use super::feet::SpreadReport;
use super::row;
use serde::Serialize;
use surefoot::analyse::Studied;
use surefoot::stages::{PlantedFigures, SkinDepth};

/// What feet do on the ground; see [`PlantedFigures`] for how each figure is measured.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct PlantedReport {
    /// Share of the time that a foot stands, over all feet.
    pub stance_percent: f32,
    /// Share of the time that none does.
    pub air_percent: f32,
    /// How far feet stray while they lie flat.
    pub drift: SpreadReport,
    /// How far feet slide in a stance, rolling left out.
    pub slip: SpreadReport,
    /// Speed of low feet, m/s.
    pub skate_m_s: f32,
    /// How far soles are under the ground, standing or not.
    pub depth: SpreadReport,
    /// How far they are over it while they lie flat.
    pub float: SpreadReport,
    /// How far the skin of feet is in the ground at most.
    pub foot_in_ground_mm: f32,
    /// And that of the legs above them.
    pub leg_in_ground_mm: f32,
}

impl PlantedReport {
    /// Of figures that were measured on a studied clip.
    #[must_use]
    pub fn new(figures: &PlantedFigures, skin: &SkinDepth, studied: &Studied) -> Self {
        let spread = |spread| SpreadReport::new(spread, studied);
        Self {
            stance_percent: 100.0 * figures.stance,
            air_percent: 100.0 * figures.air,
            drift: spread(&figures.drift),
            slip: spread(&figures.slip),
            skate_m_s: figures.skate,
            depth: spread(&figures.depth),
            float: spread(&figures.float),
            foot_in_ground_mm: 1e3 * skin.foot.depth,
            leg_in_ground_mm: 1e3 * skin.leg.depth,
        }
    }

    /// In words.
    pub fn rows(&self, out: &mut String) {
        let (stands, air) = (self.stance_percent, self.air_percent);
        row(out, "on the ground", format!("a foot stands {stands:.1} % of the time, none does for {air:.1} %"));
        row(out, "flat feet", format!("stray by {}", self.drift.text()));
        row(out, "slip", self.slip.text());
        row(out, "soles", format!("in the ground by {}", self.depth.text()));
        let (foot, leg) = (self.foot_in_ground_mm, self.leg_in_ground_mm);
        row(out, "skin", format!("of feet {foot:.0} mm, of legs {leg:.0} mm in the ground at most"));
    }
}
