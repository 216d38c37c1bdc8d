//! How well feet stand: drift, skate, float, penetration, clearance.

use super::footing::OnGround;
use super::{Footing, Spread};
use crate::math::{floor, single};
use crate::motion::{Clip, FootTrack, Stance, StanceFrames, Take, Trajectories, stance};
use crate::rig::{LegId, Rig, Skeleton};
use glam::Vec3A;
use std::ops::Range;

/// Figures of the feet of one take on its ground. Lengths in metres, speeds in m/s.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct FootFigures {
    /// Per stance and foot point, over the time that point is down: greatest level distance from its mean place on the surface
    /// it stands on.
    pub drift: Spread,
    /// Mean over frames and feet of v (2 - 2^(h/H)), H = 2.5 cm, of the lower point of a foot within H of the ground (Zhang
    /// 2018); a point below the ground counts as on it. Toes that swing low count too.
    pub skate: f32,
    /// Share of frames in which a foot, heel and ball under 5 cm, slides faster than 2.5 cm in a frame at 20 Hz
    /// (Karunratanakul 2023).
    pub skating_ratio: f32,
    /// How far the lowest foot point (heel or ball) is over the ground while the foot is held.
    pub float: Spread,
    /// How far it is under the ground then.
    pub penetration: Spread,
    /// How far heel or ball is under the ground while the foot is not held.
    pub grazing: Spread,
    /// How far the tip of the toes is under the ground, at any time; toes bend, so this is no penetration.
    pub toes: Spread,
    /// Closed stances seen.
    pub stances: usize,
    /// Share of frames, foot by foot, whose label fits what the foot does: one that stands is within 5 cm of its ground
    /// and slower than 0.6 m/s, or than a third of the hips' speed; one that flies is not within 1 cm and slower than
    /// 0.1 m/s. Of a person ([`crate::rig::Scale`]).
    pub agreement: f32,
    /// Least height of heel, ball and tip over the ground in the middle half of swings; below 0 a foot went through.
    pub clearance: f32,
    /// Most that a leg is stretched while it stands: hip to ankle over its length; 1 is straight.
    pub extension: f32,
    /// Mean size of the third derivative of joint positions, m/s³.
    pub jerk: f32,
}

/// Measures the feet of a take on its ground.
///
/// # Panics
/// If the take was made for another skeleton.
#[must_use]
pub fn measure_feet(rig: &Rig, take: &Take, footing: Footing<'_>) -> FootFigures {
    measure_feet_in(rig, take, footing, 0..take.clip.frames())
}

/// Measures the feet of a part of a take, such as one round of a cycle that is played several times: its frames, and the
/// stances that begin in it. Frames are still counted from the clip's start.
///
/// # Panics
/// If the take was made for another skeleton, or has not all of the frames.
#[must_use]
pub fn measure_feet_in(rig: &Rig, take: &Take, footing: Footing<'_>, frames: Range<usize>) -> FootFigures {
    let clip = &take.clip;
    assert!(frames.end <= clip.frames(), "frames up to {} of {}", frames.end, clip.frames());
    let subject = Subject::new(rig, take, footing, frames);
    let trajectories = Trajectories::new(&rig.skeleton, clip);
    let (skate, skating_ratio) = subject.skating();
    let [float, penetration] = subject.contact();
    FootFigures {
        drift: Spread::of(subject.slides().iter().map(|slide| (slide.drift, slide.frame)).collect()),
        skate,
        skating_ratio,
        float: Spread::of(float),
        penetration: Spread::of(penetration),
        grazing: Spread::of(subject.grazing()),
        toes: Spread::of(subject.toes()),
        stances: subject.own().filter(|(stance, _)| !stance.open).count(),
        agreement: subject.agreement(),
        clearance: subject.clearance(),
        extension: subject.extension(&trajectories),
        jerk: jerk(&rig.skeleton, clip, &trajectories, &subject.part),
    }
}

/// A foot point that strayed from its place while it should hold it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Slide {
    /// The leg.
    pub leg: LegId,
    /// Whether it was the heel; else the ball.
    pub heel: bool,
    /// How far, metres.
    pub drift: f32,
    /// The frame in which it was farthest off.
    pub frame: usize,
}

