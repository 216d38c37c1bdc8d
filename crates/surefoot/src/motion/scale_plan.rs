//! Scale plans: how long legs are over the time of a walk.

use std::str::FromStr;

/// How long legs are beside their own length, over the seconds of a finished walk: linear between keys, level before the first and
/// after the last.
///
/// As text, `0:1 5:0.5 9:1.6` says the scale at times; `0.5` is the same all the time; and `5,0.5,7 9,1.6,12` are changes that
/// begin at a time, lead to a scale and end at another time, from 1 on.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(try_from = "Vec<ScaleKey>"))]
#[cfg_attr(feature = "serde", serde(into = "Vec<ScaleKey>"))]
pub struct ScalePlan {
    keys: Vec<ScaleKey>,
}

/// The scale at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ScaleKey {
    /// Seconds of the finished walk.
    pub time: f32,
    /// How many times as long as their own legs are.
    pub scale: f32,
}

/// A change of scale, as it is planned.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ScaleChange {
    /// When it begins, seconds.
    pub start: f32,
    /// The scale that it leads to.
    pub target: f32,
    /// When it is done, seconds.
    pub end: f32,
}

/// Why numbers are no plan.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ScalePlanError {
    /// Nothing is planned.
    #[error("a scale plan has at least one scale")]
    Empty,
    /// A scale is out of its range.
    #[error("a scale of {scale}: legs are {} to {} times as long", SCALES[0], SCALES[1])]
    Scale {
        /// The scale.
        scale: f32,
    },
    /// A time is below 0, or no number.
    #[error("a time of {time} s: times are 0 or more")]
    Time {
        /// The time, seconds.
        time: f32,
    },
    /// Times do not follow each other.
    #[error("{later} s comes after {earlier} s: times must grow")]
    Order {
        /// The time that comes first, seconds.
        earlier: f32,
        /// The one that should be later, seconds.
        later: f32,
    },
    /// Text that is no plan.
    #[error(
        "{text:?} is not a scale plan: give a scale (0.5), scales at times (0:1 5:0.5), or changes as start,scale,end (5,0.5,7)"
    )]
    Text {
        /// What was given.
        text: String,
    },
}

/// The least and the greatest scale.
const SCALES: [f32; 2] = [0.1, 10.0];

impl ScalePlan {
    /// The same scale all the time.
    ///
    /// # Errors
    /// If it is not from 0.1 to 10.
    pub fn constant(scale: f32) -> Result<Self, ScalePlanError> {
        Self::new(vec![ScaleKey { time: 0.0, scale }])
    }

    /// From scales at times.
    ///
    /// # Errors
    /// If there is none, a scale is not from 0.1 to 10, or times are negative or do not grow.
    pub fn new(keys: Vec<ScaleKey>) -> Result<Self, ScalePlanError> {
        if keys.is_empty() {
            return Err(ScalePlanError::Empty);
        }
        for key in &keys {
            if !(SCALES[0]..=SCALES[1]).contains(&key.scale) {
                return Err(ScalePlanError::Scale { scale: key.scale });
            }
            if !(key.time >= 0.0 && key.time.is_finite()) {
                return Err(ScalePlanError::Time { time: key.time });
            }
        }
        match keys.windows(2).find(|pair| pair[1].time <= pair[0].time) {
            Some(pair) => Err(ScalePlanError::Order { earlier: pair[0].time, later: pair[1].time }),
            None => Ok(Self { keys }),
        }
    }

    /// From changes that follow each other; legs have their own length before the first.
    ///
    /// # Errors
    /// As [`new`](Self::new); a change may begin when the one before it ends.
    pub fn of_changes(changes: &[ScaleChange]) -> Result<Self, ScalePlanError> {
        let mut keys = vec![ScaleKey { time: 0.0, scale: 1.0 }];
        for change in changes {
            let last = keys[keys.len() - 1];
            if change.end <= change.start || change.end.is_nan() {
                return Err(ScalePlanError::Order { earlier: change.start, later: change.end });
            }
            if change.start < last.time {
                return Err(ScalePlanError::Order { earlier: last.time, later: change.start });
            }
            if change.start > last.time {
                keys.push(ScaleKey { time: change.start, ..last });
            }
            keys.push(ScaleKey { time: change.end, scale: change.target });
        }
        Self::new(keys)
    }

    /// Its keys, in order of time.
    #[must_use]
    pub fn keys(&self) -> &[ScaleKey] {
        &self.keys
    }

    /// The scale at a time, seconds.
    #[must_use]
    pub fn at(&self, time: f32) -> f32 {
        let next = self.keys.partition_point(|key| key.time <= time);
        let (Some(before), Some(after)) = (next.checked_sub(1).map(|k| self.keys[k]), self.keys.get(next)) else {
            return self.keys[next.saturating_sub(1)].scale;
        };
        before.scale + (after.scale - before.scale) * (time - before.time) / (after.time - before.time)
    }

    /// The one scale that it has, if it never changes.
    #[must_use]
    pub fn is_constant(&self) -> Option<f32> {
        let first = self.keys[0].scale;
        self.keys.iter().all(|key| key.scale == first).then_some(first)
    }

    /// From when on nothing changes, seconds.
    #[must_use]
    pub fn settled(&self) -> f32 {
        self.keys[self.keys.len() - 1].time
    }
}

