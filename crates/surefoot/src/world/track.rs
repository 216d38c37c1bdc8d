//! Tracks: where a thing is at every time, known in advance.

use glam::Vec3;

/// What a track does after its last key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Repeat {
    /// It stays there.
    #[default]
    Hold,
    /// It starts anew; the last key must be where the first is.
    Loop,
    /// It goes back the way it came, and so on.
    BackAndForth,
}

/// Places at times, straight and at a steady speed in between. Before the first key it stays there.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    times: Vec<f32>,
    places: Vec<Vec3>,
    repeat: Repeat,
}

/// Why keys are no track.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TrackError {
    /// There is nothing.
    #[error("a track needs at least one key")]
    Empty,
    /// A number is not finite.
    #[error("key {key}: time and place must be finite numbers")]
    Number {
        /// Number of the key, counted from 1.
        key: usize,
    },
    /// Times do not grow.
    #[error("key {key} is at {time} s, which is not after the one before at {before} s")]
    Order {
        /// Number of the key, counted from 1.
        key: usize,
        /// Its time, seconds.
        time: f32,
        /// The time before, seconds.
        before: f32,
    },
    /// A loop that would jump.
    #[error("a loop must end where it starts: the last key is {gap} m away from the first")]
    Open {
        /// Distance between first and last key, metres.
        gap: f32,
    },
}

impl Track {
    /// Through keys of (seconds, metres in world space), times growing.
    ///
    /// # Errors
    /// If there is no key, a number is not finite, times do not grow, or a loop does not end where it starts (to 1 mm).
    pub fn new(keys: &[(f32, Vec3)], repeat: Repeat) -> Result<Self, TrackError> {
        let (Some(first), Some(last)) = (keys.first(), keys.last()) else { return Err(TrackError::Empty) };
        if let Some(key) = keys.iter().position(|(time, place)| !(time.is_finite() && place.is_finite())) {
            return Err(TrackError::Number { key: key + 1 });
        }
        if let Some(i) = keys.windows(2).position(|pair| pair[1].0 <= pair[0].0) {
            return Err(TrackError::Order { key: i + 2, time: keys[i + 1].0, before: keys[i].0 });
        }
        let gap = (last.1 - first.1).length();
        if repeat == Repeat::Loop && gap > 1e-3 {
            return Err(TrackError::Open { gap });
        }
        let (times, places) = keys.iter().copied().unzip();
        Ok(Self { times, places, repeat })
    }

    /// A thing that does not move.
    #[must_use]
    pub fn still(place: Vec3) -> Self {
        Self { times: vec![0.0], places: vec![place], repeat: Repeat::Hold }
    }