/// Every slide of a take's stances, the worst first.
///
/// # Panics
/// If the take was made for another skeleton.
#[must_use]
pub fn slides(rig: &Rig, take: &Take, footing: Footing<'_>) -> Vec<Slide> {
    slides_in(rig, take, footing, 0..take.clip.frames())
}

/// The same in a part of a take, such as one round of a cycle.
pub(super) fn slides_in(rig: &Rig, take: &Take, footing: Footing<'_>, part: Range<usize>) -> Vec<Slide> {
    Subject::new(rig, take, footing, part).slides()
}

/// Whether every heel and ball that is held is so still that someone put it there. A foot that is on its way as the clip begins or ends
/// does not stand.
pub(crate) fn stands_exactly(rig: &Rig, take: &Take) -> bool {
    let subject = Subject::new(rig, take, Footing::default(), 0..take.clip.frames());
    let exact = rig.scale().length(EXACT).max(EXACT);
    let moment = rig.scale().time(ON_ITS_WAY) * take.clip.rate();
    let stands = |(stance, times): (&Stance, &StanceFrames)| {
        let [heel, ball] = subject.strays(stance, times);
        let still = heel.into_iter().chain(ball).all(|(drift, _)| drift < exact);
        still || stance.open && times.held().len() as f32 <= moment
    };
    subject.all().any(|(stance, _)| !stance.open) && subject.all().all(stands)
}

/// A point that was put somewhere strays less, once a file has rounded it, metres, of what is larger than a person in proportion;
/// what is captured strays by millimetres.
const EXACT: f32 = 1e-4;

/// A foot comes or goes in no longer than this, seconds of a person.
const ON_ITS_WAY: f32 = 0.2;

/// [`FootFigures::skate`] alone.
pub(super) fn skate_in(rig: &Rig, take: &Take, footing: Footing<'_>, part: Range<usize>) -> f32 {
    Subject::new(rig, take, footing, part).skating().0
}

/// What is measured.
struct Subject<'a> {
    rig: &'a Rig,
    take: &'a Take,
    tracks: Vec<FootTrack>,
    /// Of each stance.
    times: Vec<StanceFrames>,
    ground: OnGround<'a>,
    part: Range<usize>,
}

impl<'a> Subject<'a> {
    fn new(rig: &'a Rig, take: &'a Take, footing: Footing<'a>, part: Range<usize>) -> Self {
        Self {
            rig,
            take,
            tracks: FootTrack::of_all(rig, &take.clip),
            times: take.stances.iter().map(|stance| stance.frames(&take.clip)).collect(),
            ground: OnGround::new(rig, take, footing),
            part,
        }
    }

    fn all(&self) -> impl Iterator<Item = (&Stance, &StanceFrames)> {
        self.take.stances.iter().zip(&self.times)
    }

    /// Stances that begin in the part that is measured.
    fn own(&self) -> impl Iterator<Item = (&Stance, &StanceFrames)> {
        self.all().filter(|(_, times)| self.part.contains(&times.whole.start))
    }

    fn slides(&self) -> Vec<Slide> {
        let mut slides = Vec::new();
        for (stance, times) in self.own().filter(|(stance, _)| !stance.open) {
            let leg = stance.leg();
            let [heel, ball] = self.strays(stance, times);
            slides.extend(heel.map(|(drift, frame)| Slide { leg, heel: true, drift, frame }));
            slides.extend(ball.map(|(drift, frame)| Slide { leg, heel: false, drift, frame }));
        }
        slides.sort_by(|a, b| b.drift.total_cmp(&a.drift).then(a.frame.cmp(&b.frame)));
        slides
    }

    /// How far the heel and the ball of a stance stray from their mean places while they hold them, and when.
    fn strays(&self, stance: &Stance, times: &StanceFrames) -> [Option<(f32, usize)>; 2] {
        let track = &self.tracks[stance.leg().index()];
        [(&track.heels, &times.heel), (&track.balls, &times.ball)].map(|(points, span)| {
            let place = |f: usize| floor::of_point(self.ground.on_surface(stance, points[f], f));
            let mean = span.clone().map(place).sum::<glam::Vec2>() / span.len().max(1) as f32;
            span.clone().map(|f| ((place(f) - mean).length(), f)).max_by(|a, b| a.0.total_cmp(&b.0))
        })
    }

