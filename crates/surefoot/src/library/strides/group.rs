//! Strides that turn by different amounts, blended so that any turn between comes out.

use super::Stride;

/// Strides ordered by how much they turn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TurnGroup {
    /// From the one that turns most to the right to the one that turns most to the left.
    pub samples: Vec<GroupSample>,
}

/// Strides that turn alike and count as one.
#[derive(Clone, Debug, PartialEq)]
pub struct GroupSample {
    /// How much it turns, 1/m, left positive.
    pub curvature: f32,
    /// How long its path is, metres a round.
    pub length: f32,
    /// Its strides, which share its weight evenly.
    pub strides: Vec<usize>,
}

/// Two samples of a group and the weight of the second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bracket {
    pub(crate) first: usize,
    pub(crate) second: usize,
    pub(crate) share: f32,
}

/// Strides whose curvatures differ by less than this are one sample, 1/m.
const ALIKE: f32 = 0.02;

impl TurnGroup {
    /// Of all strides for which `belongs` is true.
    pub(crate) fn of(strides: &[Stride], belongs: impl Fn(&Stride) -> bool) -> Self {
        let mut own: Vec<usize> = (0..strides.len()).filter(|i| belongs(&strides[*i])).collect();
        own.sort_by(|a, b| strides[*a].curvature.total_cmp(&strides[*b].curvature).then(a.cmp(b)));
        let mut samples: Vec<GroupSample> = Vec::new();
        for i in own {
            let Stride { curvature, length, .. } = strides[i];
            match samples.last_mut().filter(|sample| curvature - sample.curvature < ALIKE) {
                Some(sample) => {
                    let count = sample.strides.len() as f32;
                    let mean = |old: f32, new: f32| (count * old + new) / (count + 1.0);
                    sample.curvature = mean(sample.curvature, curvature);
                    sample.length = mean(sample.length, length);
                    sample.strides.push(i);
                }
                None => samples.push(GroupSample { curvature, length, strides: vec![i] }),
            }
        }
        Self { samples }
    }

    /// The two samples between which a curvature (1/m) lies and the weight of the second, so that their blend turns by so much:
    /// blended displacements make curvature the mean by length. Outside the range the nearest sample has all. `None` for a
    /// group of nothing.
    #[must_use]
    pub(crate) fn bracket(&self, curvature: f32) -> Option<Bracket> {
        let last = self.samples.len().checked_sub(1)?;
        let second = self.samples.iter().position(|sample| sample.curvature >= curvature).unwrap_or(last);
        let first = second.saturating_sub(1);
        let (a, b) = (&self.samples[first], &self.samples[second]);
        let (from_a, to_b) = (a.length * (curvature - a.curvature), b.length * (b.curvature - curvature));
        let whole = from_a + to_b;
        let share = if whole > 1e-9 { (from_a / whole).clamp(0.0, 1.0) } else { 1.0 };
        Some(Bracket { first, second, share })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(samples: &[(f32, f32)]) -> TurnGroup {
        let sample = |(i, (curvature, length)): (usize, &(f32, f32))| GroupSample {
            curvature: *curvature,
            length: *length,
            strides: vec![i],
        };
        TurnGroup { samples: samples.iter().enumerate().map(sample).collect() }
    }

    /// The curvature of a blend: what it turns over how far it goes.
    fn curvature(group: &TurnGroup, Bracket { first, second, share }: Bracket) -> f32 {
        let (a, b) = (&group.samples[first], &group.samples[second]);
        let length = (1.0 - share) * a.length + share * b.length;
        ((1.0 - share) * a.curvature * a.length + share * b.curvature * b.length) / length
    }

    #[test]
    fn a_blend_turns_by_what_it_was_asked_for_and_linear_weights_do_not() {
        let group = group(&[(-1.1, 0.9), (-0.3, 1.25), (0.0, 1.4), (0.4, 1.2), (1.3, 0.8)]);
        for k in 0..=240 {
            let wanted = -1.1 + 0.01 * k as f32;
            let found = curvature(&group, group.bracket(wanted).unwrap());
            assert!((found - wanted).abs() < 1e-5, "{found} for {wanted}");
        }
        let bracket = group.bracket(0.85).unwrap();
        let (a, b) = (group.samples[bracket.first].curvature, group.samples[bracket.second].curvature);
        let linear = Bracket { share: (0.85 - a) / (b - a), ..bracket };
        assert!((curvature(&group, linear) - 0.85).abs() > 0.05, "linear weights miss it");
        // The thesis swaps the two weights.
        let swapped = Bracket { share: 1.0 - bracket.share, ..bracket };
        assert!((curvature(&group, swapped) - 0.85).abs() > 0.05, "swapped weights miss it");
    }

    #[test]
    fn beyond_its_range_the_nearest_has_all() {
        let group = group(&[(-1.0, 1.0), (0.0, 1.4), (1.0, 1.0)]);
        let at = |wanted: f32| curvature(&group, group.bracket(wanted).unwrap());
        assert_eq!((at(-9.0), at(9.0)), (-1.0, 1.0));
        assert_eq!(TurnGroup::default().bracket(0.1), None);
        assert_eq!(self::group(&[(0.2, 1.0)]).bracket(5.0).map(|b| (b.first, b.second)), Some((0, 0)));
    }
}
