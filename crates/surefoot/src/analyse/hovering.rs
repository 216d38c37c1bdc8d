//! Feet that are nearly still in the air: what looks like a stance and is none.

use crate::motion::{Clip, FootTrack, Stance, StanceFrames};
use crate::rig::Scale;
use glam::Vec3A;

/// A foot that is nearly still for no longer than this, seconds, is held up for a moment in mid-swing if it is higher than
/// [`HOVERS`] over the others; for longer, if it is higher than [`HOVERS_LONG`]: it may stand on a step.
const MOMENT: f32 = 0.35;
/// Metres of a person.
const HOVERS: f32 = 0.04;
/// Metres of a person.
const HOVERS_LONG: f32 = 0.1;

/// A foot whose one end is this much higher than its other one all the while hangs, and does not stand on a step; metres of a person.
const TIPS: f32 = 0.06;

/// A foot that is higher than this over the others for a moment, and goes on all the while, swings slowly; metres of a person.
const SWINGS: f32 = 0.01;
/// It goes on if it is faster than this share of the speed that a foot may stand at.
const GOES: f32 = 0.5;

/// A foot that left its print, or will come to one, within this time, seconds of a person, did not step up or down by more than
/// [`STEPS_UP`] in between: no swing is so short. It paused on its way.
const PAUSES: f32 = 0.12;
/// Metres of a person.
const STEPS_UP: f32 = 0.02;

/// Drops pauses of a foot on its way up from a print or down to one.
fn drop_pauses(stances: &mut Vec<Stance>, scale: Scale) {
    let height = |stance: &Stance| stance.print.world_from_sole.translation.y;
    let is_pause = |i: usize| {
        let own = &stances[i];
        let near = |other: &Stance| {
            let gap = (own.strike() - other.off()).max(other.strike() - own.off());
            other.leg() == own.leg()
                && gap < scale.time(PAUSES)
                && other.time.seconds() > own.time.seconds()
                && height(own) - height(other) > scale.length(STEPS_UP)
        };
        let beside = [i.checked_sub(1), Some(i + 1)].into_iter().flatten();
        beside.filter_map(|other| stances.get(other)).any(near)
    };
    let keep: Vec<bool> = (0..stances.len()).map(|i| !is_pause(i)).collect();
    let mut keep = keep.into_iter();
    stances.retain(|_| keep.next().unwrap_or(true));
}

/// Drops spans in which a foot is held still in the air, well above the others, which stand all the while, or goes slowly through it;
/// `slow` is the speed that a foot may stand at, m/s.
pub(super) fn drop_hovering(stances: &mut Vec<Stance>, clip: &Clip, tracks: &[FootTrack], scale: Scale, slow: f32) {
    drop_pauses(stances, scale);
    let mut standing = vec![0_u32; clip.frames()];
    for f in stances.iter().flat_map(|stance| stance.frames(clip).whole) {
        standing[f] += 1;
    }
    stances.retain(|stance| {
        let leg = stance.leg().index();
        let over = |frame: usize| {
            let others = tracks.iter().enumerate().filter(|(i, _)| *i != leg);
            let lowest = others.map(|(_, track)| track.height(frame)).fold(f32::INFINITY, f32::min);
            tracks[leg].height(frame) - lowest
        };
        let StanceFrames { whole, heel, ball } = stance.frames(clip);
        // Nobody stands on a step with one end of a foot only, and with none of his weight.
        let tips = whole.clone().all(|frame| {
            let track = &tracks[leg];
            (track.heels[frame].y - track.balls[frame].y).abs() > scale.length(TIPS)
        });
        let on_one_end = tips && (heel.is_empty() || ball.is_empty());
        let stands_alone = whole.clone().any(|frame| standing[frame] <= 1);
        let moved = |points: &[Vec3A]| (points[whole.end - 1] - points[whole.start]).length();
        let way = moved(&tracks[leg].heels).min(moved(&tracks[leg].balls));
        let hovers = match () {
            () if stance.open => HOVERS_LONG,
            () if whole.len() as f32 > MOMENT * clip.rate() => {
                if on_one_end {
                    HOVERS
                } else {
                    HOVERS_LONG
                }
            }
            () if way * clip.rate() > GOES * slow * (whole.len() - 1) as f32 => SWINGS,
            () => HOVERS,
        };
        stands_alone || !whole.clone().all(|frame| over(frame) > scale.length(hovers))
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Rigid;
    use crate::motion::{Footprint, Span};
    use crate::rig::{LegId, ManyLegs};

    /// A foot of so high a heel and ball all the while.
    fn track(heel: f32, ball: f32) -> FootTrack {
        let points = |y: f32| vec![Vec3A::Y * y; 240];
        let ankles = vec![Rigid::from_translation(Vec3A::Y * heel.max(ball)); 240];
        FootTrack { ankles, heels: points(heel), balls: points(ball), tips: points(ball) }
    }

    #[test]
    fn a_foot_that_hangs_in_the_air_for_long_does_not_stand_and_one_on_a_step_does() {
        let rig = ManyLegs { pairs: 1, leg: 0.83 }.run();
        let clip = Clip::new(&rig.skeleton, "hop", 120.0, rig.skeleton.rest().repeat(240)).unwrap();
        let stance = |leg: u8, [from, to]: [f32; 2], heel: bool, y: f32| {
            let time = Span { start: from, end: to };
            let held = heel.then_some(time);
            let at = Vec3A::Y * y;
            let print = Footprint::new(LegId(leg), Rigid::from_translation(at));
            Stance { print, time, heel: held, ball: Some(time), heel_at: at, ball_at: at, open: false }
        };
        // By how high the heel and the ball of the other foot are while one stands for the whole two seconds.
        for (heel, ball, flat, stands) in [
            (0.2, 0.075, false, false),
            (0.075, 0.075, true, true),
            (0.11, 0.075, false, true),
            (0.2, 0.03, false, true),
        ] {
            let tracks = [track(0.0, 0.0), track(heel, ball)];
            let mut stances = vec![stance(0, [0.0, 2.0], true, 0.0), stance(1, [0.5, 1.4], flat, ball)];
            drop_hovering(&mut stances, &clip, &tracks, rig.scale(), 0.25);
            assert_eq!(stances.len(), 1 + usize::from(stands), "heel {heel}, ball {ball}");
        }
    }
}
