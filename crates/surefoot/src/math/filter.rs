//! Values over time made smooth.

use std::ops::Range;

/// The places within `reach` of one, of `count`.
pub(crate) fn window(place: usize, reach: usize, count: usize) -> Range<usize> {
    place.saturating_sub(reach)..(place + reach + 1).min(count)
}

/// The mean over `reach` places either side, by place; fewer at the ends.
pub(crate) fn box_mean<T>(values: &[T], reach: usize) -> Vec<T>
where
    T: Copy + std::iter::Sum<T> + std::ops::Div<f32, Output = T>,
{
    let mean = |place: usize| {
        let window = window(place, reach, values.len());
        values[window.clone()].iter().copied().sum::<T>() / window.len() as f32
    };
    (0..values.len()).map(mean).collect()
}
