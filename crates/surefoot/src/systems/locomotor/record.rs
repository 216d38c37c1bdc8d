//! What a live character did, as a take.

use super::{FootEventKind, Locomotor, LocomotorFrame, LocomotorState};
use crate::math::Rigid;
use crate::motion::{Clip, Footprint, Span, Stance, Take};
use crate::rig::LegId;
use crate::world::SurfaceId;
use glam::Vec3A;

/// Frames of a live character at an even rate, with where its feet stood.
#[derive(Clone, Debug)]
pub struct Recording {
    rate: f32,
    roots: Vec<Rigid>,
    locals: Vec<Rigid>,
    stances: Vec<Stance>,
    /// By leg, the stance that is not over yet.
    open: Vec<Option<Standing>>,
    /// Greatest distance by which a standing foot missed its place, metres, and the frame.
    pub missed: (f32, usize),
}

/// A foot that stands.
#[derive(Clone, Copy, Debug)]
struct Standing {
    print: Footprint,
    since: usize,
    /// From when until when heel and ball hold, frames.
    holds: [Option<[usize; 2]>; 2],
    /// Whether it stood before the recording began.
    open: bool,
}

/// A heel or ball that is nearer to its place than this share of the leg's length holds it.
const HOLDS: f32 = 0.003;

impl Recording {
    /// An empty one, of a character that stands as its state says; frames come at this rate, Hz.
    #[must_use]
    pub fn new(state: &LocomotorState, rate: f32) -> Self {
        let standing = |(k, leg): (usize, &super::LegState)| {
            let print = footprint(k, leg.from, leg.from_surface);
            (!leg.flying).then_some(Standing { print, since: 0, holds: [None; 2], open: true })
        };
        let open = state.legs.iter().enumerate().map(standing).collect();
        Self { rate, roots: Vec::new(), locals: Vec::new(), stances: Vec::new(), open, missed: (0.0, 0) }
    }

    /// Takes down a frame.
    pub fn push(&mut self, locomotor: &Locomotor, state: &LocomotorState, frame: &LocomotorFrame) {
        let now = self.roots.len();
        self.roots.push(frame.pose.root);
        self.locals.extend_from_slice(&frame.pose.locals);
        for event in &frame.events {
            let k = event.leg.index();
            if let Some(standing) = self.open[k].take() {
                self.end(standing, now);
            }
            if event.kind == FootEventKind::Strike {
                let print = footprint(k, event.print, state.legs[k].to_surface);
                self.open[k] = Some(Standing { print, since: now, holds: [None; 2], open: false });
            }
        }
        for (k, (leg, open)) in state.legs.iter().zip(&mut self.open).enumerate() {
            let Some(standing) = open else { continue };
            let stand = &locomotor.character().stand.legs[k];
            let print = if leg.landed { leg.to } else { leg.from };
            let ankle = frame.pose.root * frame.model[locomotor.character().rig.legs[k].ankle()];
            let in_ankle = [stand.foot.heel, stand.foot.ball];
            for ((hold, point), own) in standing.holds.iter_mut().zip(stand.sole).zip(in_ankle) {
                let off = (ankle.transform_point(own) - print.transform_point(point)).length();
                if off < HOLDS * stand.length {
                    *hold = Some(hold.map_or([now, now], |[first, _]| [first, now]));
                }
            }
            if frame.missed[k] > self.missed.0 {
                self.missed = (frame.missed[k], now);
            }
        }
    }

    fn end(&mut self, standing: Standing, now: usize) {
        if now <= standing.since {
            return;
        }
        let at = |frame: usize| frame as f32 / self.rate;
        let span = |hold: Option<[usize; 2]>| {
            hold.filter(|[a, b]| b > a).map(|[first, last]| Span { start: at(first), end: at(last + 1) })
        };
        let [heel, ball] = standing.holds.map(span);
        let place = |z: f32| standing.print.world_from_sole.transform_point(Vec3A::Z * z);
        self.stances.push(Stance {
            print: standing.print,
            time: Span { start: at(standing.since), end: at(now) },
            heel,
            ball,
            heel_at: place(0.0),
            ball_at: place(0.0),
            open: standing.open,
        });
    }

    /// All of it as a take.
    ///
    /// # Panics
    /// If nothing was taken down.
    #[must_use]
    pub fn finish(mut self, locomotor: &Locomotor, name: &str) -> Take {
        let count = self.roots.len();
        for k in 0..self.open.len() {
            if let Some(standing) = self.open[k].take() {
                self.end(Standing { open: true, ..standing }, count);
            }
        }
        let character = locomotor.character();
        for stance in &mut self.stances {
            let leg = &character.stand.legs[stance.leg().index()];
            let [heel, ball] = leg.sole.map(|point| stance.print.world_from_sole.transform_point(point));
            (stance.heel_at, stance.ball_at) = (heel, ball);
        }
        self.stances.sort_by(|a, b| (a.leg().cmp(&b.leg())).then(a.strike().total_cmp(&b.strike())));
        let skeleton = &character.rig.skeleton;
        let mut clip = Clip::new(skeleton, name, self.rate, self.locals).expect("poses are finite");
        clip.roots_mut().copy_from_slice(&self.roots);
        Take { stances: self.stances, ..Take::from(clip) }
    }
}

fn footprint(leg: usize, world_from_sole: Rigid, surface: SurfaceId) -> Footprint {
    Footprint { leg: LegId(leg as u8), world_from_sole, surface, pinned: false }
}
