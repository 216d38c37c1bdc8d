//! Bodies in the air: between times at which any foot stands they fly as they must, and legs give way and push off in between.

use crate::character::Stand;
use crate::motion::Span;
use crate::plan::steps::StepPlan;
use crate::rig::GRAVITY;

/// When no foot of a creature stands.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Airborne {
    /// In order, seconds.
    flights: Vec<Span>,
}

/// How a body moves because it flies, or will or did.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Flown {
    /// How far it is over where it leaves and lands, metres; below it while legs give way.
    pub height: f32,
    /// How much this is a run, from 0 (it always stands) to 1.
    pub runs: f32,
}

/// Legs give way and push off within this at most, seconds of a person.
const GIVES: f32 = 0.4;
/// Legs give way by this share of the hips' height at most.
const DEEPEST: f32 = 0.15;
/// Flights as long as this are those of a run, seconds of a person.
const RUN: f32 = 0.06;

impl Airborne {
    /// From the stances of all feet.
    pub(crate) fn new(plan: &StepPlan) -> Self {
        let mut stances: Vec<Span> = plan.legs.iter().flatten().map(|fall| fall.stance.time).collect();
        stances.sort_by(|a, b| a.start.total_cmp(&b.start));
        let mut flights = Vec::new();
        let mut stood = f32::INFINITY;
        for stance in stances {
            if stance.start > stood {
                flights.push(Span { start: stood, end: stance.start });
            }
            stood = if stood.is_finite() { stood.max(stance.end) } else { stance.end };
        }
        Self { flights }
    }

    /// At a time, seconds.
    pub(crate) fn at(&self, t: f32, stand: &Stand) -> Flown {
        let (hip, pace) = (stand.hip, stand.pace());
        let next = self.flights.partition_point(|flight| flight.end <= t);
        let long = |flight: &Span| flight.end - flight.start;
        let before = next.checked_sub(1).map(|i| self.flights[i]);
        let after = self.flights.get(next);
        if let Some(flight) = after.filter(|flight| flight.start <= t) {
            let height = 0.5 * GRAVITY * (t - flight.start) * (flight.end - t);
            return Flown { height, runs: (long(flight) / (RUN * pace)).min(1.0) };
        }
        // Landing and leaving, each with the speed of its flight and none at its other end.
        let stands = match (before, after) {
            (Some(before), Some(after)) => after.start - before.end,
            _ => f32::INFINITY,
        };
        let takes = stands.min(GIVES * pace);
        let give = |flight: Option<&Span>, since: f32| {
            let (flight, x) = (flight?, since / takes.max(1e-4));
            (x < 1.0).then(|| {
                let deep = 0.5 * GRAVITY * long(flight) * takes * x * (1.0 - x) * (1.0 - x);
                (deep, (long(flight) / (RUN * pace)).min(1.0) * (1.0 - x) * (1.0 - x) * (1.0 + 2.0 * x))
            })
        };
        let landed = give(before.as_ref(), before.map_or(0.0, |before| t - before.end)).unwrap_or_default();
        let leaves = give(after, after.map_or(0.0, |after| after.start - t)).unwrap_or_default();
        let (deep, most) = (landed.0 + leaves.0, DEEPEST * hip);
        Flown { height: -most * deep / (most + deep).max(1e-6), runs: (landed.1 + leaves.1).min(1.0) }
    }
}
