//! A* over numbered nodes, from any of several starts to any of several goals.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A way to another node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Link {
    /// The node it leads to.
    pub(super) to: u32,
    /// Its length, metres.
    pub(super) length: f32,
}

/// Instead of a place: none.
const NONE: u32 = u32::MAX;

/// A queue whose order depends on nothing but cost and number: equal costs come out by number.
#[derive(Default)]
pub(super) struct Queue(BinaryHeap<Reverse<u64>>);

impl Queue {
    /// Costs must not be negative: their bits then have their order.
    pub(super) fn push(&mut self, cost: f32, node: u32) {
        self.0.push(Reverse(u64::from(cost.to_bits()) << 32 | u64::from(node)));
    }

    pub(super) fn pop(&mut self) -> Option<(f32, u32)> {
        let Reverse(key) = self.0.pop()?;
        Some((f32::from_bits((key >> 32) as u32), key as u32))
    }
}

/// The nodes of a shortest way among `count` nodes, first to last. `starts` and `goals` are links between the ends and
/// nodes; `ahead` must not overestimate what is left to the goal.
pub(super) fn shortest<'a>(
    count: usize,
    starts: &[Link],
    goals: &[Link],
    links: impl Fn(u32) -> &'a [Link],
    ahead: impl Fn(u32) -> f32,
) -> Option<Vec<u32>> {
    let mut cost = vec![f32::MAX; count];
    let mut from = vec![NONE; count];
    let mut to_goal = vec![f32::MAX; count];
    for goal in goals {
        to_goal[goal.to as usize] = goal.length;
    }
    let mut queue = Queue::default();
    for start in starts {
        cost[start.to as usize] = start.length;
        queue.push(start.length + ahead(start.to), start.to);
    }
    let (mut best, mut last) = (f32::MAX, NONE);
    while let Some((estimate, node)) = queue.pop() {
        if estimate >= best {
            break;
        }
        let so_far = cost[node as usize];
        // An entry of a longer way, overtaken since. The margin is for rounding in the sum.
        if estimate > so_far + ahead(node) + 1e-3 {
            continue;
        }
        if so_far + to_goal[node as usize] < best {
            (best, last) = (so_far + to_goal[node as usize], node);
        }
        for link in links(node) {
            let through = so_far + link.length;
            if through < cost[link.to as usize] {
                cost[link.to as usize] = through;
                from[link.to as usize] = node;
                queue.push(through + ahead(link.to), link.to);
            }
        }
    }
    let mut way = Vec::new();
    while last != NONE {
        way.push(last);
        last = from[last as usize];
    }
    way.reverse();
    (!way.is_empty()).then_some(way)
}

/// The length of the shortest way from each of `count` nodes to the goal, metres; `f32::MAX` where there is none.
pub(super) fn distances<'a>(count: usize, goals: &[Link], links: impl Fn(u32) -> &'a [Link]) -> Vec<f32> {
    let mut distance = vec![f32::MAX; count];
    let mut queue = Queue::default();
    for goal in goals {
        distance[goal.to as usize] = goal.length;
        queue.push(goal.length, goal.to);
    }
    while let Some((so_far, node)) = queue.pop() {
        if so_far > distance[node as usize] {
            continue;
        }
        for link in links(node) {
            if so_far + link.length < distance[link.to as usize] {
                distance[link.to as usize] = so_far + link.length;
                queue.push(so_far + link.length, link.to);
            }
        }
    }
    distance
}

/// For each of `count` nodes, the least number that it hangs together with.
pub(super) fn components<'a>(count: usize, links: impl Fn(u32) -> &'a [Link]) -> Vec<u32> {
    let mut component = vec![NONE; count];
    let mut open = Vec::new();
    for seed in 0..count as u32 {
        if component[seed as usize] != NONE {
            continue;
        }
        component[seed as usize] = seed;
        open.push(seed);
        while let Some(node) = open.pop() {
            for link in links(node) {
                if component[link.to as usize] == NONE {
                    component[link.to as usize] = seed;
                    open.push(link.to);
                }
            }
        }
    }
    component
}
