//! Probabilistic roadmaps: samples joined to their nearest neighbours, repaired where the map changes.

use super::outcome::answer;
use super::search::{Link, components, shortest};
use super::{NoRouteReason, PathOutcome};
use crate::random::{Rng, Seed};
use crate::world::{GrownMap, Region};
use glam::Vec2;
use kiddo::{ImmutableKdTree, SquaredEuclidean};
use std::num::NonZero;
use std::sync::Arc;

/// How a roadmap is made.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
pub struct Prm {
    /// How many free places it has at first. Fewer where almost nothing is free: 50 times as many are tried.
    pub samples: usize,
    /// To how many of its nearest neighbours each is joined, where the way is free.
    pub neighbours: usize,
    /// Shifts the samples, which are evenly spread (Halton's sequence) for every seed.
    pub seed: Seed,
}

impl Default for Prm {
    fn default() -> Self {
        Self { samples: 1000, neighbours: 10, seed: Seed(0) }
    }
}

/// Free places of a map and free straight ways between near ones.
///
/// ```
/// use surefoot::glam::Vec2;
/// use surefoot::math::FloorPose;
/// use surefoot::stages::Prm;
/// use surefoot::world::{FloorMap, GrownMap, Obstacle};
///
/// let mut map = GrownMap::new(FloorMap::rectangle(Vec2::ZERO, Vec2::new(10.0, 8.0))?, 0.3)?;
/// let mut roadmap = Prm::default().build(&map);
/// let cupboard = Obstacle::rectangle("cupboard", FloorPose::new(Vec2::new(5.0, 3.0), 0.0), Vec2::new(1.0, 5.0));
/// let (_, region) = map.add(cupboard)?;
/// roadmap.update(&map, region);
/// let outcome = roadmap.path(&map, Vec2::new(1.0, 2.0), Vec2::new(9.0, 2.0)).shortcut(&map);
/// assert!(outcome.path().unwrap().length() > 11.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Roadmap {
    neighbours: usize,
    /// All places that were tried, free or not: what is blocked may become free.
    samples: Vec<Vec2>,
    free: Vec<bool>,
    /// Per sample, its nearest free others; of infinite length where the way is blocked, to itself where there is none.
    nearest: Vec<Link>,
    /// Per sample, how far those reach, metres.
    reach: Vec<f32>,
    /// The open ways of sample i are `links[first[i]..first[i + 1]]`.
    links: Vec<Link>,
    first: Vec<u32>,
    tree: Tree,
}

/// Free samples by place.
#[derive(Clone, Debug)]
struct Tree {
    /// Shared by clones, since it never changes.
    tree: Option<Arc<ImmutableKdTree<f32, 2>>>,
    /// The sample of each of the tree's items.
    samples: Vec<u32>,
}

impl Tree {
    fn new(samples: &[Vec2], free: &[bool]) -> Self {
        let kept: Vec<u32> = (0..samples.len() as u32).filter(|i| free[*i as usize]).collect();
        let points: Vec<[f32; 2]> = kept.iter().map(|i| samples[*i as usize].to_array()).collect();
        let tree = if points.is_empty() { None } else { ImmutableKdTree::new_from_slice(&points).ok().map(Arc::new) };
        Self { tree, samples: kept }
    }

    /// The nearest samples of a point, near ones first, with their distances.
    fn nearest(&self, p: Vec2, count: usize) -> Vec<Link> {
        let (Some(tree), Some(count)) = (&self.tree, NonZero::new(count)) else { return Vec::new() };
        let found = tree.query(&p.to_array()).nearest_n::<SquaredEuclidean<f32>>(count).execute();
        found
            .iter()
            .map(|item| Link { to: self.samples[item.item as usize], length: item.distance.max(0.0).sqrt() })
            .collect()
    }
}

/// The i-th number of van der Corput's sequence to a base, in [0, 1).
fn radical_inverse(mut i: usize, base: usize) -> f32 {
    let (mut digit, mut sum) = (1.0 / base as f64, 0.0);
    while i > 0 {
        sum += (i % base) as f64 * digit;
        digit /= base as f64;
        i /= base;
    }
    sum as f32
}

