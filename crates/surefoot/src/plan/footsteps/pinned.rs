//! Prints that a person has placed, made a plan of by the strides that come nearest to them.

use super::{FootstepPlan, PlannedPrint, PlannedStride};
use crate::library::strides::{StandsAt, StrideReach};
use crate::math::{FloorPose, Rigid, wrap_angle};
use crate::motion::Footprint;
use crate::rig::{LegId, Side};
use crate::world::SurfaceId;
use glam::Vec2;

/// A print that a person has placed.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PlacedPrint {
    /// The foot.
    pub side: Side,
    /// The sole's frame in the world (origin half way from heel to ball, +Z to the ball), metres.
    pub world_from_sole: Rigid,
}

/// Finds strides for prints that are there already.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
pub struct MatchStrides {
    /// What a change of speed by 1 (from walking to running) between strides counts for, metres.
    pub speed_change: f32,
    /// What a radian counts for, metres.
    pub turn: f32,
    /// The left leg.
    pub left: LegId,
    /// The right leg.
    pub right: LegId,
}

impl Default for MatchStrides {
    /// A change from walk to run is as bad as half a metre, a radian as bad as half a metre.
    fn default() -> Self {
        Self { speed_change: 0.5, turn: 0.5, left: LegId(0), right: LegId(1) }
    }
}

/// Why prints are no strides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoMatch {
    /// They do not begin and end with the right foot, or there are too few.
    #[error("prints must begin and end with the right foot, and be two of it at least")]
    Ends,
    /// No stride has as many prints of the same feet.
    #[error("no stride has the feet of prints {first} to {last}")]
    Feet {
        /// The first of them, a right one.
        first: usize,
        /// The next right one.
        last: usize,
    },
}

impl MatchStrides {
    /// The plan whose prints are those that are placed, with the strides that together are nearest to them.
    ///
    /// # Errors
    /// If they do not begin and end with the right foot, or no stride has such a sequence of feet.
    pub fn run(&self, placed: &[PlacedPrint], reaches: &[StrideReach]) -> Result<FootstepPlan, NoMatch> {
        let rights: Vec<usize> = (0..placed.len()).filter(|i| placed[*i].side == Side::Right).collect();
        let ends = rights.first() == Some(&0) && rights.last().copied() == placed.len().checked_sub(1);
        if !ends || rights.len() < 2 {
            return Err(NoMatch::Ends);
        }
        // The least misfit up to each stride of each span, and the stride before.
        let mut table: Vec<Vec<(f32, usize)>> = Vec::new();
        let spans = rights.len() - 1;
        for (number, span) in rights.windows(2).enumerate() {
            // Nobody stands on the way.
            let fits = |reach: &StrideReach| {
                reach.stand.is_none_or(|stand| match stand.end {
                    StandsAt::Start => number == 0,
                    StandsAt::Stop => number + 1 == spans,
                })
            };
            let misfit = |reach: &StrideReach| match fits(reach) {
                true => self.misfit(&placed[span[0]..=span[1]], reach),
                false => f32::INFINITY,
            };
            let misfits = reaches.iter().map(misfit);
            let row: Vec<(f32, usize)> = misfits
                .enumerate()
                .map(|(stride, misfit)| {
                    let Some(before) = table.last() else {
                        return (misfit + self.speed_change * reaches[stride].entry_speed, 0);
                    };
                    let through = |other: usize| {
                        let change = (reaches[stride].entry_speed - reaches[other].exit_speed).abs();
                        before[other].0 + misfit + self.speed_change * change
                    };
                    let best = (0..before.len()).min_by(|a, b| through(*a).total_cmp(&through(*b))).unwrap_or(0);
                    (through(best), best)
                })
                .collect();
            if !row.iter().any(|(misfit, _)| misfit.is_finite()) {
                return Err(NoMatch::Feet { first: span[0], last: span[1] });
            }
            table.push(row);
        }
        let last = &table[table.len() - 1];
        let mut stride = (0..last.len()).min_by(|a, b| last[*a].0.total_cmp(&last[*b].0)).unwrap_or(0);
        let mut chosen = vec![0; table.len()];
        for k in (0..table.len()).rev() {
            chosen[k] = stride;
            stride = table[k][stride].1;
        }
        Ok(self.plan(placed, &rights, &chosen, reaches))
    }

    /// How far a stride's prints are from placed ones, metres, when its first is put onto the first of them; infinite if its feet
    /// are others.
    fn misfit(&self, placed: &[PlacedPrint], reach: &StrideReach) -> f32 {
        let same = reach.prints.len() + 1 == placed.len()
            && reach.prints.iter().zip(&placed[1..]).all(|(print, placed)| print.side == placed.side);
        let Some(from) = FloorPose::below(placed[0].world_from_sole).filter(|_| same) else { return f32::INFINITY };
        let off = |(print, placed): (&crate::library::strides::StridePrint, &PlacedPrint)| {
            let Some(at) = FloorPose::below(placed.world_from_sole) else { return f32::INFINITY };
            let should = from.then(FloorPose::new(Vec2::new(print.place.x, print.place.z), print.heading));
            should.position.distance(at.position) + self.turn * wrap_angle(should.heading - at.heading).abs()
        };
        reach.prints.iter().zip(&placed[1..]).map(off).sum()
    }

    fn plan(
        &self,
        placed: &[PlacedPrint],
        rights: &[usize],
        chosen: &[usize],
        reaches: &[StrideReach],
    ) -> FootstepPlan {
        let mut times = vec![0.0];
        let mut strides = Vec::new();
        for (span, stride) in rights.windows(2).zip(chosen) {
            let start = times[span[0]];
            times.extend(reaches[*stride].prints.iter().map(|print| start + print.time));
            strides.push(PlannedStride { stride: *stride, first: span[0], last: span[1] });
        }
        let prints = placed.iter().zip(&times).map(|(placed, time)| {
            let leg = if placed.side == Side::Left { self.left } else { self.right };
            let print = Footprint { leg, world_from_sole: placed.world_from_sole, surface: SurfaceId(0), pinned: true };
            PlannedPrint { print, time: *time, fixed: true }
        });
        FootstepPlan { prints: prints.collect(), strides, seconds: times[times.len() - 1] }
    }
}
