//! Stops and starts: how soon and how long the character can stand.

use super::kept::{Hop, Kept};
use super::loops::{Step, best_loop};
use super::{Stops, Summary};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

impl Stops {
    /// `None` if no frame of the component stands.
    pub(super) fn find(kept: &Kept, rate: f32) -> Option<Self> {
        let runs = kept.runs();
        let stands = |take: usize, frame: usize| kept.courses[take].pace[frame] < kept.still;
        let (mut standing, mut longest, mut walking) = (0, 0, 0);
        for (take, from, to) in runs {
            let mut run = 0;
            for frame in from..to {
                run = if stands(take, frame) { run + 1 } else { 0 };
                standing += usize::from(run > 0);
                walking += usize::from(kept.courses[take].pace[frame] >= kept.walking);
                longest = longest.max(run);
            }
        }
        if standing == 0 {
            return None;
        }
        let steps: Vec<Step> = kept.hops.iter().filter(|hop| hop.stands).map(step).collect();
        let stays = best_loop(kept.nodes.len(), &steps).is_some();
        let to_stand = soonest(kept, &|pace| pace < kept.still);
        let to_walk = soonest(kept, &|pace| pace >= kept.walking);
        let times = |of: &[Option<u32>], when: &dyn Fn(f32) -> bool| {
            let nodes = (0..kept.nodes.len()).filter(|node| when(kept.pace[*node]));
            Summary::of(nodes.filter_map(|node| of[node]).map(|frames| frames as f32 / rate))
        };
        Some(Self {
            seconds: standing as f32 / rate,
            longest: longest as f32 / rate,
            stays,
            stop: times(&to_stand, &|pace| pace >= kept.walking),
            start: if walking > 0 { times(&to_walk, &|pace| pace < kept.still) } else { None },
        })
    }
}

fn step(hop: &Hop) -> Step {
    Step { from: hop.from, to: hop.to, gain: 0.0, cost: f64::from(hop.frames) }
}

/// For each node, the least frames until the speed is as wanted; by Dijkstra from there, backwards.
fn soonest(kept: &Kept, wanted: &dyn Fn(f32) -> bool) -> Vec<Option<u32>> {
    let nodes = kept.nodes.len();
    let mut into: Vec<Vec<(u32, u32)>> = vec![Vec::new(); nodes];
    let mut least: Vec<Option<u32>> = (0..nodes).map(|node| wanted(kept.pace[node]).then_some(0)).collect();
    for hop in &kept.hops {
        into[hop.to as usize].push((hop.from, hop.frames));
        if let Some((take, from)) = hop.take {
            let paces = &kept.courses[take as usize].pace[from as usize..=(from + hop.frames) as usize];
            let inside = paces.iter().position(|pace| wanted(*pace)).map(|k| k as u32);
            let own = &mut least[hop.from as usize];
            *own = inside.into_iter().chain(*own).min();
        }
    }
    let mut queue: BinaryHeap<Reverse<(u32, u32)>> =
        least.iter().enumerate().filter_map(|(node, time)| Some(Reverse(((*time)?, node as u32)))).collect();
    while let Some(Reverse((time, node))) = queue.pop() {
        if least[node as usize] != Some(time) {
            continue;
        }
        for (from, frames) in &into[node as usize] {
            let other = time + frames;
            if least[*from as usize].is_none_or(|own| other < own) {
                least[*from as usize] = Some(other);
                queue.push(Reverse((other, *from)));
            }
        }
    }
    least
}
