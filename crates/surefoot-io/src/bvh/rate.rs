//! Frame rates behind rounded frame times.

/// Rates that cameras, capture systems and editors use, Hz.
const USUAL: [f64; 26] = [
    12.0, 15.0, 23.976, 24.0, 25.0, 29.97, 30.0, 40.0, 48.0, 50.0, 59.94, 60.0, 72.0, 75.0, 80.0, 90.0, 100.0, 119.88,
    120.0, 144.0, 150.0, 180.0, 200.0, 240.0, 250.0, 300.0,
];

/// The usual rate that a printed frame time stands for: one whose exact frame time rounds, or is cut off, to the
/// printed digits; a whole number of frames a second before a broken one. `None` if there is none, or if so few
/// digits were printed that it would be off by over 2.5 %.
pub(super) fn snap(frame_time: f64, decimals: Option<u32>) -> Option<f64> {
    let digits = 10.0_f64.powi(decimals.unwrap_or(12).min(12).cast_signed());
    let printed = frame_time * digits;
    let stands_for = |rate: &f64| {
        let exact = digits / rate;
        // Past twelve digits nothing was rounded that f64 could see.
        let slack = if decimals.is_some_and(|d| d <= 12) { 1e-3 } else { 1.0 };
        let same = |value: f64| (value - printed).abs() < slack;
        (same(exact.round()) || same(exact.floor())) && (frame_time * rate - 1.0).abs() < 0.025
    };
    let off = |rate: &f64| (frame_time * rate - 1.0).abs();
    let rank = |rate: &f64| (rate.fract() != 0.0, off(rate));
    USUAL
        .into_iter()
        .filter(stands_for)
        .min_by(|a, b| rank(a).partial_cmp(&rank(b)).unwrap_or(std::cmp::Ordering::Equal))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_frame_times_mean_their_rates() {
        for (printed, rate) in [
            (".0083333", 120.0),
            ("0.008333", 120.0),
            ("0.00833333", 120.0),
            ("0.016667", 60.0),
            ("0.0166667", 60.0),
            ("0.016666666666666666", 60.0),
            ("0.033333", 30.0),
            ("0.0333333", 30.0),
            ("0.033", 30.0),
            ("0.033367", 29.97),
            ("0.041667", 24.0),
            ("0.0416667", 24.0),
            ("0.0417083750417", 23.976),
            ("0.041708", 23.976),
            ("0.04", 25.0),
            ("0.01", 100.0),
            ("0.005", 200.0),
            ("0.02", 50.0),
            ("0.0167", 60.0),
            ("0.0417", 24.0),
            ("0.0333", 30.0),
            ("0.0334", 29.97),
            ("0.017", 60.0),
            ("0.042", 24.0),
        ] {
            let decimals = printed.len() - printed.find('.').unwrap() - 1;
            assert_eq!(snap(printed.parse().unwrap(), Some(decimals as u32)), Some(rate), "{printed}");
        }
    }

    #[test]
    fn other_rates_are_left_alone() {
        for (time, decimals) in [(1.0 / 77.0, 7), (0.5, 1), (1.0 / 31.0, 6), (0.008, 3), (2.0, 0), (1.0 / 30.5, 5)] {
            assert_eq!(snap(time, Some(decimals)), None, "{time}");
        }
    }
}
