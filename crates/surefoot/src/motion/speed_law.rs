//! Speed laws: how fast a body walks with legs of a length.

use crate::math::single::powf;

/// How fast a body prefers to walk, by the length of its legs. What counts for a clip that is played on longer or shorter legs is
/// how speed grows: at its own leg length every clip goes as it came.
///
/// ```
/// use surefoot::motion::{Pullens, SpeedLaw};
///
/// /// Steps of the clip's own time, however long the legs.
/// struct SameTime;
/// impl SpeedLaw for SameTime {
///     fn speed(&self, leg: f32) -> f32 {
///         1.5 * leg
///     }
/// }
/// assert!((SameTime.play_rate(0.88, 2.0) - 1.0).abs() < 1e-6);
/// assert!((Pullens::default().play_rate(0.88, 2.0) - 0.812).abs() < 1e-3);
/// ```
pub trait SpeedLaw: Sync {
    /// The speed that legs of a length prefer, hip to ankle, metres: m/s, above 0 for lengths above 0.
    fn speed(&self, leg: f32) -> f32;

    /// How many times as fast a body goes whose legs of a length (metres) become `scale` times as long.
    fn speed_factor(&self, leg: f32, scale: f32) -> f32 {
        self.speed(scale * leg) / self.speed(leg)
    }

    /// How many times as fast its clips are played then: steps are `scale` times as long.
    fn play_rate(&self, leg: f32, scale: f32) -> f32 {
        self.speed_factor(leg, scale) / scale
    }
}

/// The law of Pullens (2013): `f = (0.143596 l)^-0.3` steps a second of 0.725 l each, so that speed grows as l^0.7.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
pub struct Pullens {
    /// The length of a step, leg lengths: 0.7 to 0.75.
    pub step: f32,
}

impl Default for Pullens {
    fn default() -> Self {
        Self { step: 0.725 }
    }
}

impl Pullens {
    /// Steps a second of legs of a length, metres.
    #[must_use]
    pub fn steps_a_second(leg: f32) -> f32 {
        powf(0.143_596 * leg, -0.3)
    }
}

impl SpeedLaw for Pullens {
    fn speed(&self, leg: f32) -> f32 {
        Self::steps_a_second(leg) * self.step * leg
    }
}

/// Dynamic similarity: bodies of one shape move alike at one Froude number v²/(g l), so that speed grows as l^0.5.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
pub struct Froude {
    /// The Froude number: 0.22 for people who walk as they like.
    pub number: f32,
}

impl Default for Froude {
    fn default() -> Self {
        Self { number: 0.224 }
    }
}

impl SpeedLaw for Froude {
    fn speed(&self, leg: f32) -> f32 {
        (self.number * crate::rig::GRAVITY * leg).sqrt()
    }
}

/// As a clip itself walks: its steps keep their time, and grow with the legs.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct AsTheClip {
    /// How fast it was measured to walk, m/s.
    pub speed: f32,
    /// On legs of this length, metres.
    pub leg: f32,
}

impl SpeedLaw for AsTheClip {
    fn speed(&self, leg: f32) -> f32 {
        self.speed * leg / self.leg
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_numbers_come_out() {
        let law = Pullens::default();
        assert!((Pullens::steps_a_second(0.88) - 1.86).abs() < 1e-3);
        assert!((law.speed(0.88) - 1.187).abs() < 1e-3);
        for (scale, factor, rate) in [(0.5, 0.616, 1.231), (1.0, 1.0, 1.0), (1.5, 1.328, 0.885), (2.0, 1.625, 0.812)] {
            assert!((law.speed_factor(0.88, scale) - factor).abs() < 1e-3, "{scale}");
            assert!((law.play_rate(0.88, scale) - rate).abs() < 1e-3, "{scale}");
        }
        // The frequency that the law was fitted to (Grieve): 55.84 cycles a minute.
        assert!((63.0 * (1.39_f32 / 1.84).powf(0.43) - 55.84).abs() < 0.01);
    }

    #[test]
    fn other_laws_grow_as_they_should() {
        let (froude, clip) = (Froude::default(), AsTheClip { speed: 1.3, leg: 0.9 });
        assert!((froude.speed_factor(0.88, 4.0) - 2.0).abs() < 1e-6);
        assert!((froude.speed(0.88) - 1.39).abs() < 0.01);
        assert!((clip.speed(0.9) - 1.3).abs() < 1e-6 && (clip.play_rate(0.9, 1.7) - 1.0).abs() < 1e-6);
    }
}
