//! How near any walk of a graph can come to a path at all: a bound that is proved, for legs of one length.
//!
//! A walk goes round every corner with some stretch of the graph. Each stretch there is, put down as well as it can be, misses the path
//! there by so much at least; what the best of them misses, corner by corner, no walk can do without.

use super::PathSearch;
use super::tracker::Line;
use crate::foot::WayStep;
use crate::library::graph::{Moves, Spot};
use glam::{DVec2, Vec2};

/// How a bound is looked for.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
pub struct ProveBound {
    /// How much of the path is looked at before and after a corner, metres; with legs of another length, as much more or less.
    pub reach: f32,
    /// Frames that are looked at for each corner before it is given up.
    pub work: usize,
    /// Seconds of a clip that are played after a blend; as [`super::FollowPath::linger`].
    pub linger: f32,
}

impl Default for ProveBound {
    fn default() -> Self {
        Self { reach: 0.45, work: 40_000_000, linger: super::FollowPath::default().linger[0] }
    }
}

/// Metres between places of the first frame that are looked at.
const APART: f32 = 0.012;
/// The most of them.
const MOST: usize = 16;

impl ProveBound {
    /// No walk of the graph has a smaller error than this along a path, m²; 0 where that is not known, as for legs that change.
    #[must_use]
    pub fn run(&self, search: &PathSearch<'_>) -> f64 {
        let (moves, line) = (search.graph.moves(), Line::new(search.path));
        if !search.clock.is_steady() || moves.blends.is_empty() {
            return 0.0;
        }
        let scale = search.clock.at(0.0).scale;
        let reach = self.reach * scale;
        let mut bound = 0.0;
        for corner in 1..line.points.len().saturating_sub(1) {
            let [before, at, after] = [corner - 1, corner, corner + 1].map(|k| line.lengths[k]);
            let from = at - reach.min(0.5 * (at - before));
            let to = at + reach.min(0.5 * (after - at));
            bound += Corner::new(search, moves, &line, scale, [from, to], self).least();
        }
        bound
    }
}

/// A piece of a path with a corner in it.
struct Corner<'a> {
    search: &'a PathSearch<'a>,
    moves: &'a Moves,
    line: &'a Line,
    more: f32,
    from: f32,
    /// Frames that come farther than this after the first may lie behind the piece, metres.
    length: f32,
    /// Where along the piece its first frame may be, metres after its start.
    offsets: Vec<f32>,
    linger: u32,
    work: usize,
    /// The least that was found, m².
    least: f64,
    /// Frames of that.
    frames: f64,
    /// Half of what offsets are apart, metres.
    slack: f64,
}

/// A stretch of the graph as far as it has come.
#[derive(Clone, Copy)]
struct Stretch {
    place: Vec2,
    calm: Vec2,
    walked: f32,
    /// From the space of the take to that of the stretch.
    turn: Spot,
    fits: [Fit; MOST],
}

/// How well points lie on others, put down as well as they can be.
#[derive(Clone, Copy, Default)]
struct Fit {
    count: f64,
    /// Sums of points here and there, and of their squares.
    here: DVec2,
    there: DVec2,
    squares: f64,
    /// Sums of products, along and across.
    along: f64,
    across: f64,
}

impl Fit {
    fn add(&mut self, here: Vec2, there: Vec2) {
        let (a, b) = (here.as_dvec2(), there.as_dvec2());
        self.count += 1.0;
        self.here += a;
        self.there += b;
        self.squares += a.length_squared() + b.length_squared();
        self.along += a.dot(b);
        self.across += a.perp_dot(b);
    }

    /// What is left of squared distances.
    fn error(&self) -> f64 {
        let (a, b, n) = (self.here, self.there, self.count.max(1.0));
        let squares = self.squares - (a.length_squared() + b.length_squared()) / n;
        let (along, across) = (self.along - a.dot(b) / n, self.across - a.perp_dot(b) / n);
        (squares - 2.0 * (along * along + across * across).sqrt()).max(0.0)
    }
}

impl<'a> Corner<'a> {
    fn new(
        search: &'a PathSearch<'a>,
        moves: &'a Moves,
        line: &'a Line,
        scale: f32,
        [from, to]: [f32; 2],
        settings: &ProveBound,
    ) -> Self {
        let more = scale - 1.0;
        // The longest step there is: the first frame in the piece is nearer to its start.
        let takes = (0..moves.takes.len()).map(|take| search.ways.take(take as u32));
        let blends = (0..moves.blends.len()).map(|via| search.ways.blend(via as u32));
        let calm = |step: &WayStep| step.moved + more * step.swung;
        let sway = |step: &WayStep| step.sway + more * step.swung_sway;
        let longest = |steps: &[WayStep]| {
            let pairs = steps.windows(2).map(|pair| (calm(&pair[1]) + sway(&pair[1]) - sway(&pair[0])).length());
            pairs.fold(0.0, f32::max)
        };
        let into = |via: usize| {
            let (from, first) = (moves.blends[via].from, &search.ways.blend(via as u32)[0]);
            longest(&[search.ways.take(from.take)[from.frame as usize], *first])
        };
        let all = takes.chain(blends).map(longest).chain((0..moves.blends.len()).map(into));
        let step = 1.001 * all.fold(0.0, f32::max);
        let count = ((step / APART).ceil() as usize).clamp(1, MOST);
        let apart = step / count as f32;
        let offsets = (0..count).map(|k| (k as f32 + 0.5) * apart).collect();
        let linger = (settings.linger * moves.rate).round() as u32;
        Self {
            search,
            moves,
            line,
            more,
            from,
            length: to - from - step,
            offsets,
            linger,
            work: settings.work,
            least: f64::INFINITY,
            frames: 1.0,
            slack: 0.5 * f64::from(apart),
        }
    }