impl Prm {
    /// The roadmap of a map.
    #[must_use]
    pub fn build(&self, map: &GrownMap) -> Roadmap {
        let mut rng = Rng::new(self.seed).stream("roadmap");
        let shift = Vec2::new(rng.unit(), rng.unit());
        let [low, high] = map.map().bounds();
        let (mut samples, mut free, mut found) = (Vec::new(), Vec::new(), 0);
        for i in 0..50 * self.samples {
            if found == self.samples {
                break;
            }
            let unit = (Vec2::new(radical_inverse(i, 2), radical_inverse(i, 3)) + shift).fract();
            let p = low + (high - low) * unit;
            samples.push(p);
            free.push(map.is_free(p));
            found += usize::from(free[i]);
        }
        let n = samples.len();
        let tree = Tree::new(&samples, &free);
        let mut roadmap = Roadmap {
            neighbours: self.neighbours,
            samples,
            free,
            nearest: vec![Link { to: 0, length: f32::INFINITY }; n * self.neighbours],
            reach: vec![f32::MAX; n],
            links: Vec::new(),
            first: Vec::new(),
            tree,
        };
        roadmap.join(map, vec![true; n]);
        roadmap
    }
}

impl Roadmap {
    /// Looks at the samples that are `stale` again, and gathers the open ways.
    fn join(&mut self, map: &GrownMap, mut stale: Vec<bool>) {
        let k = self.neighbours;
        for i in 0..self.samples.len() {
            if !stale[i] {
                continue;
            }
            let own = i * k..(i + 1) * k;
            self.nearest[own.clone()].fill(Link { to: i as u32, length: f32::INFINITY });
            self.reach[i] = f32::MAX;
            if self.free[i] {
                let mut found = self.tree.nearest(self.samples[i], k + 1);
                found.retain(|link| link.to != i as u32);
                found.truncate(k);
                if found.len() == k {
                    self.reach[i] = found.last().map_or(f32::MAX, |link| link.length);
                }
                for (slot, mut link) in own.zip(found) {
                    let j = link.to as usize;
                    // What the other one has found out from its side need not be asked again.
                    let theirs = &self.nearest[j * k..(j + 1) * k];
                    let known = theirs.iter().find(|back| back.to == i as u32).filter(|_| !stale[j]);
                    let open = match known {
                        Some(back) => back.length.is_finite(),
                        None => map.segment_is_free(self.samples[i], self.samples[j]),
                    };
                    if !open {
                        link.length = f32::INFINITY;
                    }
                    self.nearest[slot] = link;
                }
            }
            stale[i] = false;
        }
        self.gather();
    }

    /// Ways in both directions, side by side.
    fn gather(&mut self) {
        let (n, k) = (self.samples.len(), self.neighbours);
        let mut pairs: Vec<(u32, Link)> = Vec::with_capacity(n * k * 2);
        for i in 0..n {
            for link in self.nearest[i * k..(i + 1) * k].iter().filter(|link| link.length.is_finite()) {
                pairs.push((i as u32, *link));
                let j = link.to as usize;
                if !self.nearest[j * k..(j + 1) * k].iter().any(|back| back.to == i as u32) {
                    pairs.push((link.to, Link { to: i as u32, length: link.length }));
                }
            }
        }
        // Counting sort by the first of each pair.
        self.first = vec![0; n + 1];
        for (i, _) in &pairs {
            self.first[*i as usize + 1] += 1;
        }
        for i in 0..n {
            self.first[i + 1] += self.first[i];
        }
        let mut next = self.first.clone();
        self.links = vec![Link { to: 0, length: 0.0 }; pairs.len()];
        for (i, link) in pairs {
            let slot = &mut next[i as usize];
            self.links[*slot as usize] = link;
            *slot += 1;
        }
    }

