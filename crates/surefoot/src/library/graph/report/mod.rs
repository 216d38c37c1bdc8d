//! The capability report: what a graph can and cannot do, so that one knows what to record next.

pub(crate) mod advice;
pub(crate) mod coverage;
mod kept;
mod loops;
mod stops;
mod turns;

use advice::Advice;
pub(crate) use coverage::Coverage;

use super::{EdgeId, MotionGraph};
use crate::math::sinc;
use crate::rig::Side;
use kept::{Hop, Kept};
use loops::{Step, best_loop};
use std::cell::Cell;
use std::f32::consts::{FRAC_PI_2, FRAC_PI_4, PI, TAU};

/// What is asked of a graph. Values out of their range are brought into it.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
pub struct Report {
    /// Seconds over which speeds and turning rates are taken: about a stride.
    pub window: f32,
    /// Speed from which on it walks, leg lengths a second.
    pub walking: f32,
    /// Turning rate under which it walks straight, rad/s.
    pub straight: f32,
    /// Seconds that a full circle may take at most to count as turning.
    pub circle: f32,
    /// Seconds within which turns are sought.
    pub patience: f32,
    /// Side of the square whose coverage is found, metres; `None` leaves coverage out.
    pub area: Option<f32>,
    /// Side of its cells, metres.
    pub cell: f32,
    /// Sectors of headings.
    pub headings: usize,
    /// Times at which coverage is told, seconds.
    pub within: Vec<f32>,
    /// Seconds between places that coverage looks at along an edge.
    pub station: f32,
    /// Moves that coverage may look at, about; the more, the closer it comes to all there are.
    pub moves: usize,
    /// Look for the threshold that would bring in takes that are left out, up to so many times the graph's; `None` leaves it out.
    pub seek: Option<f32>,
}

impl Default for Report {
    fn default() -> Self {
        Self {
            window: 1.0,
            walking: 0.4,
            straight: 15.0_f32.to_radians(),
            circle: 60.0,
            patience: 10.0,
            area: Some(10.0),
            cell: 0.5,
            headings: 16,
            within: vec![5.0, 10.0, 20.0],
            station: 0.2,
            moves: 3_000_000,
            seek: Some(2.0),
        }
    }
}

/// What a graph can do; all but `takes` is about its largest component.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Capabilities {
    /// Every take of the graph.
    pub takes: Vec<TakeShare>,
    /// Nodes of the component.
    pub nodes: usize,
    /// Its edges.
    pub edges: usize,
    /// Those of them that are blends.
    pub blends: usize,
    /// Seconds of takes in it.
    pub seconds: f32,
    /// Root mean square metres.
    pub threshold: f32,
    /// Mean leg length, metres.
    pub leg_length: f32,
    /// How fast it goes and turns over every window of the takes.
    pub moments: Vec<TakeMoment>,
    /// Speeds of these, m/s; `None` without any.
    pub speed: Option<Summary>,
    /// Turning rates of these, rad/s, left positive.
    pub turning: Option<Summary>,
    /// The slowest loop.
    pub slowest: Option<Round>,
    /// The slowest loop that never does less than walk.
    pub slowest_walk: Option<Round>,
    /// The fastest loop.
    pub fastest: Option<Round>,
    /// What turns that can be kept up, to the left.
    pub left: Sustained,
    /// And to the right.
    pub right: Sustained,
    /// How soon it turns from straight walking, left and right by turns; empty where nothing walks straight.
    pub turns: Vec<TurnTime>,
    /// Whether walks can begin and end standing, in the component or on the way into it and out of it.
    pub stands: bool,
    /// Stops and starts within the component; `None` if nothing of it stands.
    pub stops: Option<Stops>,
    /// What of a square it reaches.
    pub coverage: Option<Coverage>,
    /// What to do about what is missing.
    pub advice: Vec<Advice>,
}

/// A take of the graph and what of it is in the component.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct TakeShare {
    /// The clip's name.
    pub name: String,
    /// Seconds of it.
    pub seconds: f32,
    /// Seconds of it in the component.
    pub kept: f32,
}

/// Speed and turning over one window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TakeMoment {
    /// m/s along the way.
    pub speed: f32,
    /// rad/s, left positive.
    pub turn_rate: f32,
}

/// Least, median, mean and greatest of some values.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Summary {
    /// The least.
    pub least: f32,
    /// The middle one.
    pub median: f32,
    /// The mean.
    pub mean: f32,
    /// The greatest.
    pub most: f32,
}

impl Summary {
    /// Of any values; `None` without any.
    pub(super) fn of(values: impl Iterator<Item = f32>) -> Option<Self> {
        let mut all: Vec<f32> = values.collect();
        all.sort_by(f32::total_cmp);
        let (least, most) = (*all.first()?, *all.last()?);
        let mean = (all.iter().map(|value| f64::from(*value)).sum::<f64>() / all.len() as f64) as f32;
        Some(Self { least, median: all[all.len() / 2], mean, most })
    }
}