impl Default for ScalePlan {
    /// Legs of their own length.
    fn default() -> Self {
        Self { keys: vec![ScaleKey { time: 0.0, scale: 1.0 }] }
    }
}

impl TryFrom<Vec<ScaleKey>> for ScalePlan {
    type Error = ScalePlanError;

    fn try_from(keys: Vec<ScaleKey>) -> Result<Self, ScalePlanError> {
        Self::new(keys)
    }
}

impl From<ScalePlan> for Vec<ScaleKey> {
    fn from(plan: ScalePlan) -> Self {
        plan.keys
    }
}

impl FromStr for ScalePlan {
    type Err = ScalePlanError;

    fn from_str(text: &str) -> Result<Self, ScalePlanError> {
        let unknown = || ScalePlanError::Text { text: text.into() };
        let number = |part: &str| part.trim().parse::<f32>().map_err(|_| unknown());
        // Brackets are for the eye; a space after a comma parts nothing.
        let plain: String = text.chars().map(|c| if "()[];".contains(c) { ' ' } else { c }).collect();
        let tight = plain.split(',').map(str::trim).collect::<Vec<_>>().join(",");
        let parts: Vec<&str> = tight.split_whitespace().map(|part| part.trim_matches(',')).collect();
        match parts.as_slice() {
            [] => Err(ScalePlanError::Empty),
            [one] if !one.contains([':', ',']) => Self::constant(number(one)?),
            all if all.iter().all(|part| part.contains(':')) => {
                let key = |part: &&str| {
                    let (time, scale) = part.split_once(':').ok_or_else(unknown)?;
                    Ok(ScaleKey { time: number(time)?, scale: number(scale)? })
                };
                Self::new(all.iter().map(key).collect::<Result<_, _>>()?)
            }
            all => {
                let numbers = all.iter().flat_map(|part| part.split(',')).map(number).collect::<Result<Vec<_>, _>>()?;
                let (triples, rest) = numbers.as_chunks::<3>();
                if !rest.is_empty() {
                    return Err(unknown());
                }
                let change =
                    |[start, target, end]: &[f32; 3]| ScaleChange { start: *start, target: *target, end: *end };
                Self::of_changes(&triples.iter().map(change).collect::<Vec<_>>())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn plan(text: &str) -> Result<ScalePlan, ScalePlanError> {
        text.parse()
    }

    #[test]
    fn every_way_to_write_it_is_read() {
        let keys = plan("0:1 5:0.5 9:1.6").unwrap();
        for (time, scale) in [(0.0, 1.0), (2.5, 0.75), (5.0, 0.5), (7.0, 1.05), (9.0, 1.6), (99.0, 1.6)] {
            assert!((keys.at(time) - scale).abs() < 1e-6, "{time}: {}", keys.at(time));
        }
        assert_eq!(plan("0.5").unwrap().is_constant(), Some(0.5));
        let changes = plan("(5, 0.5, 7) (9, 1.6, 12)").unwrap();
        assert_eq!(changes, plan("5,0.5,7 9,1.6,12").unwrap());
        assert_eq!(changes, plan("[(5, 0.5, 7), (9, 1.6, 12)]").unwrap(), "as the thesis' scripts have it");
        for (time, scale) in [(0.0, 1.0), (5.0, 1.0), (6.0, 0.75), (8.0, 0.5), (10.5, 1.05), (13.0, 1.6)] {
            assert!((changes.at(time) - scale).abs() < 1e-6, "{time}: {}", changes.at(time));
        }
        assert_eq!(keys.is_constant(), None);
        assert_eq!(ScalePlan::default().at(7.0), 1.0);
    }

    #[test]
    fn what_is_no_plan_is_refused() {
        use ScalePlanError as E;
        for (text, wanted) in [
            ("", E::Empty),
            ("0", E::Scale { scale: 0.0 }),
            ("-1", E::Scale { scale: -1.0 }),
            ("0:1 5:11", E::Scale { scale: 11.0 }),
            ("-1:1", E::Time { time: -1.0 }),
            ("5:1 5:2", E::Order { earlier: 5.0, later: 5.0 }),
            ("0:1 6:1.2 5:2", E::Order { earlier: 6.0, later: 5.0 }),
            ("7,0.5,5", E::Order { earlier: 7.0, later: 5.0 }),
            ("1,0.5,5 4,1,6", E::Order { earlier: 5.0, later: 4.0 }),
        ] {
            assert_eq!(plan(text), Err(wanted), "{text:?}");
        }
        for text in ["a", "0:1 5", "1,2", "0:1,5:2", "1 2", "NaN:1", "0:NaN"] {
            assert!(plan(text).is_err(), "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn scales_stay_between_keys(scales in prop::collection::vec(0.1_f32..10.0, 1..6), time in -1.0_f32..20.0) {
            let key = |(k, scale): (usize, &f32)| ScaleKey { time: 3.0 * k as f32, scale: *scale };
            let plan = ScalePlan::new(scales.iter().enumerate().map(key).collect()).unwrap();
            let (low, high) = scales.iter().fold((f32::MAX, 0.0_f32), |(a, b), s| (a.min(*s), b.max(*s)));
            prop_assert!((low - 1e-5..=high + 1e-5).contains(&plan.at(time)));
        }
    }
}
