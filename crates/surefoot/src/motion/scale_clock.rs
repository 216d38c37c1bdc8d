//! The scale of legs and the rate at which clips are played on them, over the time of a walk.

use super::{ScalePlan, SpeedLaw};

/// A plan and a law together: what is asked in every frame, looked up.
#[derive(Clone, Debug, PartialEq)]
pub struct ScaleClock {
    /// Every [`STEP`] seconds until nothing changes.
    moments: Vec<ScaleMoment>,
}

/// The scale and the rate at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScaleMoment {
    /// How many times as long as their own legs are.
    pub scale: f32,
    /// Seconds of the clip that are played in one second of the walk, where steps are as much longer as the legs.
    pub rate: f32,
}

impl ScaleMoment {
    /// Seconds of the clip that are played in one second of a walk whose way becomes longer by `gain` for each unit that legs do, so
    /// that its speed is the law's all the same: as [`rate`](Self::rate) where that is 1, and within a fifth of it.
    #[must_use]
    #[inline]
    pub fn rate_of(&self, gain: f32) -> f32 {
        let longer = 1.0 + (self.scale - 1.0) * gain;
        self.rate * (self.scale / longer.max(1e-3)).clamp(1.0 - CORRECTED, 1.0 + CORRECTED)
    }
}

/// Seconds between moments that are looked up; between them they are mixed.
const STEP: f32 = 1.0 / 64.0;
/// The longest time over which scales may change, seconds: more is cut.
const LONGEST: f32 = 3600.0;
/// By this share rates are changed at most so that a speed is the law's.
const CORRECTED: f32 = 0.2;
/// The slowest and the fastest that clips are played, whatever a law says.
const RATES: [f32; 2] = [0.05, 20.0];

impl ScaleClock {
    /// Of a body with legs of this length, metres.
    #[must_use]
    pub fn new(plan: &ScalePlan, law: &dyn SpeedLaw, leg: f32) -> Self {
        let moment = |time: f32| {
            let scale = plan.at(time);
            let rate = law.play_rate(leg, scale);
            let rate = if rate.is_finite() { rate.clamp(RATES[0], RATES[1]) } else { 1.0 };
            ScaleMoment { scale, rate }
        };
        let last = if plan.is_constant().is_some() { 0.0 } else { (plan.settled().min(LONGEST) / STEP).ceil() };
        Self { moments: (0..=last as usize).map(|k| moment(k as f32 * STEP)).collect() }
    }

    /// What holds at a time, seconds.
    #[must_use]
    #[inline]
    pub fn at(&self, time: f32) -> ScaleMoment {
        let place = (time.max(0.0) / STEP).min((self.moments.len() - 1) as f32);
        let first = place as usize;
        let Some(after) = self.moments.get(first + 1) else { return self.moments[first] };
        let (before, share) = (self.moments[first], place - first as f32);
        ScaleMoment {
            scale: before.scale + share * (after.scale - before.scale),
            rate: before.rate + share * (after.rate - before.rate),
        }
    }

    /// When each frame of a clip is played whose way gains so much by longer legs, `dt` seconds apart in it: seconds of the walk.
    #[must_use]
    pub(crate) fn times(&self, gains: &[f32], dt: f32) -> Vec<f32> {
        let mut time = 0.0;
        let mut times = vec![0.0];
        times.extend(gains.iter().skip(1).map(|gain| {
            time += dt / self.at(time).rate_of(*gain);
            time
        }));
        times
    }

    /// Whether nothing ever changes.
    #[must_use]
    pub(crate) fn is_steady(&self) -> bool {
        self.moments.len() == 1
    }
}

#[cfg(test)]
mod tests {
    use super::super::Pullens;
    use super::*;

    #[test]
    fn clip_time_is_integrated_and_never_jumps() {
        let (law, dt) = (Pullens::default(), 1.0 / 30.0);
        let plan: ScalePlan = "0:1 5:0.5 9:1.6".parse().unwrap();
        let clock = ScaleClock::new(&plan, &law, 0.88);
        let times = clock.times(&[1.0; 600], dt);
        for pair in times.windows(2) {
            let rate = dt / (pair[1] - pair[0]);
            let wanted = law.play_rate(0.88, plan.at(pair[0]));
            assert!((rate / wanted - 1.0).abs() < 2e-3, "{rate} instead of {wanted} at {}", pair[0]);
        }
        let half = ScaleClock::new(&ScalePlan::constant(0.5).unwrap(), &law, 0.88);
        assert!((half.times(&[1.0; 301], dt)[300] - 10.0 / 1.231).abs() < 0.01);
        assert_eq!(half.at(-1.0), half.at(1e9));
        // Half as long legs take 0.6 of the way, not 0.5: played slower, the speed is the law's.
        let moment = half.at(0.0);
        assert!((moment.rate_of(0.8) * 0.6 - moment.rate * 0.5).abs() < 1e-5);
        assert!((moment.rate_of(0.2) / moment.rate - 0.8).abs() < 1e-5, "by a fifth at most");
    }
}
