//! Coverage: which places and headings of a room the graph reaches (after Reitsma and Pollard 2007).
//!
//! The graph is laid out in an empty square: a state is a node, a cell and a sector of headings. States are found in order of
//! time from the middle; each cell and sector holds at most so many of them, those that come first, so that the work is
//! bounded and spread evenly. Moves that would leave the square are not made. Afterwards states from which no move leads on
//! are taken away, until none are left: what remains can be walked for ever without leaving.

use super::Report;
use super::kept::Kept;
use crate::math::FloorPose;
use glam::Vec2;
use std::f32::consts::TAU;

/// What of an empty square the graph reaches from its middle, walls never crossed.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Coverage {
    /// Side of the square, metres.
    pub area: f32,
    /// Cells along a side.
    pub across: usize,
    /// Sectors of headings; the first is about +Z, the next to its left.
    pub headings: usize,
    /// For each cell and heading the least seconds until the character is there; infinite where it never is. Cells go by z,
    /// then by x, both from the least.
    pub reached: Vec<f32>,
    /// For each cell and heading, whether the character can be there and go on for ever. Where a cell holds more states than
    /// are looked at, these stand for all.
    pub lasting: Vec<bool>,
    /// Shares of cells and headings over time.
    pub within: Vec<Within>,
    /// States that were looked at.
    pub states: usize,
    /// Whether some cells held more states than were looked at: all shares are at least what is told.
    pub crowded: bool,
}

/// What is reached within some time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Within {
    /// Seconds.
    pub seconds: f32,
    /// Share of all cells.
    pub cells: f32,
    /// Share of all pairs of cell and heading.
    pub headings: f32,
}

impl Coverage {
    /// Side of a cell, metres.
    #[must_use]
    pub fn cell(&self) -> f32 {
        self.area / self.across as f32
    }

    /// Share of cells in which the character can be for ever, and of cells with headings.
    #[must_use]
    pub fn lasting_share(&self) -> (f32, f32) {
        self.shares(|k| self.lasting[k])
    }

    /// The depth (metres) from the walls of cells most of which cannot be walked for ever.
    #[must_use]
    pub fn border(&self) -> f32 {
        let alive = |cell: usize| self.lasting[cell * self.headings..(cell + 1) * self.headings].contains(&true);
        let depth = |cell: usize| {
            let (x, z) = (cell % self.across, cell / self.across);
            x.min(z).min(self.across - 1 - x).min(self.across - 1 - z)
        };
        let rings = self.across.div_ceil(2);
        let mut counts = vec![(0, 0); rings];
        for cell in 0..self.across * self.across {
            let (all, there) = &mut counts[depth(cell)];
            *all += 1;
            *there += usize::from(alive(cell));
        }
        counts.iter().take_while(|(all, there)| 2 * there < *all).count() as f32 * self.cell()
    }

    fn shares(&self, is: impl Fn(usize) -> bool) -> (f32, f32) {
        let all = self.across * self.across;
        let (mut cells, mut pairs) = (0, 0);
        for cell in 0..all {
            let own = (0..self.headings).filter(|heading| is(cell * self.headings + heading)).count();
            cells += usize::from(own > 0);
            pairs += own;
        }
        (cells as f32 / all as f32, pairs as f32 / (all * self.headings) as f32)
    }
}

/// Where and when a walk is.
#[derive(Clone, Copy)]
struct State {
    at: FloorPose,
    node: u32,
    /// Frames.
    time: u32,
    bin: u32,
    /// Its first link, once it was left.
    links: Option<u32>,
}

/// A move out of the square.
const OUT: u32 = u32::MAX;
/// Links to states that were not kept lead to their bin.
const FULL: u32 = 1 << 31;

struct Search<'a> {
    kept: &'a Kept,
    area: f32,
    across: usize,
    headings: usize,
    /// States that a bin may hold.
    crowd: u32,
    states: Vec<State>,
    /// Per bin: how many states it holds.
    held: Vec<u32>,
    /// Per bin: least frames.
    reached: Vec<u32>,
    found: Table,
    /// For each state that was left, where each of its node's hops leads.
    links: Vec<u32>,
    /// States by their time.
    queue: Vec<Vec<u32>>,
    crowded: bool,
    passed: Vec<usize>,
}

