//! Where feet stand in what was played, and how they are led there.

use super::score::{Beat, Share};
use super::{GroupCurves, Mark, Played, Score};
use crate::adapt::clean::FootLead;
use crate::adapt::lay::{Lay, Print};
use crate::foot::{PutDown, Sole};
use crate::library::strides::{Plant, Strides};
use crate::math::{Rigid, floor, quat, smoothstep, wrap_angle};
use crate::motion::{Clip, FootTrack, Footprint, Span, Stance};
use crate::plan::footsteps::FootstepPlan;
use crate::rig::{Foot, Rig, Scale};
use crate::world::GroundAlong;
use glam::{Vec2, Vec3A};

/// Where prints are put on the ground: those that a person placed as they are, all others as the ground lies.
pub(crate) struct Prints<'a> {
    pub(crate) plan: &'a FootstepPlan,
    pub(crate) marks: &'a [Mark],
    pub(crate) lay: &'a Lay,
    pub(crate) below: GroundAlong<'a>,
}

/// Prints that are put this much higher or lower are on another step, metres of a person.
const SAME_STEP: f32 = 0.03;
/// Edges under heel or ball that are no higher than this over the middle of a print are stood on, metres of a person.
const ON_EDGE: f32 = 0.06;
/// Planes steeper than this are the edges of steps, radians.
const TOO_STEEP: f32 = 0.95;

impl Prints<'_> {
    fn print(&self, rig: &Rig, k: usize, time: f32) -> Footprint {
        let (planned, mark) = (self.plan.prints[k].print, &self.marks[k]);
        if planned.pinned {
            return planned;
        }
        let leg = &rig.legs[planned.leg.index()];
        let sole = Sole::of(&leg.foot, rig.leg_length());
        let soft = rig.scale().length(self.lay.uneven);
        let put = |toes: Option<f32>| PutDown {
            steepest: TOO_STEEP,
            most_tilt: self.lay.steepest,
            toes,
            carries: 2.0 * soft,
            soft,
        };
        let look = |p: Vec2| self.below.at(p, time);
        // Not onto a step whose edge is over or under its toes; rather on an edge under its heel or ball than in it.
        let lie = |toes: Option<f32>, most: f32| {
            let over = |y: f32| y - mark.height;
            let place = put(toes).run(sole, mark.at, &look)?;
            let near = over(place.print.translation.y) > -rig.scale().length(SAME_STEP)
                && over(place.print.translation.y) < rig.scale().length(most);
            near.then_some(place)
        };
        let unmoved = Mark::of(&self.plan.prints[k], mark.side).at == mark.at;
        match lie(Some(0.0), SAME_STEP).or_else(|| lie(None, ON_EDGE)) {
            Some(place) => Footprint { world_from_sole: place.print, surface: place.surface, ..planned },
            None if unmoved => planned,
            None => Footprint { world_from_sole: mark.sole(), ..planned },
        }
    }
}