    /// What every stretch misses at least, m²; 0 if that was too much work.
    fn least(mut self) -> f64 {
        if self.length <= 0.0 {
            return 0.0;
        }
        let still = Spot { place: Vec2::ZERO, facing: Vec2::Y };
        let begin = |corner: &Self, step: &WayStep| {
            let calm = step.sway + corner.more * step.swung_sway;
            let mut stretch = Stretch { place: Vec2::ZERO, calm, walked: 0.0, turn: still, fits: Default::default() };
            corner.fit(&mut stretch);
            stretch
        };
        for (take, way) in self.moves.takes.iter().enumerate() {
            let Some(kept) = way.kept.clone() else { continue };
            for frame in kept {
                let stretch = begin(&self, &self.search.ways.take(take as u32)[frame as usize]);
                self.play(take as u32, frame, stretch, frame);
            }
        }
        for via in 0..self.moves.blends.len() as u32 {
            for first in 0..self.search.ways.blend(via).len() {
                let stretch = begin(&self, &self.search.ways.blend(via)[first]);
                self.blend(via, first + 1, stretch);
            }
        }
        if self.work == 0 || !self.least.is_finite() {
            return 0.0;
        }
        // First frames may lie between the offsets that were looked at.
        (self.least.sqrt() - self.frames.sqrt() * self.slack).max(0.0).powi(2)
    }

    /// Plays a take on from a frame, and leaves it wherever it can be left from another on.
    fn play(&mut self, take: u32, frame: u32, mut stretch: Stretch, leave: u32) {
        let way = &self.moves.takes[take as usize];
        let Some(end) = way.kept.as_ref().map(|kept| kept.end) else { return };
        for frame in frame.. {
            if frame >= leave && frame < end {
                for via in way.leaving[frame as usize]..way.leaving[frame as usize + 1] {
                    self.blend(via, 0, stretch);
                }
            }
            let Some(step) = self.search.ways.take(take).get(frame as usize + 1) else { return };
            if !self.go(&mut stretch, step) {
                return;
            }
        }
    }

    /// Goes through a blend from one of its steps on, and on in the take it leads to.
    fn blend(&mut self, via: u32, first: usize, mut stretch: Stretch) {
        for step in &self.search.ways.blend(via)[first..] {
            if !self.go(&mut stretch, step) {
                return;
            }
        }
        let blend = &self.moves.blends[via as usize];
        // Both takes' own spaces, by how the body faces at the end.
        let [there, here] = [blend.end, self.moves.takes[blend.to.take as usize].at[blend.to.frame as usize]];
        let [there, here] = [there, here].map(|spot| Spot { place: Vec2::ZERO, facing: spot.facing });
        stretch.turn = stretch.turn.then(there).then(here.inverse()).tidied();
        self.play(blend.to.take, blend.to.frame, stretch, blend.to.frame + self.linger);
    }

    /// One frame further; false where the piece ends, or the stretch is no better than another.
    fn go(&mut self, stretch: &mut Stretch, step: &WayStep) -> bool {
        self.work = self.work.saturating_sub(1);
        if self.work == 0 {
            return false;
        }
        stretch.place += stretch.turn.turned(step.moved + self.more * step.swung);
        let calm = stretch.place + stretch.turn.turned(step.sway + self.more * step.swung_sway);
        stretch.walked += calm.distance(stretch.calm);
        stretch.calm = calm;
        if stretch.walked > self.length {
            let fits = &stretch.fits[..self.offsets.len()];
            let error = fits.iter().map(Fit::error).fold(f64::INFINITY, f64::min);
            self.least = self.least.min(error);
            self.frames = self.frames.max(fits[0].count);
            return false;
        }
        self.fit(stretch);
        let fits = &stretch.fits[..self.offsets.len()];
        // All that it leads to is no better.
        fits[0].count < 8.0 || fits.iter().any(|fit| fit.error() < self.least)
    }

    /// Counts a frame.
    fn fit(&self, stretch: &mut Stretch) {
        for (fit, offset) in stretch.fits.iter_mut().zip(&self.offsets) {
            fit.add(stretch.calm, self.line.at(self.from + offset + stretch.walked));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_turned_and_moved_fits_and_what_is_bent_does_not() {
        let line: Vec<Vec2> = (0..12).map(|k| Vec2::new(0.1 * k as f32, 0.02 * (k * k) as f32)).collect();
        let spot = Spot { place: Vec2::ZERO, facing: Vec2::new(0.6, 0.8) };
        let error = |bend: f32| {
            let mut fit = Fit::default();
            for (k, p) in line.iter().enumerate() {
                let bent = *p + Vec2::new(0.0, bend * (k as f32 - 5.5).powi(2));
                fit.add(bent, spot.turned(*p) + Vec2::new(3.0, -1.0));
            }
            fit.error()
        };
        assert!(error(0.0) < 1e-6, "{}", error(0.0));
        assert!(error(0.01) > 1e-3 && error(0.01) < error(0.02), "{} {}", error(0.01), error(0.02));
    }
}
