//! The frame rate that keys show.

use std::collections::BTreeMap;

/// Rates that editors use, Hz.
const USUAL: [f64; 13] = [12.0, 15.0, 16.0, 20.0, 24.0, 25.0, 30.0, 48.0, 50.0, 60.0, 90.0, 100.0, 120.0];

/// The usual rate that belongs to the most common of these distances between keys, seconds.
pub(crate) fn shown_rate(distances: impl Iterator<Item = f64>) -> Option<f32> {
    let mut counts: BTreeMap<u64, usize> = BTreeMap::new();
    for distance in distances {
        // In tenths of a millisecond: times of 32 bits are no finer after some minutes.
        *counts.entry((distance * 1e4).round() as u64).or_default() += 1;
    }
    let most = counts.into_iter().max_by_key(|(distance, count)| (*count, u64::MAX - distance));
    let shown = most.filter(|(distance, _)| *distance > 0).map(|(distance, _)| 1e4 / distance as f64);
    shown.and_then(|rate| USUAL.into_iter().find(|usual| (rate / usual - 1.0).abs() < 0.012)).map(|rate| rate as f32)
}
