//! How large a body is: lengths, times and speeds of a grown person, brought to its size.

/// How large a body is beside a grown person.
///
/// Settings that are lengths, times or speeds are told as they fit a person with legs of 0.83 m; a scale brings them to another
/// body. Lengths go with the legs; times and speeds with their square root, as bodies under one gravity move alike (equal
/// Froude numbers).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    share: f32,
}

/// Gravity, m/s².
pub(crate) const GRAVITY: f32 = 9.81;
/// The legs of a grown person, from hip to ankle, metres.
const PERSON_LEG: f32 = 0.83;
/// A grown person, metres.
const PERSON_HEIGHT: f32 = 1.7;

impl Scale {
    /// A grown person.
    pub const PERSON: Self = Self { share: 1.0 };

    /// Of a body with legs of this length, metres.
    #[must_use]
    pub fn of_leg(length: f32) -> Self {
        Self { share: length / PERSON_LEG }
    }

    /// Of a body of this height whose legs are not known, metres.
    #[must_use]
    pub fn of_height(height: f32) -> Self {
        Self { share: height / PERSON_HEIGHT }
    }

    /// What a person's length is to this body, metres.
    #[must_use]
    pub fn length(self, of_person: f32) -> f32 {
        of_person * self.share
    }

    /// What a person's speed is to this body, m/s.
    #[must_use]
    pub fn speed(self, of_person: f32) -> f32 {
        of_person * self.share.sqrt()
    }

    /// What a person's time is to this body, seconds.
    #[must_use]
    pub fn time(self, of_person: f32) -> f32 {
        of_person * self.share.sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_of_one_shape_have_one_froude_number() {
        let giant = Scale::of_leg(4.0 * PERSON_LEG);
        let froude = |scale: Scale| scale.speed(1.4).powi(2) / (9.81 * scale.length(PERSON_LEG));
        assert!((froude(giant) - froude(Scale::PERSON)).abs() < 1e-6);
        assert!((giant.length(0.1) - 0.4).abs() < 1e-6 && (giant.time(0.5) - 1.0).abs() < 1e-6);
        assert_eq!(Scale::of_height(PERSON_HEIGHT).length(1.0), 1.0);
    }
}
