//! Feet that lie on the ground and move over it all the same, whatever a list of stances says of them.

use super::Footing;
use super::footing::OnGround;
use crate::math::floor;
use crate::motion::{FootTrack, Take};
use crate::rig::{LegId, Rig};
use glam::Vec3A;
use std::ops::Range;

/// A foot that slides over the ground it lies on.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Slip {
    /// The leg.
    pub leg: LegId,
    /// How far it slides, metres.
    pub way: f32,
    /// The frame in which it begins.
    pub start: usize,
    /// The first frame in which it does no more.
    pub end: usize,
}

/// A foot lies on the ground whose lower point is less than this over it, metres of a person: soles are known to about 1 cm.
const LOW: f32 = 0.012;
/// And whose heel and ball are less than this over it on average, metres of a person: more, and it rolls.
const FLAT: f32 = 0.025;
/// A point that is less than this over the ground touches it, metres of a person.
const TOUCHES: f32 = 0.021;
/// Slower than this a foot stands, faster it swings, m/s of a person.
const SPEEDS: Range<f32> = 0.12..0.7;
/// It slides for so long at least, seconds: feet that land or lift pass through these speeds in less.
const LASTS: f32 = 0.2;

/// All slips in a part of a take, the longest first.
///
/// # Panics
/// If the take was made for another skeleton, or has not all of the frames.
#[must_use]
pub fn find_slips(rig: &Rig, take: &Take, footing: Footing<'_>, part: Range<usize>) -> Vec<Slip> {
    let (clip, scale) = (&take.clip, rig.scale());
    let ground = OnGround::new(rig, take, footing);
    let least = ((LASTS * clip.rate()).round() as usize).max(1);
    let slides = scale.speed(SPEEDS.start)..scale.speed(SPEEDS.end);
    let mut slips = Vec::new();
    for ((leg, _), track) in rig.legs().zip(FootTrack::of_all(rig, clip)) {
        let points = [&track.heels, &track.balls];
        let mut slip = Slip { leg, way: 0.0, start: part.start, end: part.start };
        for f in part.start.max(1)..part.end {
            let heights = points.map(|points| ground.height(points[f], f).unwrap_or(f32::INFINITY));
            let lies =
                heights[0].min(heights[1]) < scale.length(LOW) && 0.5 * (heights[0] + heights[1]) < scale.length(FLAT);
            // A foot that rolls has a point that stands.
            let moved = |points: &[Vec3A]| floor::of_point(ground.moved(points, f)).length();
            let touching = heights.iter().zip(points).filter(|(height, _)| **height < scale.length(TOUCHES));
            let step = touching.map(|(_, points)| moved(points)).fold(f32::INFINITY, f32::min);
            if lies && slides.contains(&(step * clip.rate())) {
                slip.way += step;
                slip.end = f + 1;
            } else {
                slips.push(slip);
                slip = Slip { leg, way: 0.0, start: f + 1, end: f + 1 };
            }
        }
        slips.push(slip);
    }
    slips.retain(|slip| slip.end - slip.start >= least);
    slips.sort_by(|a, b| b.way.total_cmp(&a.way).then(a.start.cmp(&b.start)));
    slips
}
