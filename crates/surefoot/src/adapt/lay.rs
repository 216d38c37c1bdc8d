//! Laying a walk on a ground: what was made for a level floor gets the ground's heights and slopes under its feet.

use crate::foot::{PutDown, Sole, SolePlace, clear_swings};
use crate::math::{FloorPose, Rigid, box_mean, floor, smoothstep};
use crate::motion::{FootTrack, Stance, StanceFrames, Take};
use crate::rig::{Rig, Scale};
use crate::world::GroundAlong;
use glam::{Quat, Vec2, Vec3, Vec3A};
use std::ops::Range;

/// How a walk is laid on a ground. Lengths are a person's ([`Scale`]).
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
pub struct Lay {
    /// Prints are tilted with the ground by this much at most, radians.
    pub steepest: f32,
    /// Ground that leaves the sole's plane by more than this beside heel and ball is a step, not a slope, metres.
    pub uneven: f32,
    /// A print that lies across the edge of a step moves by this much at most to stand on it, metres.
    pub shift: f32,
    /// What flying feet keep from the ground, metres, where they fly so high on a level floor.
    pub clear: f32,
    /// Share of a swing in which a foot goes up to a higher print, at its start, or down to a lower one, at its end; 1 is all of it.
    pub soon: f32,
    /// How quickly a foot is raised over what lies between its prints, seconds.
    pub clears: f32,
    /// Time before and after a stance's middle over which its height counts for the body's, seconds.
    pub ease: f32,
    /// The pelvis goes down by this much at most so that legs reach the lower of two prints, metres.
    pub lower: f32,
}

impl Default for Lay {
    fn default() -> Self {
        Self {
            steepest: 35.0_f32.to_radians(),
            uneven: 0.015,
            shift: 0.16,
            clear: 0.02,
            soon: 1.0,
            clears: 0.06,
            ease: 0.6,
            lower: 0.25,
        }
    }
}

/// What was laid.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Laid {
    /// How much higher than in the clip each foot should fly, by leg and frame, metres.
    pub raised: Vec<Vec<f32>>,
    /// The steepest ground under a print, radians; more than [`Lay::steepest`] is not followed.
    pub steepest: f32,
    /// The highest step up or down from one print to the next, metres.
    pub highest_step: f32,
    /// Prints under which there is no ground; they are at the height of the way.
    pub bare: usize,
}

impl Lay {
    /// Puts the prints of a walk on a level floor at height 0 onto the ground, tilts them with it, and raises the clip's roots
    /// after them. Holding the feet there is left to [`Clean::run_laid`](super::Clean::run_laid).
    ///
    /// # Panics
    /// If the clip was made for another skeleton.
    #[must_use]
    pub fn run(&self, rig: &Rig, take: &mut Take, below: &GroundAlong<'_>) -> Laid {
        let (scale, leg_length) = (rig.scale(), rig.leg_length());
        let tracks = FootTrack::of_all(rig, &take.clip);
        let (mut steepest, mut bare) = (0.0_f32, 0);
        for stance in &mut take.stances {
            // What a person put there, or an old walk has laid, stays.
            if stance.print.pinned {
                continue;
            }
            let leg = &rig.legs[stance.leg().index()];
            let sole = Sole::of(&leg.foot, leg_length);
            let toes = if leg.toe.is_some() && leg.foot.tip.is_some() { TOES_GIVE } else { 0.0 };
            match self.support(sole, toes, stance, below, scale) {
                Some(place) => {
                    steepest = steepest.max(place.slope);
                    Self::put(stance, place);
                    self.stand_on_what_is_borne(stance, below, scale);
                }
                None => {
                    bare += 1;
                    let at = floor::of_point(stance.print.world_from_sole.translation);
                    stance.set_height((below.height)(at, middle(stance)));
                }
            }
        }
        let body = self.body(take);
        let raised = rig.legs().map(|(id, _)| {
            let own = take.stances.iter().filter(|stance| stance.leg() == id);
            let own: Vec<Print> = own
                .map(|stance| Print {
                    held: stance.frames(&take.clip).held(),
                    y: stance.print.world_from_sole.translation.y,
                })
                .collect();
            self.flights(&tracks[id.index()], &own, below, (take.clip.rate(), scale))
        });
        let raised: Vec<Vec<f32>> = raised.collect();
        let raised =
            raised.into_iter().map(|leg| leg.iter().zip(&body).map(|(foot, body)| foot - body).collect()).collect();
        take.clip.roots_mut().iter_mut().zip(&body).for_each(|(root, rise)| root.translation.y += rise);
        Laid { raised, steepest, highest_step: highest_step(&take.stances), bare }
    }