/// The stances of what was played, each with its mark: when heels and balls hold is the mean of the strides that are blended.
pub(crate) fn stances(
    strides: &Strides,
    score: &Score,
    curves: Option<&GroupCurves>,
    played: &Played,
    rate: f32,
    prints: &Prints<'_>,
) -> Vec<(Stance, Mark)> {
    let end = (played.roots.len() - 1) as f32 / rate;
    let time = |phase: f32| time_at(&played.phases, rate, phase);
    let mut all = Vec::with_capacity(score.beats.len());
    for (k, beat) in score.beats.iter().enumerate().take(played.prints.len()) {
        let mix = score.mix(strides, curves, beat.phase);
        let plants = |share: &Share| {
            let stride = &strides.strides[share.stride];
            stride.plant_near(beat.side, share.phase).map(|plant| (*plant, share.weight))
        };
        let mut known = [(None, 0.0); super::score::MOST];
        let mut count = 0;
        for found in mix.shares().iter().filter_map(plants) {
            known[count] = (Some(found.0), found.1);
            count += 1;
        }
        let known = known[..count].iter().filter_map(|(plant, weight)| Some(((*plant)?, *weight)));
        let Some(plant) = around_a_turn(strides, score, *beat).or_else(|| mean_plant(known)) else { continue };
        let span = |[from, to]: [f32; 2]| {
            let span = Span { start: time(beat.phase + from), end: time(beat.phase + to) };
            (span.end > span.start && span.end > 0.0 && span.start < end).then_some(span)
        };
        let Some(whole) = span([plant.strike, plant.off]) else { continue };
        let print = prints.print(&strides.rig, k, played.times[k]);
        let foot = &strides.rig.legs[print.leg.index()].foot;
        let world_from_ankle = print.world_from_sole * foot.ankle_from_sole().inverse();
        let [heel_at, ball_at] = [foot.heel, foot.ball].map(|point| world_from_ankle.transform_point(point));
        let mut stance = Stance {
            print,
            time: whole,
            heel: plant.heel.and_then(span),
            ball: plant.ball.and_then(span),
            heel_at,
            ball_at,
            open: whole.start < 0.0 || whole.end > end,
        };
        if !print.pinned {
            prints.lay.stand_on_what_is_borne(&mut stance, &prints.below, strides.rig.scale());
        }
        all.push((stance, prints.marks[k]));
    }
    all.sort_by(|(a, _), (b, _)| a.leg().cmp(&b.leg()).then(a.strike().total_cmp(&b.strike())));
    all
}

/// The plant of a beat between two strides of which one turns on the spot: who does so stands for longer than who walks, so it comes
/// down as the first has it, and is off as the second has it.
fn around_a_turn(strides: &Strides, score: &Score, beat: Beat) -> Option<Plant> {
    let next = score.spans.iter().position(|span| (span.start - beat.phase).abs() < 1e-3)?;
    let [first, second] = [next.checked_sub(1)?, next].map(|k| &strides.strides[score.spans[k].stride]);
    if !(first.turns_on_spot || second.turns_on_spot) {
        return None;
    }
    let (before, after) = (first.plant_near(beat.side, first.rounds)?, second.plant_near(beat.side, 0.0)?);
    let hold = |a: Option<[f32; 2]>, b: Option<[f32; 2]>| a.zip(b).map(|(a, b)| [a[0], b[1]]);
    Some(Plant { off: after.off, heel: hold(before.heel, after.heel), ball: hold(before.ball, after.ball), ..*before })
}

/// The mean of plants by weight; a heel or ball holds if it does in most of them.
fn mean_plant(plants: impl Iterator<Item = (Plant, f32)> + Clone) -> Option<Plant> {
    let sum: f32 = plants.clone().map(|(_, weight)| weight).sum();
    let first = plants.clone().next()?.0;
    let mean =
        |of: &dyn Fn(&Plant) -> f32| plants.clone().map(|(plant, weight)| weight * of(&plant)).sum::<f32>() / sum;
    let hold = |of: &dyn Fn(&Plant) -> Option<[f32; 2]>| {
        let (mut span, mut weight) = ([0.0; 2], 0.0);
        for (own, w) in plants.clone().filter_map(|(plant, w)| Some((of(&plant)?, w))) {
            span = [span[0] + w * own[0], span[1] + w * own[1]];
            weight += w;
        }
        (weight >= 0.5 * sum).then(|| span.map(|x| x / weight))
    };
    Some(Plant {
        strike: mean(&|plant| plant.strike),
        off: mean(&|plant| plant.off),
        heel: hold(&|plant| plant.heel),
        ball: hold(&|plant| plant.ball),
        ..first
    })
}

/// When a phase is reached, seconds; beyond the ends at the pace of the ends.
fn time_at(phases: &[f32], rate: f32, phase: f32) -> f32 {
    let count = phases.len();
    if count < 2 {
        return 0.0;
    }
    let next = phases.partition_point(|p| *p <= phase).clamp(1, count - 1);
    let (a, b) = (phases[next - 1], phases[next]);
    (next as f32 - 1.0 + (phase - a) / (b - a).max(1e-6)) / rate
}

