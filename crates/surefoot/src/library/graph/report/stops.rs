//! Stops and starts: how soon and how long the character can stand.

use super::kept::{Course, Hop, Kept, MOVES};
use super::loops::{Step, best_loop};
use super::{Stops, Summary};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

impl Stops {
    /// `None` if no frame of the component stands.
    pub(super) fn find(kept: &Kept, rate: f32) -> Option<Self> {
        let runs = kept.runs();
        let stands = |take: usize, frame: usize| kept.courses[take].moving[frame] < MOVES;
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
        let is_standing = |node: usize| kept.moving[node] < MOVES;
        let is_walking = |node: usize| kept.pace[node] >= kept.walking;
        let to_stand = soonest(kept, &is_standing, &|course, frame| course.moving[frame] < MOVES);
        let to_walk = soonest(kept, &is_walking, &|course, frame| course.pace[frame] >= kept.walking);
        let times = |of: &[Option<u32>], when: &dyn Fn(usize) -> bool| {
            let nodes = (0..kept.nodes.len()).filter(|node| when(*node));
            Summary::of(nodes.filter_map(|node| of[node]).map(|frames| frames as f32 / rate))
        };
        Some(Self {
            seconds: standing as f32 / rate,
            longest: longest as f32 / rate,
            stays,
            stop: times(&to_stand, &is_walking),
            start: if walking > 0 { times(&to_walk, &is_standing) } else { None },
        })
    }
}

fn step(hop: &Hop) -> Step {
    Step { from: hop.from, to: hop.to, gain: 0.0, cost: f64::from(hop.frames) }
}

/// For each node, the least frames until a node or a frame is as wanted; by Dijkstra from there, backwards.
fn soonest(
    kept: &Kept,
    node_is: &dyn Fn(usize) -> bool,
    frame_is: &dyn Fn(&Course, usize) -> bool,
) -> Vec<Option<u32>> {
    let nodes = kept.nodes.len();
    let mut into: Vec<Vec<(u32, u32)>> = vec![Vec::new(); nodes];
    let mut least: Vec<Option<u32>> = (0..nodes).map(|node| node_is(node).then_some(0)).collect();
    for hop in &kept.hops {
        into[hop.to as usize].push((hop.from, hop.frames));
        if let Some((take, from)) = hop.take {
            let course = &kept.courses[take as usize];
            let inside = (0..=hop.frames).find(|k| frame_is(course, (from + k) as usize));
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