    /// Where a sole lies that should stand at a print, which may be moved along the foot a little to stand better; `toes` is how
    /// steeply its toes bend up.
    fn support(
        &self,
        sole: Sole<'_>,
        toes: f32,
        stance: &Stance,
        below: &GroundAlong<'_>,
        scale: Scale,
    ) -> Option<SolePlace> {
        let soft = scale.length(self.uneven);
        let put =
            PutDown { steepest: TOO_STEEP, most_tilt: self.steepest, toes: Some(toes), carries: 2.0 * soft, soft };
        let look = |p: Vec2| below.at(p, middle(stance));
        let print = stance.print.world_from_sole;
        let heading = FloorPose::below(print).map_or(0.0, |place| place.heading);
        let at = |by: f32| {
            let position = floor::of_point(print.translation) + by * floor::direction(heading);
            let place = put.run(sole, FloorPose::new(position, heading), &look)?;
            Some((put.carried(sole, place.print, &look), place))
        };
        let here = at(0.0);
        if here.is_some_and(|(share, _)| share > 0.99) {
            return here.map(|(_, place)| place);
        }
        let mut best = (here.map_or(-1.0, |(share, _)| share), here);
        for part in [0.25_f32, -0.25, 0.5, -0.5, 0.75, -0.75, 1.0, -1.0] {
            let there = at(part * scale.length(self.shift));
            // A third of the foot on the step is worth the whole shift.
            let worth = there.map_or(-1.0, |(share, _)| share) - 0.3 * part.abs();
            if worth > best.0 + 1e-3 {
                best = (worth, there);
            }
        }
        best.1.map(|(_, place)| place)
    }

    /// Puts a stance where its sole lies.
    fn put(stance: &mut Stance, place: SolePlace) {
        let sole = stance.print.world_from_sole;
        stance.set_height(sole.translation.y);
        // Heel and ball, which may be held beside the print, lie on the same plane.
        let turn = Quat::from_rotation_arc(Vec3::Y, (place.print.rotation * Vec3A::Y).into());
        let laid = |p: Vec3A| place.print.translation + turn * (p - sole.translation);
        (stance.heel_at, stance.ball_at) = (laid(stance.heel_at), laid(stance.ball_at));
        stance.print.world_from_sole =
            Rigid { rotation: (turn * sole.rotation).normalize(), translation: place.print.translation };
        stance.print.surface = place.surface;
    }

    /// Heel or ball that hangs over an edge stands no longer than the other: who climbs narrow steps lands on the ball.
    pub(super) fn stand_on_what_is_borne(&self, stance: &mut Stance, below: &GroundAlong<'_>, scale: Scale) {
        let time = middle(stance);
        let hangs = |p: Vec3A| {
            let ground = below.at(floor::of_point(p), time);
            ground.is_none_or(|hit| p.y - hit.point.y > 2.0 * scale.length(self.uneven))
        };
        let (heel, ball) = (stance.heel, stance.ball);
        let both = heel.zip(ball).and_then(|(heel, ball)| heel.shared(ball));
        match (hangs(stance.heel_at), hangs(stance.ball_at)) {
            (true, false) if ball.is_some() => stance.heel = both,
            (false, true) if heel.is_some() => stance.ball = both,
            _ => {}
        }
    }

