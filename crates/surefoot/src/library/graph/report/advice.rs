//! Advice: what to record or to set, from what was measured.

use super::{Capabilities, Report, Round, Sustained};
use crate::library::graph::{BuildGraph, MotionGraph, NodeId, Topology, Transition};
use crate::rig::Side;
use std::fmt;

/// What is missing, and what to do about it.
#[derive(Clone, Debug, PartialEq)]
pub enum Advice {
    /// Nothing leads back to where it was.
    NoComponent {
        /// Root mean square metres.
        threshold: f32,
    },
    /// A take is not in the component.
    LeftOut(Missing),
    /// No loop turns to that side.
    NoTurn {
        /// To which side.
        side: Side,
        /// Whether turns to the other side are there, and the body can be mirrored.
        mirror: bool,
    },
    /// Turns to one side are wider than to the other.
    WideTurn {
        /// The side with the wider turns.
        side: Side,
        /// Its least radius, metres.
        radius: f32,
        /// That of the other side.
        other: f32,
        /// Whether the body can be mirrored.
        mirror: bool,
    },
    /// Nothing stands.
    NoStop {
        /// The slowest loop, m/s.
        slowest: f32,
    },
    /// It can stop, but not stay.
    NoStay {
        /// The longest stretch of standing, seconds.
        longest: f32,
    },
    /// Nothing walks.
    NoWalk,
    /// All loops are about as fast.
    OneSpeed {
        /// The slowest that walks, m/s.
        slowest: f32,
        /// The fastest, m/s.
        fastest: f32,
    },
    /// No window of a take has a speed in between.
    SpeedGap {
        /// m/s.
        from: f32,
        /// m/s.
        to: f32,
    },
    /// Much of a square cannot be walked for ever.
    LittleRoom {
        /// Side of the square, metres.
        area: f32,
        /// Share of its cells that can.
        cells: f32,
    },
}

/// A take that is not in the component.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Missing {
    /// The clip's name.
    pub name: String,
    /// Why.
    pub why: Why,
    /// The graph's threshold, root mean square metres.
    pub threshold: f32,
}

/// Why a take is not in the component.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Why {
    /// It has fewer frames than a blend in and one out need.
    Short {
        /// Seconds.
        seconds: f32,
        /// Seconds that are needed.
        needed: f32,
    },
    /// From this threshold on it would be, root mean square metres.
    Far(f32),
    /// It would not be even at this threshold.
    Farther(f32),
    /// It was not looked for.
    Unknown,
}

/// Of two radii this ratio is told.
const WIDER: f32 = 1.5;
/// Loops whose speeds differ by less than this ratio are one speed.
const ONE_SPEED: f32 = 1.15;
/// A gap between speeds that is told, leg lengths a second.
const GAP: f32 = 0.25;
/// A share of cells under this is little.
const LITTLE: f32 = 0.6;

pub(super) fn find(settings: &Report, graph: &MotionGraph, found: &Capabilities) -> Vec<Advice> {
    let mut advice = Vec::new();
    if found.nodes == 0 {
        advice.push(Advice::NoComponent { threshold: found.threshold });
        return advice;
    }
    advice.extend(missing(settings, graph, found).into_iter().map(Advice::LeftOut));
    advice.extend(turning(graph, found));
    let walks = found.slowest_walk.as_ref();
    match (&found.stops, &found.slowest) {
        (None, Some(slowest)) if !found.stands => advice.push(Advice::NoStop { slowest: slowest.speed() }),
        (Some(stops), _) if !stops.stays => advice.push(Advice::NoStay { longest: stops.longest }),
        _ => {}
    }
    match (walks, &found.fastest) {
        (None, _) => advice.push(Advice::NoWalk),
        (Some(slowest), Some(fastest)) if fastest.speed() < ONE_SPEED * slowest.speed() => {
            advice.push(Advice::OneSpeed { slowest: slowest.speed(), fastest: fastest.speed() });
        }
        _ => {}
    }
    let mut speeds: Vec<f32> = found.moments.iter().map(|moment| moment.speed).collect();
    speeds.sort_by(f32::total_cmp);
    for pair in speeds.windows(2).filter(|pair| pair[1] - pair[0] > GAP * found.leg_length) {
        advice.push(Advice::SpeedGap { from: pair[0], to: pair[1] });
    }
    if let Some(coverage) = &found.coverage {
        let (cells, _) = coverage.lasting_share();
        // Where it cannot turn or walk at all, that is the reason.
        if cells < LITTLE && walks.is_some() && (found.left.fastest.is_some() || found.right.fastest.is_some()) {
            advice.push(Advice::LittleRoom { area: coverage.area, cells });
        }
    }
    advice
}