    /// Takes in a change of the map: what [`GrownMap::add`], [`replace`](GrownMap::replace) or
    /// [`remove`](GrownMap::remove) gave. Only samples whose neighbourhood the region touches are looked at again; the
    /// result is the same as looking at all.
    pub fn update(&mut self, map: &GrownMap, region: Region) {
        let [low, high] = region;
        let mut changed = false;
        let mut stale = vec![false; self.samples.len()];
        for i in 0..self.samples.len() {
            let p = self.samples[i];
            let inside = p.clamp(low.min(high), high.max(low)) == p;
            if inside && self.free[i] != map.is_free(p) {
                self.free[i] = !self.free[i];
                stale[i] = true;
                changed = true;
            }
            // A blocked sample has no neighbourhood.
            stale[i] |= self.free[i] && p.distance(p.clamp(low.min(high), high.max(low))) <= self.reach[i];
        }
        if changed {
            self.tree = Tree::new(&self.samples, &self.free);
        }
        self.join(map, stale);
    }

    /// The open ways of a sample.
    pub(super) fn links(&self, sample: u32) -> &[Link] {
        &self.links[self.first[sample as usize] as usize..self.first[sample as usize + 1] as usize]
    }

    /// How many samples there are, free or not.
    pub(super) fn count(&self) -> usize {
        self.samples.len()
    }

    /// Where a sample is.
    pub(super) fn sample(&self, sample: u32) -> Vec2 {
        self.samples[sample as usize]
    }

    /// Samples that a point is joined to: of its nearest, those in sight; further ones only if there are none.
    pub(super) fn near(&self, map: &GrownMap, p: Vec2) -> Vec<Link> {
        let mut count = self.neighbours.max(1);
        let mut tried = 0;
        loop {
            let mut found = self.tree.nearest(p, count);
            let total = found.len();
            found.drain(..tried);
            found.retain(|link| map.segment_is_free(p, self.samples[link.to as usize]));
            if !found.is_empty() || total < count {
                return found;
            }
            tried = total;
            count *= 4;
        }
    }

    /// The shortest path along the roadmap; points are (x, z), metres. It has the roadmap's zigzag:
    /// [`PathOutcome::shortcut`] pulls it taut.
    #[must_use]
    pub fn path(&self, map: &GrownMap, start: Vec2, goal: Vec2) -> PathOutcome {
        let route = || {
            let (starts, goals) = (self.near(map, start), self.near(map, goal));
            let ahead = |sample: u32| self.samples[sample as usize].distance(goal);
            let way = shortest(self.samples.len(), &starts, &goals, |sample| self.links(sample), ahead);
            let way = way.ok_or(NoRouteReason::NotFound { samples: self.tree.samples.len() })?;
            let places = way.iter().map(|sample| self.samples[*sample as usize]);
            Ok([start].into_iter().chain(places).chain([goal]).collect())
        };
        let nearest = || {
            let component = components(self.samples.len(), |sample| self.links(sample));
            let mut reached: Vec<u32> = self.near(map, start).iter().map(|l| component[l.to as usize]).collect();
            reached.sort_unstable();
            reached.dedup();
            let within = |link: &Link| reached.binary_search(&component[link.to as usize]).is_ok();
            let reaches = |q: Vec2| map.segment_is_free(start, q) || self.near(map, q).iter().any(within);
            map.nearest_free_where(goal, reaches).unwrap_or(start)
        };
        answer(map, start, goal, route, nearest)
    }

    /// Its free places (x, z), metres.
    pub fn places(&self) -> impl Iterator<Item = Vec2> {
        self.tree.samples.iter().map(|sample| self.samples[*sample as usize])
    }