    /// How high the body goes, by frame, metres: the heights of the prints it goes over, those in the middle of their stances
    /// more than others.
    fn body(&self, take: &Take) -> Vec<f32> {
        let clip = &take.clip;
        let ease = self.ease * clip.rate();
        // The middle third of each stance, and its height.
        let core = |stance: &Stance| {
            let StanceFrames { whole, .. } = stance.frames(clip);
            let third = whole.len() / 3;
            let (from, to) = (whole.start + third, (whole.end - third).max(whole.start + third + 1) - 1);
            (from, to, stance.print.world_from_sole.translation.y)
        };
        let cores: Vec<(usize, usize, f32)> = take.stances.iter().map(core).collect();
        let apart =
            |f: usize, (from, to, _): &(usize, usize, f32)| from.saturating_sub(f).max(f.saturating_sub(*to)) as f32;
        let height = |f: usize| {
            let (mut sum, mut weight) = (0.0, 0.0);
            for core in &cores {
                let w = (1.0 - apart(f, core) / ease).max(0.0);
                sum += w * w * core.2;
                weight += w * w;
            }
            if weight > 0.0 {
                return sum / weight;
            }
            let near = cores.iter().min_by(|a, b| apart(f, a).total_cmp(&apart(f, b)));
            near.map_or(0.0, |core| core.2)
        };
        let raw: Vec<f32> = (0..clip.frames()).map(height).collect();
        let reach = ((0.1 * clip.rate()).round() as usize).max(1);
        box_mean(&box_mean(&raw, reach), reach)
    }

    /// How much higher than on a level floor a foot is, by frame, metres: from print to print, and over what is in between.
    pub(super) fn flights(
        &self,
        track: &FootTrack,
        own: &[Print],
        below: &GroundAlong<'_>,
        (rate, scale): (f32, Scale),
    ) -> Vec<f32> {
        let frames = track.ankles.len();
        let mut held = vec![false; frames];
        own.iter().for_each(|print| held[print.held.clone()].fill(true));
        let clear = scale.length(self.clear);
        // How high it must be raised in each frame to be clear of the ground, from how long ago it left it.
        let mut left = 0;
        let need = |f: usize| {
            left = if held[f] { 0 } else { left + 1 };
            if held[f] {
                return f32::NEG_INFINITY;
            }
            let (heel, ball, tip) = (track.heels[f], track.balls[f], track.tips[f]);
            let stood = 1.0 - smoothstep((left - 1) as f32 / (scale.time(LEAVES) * rate));
            let short = AT_EDGE[0] + AT_EDGE[1] * stood;
            let short = scale.length(short) * (ball - heel).with_y(0.0).normalize_or_zero();
            let under = |p: Vec3A, at: Vec3A| {
                let ground = below.at(floor::of_point(at), f as f32 / rate)?.point.y;
                Some(ground + clear.min(p.y.max(0.0)) - p.y)
            };
            let points = [under(heel, heel), under(ball, ball), under(tip, tip - short)];
            points.into_iter().flatten().fold(f32::NEG_INFINITY, f32::max)
        };
        let needs: Vec<f32> = (0..frames).map(need).collect();
        let (first, last) = (own.first().map_or(0.0, |print| print.y), own.last().map_or(0.0, |print| print.y));
        let mut base = vec![first; frames];
        for print in own {
            base[print.held.clone()].fill(print.y);
        }
        for pair in own.windows(2) {
            let swing = pair[0].held.end..pair[1].held.start.max(pair[0].held.end);
            self.climb([pair[0].y, pair[1].y], &needs[swing.clone()], scale, &mut base[swing]);
        }
        base[own.last().map_or(frames, |print| print.held.end)..].fill(last);
        let sunk: Vec<f32> = needs.iter().zip(&base).map(|(need, base)| (need - base).max(0.0)).collect();
        let lift = clear_swings(&sunk, &held, (self.clears * rate).round() as usize);
        base.iter().zip(lift).map(|(base, lift)| base + lift).collect()
    }