/// A loop of the graph: edges that lead back to where they start.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Round {
    /// Seconds once round.
    pub seconds: f32,
    /// Metres once round, without sway.
    pub length: f32,
    /// Turn once round, radians, left positive.
    pub turn: f32,
    /// Its edges, for [`MotionGraph::play`].
    pub edges: Vec<EdgeId>,
}

impl Round {
    fn new<'a>(hops: impl Iterator<Item = &'a Hop>, rate: f32) -> Self {
        let (mut frames, mut length, mut turn, mut edges) = (0, 0.0, 0.0, Vec::new());
        for hop in hops {
            frames += hop.frames;
            length += f64::from(hop.length);
            turn += f64::from(hop.turn);
            edges.push(hop.edge);
        }
        Self { seconds: frames as f32 / rate, length: length as f32, turn: turn as f32, edges }
    }

    /// m/s along the way.
    #[must_use]
    pub fn speed(&self) -> f32 {
        self.length / self.seconds
    }

    /// rad/s, left positive.
    #[must_use]
    pub fn turn_rate(&self) -> f32 {
        self.turn / self.seconds
    }

    /// Metres of way for each radian of turn.
    #[must_use]
    pub fn radius(&self) -> f32 {
        self.length / self.turn.abs().max(1e-9)
    }

    /// Seconds for a full circle.
    #[must_use]
    pub fn circle(&self) -> f32 {
        TAU / self.turn_rate().abs().max(1e-9)
    }
}

/// Turns to one side that can be kept up for a full circle and more.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Sustained {
    /// The loop that turns fastest.
    pub fastest: Option<Round>,
    /// The loop with the least radius that never does less than walk.
    pub tightest: Option<Round>,
}

/// How soon the character turns by an angle from straight walking.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct TurnTime {
    /// To which side.
    pub side: Side,
    /// Radians, > 0.
    pub angle: f32,
    /// Seconds, over nodes that walk straight and can; `None` if none can.
    pub seconds: Option<Summary>,
    /// Share of these nodes that can.
    pub share: f32,
}

/// Standing, stopping, starting.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Stops {
    /// Seconds of standing in the component.
    pub seconds: f32,
    /// The longest stretch of it in one take, seconds.
    pub longest: f32,
    /// Whether it can stand for as long as one likes: there is a loop that stands.
    pub stays: bool,
    /// Seconds from walking to standing, over nodes that walk.
    pub stop: Option<Summary>,
    /// Seconds from standing to walking, over nodes that stand.
    pub start: Option<Summary>,
}

/// What takes its time: the best of seven kinds of loops, turns, coverage, advice.
const QUESTIONS: usize = 10;

impl Report {
    /// Asks a graph what it can do.
    #[must_use]
    pub fn run(&self, graph: &MotionGraph) -> Capabilities {
        self.run_telling(graph, &|_, _| {})
    }

    /// The same, and tells how many of how many questions have been asked.
    #[must_use]
    pub fn run_telling(&self, graph: &MotionGraph, tell: &dyn Fn(usize, usize)) -> Capabilities {
        let asked = Cell::new(0);
        let next = || {
            asked.set(asked.get() + 1);
            tell(asked.get(), QUESTIONS);
        };
        let rate = graph.settings.rate;
        let kept = Kept::new(self, graph);
        let mut shares = vec![0; graph.takes.len()];
        kept.runs().iter().for_each(|(take, from, to)| shares[*take] += to - from);
        let share = |(take, kept): (&crate::motion::Take, usize)| TakeShare {
            name: take.clip.name().into(),
            seconds: take.clip.frames().saturating_sub(1) as f32 / rate,
            kept: kept as f32 / rate,
        };
        let moments = self.moments(&kept, rate);
        let all = |_: &Hop| true;
        let walks = |hop: &Hop| hop.walks;
        let time = |hop: &Hop| f64::from(hop.frames);
        let length = |hop: &Hop| f64::from(hop.length);
        let turn = |hop: &Hop| f64::from(hop.turn);
        let round = |wanted: &dyn Fn(&Hop) -> bool, gain: &dyn Fn(&Hop) -> f64, cost: &dyn Fn(&Hop) -> f64| {
            next();
            best_round(&kept, rate, wanted, gain, cost)
        };
        let sustained = |sign: f64| {
            let turns = |round: &Round| sign as f32 * round.turn > 0.0 && round.circle() <= self.circle;
            Sustained {
                fastest: round(&all, &|hop| sign * turn(hop), &time).filter(turns),
                tightest: round(&walks, &|hop| sign * turn(hop), &length).filter(turns),
            }
        };
        let mut found = Capabilities {
            takes: graph.takes.iter().zip(shares.iter().copied()).map(share).collect(),
            nodes: kept.nodes.len(),
            edges: kept.hops.len(),
            blends: kept.hops.iter().filter(|hop| hop.take.is_none()).count(),
            seconds: shares.iter().sum::<usize>() as f32 / rate,
            threshold: graph.chosen.threshold,
            leg_length: graph.rig.leg_length(),
            speed: Summary::of(moments.iter().map(|moment| moment.speed)),
            turning: Summary::of(moments.iter().map(|moment| moment.turn_rate)),
            moments,
            slowest: round(&all, &|hop| -length(hop), &time),
            slowest_walk: round(&walks, &|hop| -length(hop), &time),
            fastest: round(&all, &length, &time),
            left: sustained(1.0),
            right: sustained(-1.0),
            turns: {
                next();
                self.turn_times(&kept, rate)
            },
            stands: graph.stands(),
            stops: Stops::find(&kept, rate),
            coverage: {
                next();
                let area = self.area.filter(|_| !kept.nodes.is_empty());
                area.map(|area| coverage::cover(self, area, &kept, self.start(&kept), rate))
            },
            advice: Vec::new(),
        };
        next();
        found.advice = advice::find(self, graph, &found);
        found
    }