impl Search<'_> {
    fn bin(&self, at: FloorPose) -> Option<usize> {
        let cell = at.position * (self.across as f32 / self.area) + 0.5 * self.across as f32;
        let inside = |k: f32| k >= 0.0 && k < self.across as f32;
        if !(inside(cell.x) && inside(cell.y)) {
            return None;
        }
        let turns = at.heading * (1.0 / TAU);
        let sector = ((turns - turns.floor()) * self.headings as f32 + 0.5) as usize % self.headings;
        Some((cell.y as usize * self.across + cell.x as usize) * self.headings + sector)
    }

    fn run(&mut self, start: u32) {
        self.arrive(FloorPose::ORIGIN, start, 0);
        let mut time = 0;
        while time < self.queue.len() {
            let mut k = 0;
            // It may grow while it is worked on.
            while k < self.queue[time].len() {
                let id = self.queue[time][k];
                k += 1;
                // Left before, or found anew at an earlier time.
                if self.states[id as usize].links.is_none() && self.states[id as usize].time as usize == time {
                    self.leave(id);
                }
            }
            self.queue[time] = Vec::new();
            time += 1;
        }
    }

    fn leave(&mut self, id: u32) {
        let kept = self.kept;
        let State { at, node, time, .. } = self.states[id as usize];
        self.states[id as usize].links = Some(self.links.len() as u32);
        let forward = at.forward();
        for hop in kept.leaving(node as usize) {
            let link = match self.along(at, forward, &hop.way) {
                Some(end) => {
                    // Places on the way count, at the time in which the hop ends.
                    for k in 0..self.passed.len() {
                        let reached = &mut self.reached[self.passed[k]];
                        *reached = (*reached).min(time + hop.frames);
                    }
                    self.arrive(end, hop.to, time + hop.frames)
                }
                None => OUT,
            };
            self.links.push(link);
        }
    }

    /// Where a way ends, with the bins on it in `passed`; `None` if it leaves the square.
    fn along(&mut self, at: FloorPose, forward: Vec2, way: &[FloorPose]) -> Option<FloorPose> {
        self.passed.clear();
        let mut end = at;
        for step in way {
            end = after(at, forward, *step);
            let bin = self.bin(end)?;
            self.passed.push(bin);
        }
        Some(end)
    }

    fn arrive(&mut self, at: FloorPose, node: u32, time: u32) -> u32 {
        let Some(bin) = self.bin(at) else { return OUT };
        self.reached[bin] = self.reached[bin].min(time);
        let at = at.wrapped();
        let key = u64::from(node) * self.held.len() as u64 + bin as u64;
        let slot = self.found.slot(key);
        let id = match self.found.at(slot) {
            Some(id) => {
                let state = &mut self.states[id as usize];
                if state.links.is_some() || state.time <= time {
                    return id;
                }
                (state.at, state.time) = (at, time);
                id
            }
            None if self.held[bin] >= self.crowd => {
                self.crowded = true;
                return FULL | bin as u32;
            }
            None => {
                let id = self.states.len() as u32;
                self.held[bin] += 1;
                self.found.put(slot, key, id);
                self.states.push(State { at, node, time, bin: bin as u32, links: None });
                id
            }
        };
        if self.queue.len() <= time as usize {
            self.queue.resize_with(time as usize + 1, Vec::new);
        }
        self.queue[time as usize].push(id);
        id
    }

    /// For each state, whether it can go on for ever.
    fn lasting(&self) -> Vec<bool> {
        let mut alive = vec![true; self.states.len()];
        let mut living = self.held.clone();
        loop {
            let mut changed = false;
            // Later states first: dead ends are found from their end.
            for id in (0..self.states.len()).rev().filter(|id| self.states[*id].links.is_some()) {
                if alive[id] && !self.links_of(id).any(|(_, link)| goes_on(link, &alive, &living)) {
                    alive[id] = false;
                    living[self.states[id].bin as usize] -= 1;
                    changed = true;
                }
            }
            if !changed {
                return alive;
            }
        }
    }

    /// Hops of a state and where they lead.
    fn links_of(&self, id: usize) -> impl Iterator<Item = (usize, u32)> {
        let State { node, links, .. } = self.states[id];
        let hops = self.kept.first[node as usize] as usize..self.kept.first[node as usize + 1] as usize;
        let first = links.unwrap_or(0) as usize;
        hops.enumerate().map(move |(k, hop)| (hop, self.links[first + k]))
    }
}