/// How feet of a clip on a level floor are led to their stances, by leg and frame: wholly while they stand, from one to the other
/// while they swing, and over what lies between. `heights` are what the body will be raised by, by frame.
pub(crate) fn lead_feet(
    rig: &Rig,
    clip: &Clip,
    stances: &[(Stance, Mark)],
    (lay, below): (&Lay, &GroundAlong<'_>),
    heights: &[f32],
) -> Vec<Vec<FootLead>> {
    let mut tracks = FootTrack::of_all(rig, clip);
    let rate = clip.rate();
    let mut leads = Vec::with_capacity(tracks.len());
    for ((id, leg), track) in rig.legs().zip(&mut tracks) {
        let own: Vec<&Stance> = stances.iter().map(|(stance, _)| stance).filter(|stance| stance.leg() == id).collect();
        let held: Vec<Print> = own
            .iter()
            .map(|stance| Print { held: stance.frames(clip).held(), y: stance.print.world_from_sole.translation.y })
            .collect();
        let ankle_from_sole = leg.foot.ankle_from_sole();
        // What each stance asks of the foot, in the middle of it.
        let asks: Vec<FootLead> = own
            .iter()
            .zip(&held)
            .map(|(stance, print)| {
                let flat = stance.frames(clip).flat();
                let span = if flat.is_empty() { print.held.clone() } else { flat };
                let middle = ((span.start + span.end) / 2).min(clip.frames() - 1);
                let sole = track.ankles[middle] * ankle_from_sole;
                let wanted = stance.print.world_from_sole;
                let heading = |rigid: Rigid| quat::heading(rigid.rotation).unwrap_or(0.0);
                FootLead {
                    shift: (wanted.translation - sole.translation).with_y(0.0),
                    turn: wrap_angle(heading(wanted) - heading(sole)),
                }
            })
            .collect();
        let mut own_leads = lead_between(&held, &asks, clip.frames());
        pass_edges(&mut own_leads, track, &held, below, (&leg.foot, rig.scale(), rate));
        for (f, lead) in own_leads.iter().enumerate() {
            let ankle = track.ankles[f];
            let led = lead.led(ankle, &leg.foot);
            let point = |p: Vec3A| led.transform_point(ankle.inverse().transform_point(p));
            (track.heels[f], track.balls[f], track.tips[f]) =
                (point(track.heels[f]), point(track.balls[f]), point(track.tips[f]));
        }
        let raised = lay.flights(track, &held, below, (rate, rig.scale()));
        for ((lead, raised), height) in own_leads.iter_mut().zip(raised).zip(heights) {
            lead.shift.y = raised - height;
        }
        leads.push(own_leads);
    }
    leads
}

/// Leads by frame: those of stances while they are held, from one to the next in between.
fn lead_between(held: &[Print], asks: &[FootLead], frames: usize) -> Vec<FootLead> {
    let mut next = 0;
    let at = |f: usize| {
        while next < held.len() && held[next].held.end <= f {
            next += 1;
        }
        match (next.checked_sub(1), held.get(next)) {
            (Some(last), Some(stance)) if f < stance.held.start => {
                let (from, to) = (held[last].held.end as f32 - 1.0, stance.held.start as f32);
                asks[last].towards(&asks[next], smoothstep((f as f32 - from) / (to - from)))
            }
            (_, Some(_)) => asks[next],
            (Some(last), None) => asks[last],
            (None, None) => FootLead::default(),
        }
    };
    (0..frames).map(at).collect()
}

/// Ground that rises or falls by this much within a frame of a swing is an edge, metres of a person: slopes of 45° do so by half of
/// it.
const EDGE: f32 = 0.1;
/// A swing to a print that is this much higher or lower, metres of a person, leaves out [`AWAITS`] of its time along the floor.
const STEP: f32 = 0.15;
/// The share of a swing's time in which a foot goes straight up before it goes on, or straight down where it arrived; and how much
/// more of it for a step that is higher by [`HIGH`].
const AWAITS: [f32; 2] = [0.3, 0.2];
/// Metres of a person.
const HIGH: f32 = 0.4;
/// Feet that go up a step draw back from it by so much, metres of a person: toes stand close to it.
const BACK: f32 = 0.04;
/// No foot goes on faster for it than this, m/s of a person, unless it awaits [`LEAST`] only: long steps are past the
/// edge soon enough.
const FASTEST: f32 = 3.5;
/// The share that fast ones await.
const LEAST: f32 = 0.15;

/// Feet that go up a step go up before they go on, and those that go down are over their print before they go down: what is left of
/// the time beside an edge would be a leap.
fn pass_edges(
    leads: &mut [FootLead],
    track: &FootTrack,
    held: &[Print],
    below: &GroundAlong<'_>,
    (foot, scale, rate): (&Foot, Scale, f32),
) {
    for pair in held.windows(2) {
        let (from, to) = (pair[0].held.end.saturating_sub(1), pair[1].held.start);
        let rise = pair[1].y - pair[0].y;
        if to <= from + 1 || to >= leads.len() || rise == 0.0 {
            continue;
        }
        // What comes to the edge first going up, and last going down.
        let point = if rise > 0.0 { foot.tip.unwrap_or(foot.ball) } else { foot.heel };
        let places: Vec<Vec3A> =
            (from..=to).map(|f| leads[f].led(track.ankles[f], foot).transform_point(point).with_y(0.0)).collect();
        // A slope is gone along.
        let mut before: Option<f32> = None;
        let stepped = (from..=to).zip(&places).any(|(f, place)| {
            let y = below.at(floor::of_point(*place), f as f32 / rate).map(|hit| hit.point.y);
            let last = before;
            before = y.or(before);
            y.zip(last).is_some_and(|(y, last)| (y - last).abs() > scale.length(EDGE))
        });
        if !stepped {
            continue;
        }
        let fastest = places.windows(2).map(|pair| pair[0].distance(pair[1])).fold(0.0, f32::max) * rate;
        let most = (1.0 - fastest / scale.speed(FASTEST)).max(LEAST);
        let steps = rise.abs() / scale.length(1.0);
        let awaits = AWAITS[0] * smoothstep(steps / STEP) + AWAITS[1] * smoothstep((steps - STEP) / HIGH);
        let awaits = awaits.min(most);
        let back = if rise > 0.0 { scale.length(BACK) * smoothstep(steps / STEP) } else { 0.0 };
        let late = if rise > 0.0 { awaits } else { 0.0 };
        let whole = to - from;
        for f in from + 1..to {
            let x = (f - from) as f32 / whole as f32;
            let away = smoothstep(2.0 * x / awaits.max(1e-3)) * smoothstep((2.0 * awaits - x) / awaits.max(1e-3));
            let ankle = leads[f].led(track.ankles[f], foot);
            let along = (ankle.rotation * (foot.ball - foot.heel)).with_y(0.0).normalize_or_zero();
            let at = ((x - late) / (1.0 - awaits)).clamp(0.0, 1.0) * whole as f32;
            let low = (at as usize).min(whole - 1);
            leads[f].shift +=
                places[low].lerp(places[low + 1], at - low as f32) - places[f - from] - back * away * along;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_phases_go_on_beyond_the_ends() {
        let phases = [0.0, 0.1, 0.2, 0.4];
        for (phase, frame) in [(0.05, 0.5), (0.3, 2.5), (-0.1, -1.0), (0.6, 4.0)] {
            assert!((time_at(&phases, 10.0, phase) - 0.1 * frame).abs() < 1e-5, "{phase}");
        }
        assert_eq!(time_at(&[], 10.0, 1.0), 0.0);
    }

    #[test]
    fn leads_hold_in_stances_and_pass_smoothly_between() {
        let held = [Print { held: 5..10, y: 0.0 }, Print { held: 30..40, y: 0.0 }];
        let asks = [0.1, -0.1].map(|x| FootLead { shift: Vec3A::X * x, turn: x });
        let leads = lead_between(&held, &asks, 60);
        assert!(leads[..10].iter().all(|lead| lead.turn == 0.1) && leads[30..].iter().all(|lead| lead.turn == -0.1));
        assert!(leads.windows(2).all(|pair| (pair[1].shift - pair[0].shift).length() < 0.016));
        assert_eq!(lead_between(&[], &[], 3), [FootLead::default(); 3]);
    }
}