fn turning(graph: &MotionGraph, found: &Capabilities) -> Vec<Advice> {
    let can_mirror = graph.rig.mirror.is_some();
    let turns = |side: &Sustained| side.fastest.is_some();
    let sides = [(Side::Left, &found.left, &found.right), (Side::Right, &found.right, &found.left)];
    let none = |(side, own, other): &(Side, &Sustained, &Sustained)| {
        (!turns(own)).then(|| Advice::NoTurn { side: *side, mirror: can_mirror && turns(other) })
    };
    let mut advice: Vec<Advice> = sides.iter().filter_map(none).collect();
    for (side, own, other) in sides {
        let radius = |side: &Sustained| side.tightest.as_ref().map(Round::radius);
        if let (Some(own), Some(other)) = (radius(own), radius(other))
            && own > WIDER * other
        {
            advice.push(Advice::WideTurn { side, radius: own, other, mirror: can_mirror });
        }
    }
    advice
}

/// Takes that are not in the component, and what would bring them in.
fn missing(settings: &Report, graph: &MotionGraph, found: &Capabilities) -> Vec<Missing> {
    let rate = graph.settings.rate;
    let out: Vec<usize> = (0..graph.takes.len()).filter(|take| found.takes[*take].kept == 0.0).collect();
    let long = |take: &usize| graph.settings.usable(&[graph.takes[*take].clip.frames()]) > 0;
    let sought: Vec<usize> = out.iter().copied().filter(long).collect();
    let limit = settings.seek.filter(|seek| *seek > 1.0 && !sought.is_empty()).map(|seek| found.threshold * seek);
    let wider = limit.and_then(|limit| Some((wider(graph, &sought, limit)?, limit)));
    let named = |take: &usize| {
        let why = if !long(take) {
            let mut needed = graph.takes[*take].clip.frames();
            while graph.settings.usable(&[needed]) == 0 {
                needed += 1;
            }
            Why::Short { seconds: found.takes[*take].seconds, needed: (needed - 1) as f32 / rate }
        } else {
            match &wider {
                None => Why::Unknown,
                Some((transitions, limit)) => least(graph, transitions, *take).map_or(Why::Farther(*limit), Why::Far),
            }
        };
        Missing { name: found.takes[*take].name.clone(), why, threshold: found.threshold }
    };
    out.iter().map(named).collect()
}

/// The graph's transitions and those of some takes under a higher limit, nearest first.
fn wider(graph: &MotionGraph, sought: &[usize], limit: f32) -> Option<Vec<Transition>> {
    let allowed = |a: usize, b: usize| {
        graph.settings.anim_pairs.as_ref().is_none_or(|pairs| pairs.contains(&(a, b)) || pairs.contains(&(b, a)))
    };
    let all = 0..graph.takes.len();
    let pairs = sought.iter().flat_map(|take| all.clone().map(move |other| (*take, other)));
    let pairs: Vec<(usize, usize)> = pairs.filter(|(a, b)| allowed(*a, *b)).collect();
    let settings = BuildGraph { threshold: Some(limit), anim_pairs: Some(pairs), ..graph.settings.clone() };
    let found = settings.run(&graph.rig, &graph.takes).ok()?.transitions;
    let is_sought = |take: u32| sought.contains(&(take as usize));
    let own = graph.transitions.iter().filter(|t| !is_sought(t.from.take) && !is_sought(t.to.take));
    let mut all: Vec<Transition> = own.copied().chain(found).collect();
    all.sort_by(|a, b| a.distance.total_cmp(&b.distance));
    Some(all)
}

