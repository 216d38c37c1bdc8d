//! How well feet stand on any ground: drift, penetration and reach, with the ground asked below every point.

use super::Spread;
use crate::analyse::{FootTrack, Found};
use crate::motion::Take;
use crate::rig::Rig;
use crate::world::Ground;
use glam::{Vec3, Vec3A};

/// Figures of a take's feet on any ground, metres.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GroundFigures {
    /// Per stance and foot point, over the time that point is held: greatest distance from its mean place.
    pub drift: Spread,
    /// How far heel or ball is under the ground while the foot stands.
    pub penetration: Spread,
    /// How far heel or ball is under the ground while the foot flies.
    pub grazing: Spread,
    /// Most that the lower of heel and ball is over the ground in the middle of a stance.
    pub float: Spread,
    /// Stances seen.
    pub stances: usize,
}

/// Measures the feet of a take on ground that does not move.
///
/// # Panics
/// If the take was made for another skeleton.
#[must_use]
pub fn measure_on_ground(rig: &Rig, take: &Take, ground: &dyn Ground) -> GroundFigures {
    let tracks = FootTrack::of_all(rig, &take.clip);
    let over = |point: Vec3A| {
        // From a little above, so that what has sunk in is seen.
        let above = Vec3::from(point) + 0.3 * Vec3::Y * rig.leg_length();
        ground.below(above, 10.0 * rig.leg_length(), 0.0).map(|hit| point.y - hit.point.y)
    };
    let found = Found { stances: take.stances.clone(), ground: 0.0 };
    let slides = super::slides(rig, &take.clip, &found);
    let (mut under, mut grazing, mut float) = (Vec::new(), Vec::new(), Vec::new());
    for (i, track) in tracks.iter().enumerate() {
        let mut stances = take.stances.iter().filter(|stance| stance.leg.index() == i).peekable();
        for f in 0..take.clip.frames() {
            while stances.peek().is_some_and(|stance| stance.frames.end <= f) {
                stances.next();
            }
            let stance = stances.peek().filter(|stance| stance.frames.contains(&f));
            let heights = [track.heels[f], track.balls[f]].map(over);
            let low = heights.iter().flatten().fold(f32::INFINITY, |low, h| low.min(*h));
            if low == f32::INFINITY {
                continue;
            }
            match stance {
                Some(stance) => {
                    under.push(((-low).max(0.0), f));
                    if stance.flat().contains(&f) {
                        float.push((low.max(0.0), f));
                    }
                }
                None => grazing.push(((-low).max(0.0), f)),
            }
        }
    }
    GroundFigures {
        drift: Spread::of(slides.iter().map(|slide| (slide.drift, slide.frame)).collect()),
        penetration: Spread::of(under),
        grazing: Spread::of(grazing),
        float: Spread::of(float),
        stances: take.stances.len(),
    }
}