    /// How far feet that are held are over the ground, and under it.
    fn contact(&self) -> [Vec<(f32, usize)>; 2] {
        let (mut float, mut penetration) = (Vec::new(), Vec::new());
        for (stance, times) in self.own() {
            let track = &self.tracks[stance.leg().index()];
            for f in times.held() {
                let heights = [track.heels[f], track.balls[f]].map(|p| self.ground.height_in(stance, p, f));
                let Some(low) = heights.into_iter().flatten().reduce(f32::min) else { continue };
                float.push((low.max(0.0), f));
                penetration.push(((-low).max(0.0), f));
            }
        }
        [float, penetration]
    }

    /// How far feet that are not held are under the ground.
    fn grazing(&self) -> Vec<(f32, usize)> {
        let mut grazing = Vec::new();
        for ((id, _), track) in self.rig.legs().zip(&self.tracks) {
            let mut held = vec![false; self.take.clip.frames()];
            for (_, times) in self.all().filter(|(stance, _)| stance.leg() == id) {
                held[times.held()].fill(true);
            }
            for f in self.part.clone().filter(|f| !held[*f]) {
                let heights = [track.heels[f], track.balls[f]].map(|p| self.ground.height(p, f));
                if let Some(low) = heights.into_iter().flatten().reduce(f32::min) {
                    grazing.push(((-low).max(0.0), f));
                }
            }
        }
        grazing
    }

    /// How far tips of toes are under the ground.
    fn toes(&self) -> Vec<(f32, usize)> {
        let mut toes = Vec::new();
        for (_, track) in self.rig.legs.iter().zip(&self.tracks).filter(|(leg, _)| leg.foot.tip.is_some()) {
            let depth = |f: usize| self.ground.height(track.tips[f], f).map(|height| ((-height).max(0.0), f));
            toes.extend(self.part.clone().filter_map(depth));
        }
        toes
    }

    fn skating(&self) -> (f32, f32) {
        // A foot lower than this over the ground may skate, metres, as the measure's authors have it.
        const H: f32 = 0.025;
        let (mut sum, mut sliding) = (0.0, 0);
        let steps = self.part.start.max(1)..self.part.end;
        for f in steps.clone() {
            let mut slides = false;
            for track in &self.tracks {
                let v =
                    |points: &[Vec3A]| floor::of_point(self.ground.moved(points, f)).length() * self.take.clip.rate();
                let over = |p: Vec3A| self.ground.height(p, f).unwrap_or(f32::INFINITY);
                let (heel, ball) = (over(track.heels[f]), over(track.balls[f]));
                // Below the ground counts as on it.
                if heel.min(ball) <= H {
                    let v_low = if heel < ball { v(&track.heels) } else { v(&track.balls) };
                    sum += v_low * (2.0 - single::exp2(heel.min(ball).max(0.0) / H));
                }
                // 2.5 cm in a frame at 20 Hz is half a metre a second.
                slides |= heel.max(ball) < 0.05 && v(&track.heels).min(v(&track.balls)) > 0.5;
            }
            sliding += usize::from(slides);
        }
        let steps = steps.len().max(1) as f32;
        (sum / (steps * self.tracks.len().max(1) as f32), sliding as f32 / steps)
    }

    fn agreement(&self) -> f32 {
        let (rig, clip) = (self.rig, &self.take.clip);
        let scale = rig.scale();
        let frames = clip.frames();
        if frames < 2 {
            return 1.0;
        }
        // Over two frames, where there are two: one frame's noise is no speed.
        let around = |f: usize| (f.saturating_sub(1), (f + 1).min(frames - 1));
        let speed = |points: &dyn Fn(usize) -> Vec3A, f: usize| {
            let (a, b) = around(f);
            (points(b) - points(a)).length() * clip.rate() / (b - a) as f32
        };
        let bodies: Vec<Vec3A> = (0..frames).map(|f| clip.body(&rig.skeleton, f).translation).collect();
        let mut fits = 0;
        for (id, _) in rig.legs() {
            let track = &self.tracks[id.index()];
            let mut stands: Vec<Option<&Stance>> = vec![None; frames];
            for (stance, times) in self.all().filter(|(stance, _)| stance.leg() == id) {
                stands[times.whole.clone()].fill(Some(stance));
            }
            for f in self.part.clone() {
                let points = [&track.heels, &track.balls, &track.tips];
                let slowest = points.map(|p| speed(&|g| p[g], f)).into_iter().fold(f32::INFINITY, f32::min);
                let hips = speed(&|g| bodies[g], f);
                let over = |p: Vec3A| match stands[f] {
                    Some(stance) => self.ground.height_in(stance, p, f),
                    None => self.ground.height(p, f),
                };
                let low = points[..2].iter().filter_map(|p| over(p[f])).fold(f32::INFINITY, f32::min);
                fits += usize::from(match stands[f] {
                    Some(_) => low < scale.length(0.05) && slowest < scale.speed(0.6).max(hips / 3.0),
                    None => low > scale.length(0.01) || slowest > scale.speed(0.1),
                });
            }
        }
        fits as f32 / (self.part.len() * rig.legs.len()).max(1) as f32
    }

