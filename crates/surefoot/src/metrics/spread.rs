//! How a figure is spread: the middle, nearly all, and the worst with where it is.

/// The middle, the 95th percentile and the worst of a figure, with where the worst is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Spread {
    /// Middle value.
    pub median: f32,
    /// Value that 95 of 100 do not exceed.
    pub p95: f32,
    /// Greatest value.
    pub max: f32,
    /// Frame of the greatest value.
    pub worst: usize,
}

impl Spread {
    /// Of values with their frames; zero if there are none.
    #[must_use]
    pub fn of(mut values: Vec<(f32, usize)>) -> Self {
        values.sort_by(|a, b| a.0.total_cmp(&b.0));
        let Some((max, worst)) = values.last().copied() else { return Self::default() };
        let at = |share: f32| values[((values.len() - 1) as f32 * share).round() as usize].0;
        Self { median: at(0.5), p95: at(0.95), max, worst }
    }
}