    /// Its ways, each once: both ends (x, z), metres.
    pub fn ways(&self) -> impl Iterator<Item = [Vec2; 2]> {
        (0..self.samples.len() as u32).flat_map(move |i| {
            let once = self.links(i).iter().filter(move |link| link.to > i);
            once.map(move |link| [self.samples[i as usize], self.samples[link.to as usize]])
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::FloorPose;
    use crate::world::{FloorMap, Obstacle};

    fn v(x: f32, z: f32) -> Vec2 {
        Vec2::new(x, z)
    }

    fn rectangle(x: f32, z: f32, heading: f32, width: f32, depth: f32) -> Obstacle {
        Obstacle::rectangle("", FloorPose::new(v(x, z), heading), v(width, depth))
    }

    /// All its ways, in an order that does not depend on how they came about.
    fn sorted_ways(roadmap: &Roadmap) -> Vec<[u32; 4]> {
        let mut ways: Vec<_> = roadmap.ways().map(|[a, b]| [a.x, a.y, b.x, b.y].map(f32::to_bits)).collect();
        ways.sort_unstable();
        ways
    }

    #[test]
    fn a_repaired_roadmap_is_the_one_of_looking_at_all() {
        let mut map = GrownMap::new(FloorMap::rectangle(Vec2::ZERO, v(20.0, 16.0)).unwrap(), 0.3).unwrap();
        for i in 0..6 {
            map.add(rectangle(3.0 * i as f32 + 2.0, 8.0, 0.4 * i as f32, 0.4, 6.0)).unwrap();
        }
        let mut roadmap = Prm { samples: 600, ..Prm::default() }.build(&map);
        let mut rng = Rng::new(Seed(5)).stream("changes");
        let (id, region) = map.add(rectangle(5.0, 5.0, 0.3, 3.0, 1.0)).unwrap();
        roadmap.update(&map, region);
        for step in 0..40 {
            let moved = rectangle(rng.range(0.0, 20.0), rng.range(0.0, 16.0), rng.range(-3.0, 3.0), 4.0, 1.0);
            let region = map.replace(id, moved).unwrap();
            roadmap.update(&map, region);
            let mut whole = roadmap.clone();
            whole.free = whole.samples.iter().map(|p| map.is_free(*p)).collect();
            whole.tree = Tree::new(&whole.samples, &whole.free);
            whole.join(&map, vec![true; whole.samples.len()]);
            assert_eq!(sorted_ways(&roadmap), sorted_ways(&whole), "after change {step}");
            assert!(roadmap.ways().all(|[a, b]| map.segment_is_free(a, b)), "after change {step}");
        }
        let before = sorted_ways(&Prm { samples: 600, ..Prm::default() }.build(&map));
        let region = map.remove(id).unwrap();
        roadmap.update(&map, region);
        assert_ne!(before, sorted_ways(&roadmap), "ways open where the obstacle was");
    }

    #[test]
    fn a_floor_without_a_free_place_is_no_trouble() {
        let mut map = GrownMap::new(FloorMap::rectangle(Vec2::ZERO, v(2.0, 2.0)).unwrap(), 0.3).unwrap();
        map.add(rectangle(1.0, 1.0, 0.0, 5.0, 5.0)).unwrap();
        let roadmap = Prm { samples: 20, ..Prm::default() }.build(&map);
        assert_eq!(roadmap.places().count(), 0);
        assert!(matches!(
            roadmap.path(&map, v(1.0, 1.0), v(1.5, 1.0)),
            PathOutcome::StartBlocked { nearest: None, .. }
        ));
    }

    #[test]
    fn a_goal_behind_walls_is_answered_with_the_nearest_reachable_point() {
        let mut map = GrownMap::new(FloorMap::rectangle(Vec2::ZERO, v(10.0, 8.0)).unwrap(), 0.3).unwrap();
        map.add(rectangle(5.0, 4.0, 0.0, 1.0, 9.0)).unwrap();
        let roadmap = Prm { samples: 300, ..Prm::default() }.build(&map);
        let outcome = roadmap.path(&map, v(1.0, 1.0), v(9.0, 4.0));
        let PathOutcome::NoRoute { why: NoRouteReason::NotFound { samples: 300 }, nearest } = outcome else {
            panic!("{outcome:?}")
        };
        assert!(nearest.distance(v(4.2, 4.0)) < 1e-3, "{nearest}");
    }
}