    /// How high a foot is on its swing from one height to another, by frame, metres: over all of it, and where there is an edge in
    /// what it needs, up sooner or down later, so that it need not leap over it.
    fn climb(&self, [from, to]: [f32; 2], needs: &[f32], scale: Scale, heights: &mut [f32]) {
        let whole = needs.len() as f32 + 1.0;
        let rise = to - from;
        let height = |f: usize, soon: f32| {
            let late = if rise < 0.0 { 1.0 - soon } else { 0.0 };
            from + rise * smoothstep(((f + 1) as f32 / whole - late) / soon.max(1e-3))
        };
        let lacks = |soon: f32| needs.iter().enumerate().map(|(f, need)| need - height(f, soon)).fold(0.0, f32::max);
        let (mut best, mut least) = (self.soon, lacks(self.soon));
        let edge = scale.length(EDGE);
        let stepped = needs.windows(2).any(|pair| (pair[1] - pair[0]).abs() > edge);
        for part in (1..SOONER).filter(|_| stepped) {
            let soon = self.soon * (1.0 - SOONEST * part as f32 / (SOONER - 1) as f32);
            let lacking = lacks(soon);
            if lacking < 0.9 * least {
                (best, least) = (soon, lacking);
            }
        }
        heights.iter_mut().enumerate().for_each(|(f, own)| *own = height(f, best));
    }
}

/// Ground that rises or falls by this much within a frame is an edge, metres of a person.
const EDGE: f32 = 0.07;
/// In so many ways a foot is tried to go up sooner or down later, of which the last leaves this share of its time out.
const SOONER: usize = 7;
const SOONEST: f32 = 0.6;

/// Tips of toes that are no farther over an edge than this are beside it, metres of a person; and by how much more where they have
/// just stood, within [`LEAVES`] seconds of a person: raising them at once would be a leap.
const AT_EDGE: [f32; 2] = [0.01, 0.03];
const LEAVES: f32 = 0.15;

/// Where a foot is held, as its flights see it.
pub(super) struct Print {
    /// Frames.
    pub(super) held: Range<usize>,
    /// Its height, metres.
    pub(super) y: f32,
}

/// The middle of a stance, seconds.
fn middle(stance: &Stance) -> f32 {
    0.5 * (stance.time.start + stance.time.end)
}

/// How steeply toes that have a joint bend up while their foot stands, rise over run: 30°, half of what they do when the heel is
/// high.
const TOES_GIVE: f32 = 0.58;

/// Planes steeper than this are the edges of steps, radians.
const TOO_STEEP: f32 = 0.95;