    /// Least height of a foot over the ground in the middle half of its swings; 0 if it has none.
    fn clearance(&self) -> f32 {
        let mut least = f32::INFINITY;
        for (id, _) in self.rig.legs() {
            let own: Vec<&StanceFrames> =
                self.all().filter(|(stance, _)| stance.leg() == id).map(|(_, times)| times).collect();
            for pair in own.windows(2) {
                let (from, to) = (pair[0].whole.end, pair[1].whole.start);
                if !self.part.contains(&from) {
                    continue;
                }
                let quarter = to.saturating_sub(from) / 4;
                for f in from + quarter..to.saturating_sub(quarter) {
                    let track = &self.tracks[id.index()];
                    let heights = [track.heels[f], track.balls[f], track.tips[f]].map(|p| self.ground.height(p, f));
                    least = heights.into_iter().flatten().fold(least, f32::min);
                }
            }
        }
        if least.is_finite() { least } else { 0.0 }
    }

    fn extension(&self, trajectories: &Trajectories) -> f32 {
        let mut most: f32 = 0.0;
        for (stance, times) in self.own() {
            let leg = &self.rig.legs[stance.leg().index()];
            // A lower leg that ends in its sole is as long as its bone.
            if leg.foot_has_no_joint() {
                continue;
            }
            for f in times.held() {
                let at = |joint| trajectories.point(f, joint);
                let length: f32 = leg.chain.windows(2).map(|pair| (at(pair[1]) - at(pair[0])).length()).sum();
                most = most.max((at(leg.ankle()) - at(leg.hip())).length() / length.max(1e-6));
            }
        }
        most
    }
}

fn jerk(skeleton: &Skeleton, clip: &Clip, trajectories: &Trajectories, frames: &Range<usize>) -> f32 {
    let cube = clip.rate().powi(3);
    let (mut sum, mut count) = (0.0_f64, 0_u32);
    for joint in skeleton.joints() {
        let path: Vec<Vec3A> = trajectories.path(joint).collect();
        for four in path[frames.clone()].windows(4) {
            let third = four[3] - 3.0 * four[2] + 3.0 * four[1] - four[0];
            sum += f64::from(third.length() * cube);
            count += 1;
        }
    }
    (sum / f64::from(count.max(1))) as f32
}

/// Share of the source's stance time that is still stance in the result, both at the same rate.
#[must_use]
pub fn stance_kept(source: &Take, result: &Take) -> f32 {
    stance_kept_in(source, result, 0..usize::MAX)
}

/// The same within some frames only.
#[must_use]
pub fn stance_kept_in(source: &Take, result: &Take, frames: Range<usize>) -> f32 {
    let (mut total, mut kept) = (0, 0);
    for leg in source.stances.iter().map(Stance::leg).collect::<std::collections::BTreeSet<LegId>>() {
        let mut stands = vec![false; result.clip.frames()];
        stance::of_leg(&result.stances, leg).for_each(|s| stands[s.frames(&result.clip).whole].fill(true));
        for stance in stance::of_leg(&source.stances, leg) {
            let StanceFrames { whole, .. } = stance.frames(&source.clip);
            let within = whole.start.max(frames.start)..whole.end.min(frames.end);
            total += within.len();
            kept += within.filter(|f| stands.get(*f).is_some_and(|stands| *stands)).count();
        }
    }
    if total == 0 { 1.0 } else { kept as f32 / total as f32 }
}