fn goes_on(link: u32, alive: &[bool], living: &[u32]) -> bool {
    match link {
        OUT => false,
        link if link & FULL != 0 => living[(link & !FULL) as usize] > 0,
        link => alive[link as usize],
    }
}

/// [`FloorPose::then`] with the sine and cosine of the heading at hand.
fn after(at: FloorPose, forward: Vec2, step: FloorPose) -> FloorPose {
    let left = Vec2::new(forward.y, -forward.x);
    let position = at.position + step.position.x * left + step.position.y * forward;
    FloorPose { position, heading: at.heading + step.heading }
}

/// Ids by key: open addressing, so that order never depends on a hasher.
struct Table {
    keys: Vec<u64>,
    ids: Vec<u32>,
    count: usize,
}

/// The key of a slot that nothing is in.
const FREE: u64 = u64::MAX;

impl Table {
    fn new() -> Self {
        Self { keys: vec![FREE; 1 << 12], ids: vec![0; 1 << 12], count: 0 }
    }

    fn slot(&self, key: u64) -> usize {
        let mask = self.keys.len() - 1;
        let mut slot = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20) as usize & mask;
        while self.keys[slot] != FREE && self.keys[slot] != key {
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn at(&self, slot: usize) -> Option<u32> {
        (self.keys[slot] != FREE).then_some(self.ids[slot])
    }

    fn put(&mut self, slot: usize, key: u64, id: u32) {
        (self.keys[slot], self.ids[slot]) = (key, id);
        self.count += 1;
        if 2 * self.count > self.keys.len() {
            let bigger = 2 * self.keys.len();
            let old =
                std::mem::replace(self, Self { keys: vec![FREE; bigger], ids: vec![0; bigger], count: self.count });
            for (key, id) in old.keys.into_iter().zip(old.ids).filter(|(key, _)| *key != FREE) {
                let slot = self.slot(key);
                (self.keys[slot], self.ids[slot]) = (key, id);
            }
        }
    }
}

/// Lays the component out in a square of so many metres.
pub(super) fn cover(settings: &Report, area: f32, kept: &Kept, start: usize, rate: f32) -> Coverage {
    let area = area.max(1e-3);
    let across = ((area / settings.cell.max(1e-3)).round() as usize).clamp(1, 200);
    let headings = settings.headings.clamp(1, 256);
    let bins = across * across * headings;
    let degree = kept.hops.len().div_ceil(kept.nodes.len().max(1)).max(1);
    let crowd = (settings.moves / (degree * bins)).clamp(2, kept.nodes.len().max(2)) as u32;
    let mut search = Search {
        kept,
        area,
        across,
        headings,
        crowd,
        states: Vec::new(),
        held: vec![0; bins],
        reached: vec![u32::MAX; bins],
        found: Table::new(),
        links: Vec::new(),
        queue: Vec::new(),
        crowded: false,
        passed: Vec::new(),
    };
    search.run(start as u32);
    let alive = search.lasting();
    let mut living = vec![0; bins];
    for (id, state) in search.states.iter().enumerate() {
        living[state.bin as usize] += u32::from(alive[id]);
    }
    let mut lasting: Vec<bool> = living.iter().map(|living| *living > 0).collect();
    for id in (0..search.states.len()).filter(|id| alive[*id]) {
        for (hop, _) in search.links_of(id).filter(|(_, link)| goes_on(*link, &alive, &living)) {
            let way = &kept.hops[hop].way;
            for step in &way[..way.len().saturating_sub(1)] {
                if let Some(bin) = search.bin(search.states[id].at.then(*step)) {
                    lasting[bin] = true;
                }
            }
        }
    }
    let seconds = |frames: u32| if frames == u32::MAX { f32::INFINITY } else { frames as f32 / rate };
    let mut coverage = Coverage {
        area,
        across,
        headings,
        reached: search.reached.iter().map(|frames| seconds(*frames)).collect(),
        lasting,
        within: Vec::new(),
        states: search.states.len(),
        crowded: search.crowded,
    };
    for seconds in &settings.within {
        let (cells, headings) = coverage.shares(|k| coverage.reached[k] <= *seconds);
        coverage.within.push(Within { seconds: *seconds, cells, headings });
    }
    coverage
}