    fn moments(&self, kept: &Kept, rate: f32) -> Vec<TakeMoment> {
        let span = ((self.window * rate).round() as usize).max(1);
        let mut moments = Vec::new();
        for (take, from, to) in kept.runs() {
            // What is shorter counts as a whole if it is half a window at least.
            let span = span.min(to - from);
            if 2 * span < (self.window * rate) as usize {
                continue;
            }
            let course = &kept.courses[take];
            moments.extend((from..=to - span).map(|frame| {
                let turn = course.raw[frame + span] - course.raw[frame];
                let chord = course.places[frame + span].distance(course.places[frame]);
                // As long as an arc of that turn; beyond that a chord says little.
                let arc = chord / sinc(0.5 * turn.clamp(-PI, PI));
                let seconds = span as f32 / rate;
                TakeMoment { speed: arc / seconds, turn_rate: turn / seconds }
            }));
        }
        moments
    }

    fn turn_times(&self, kept: &Kept, rate: f32) -> Vec<TurnTime> {
        let angles = [FRAC_PI_4, FRAC_PI_2, PI];
        let frames = (self.patience * rate).round() as usize;
        let straight: Vec<usize> =
            (0..kept.nodes.len()).filter(|node| kept.walks_straight(*node, self.straight)).collect();
        if straight.is_empty() {
            return Vec::new();
        }
        let [left, right] = [true, false].map(|left| turns::least_times(kept, left, &angles, frames));
        let time = |side: Side, angle: usize, least: &[Option<u32>]| {
            let times: Vec<f32> =
                straight.iter().filter_map(|node| least[*node]).map(|frames| frames as f32 / rate).collect();
            let share = times.len() as f32 / straight.len() as f32;
            TurnTime { side, angle: angles[angle], seconds: Summary::of(times.into_iter()), share }
        };
        (0..angles.len()).flat_map(|k| [time(Side::Left, k, &left[k]), time(Side::Right, k, &right[k])]).collect()
    }

    /// The node that coverage starts from: walking straight at a usual speed.
    fn start(&self, kept: &Kept) -> usize {
        let straight: Vec<usize> =
            (0..kept.nodes.len()).filter(|node| kept.walks_straight(*node, self.straight)).collect();
        let Some(usual) = Summary::of(straight.iter().map(|node| kept.pace[*node])) else { return 0 };
        let off = |node: &usize| (kept.pace[*node] - usual.median).abs();
        straight.into_iter().reduce(|a, b| if off(&b) < off(&a) { b } else { a }).unwrap_or(0)
    }
}

/// The loop of wanted hops with the greatest gain for its cost.
fn best_round(
    kept: &Kept,
    rate: f32,
    wanted: &dyn Fn(&Hop) -> bool,
    gain: &dyn Fn(&Hop) -> f64,
    cost: &dyn Fn(&Hop) -> f64,
) -> Option<Round> {
    let hops: Vec<&Hop> = kept.hops.iter().filter(|hop| wanted(hop)).collect();
    let steps: Vec<Step> = hops
        .iter()
        .map(|hop| Step { from: hop.from, to: hop.to, gain: gain(hop), cost: cost(hop).max(1e-9) })
        .collect();
    let best = best_loop(kept.nodes.len(), &steps)?;
    Some(Round::new(best.into_iter().map(|k| hops[k]), rate))
}
