//! Stances that are known: when feet stand is taken as the clip says, and only where they stand is measured.

use super::stances::{ground_of, placed};
use crate::math::floor;
use crate::motion::{Clip, FootTrack, Span, Stance, StanceFrames, Take};
use crate::rig::{Leg, LegId, Rig};
use glam::{Vec2, Vec3A};
use std::ops::Range;

/// A heel or ball that strays farther than this while it is said to hold its place does not stand: the clip was changed since,
/// and nothing of what it says is believed. Metres, for a grown person.
const STRAYS: f32 = 0.1;

/// The take of a clip that [says when its feet stand](Clip::standing), if they do.
pub(super) fn known_take(rig: &Rig, clip: &Clip) -> Option<Take> {
    let standing = clip.standing().filter(|standing| standing.len() == rig.legs.len())?;
    let tracks = FootTrack::of_all(rig, clip);
    let reach = rig.scale().length(STRAYS);
    let mut stances = Vec::new();
    for (((id, leg), track), times) in rig.legs().zip(&tracks).zip(standing) {
        for times in times {
            let stays = strays(&track.heels, &times.heel).max(strays(&track.balls, &times.ball)) < reach;
            stances.push(stays.then(|| stance(id, leg, track, times, clip))?);
        }
    }
    let ground = ground_of(&stances, clip, &tracks);
    (!stances.is_empty()).then(|| Take { stances, ground, ..Take::from(clip.clone()) })
}

/// How far a point comes from its mean place over the floor, metres.
fn strays(points: &[Vec3A], span: &Range<usize>) -> f32 {
    let places = || points[span.clone()].iter().map(|point| floor::of_point(*point));
    let mean = places().sum::<Vec2>() / span.len().max(1) as f32;
    places().map(|place| place.distance(mean)).fold(0.0, f32::max)
}

fn stance(id: LegId, leg: &Leg, track: &FootTrack, times: &StanceFrames, clip: &Clip) -> Stance {
    let StanceFrames { whole, heel, ball } = times;
    let none = |other: &Range<usize>| other.start..other.start;
    let heel_frames = if heel.is_empty() { none(ball) } else { heel.clone() };
    let ball_frames = if ball.is_empty() { none(heel) } else { ball.clone() };
    // One that holds neither, as it slides from place to place, is about where its ball is on average.
    let holds = !(heel.is_empty() && ball.is_empty());
    let placed = placed(id, leg, track, whole, &heel_frames, if holds { &ball_frames } else { whole }, true);
    let rate = clip.rate();
    Stance {
        print: placed.print,
        time: Span { start: whole.start as f32 / rate, end: whole.end as f32 / rate },
        heel: Span::of_frames(heel, rate),
        ball: Span::of_frames(ball, rate),
        heel_at: placed.heel_at,
        ball_at: placed.ball_at,
        open: whole.start == 0 || whole.end == clip.frames(),
    }
}
