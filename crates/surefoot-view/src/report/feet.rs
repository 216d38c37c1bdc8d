//! How well feet stand.

use super::row;
use serde::Serialize;
use surefoot::analyse::Studied;
use surefoot::metrics::FootFigures;
use surefoot::stages::Spread;

/// How well the feet of a clip stand; see [`FootFigures`] for how each figure is measured.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct FootReport {
    /// How far feet stray from where they should stand.
    pub drift: SpreadReport,
    /// How far they are above the ground while they should be on it.
    pub float: SpreadReport,
    /// How far they are under it.
    pub penetration: SpreadReport,
    /// Mean speed of feet near the ground, the nearer the more it counts, m/s.
    pub skate_m_s: f32,
    /// Share of frames in which a foot slides, 0 to 1.
    pub skating_ratio: f32,
    /// How many stances are not cut off by an end of the clip.
    pub stances: usize,
    /// Least height of a foot in the middle of its swing, millimetres.
    pub clearance_mm: f32,
    /// Share of frames in which feet do what their stances say, 0 to 1: standing ones are low and slow, swinging ones are
    /// not.
    pub contact_agreement: f32,
    /// How far a standing leg is stretched at most: 1 is straight.
    pub extension: f32,
    /// Mean jerk of all joints, m/s³: trembling shows here.
    pub jerk_m_s3: f32,
}

/// How a figure spreads.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct SpreadReport {
    /// Its median.
    pub median_mm: f32,
    /// 95 of 100 are below this.
    pub p95_mm: f32,
    /// The greatest.
    pub max_mm: f32,
    /// When that is, seconds in the clip as it came.
    pub worst_s: f32,
}

impl SpreadReport {
    pub(super) fn new(spread: &Spread, studied: &Studied) -> Self {
        let [median_mm, p95_mm, max_mm] = [spread.median, spread.p95, spread.max].map(|x| x * 1e3);
        Self { median_mm, p95_mm, max_mm, worst_s: studied.seconds(spread.worst) }
    }

    pub(super) fn text(&self) -> String {
        let Self { median_mm, p95_mm, max_mm, worst_s } = self;
        format!("{median_mm:.1} / {p95_mm:.1} / {max_mm:.1} mm (worst at {worst_s:.2} s)")
    }
}

impl FootReport {
    /// Of figures that were measured on a studied clip, or on what was made of it.
    #[must_use]
    pub fn new(figures: &FootFigures, studied: &Studied) -> Self {
        Self {
            drift: SpreadReport::new(&figures.drift, studied),
            float: SpreadReport::new(&figures.float, studied),
            penetration: SpreadReport::new(&figures.penetration, studied),
            skate_m_s: figures.skate,
            skating_ratio: figures.skating_ratio,
            stances: figures.stances,
            clearance_mm: figures.clearance * 1e3,
            contact_agreement: figures.agreement,
            extension: figures.extension,
            jerk_m_s3: figures.jerk,
        }
    }

    /// In words.
    pub fn rows(&self, out: &mut String) {
        row(out, "", "median / 95th percentile / greatest");
        row(out, "drift", self.drift.text());
        row(out, "float", self.float.text());
        row(out, "penetration", self.penetration.text());
        let sliding = 100.0 * self.skating_ratio;
        row(out, "skate", format!("{:.4} m/s, sliding in {sliding:.1} % of frames", self.skate_m_s));
        row(out, "stances", format!("{} whole ones", self.stances));
        row(out, "clearance", format!("{:.0} mm at least in mid-swing", self.clearance_mm));
        let agreement = 100.0 * self.contact_agreement;
        row(out, "agreement", format!("{agreement:.1} % of frames stand or fly as their label says"));
        row(out, "extension", format!("{:.3} of a leg at most while standing", self.extension));
        row(out, "jerk", format!("{:.0} m/s³", self.jerk_m_s3));
    }
}