/// The greatest difference in height between a print and the one before it.
fn highest_step(stances: &[Stance]) -> f32 {
    let mut order: Vec<&Stance> = stances.iter().collect();
    order.sort_by(|a, b| a.strike().total_cmp(&b.strike()).then(a.leg().cmp(&b.leg())));
    let height = |stance: &Stance| stance.print.world_from_sole.translation.y;
    order.windows(2).map(|pair| (height(pair[1]) - height(pair[0])).abs()).fold(0.0, f32::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::single;
    use crate::motion::{Clip, Footprint, Span};
    use crate::rig::{Joint, LegId, Skeleton};
    use crate::world::SurfaceId;

    fn standing(frames: Range<usize>, y: f32) -> Stance {
        let print = Footprint::new(LegId(0), Rigid::from_translation(Vec3A::Y * y));
        let (heel_at, ball_at) = (Vec3A::new(0.0, y, -0.1), Vec3A::new(0.0, y, 0.1));
        let time = Span::of_frames(&frames, 30.0).unwrap();
        Stance { print, time, heel: Some(time), ball: Some(time), heel_at, ball_at, open: false }
    }

    #[test]
    fn feet_fly_from_print_to_print_and_over_what_is_between() {
        let prints = [Print { held: 0..20, y: 0.0 }, Print { held: 50..70, y: 0.2 }];
        let ground = |_: f32, z: f32| match z {
            z if z > 0.9 => 0.2,
            z if z > 0.02 && z < 0.6 => 0.12,
            _ => 0.0,
        };
        let at = |f: usize| {
            let share = ((f as f32 - 19.0) / 31.0).clamp(0.0, 1.0);
            Vec3A::new(0.0, 0.2 * share * (1.0 - share), share)
        };
        let points: Vec<Vec3A> = (0..70).map(at).collect();
        let ankles = vec![Rigid::IDENTITY; 70];
        let track = FootTrack { ankles, heels: points.clone(), balls: points.clone(), tips: points.clone() };
        let below = GroundAlong { ground: &ground, height: &|_, _| 0.1 };
        let raised = Lay::default().flights(&track, &prints, &below, (30.0, Scale::PERSON));
        assert!(raised[..20].iter().all(|y| *y == 0.0) && raised[50..].iter().all(|y| *y == 0.2), "{raised:?}");
        assert!(raised.windows(2).all(|pair| (pair[1] - pair[0]).abs() < 0.06), "{raised:?}");
        for f in 24..48 {
            let over = points[f].y + raised[f] - ground(0.0, points[f].z);
            assert!(over > points[f].y.min(0.02) - 1e-4, "{over} m over the ground in frame {f}");
        }
    }

    #[test]
    fn feet_go_up_sooner_and_down_later_only_where_there_is_an_edge() {
        let climb = |heights: [f32; 2], needs: &[f32]| {
            let mut made = vec![0.0; needs.len()];
            Lay::default().climb(heights, needs, Scale::PERSON, &mut made);
            made
        };
        // A riser a quarter of the way on, up and, as seen from behind, down.
        let edge: Vec<f32> = (0..30).map(|f| if f < 8 { 0.0 } else { 0.15 }).collect();
        let up = climb([0.0, 0.15], &edge);
        let down = climb([0.15, 0.0], &edge.iter().rev().copied().collect::<Vec<_>>());
        // A slope as high.
        let slope: Vec<f32> = (0..30).map(|f| 0.15 * f as f32 / 29.0).collect();
        let along = climb([0.0, 0.15], &slope);
        assert!(up[8] > 2.0 * along[8] && (along[14] - 0.075).abs() < 0.01, "{} beside {}", up[8], along[8]);
        assert!(down.iter().rev().zip(&up).all(|(down, up)| (down - up).abs() < 1e-5), "down as up, backwards");
        assert!(up.windows(2).all(|pair| pair[1] >= pair[0]), "{up:?}");
    }

    #[test]
    fn bodies_climb_evenly() {
        let skeleton = Skeleton::new(vec![Joint::new("", None, Rigid::IDENTITY)]).unwrap();
        let clip = Clip::new(&skeleton, "", 30.0, vec![Rigid::IDENTITY; 170]).unwrap();
        let stances: Vec<Stance> = (0..10).map(|k| standing(15 * k..15 * k + 20, 0.15 * k as f32)).collect();
        let body = Lay::default().body(&Take { stances, ..Take::from(clip) });
        let bends = body.windows(3).map(|three| (three[2] - 2.0 * three[1] + three[0]).abs());
        let most = bends.fold(0.0, f32::max);
        assert!(most < 1.5e-3, "{most} m, frame by frame");
        assert!(body.windows(2).all(|pair| pair[1] >= pair[0] - 1e-5) && body[169] > 1.3, "{body:?}");
    }

    #[test]
    fn stances_lie_as_their_soles_do() {
        let normal = Vec3A::new(single::sin(0.5), single::cos(0.5), 0.0);
        let mut stance = standing(0..9, 0.0);
        let print = Rigid::new(Quat::from_rotation_arc(Vec3::Y, normal.into()), Vec3A::Y * 0.3);
        Lay::put(
            &mut stance,
            SolePlace {
                print,
                gap: 0.0,
                held_up: 0.0,
                overhang: 0.0,
                ball_overhangs: false,
                slope: 0.0,
                surface: SurfaceId(3),
            },
        );
        let sole = stance.print.world_from_sole;
        assert!(((sole.rotation * Vec3A::Y) - normal).length() < 1e-5 && sole.translation.y == 0.3, "{sole:?}");
        let [heel, ball] = [stance.heel_at, stance.ball_at].map(|p| (p - sole.translation).dot(normal));
        assert!(heel.abs() < 1e-5 && ball.abs() < 1e-5 && stance.print.surface == SurfaceId(3), "on its plane");
    }
}
