//! Values over time made smooth.

use glam::{DVec3, Vec3A};
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

/// The way whose second differences come nearest to `bends` (those at its ends do not count) while it stays near zero:
/// the sum of squares of what they lack, and `pull` (> 0) times that of the way, is the least there is. What takes longer than
/// 2π / pull^¼ places to come and go is left out.
pub(crate) fn bending_as(bends: &[Vec3A], pull: f64) -> Vec<Vec3A> {
    let count = bends.len();
    if count < 3 || bends.iter().all(|bend| *bend == Vec3A::ZERO) {
        return vec![Vec3A::ZERO; count];
    }
    // Normal equations of five diagonals, factored as L D Lᵀ from one end to the other; in f64, for the pull is small.
    let inner = |place: usize| place > 0 && place + 1 < count;
    let bend = |place: usize| if inner(place) { bends[place].as_dvec3() } else { DVec3::ZERO };
    let one = |place: usize| f64::from(u8::from(inner(place)));
    let mut rows: Vec<Factored> = Vec::with_capacity(count);
    let (mut last, mut before) = (Factored::default(), Factored::default());
    for place in 0..count {
        let (back, ahead) = (place.checked_sub(1), place + 1);
        let behind = back.map_or(0.0, one);
        let diagonal = behind + 4.0 * one(place) + one(ahead) + pull;
        let right = back.map_or(DVec3::ZERO, bend) - 2.0 * bend(place) + bend(ahead);
        let pivot = diagonal - last.next * last.next * last.pivot - before.after * before.after * before.pivot;
        let row = Factored {
            pivot,
            next: (-2.0 * (one(place) + one(ahead)) - last.next * last.after * last.pivot) / pivot,
            after: one(ahead) / pivot,
            value: right - last.next * last.value - before.after * before.value,
        };
        (before, last) = (last, row);
        rows.push(row);
    }
    let mut way = vec![Vec3A::ZERO; count];
    let (mut next, mut after) = (DVec3::ZERO, DVec3::ZERO);
    for (row, way) in rows.iter().zip(&mut way).rev() {
        let value = row.value / row.pivot - row.next * next - row.after * after;
        *way = value.as_vec3a();
        (after, next) = (next, value);
    }
    way
}

/// A row of a factored system of five diagonals.
#[derive(Clone, Copy, Default)]
struct Factored {
    pivot: f64,
    /// The factors one and two places below the diagonal.
    next: f64,
    after: f64,
    value: DVec3,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quick_tremor_is_followed_and_a_slow_movement_is_not() {
        let rate = 120.0;
        let wave = |hertz: f32| -> Vec<Vec3A> {
            let at = |f: usize| Vec3A::new(0.0, (std::f32::consts::TAU * hertz * f as f32 / rate).sin(), 0.5);
            (0..240).map(at).collect()
        };
        let bends = |way: &[Vec3A]| -> Vec<Vec3A> {
            let bend = |f: usize| way[f.max(1) - 1] - 2.0 * way[f] + way[(f + 1).min(way.len() - 1)];
            (0..way.len()).map(bend).collect()
        };
        let pull = (std::f64::consts::TAU * 4.0 / f64::from(rate)).powi(4);
        for (hertz, least, most) in [(0.5, 0.0, 0.02), (20.0, 0.98, 1.02)] {
            let way = wave(hertz);
            let found = bending_as(&bends(&way), pull);
            // In the middle, away from the ends.
            let size = |way: &[Vec3A]| way[60..180].iter().map(|p| p.y.abs()).fold(0.0, f32::max);
            let share = size(&found) / size(&way);
            assert!((least..=most).contains(&share), "{hertz} Hz: {share}");
        }
    }

    #[test]
    fn nothing_asked_for_is_nothing_done() {
        assert!(bending_as(&[], 0.1).is_empty());
        assert_eq!(bending_as(&[Vec3A::ONE; 2], 0.1), [Vec3A::ZERO; 2]);
        assert_eq!(bending_as(&[Vec3A::ZERO; 9], 0.1), [Vec3A::ZERO; 9]);
    }

    #[test]
    fn no_other_way_is_nearer() {
        let bends: Vec<Vec3A> = (0..12).map(|f| Vec3A::new((f * f % 7) as f32, (f % 3) as f32, -1.0)).collect();
        let pull = 0.3;
        let cost = |way: &[Vec3A]| {
            let bend = |f: usize| (way[f - 1] - 2.0 * way[f] + way[f + 1] - bends[f]).length_squared();
            (1..way.len() - 1).map(bend).sum::<f32>()
                + pull as f32 * way.iter().map(|p| p.length_squared()).sum::<f32>()
        };
        let best = bending_as(&bends, pull);
        for place in 0..best.len() {
            for by in [Vec3A::X, -Vec3A::X, Vec3A::Y, -Vec3A::Y, Vec3A::Z, -Vec3A::Z] {
                let mut other = best.clone();
                other[place] += 0.05 * by;
                assert!(cost(&other) > cost(&best), "{place}, {by}");
            }
        }
    }
}