    /// The keys: seconds, and metres in world space.
    pub fn keys(&self) -> impl ExactSizeIterator<Item = (f32, Vec3)> + '_ {
        self.times.iter().copied().zip(self.places.iter().copied())
    }

    /// What it does after its last key.
    #[must_use]
    pub fn repeat(&self) -> Repeat {
        self.repeat
    }

    /// Whether it ever moves.
    #[must_use]
    pub fn moves(&self) -> bool {
        self.places.iter().any(|place| *place != self.places[0])
    }

    /// The times within a span (seconds) at which it may change its velocity, rising, both ends of the span included. At most
    /// ten thousand: later ones are left out.
    #[must_use]
    pub fn turns(&self, [from, to]: [f32; 2]) -> Vec<f32> {
        let (first, last) = (self.times[0], self.times[self.times.len() - 1]);
        let round = if self.repeat == Repeat::Hold { 0.0 } else { last - first };
        // The first round that reaches into the span.
        let mut rounds = if round > 0.0 { ((from - first) / round).floor().max(0.0) } else { 0.0 };
        let mut turns = vec![from];
        while turns.len() < 10_000 {
            let start = first + rounds * round;
            let back = self.repeat == Repeat::BackAndForth && rounds % 2.0 == 1.0;
            let key = |i: usize| if back { last - self.times[self.times.len() - 1 - i] } else { self.times[i] - first };
            turns.extend((0..self.times.len()).map(|i| start + key(i)).filter(|time| *time > from && *time < to));
            rounds += 1.0;
            if round <= 0.0 || start + round >= to {
                break;
            }
        }
        turns.push(to);
        turns.dedup();
        turns
    }

    /// Where it is at a time, metres in world space; at a time that is no number, where it starts.
    #[must_use]
    pub fn position(&self, time: f32) -> Vec3 {
        let (time, _) = self.inside(time);
        let next = self.times.partition_point(|key| *key <= time);
        match (next.checked_sub(1), self.times.get(next)) {
            (None, _) => self.places[0],
            (Some(i), None) => self.places[i],
            (Some(i), Some(end)) => {
                let x = (time - self.times[i]) / (end - self.times[i]);
                self.places[i].lerp(self.places[next], x)
            }
        }
    }

    /// How fast it moves at a time, metres per second in world space; at a key, as after it.
    #[must_use]
    pub fn velocity(&self, time: f32) -> Vec3 {
        let (time, sign) = self.inside(time);
        let next = self.times.partition_point(|key| *key <= time);
        match (next.checked_sub(1), self.times.get(next)) {
            (Some(i), Some(end)) => sign * (self.places[next] - self.places[i]) / (end - self.times[i]),
            _ => Vec3::ZERO,
        }
    }

    /// The time of the first round that looks the same, and whether it runs forwards (1) or backwards (-1).
    fn inside(&self, time: f32) -> (f32, f32) {
        let (first, last) = (self.times[0], self.times[self.times.len() - 1]);
        let span = last - first;
        if !time.is_finite() {
            return (first, 1.0);
        }
        if time < first || span <= 0.0 {
            return (time, 1.0);
        }
        match self.repeat {
            Repeat::Hold => (time, 1.0),
            Repeat::Loop => (first + (time - first).rem_euclid(span), 1.0),
            Repeat::BackAndForth => {
                let within = (time - first).rem_euclid(2.0 * span);
                if within < span { (first + within, 1.0) } else { (last - (within - span), -1.0) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn l_shaped(repeat: Repeat) -> Track {
        Track::new(&[(1.0, Vec3::ZERO), (3.0, 4.0 * Vec3::X), (4.0, Vec3::new(4.0, 0.0, 3.0))], repeat).unwrap()
    }

    #[test]
    fn between_turns_it_moves_straight() {
        let keys = [(1.0, Vec3::ZERO), (2.0, Vec3::X), (4.5, Vec3::Z), (6.0, Vec3::ZERO)];
        for repeat in [Repeat::Hold, Repeat::Loop, Repeat::BackAndForth] {
            let track = Track::new(&keys, repeat).unwrap();
            let turns = track.turns([0.5, 40.0]);
            assert!(turns.windows(2).all(|pair| pair[0] < pair[1]), "{turns:?}");
            assert!(turns.len() == 6 || repeat != Repeat::Hold, "{turns:?}");
            for pair in turns.windows(2) {
                let (a, b) = (track.position(pair[0]), track.position(pair[1]));
                for x in [0.2, 0.5, 0.7] {
                    let at = track.position(pair[0] + x * (pair[1] - pair[0]));
                    assert!(at.distance(a.lerp(b, x)) < 1e-3, "{repeat:?}: {pair:?}");
                }
            }
        }
    }

    #[test]
    fn it_is_where_its_keys_say() {
        let track = l_shaped(Repeat::Hold);
        for (time, place, velocity) in [
            (0.0, Vec3::ZERO, Vec3::ZERO),
            (1.0, Vec3::ZERO, 2.0 * Vec3::X),
            (2.0, 2.0 * Vec3::X, 2.0 * Vec3::X),
            (3.5, Vec3::new(4.0, 0.0, 1.5), 3.0 * Vec3::Z),
            (9.0, Vec3::new(4.0, 0.0, 3.0), Vec3::ZERO),
        ] {
            assert_eq!((track.position(time), track.velocity(time)), (place, velocity), "at {time} s");
        }
        assert_eq!(track.position(f32::NAN), Vec3::ZERO);
        let back = l_shaped(Repeat::BackAndForth);
        assert_eq!((back.position(4.5), back.velocity(4.5)), (Vec3::new(4.0, 0.0, 1.5), -3.0 * Vec3::Z));
        assert_eq!(back.position(7.0), Vec3::ZERO);
        assert_eq!(back.position(8.0), 2.0 * Vec3::X);
    }

    proptest! {
        #[test]
        fn velocity_is_the_change_of_place(time in 0.0_f32..30.0) {
            for repeat in [Repeat::Hold, Repeat::BackAndForth] {
                let track = l_shaped(repeat);
                let dt = 1e-2;
                let mean = (track.position(time + dt) - track.position(time)) / dt;
                // Over a corner the mean lies between the two velocities.
                let [before, after] = [track.velocity(time), track.velocity(time + dt)];
                let near = (mean - before).length() < 1e-2 || (mean - after).length() < 1e-2 || before != after;
                prop_assert!(near, "{mean} {before} {after}");
            }
        }

        #[test]
        fn a_loop_repeats(time in 0.0_f32..4.0) {
            let keys = [(0.0, Vec3::ZERO), (1.0, Vec3::X), (2.0, Vec3::Z), (4.0, Vec3::ZERO)];
            let track = Track::new(&keys, Repeat::Loop).unwrap();
            prop_assert!((track.position(time) - track.position(time + 8.0)).length() < 1e-4);
        }
    }

    #[test]
    fn what_is_no_track_is_refused() {
        let new = |keys: &[(f32, Vec3)], repeat| Track::new(keys, repeat).map(|_| ());
        assert_eq!(new(&[], Repeat::Hold), Err(TrackError::Empty));
        assert_eq!(new(&[(f32::NAN, Vec3::X)], Repeat::Hold), Err(TrackError::Number { key: 1 }));
        let order = TrackError::Order { key: 2, time: 1.0, before: 1.0 };
        assert_eq!(new(&[(1.0, Vec3::X), (1.0, Vec3::Y)], Repeat::Hold), Err(order));
        assert_eq!(new(&[(0.0, Vec3::ZERO), (1.0, Vec3::X)], Repeat::Loop), Err(TrackError::Open { gap: 1.0 }));
    }
}