/// The least threshold at which a take is in the largest component.
fn least(graph: &MotionGraph, transitions: &[Transition], take: usize) -> Option<f32> {
    let frames: Vec<usize> = graph.takes.iter().map(|take| take.clip.frames()).collect();
    let held = |count: usize| {
        let topology = Topology::new(&frames, &transitions[..count]);
        let own = |node: u32| topology.nodes[node as usize].take as usize == take && topology.keeps(NodeId(node));
        (0..topology.nodes.len() as u32).any(own)
    };
    if !held(transitions.len()) {
        return None;
    }
    let (mut few, mut many) = (0, transitions.len());
    while few < many {
        let middle = (few + many) / 2;
        if held(middle) { many = middle } else { few = middle + 1 }
    }
    few.checked_sub(1).map(|last| transitions[last].distance)
}

fn name(side: Side) -> &'static str {
    match side {
        Side::Left => "left",
        Side::Right => "right",
    }
}

impl fmt::Display for Advice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mirrored = |mirror: bool| if mirror { " or build with mirrored clips" } else { "" };
        match self {
            Self::NoComponent { threshold } => write!(
                f,
                "nothing leads back to where it was at a threshold of {:.1} cm: raise it, or add clips that walk on for longer",
                100.0 * threshold
            ),
            Self::LeftOut(missing) => write!(f, "{missing}"),
            Self::NoTurn { side, mirror } => {
                write!(f, "it cannot walk round to the {}: record a turn that way{}", name(*side), mirrored(*mirror))
            }
            Self::WideTurn { side, radius, other, mirror } => write!(
                f,
                "no {} turn tighter than {radius:.1} m radius can be kept up, where the other side has {other:.1} m: record one{}",
                name(*side),
                mirrored(*mirror)
            ),
            Self::NoStop { slowest } => {
                write!(f, "it cannot stop (its slowest loop goes at {slowest:.2} m/s): add a clip that ends standing")
            }
            Self::NoStay { longest } => write!(
                f,
                "it can stop but not stay, for {longest:.1} s at most: add a clip that stands for some seconds"
            ),
            Self::NoWalk => write!(f, "no loop of it walks: add a walk of several steps"),
            Self::OneSpeed { slowest, fastest } => {
                write!(f, "it knows one speed only ({slowest:.2} to {fastest:.2} m/s): record slower and faster walks")
            }
            Self::SpeedGap { from, to } => {
                write!(f, "nothing goes at speeds between {from:.2} and {to:.2} m/s: record a change of speed")
            }
            Self::LittleRoom { area, cells } => write!(
                f,
                "of a room of {area:.0} m only {:.0} % can be walked for ever: record tighter turns or stops",
                100.0 * cells
            ),
        }
    }
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, at) = (&self.name, 100.0 * self.threshold);
        match self.why {
            Why::Short { seconds, needed } => {
                write!(f, "{name} is left out: it is {seconds:.2} s long, and blends in and out need {needed:.2} s")
            }
            Why::Far(from) => write!(
                f,
                "{name} is left out: it would be in at a threshold of {:.1} cm (now {at:.1} cm): raise it, or record what leads there",
                // Rounded up, so that what is told is enough.
                (1000.0 * from).floor() / 10.0 + 0.1
            ),
            Why::Farther(limit) => write!(
                f,
                "{name} is left out, and would still be at a threshold of {:.1} cm (now {at:.1} cm): record what leads there and back",
                100.0 * limit
            ),
            Why::Unknown => write!(f, "{name} is left out at a threshold of {at:.1} cm"),
        }
    }
}
