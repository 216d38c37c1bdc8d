//! How large a body is, for limits that grow with it.

/// 1 for a body whose joints span 1.5 m of height, as a grown person's do: from what they span in each frame, metres, the middle one.
pub(super) fn size_of(mut spans: Vec<f32>) -> f32 {
    spans.sort_by(f32::total_cmp);
    spans.get(spans.len() / 2).copied().unwrap_or(0.0) / 1.5
}

/// What heights span, metres.
pub(super) fn span(heights: impl Iterator<Item = f32>) -> f32 {
    let [low, high] = heights.fold([f32::MAX, f32::MIN], |[low, high], y| [low.min(y), high.max(y)]);
    high - low
}
