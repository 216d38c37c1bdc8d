//! Loops: the best way round, by Howard's policy iteration.

use petgraph::graph::{DiGraph, NodeIndex};

/// A step from one node to another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) gain: f64,
    /// Above 0.
    pub(super) cost: f64,
}

/// Rounds of policy iteration; a handful is usual.
const ROUNDS: usize = 1000;

/// The loop with the greatest Σ gain / Σ cost: the places of its steps, in order; `None` if there is no loop.
///
/// Policy iteration after Howard (1960) in the form of Dasdan (2004), in each strongly connected part.
pub(super) fn best_loop(nodes: usize, steps: &[Step]) -> Option<Vec<usize>> {
    let mut graph: DiGraph<(), (), u32> = DiGraph::with_capacity(nodes, steps.len());
    for _ in 0..nodes {
        graph.add_node(());
    }
    for step in steps {
        graph.add_edge(NodeIndex::new(step.from as usize), NodeIndex::new(step.to as usize), ());
    }
    let mut part = vec![0_usize; nodes];
    let mut own = vec![0_u32; nodes];
    let parts = petgraph::algo::kosaraju_scc(&graph);
    let mut sizes = vec![0; parts.len()];
    for (number, members) in parts.iter().enumerate() {
        members.iter().for_each(|node| part[node.index()] = number);
    }
    for node in 0..nodes {
        own[node] = sizes[part[node]];
        sizes[part[node]] += 1;
    }
    let mut inside: Vec<Vec<usize>> = vec![Vec::new(); parts.len()];
    for (k, step) in steps.iter().enumerate() {
        if part[step.from as usize] == part[step.to as usize] {
            inside[part[step.from as usize]].push(k);
        }
    }
    let ratio = |places: &[usize]| {
        let sum = |of: &dyn Fn(&Step) -> f64| places.iter().map(|k| of(&steps[*k])).sum::<f64>();
        sum(&|step| step.gain) / sum(&|step| step.cost)
    };
    let mut best: Option<(f64, Vec<usize>)> = None;
    for (number, mut places) in inside.into_iter().enumerate().filter(|(_, places)| !places.is_empty()) {
        places.sort_by_key(|k| (own[steps[*k].from as usize], *k));
        let small: Vec<Step> = places
            .iter()
            .map(|k| Step { from: own[steps[*k].from as usize], to: own[steps[*k].to as usize], ..steps[*k] })
            .collect();
        let found: Vec<usize> =
            in_part(sizes[number] as usize, &small).into_iter().map(|place| places[place]).collect();
        let own = ratio(&found);
        // Of equals the one whose first step comes first, whatever the order of parts.
        let better = best.as_ref().is_none_or(|(most, other)| (own, &other[0]) > (*most, &found[0]));
        if better {
            best = Some((own, found));
        }
    }
    best.map(|(_, places)| places)
}

/// As [`best_loop`], where every node can reach every other; steps are sorted by `from`.
fn in_part(nodes: usize, steps: &[Step]) -> Vec<usize> {
    let first: Vec<usize> = (0..=nodes).map(|node| steps.partition_point(|step| (step.from as usize) < node)).collect();
    // Start with what gains most.
    let rate = |k: usize| steps[k].gain / steps[k].cost;
    let most = |node: usize| (first[node]..first[node + 1]).reduce(|a, b| if rate(b) > rate(a) { b } else { a });
    let mut policy: Vec<usize> = (0..nodes).map(|node| most(node).expect("a connected node can be left")).collect();
    let mut value = vec![0.0_f64; nodes];
    let scale = steps.iter().map(|step| step.gain.abs()).fold(1e-12, f64::max);
    let mut seen = vec![usize::MAX; nodes];
    let mut best: (f64, Vec<usize>) = (f64::NEG_INFINITY, Vec::new());
    for _ in 0..ROUNDS {
        let (ratio, start) = best_of_policy(&policy, steps, &mut seen);
        if ratio > best.0 {
            best = (ratio, round(&policy, steps, start));
        }
        // Values towards that loop, backwards along the policy.
        let mut into: Vec<Vec<u32>> = vec![Vec::new(); nodes];
        for (node, k) in policy.iter().enumerate() {
            into[steps[*k].to as usize].push(node as u32);
        }
        let mut queue = vec![start];
        let mut at = 0;
        while at < queue.len() {
            let target = queue[at];
            at += 1;
            for node in into[target].iter().map(|node| *node as usize).filter(|node| *node != start) {
                let step = &steps[policy[node]];
                value[node] = value[target] + step.gain - ratio * step.cost;
                queue.push(node);
            }
        }
        let mut improved = false;
        for (k, step) in steps.iter().enumerate() {
            let other = value[step.to as usize] + step.gain - ratio * step.cost;
            if other > value[step.from as usize] + 1e-9 * scale {
                value[step.from as usize] = other;
                policy[step.from as usize] = k;
                improved = true;
            }
        }
        if !improved {
            break;
        }
    }
    best.1
}

/// The loop of a policy with the greatest ratio: that, and its first node. Every policy has a loop.
fn best_of_policy(policy: &[usize], steps: &[Step], seen: &mut [usize]) -> (f64, usize) {
    seen.fill(usize::MAX);
    let mut best = (f64::NEG_INFINITY, 0);
    for start in 0..policy.len() {
        let mut node = start;
        while seen[node] == usize::MAX {
            seen[node] = start;
            node = steps[policy[node]].to as usize;
        }
        if seen[node] == start {
            let (mut gain, mut cost, mut at) = (0.0, 0.0, node);
            loop {
                let step = &steps[policy[at]];
                (gain, cost, at) = (gain + step.gain, cost + step.cost, step.to as usize);
                if at == node {
                    break;
                }
            }
            if gain / cost > best.0 {
                best = (gain / cost, node);
            }
        }
    }
    best
}

/// The steps of a policy's loop.
fn round(policy: &[usize], steps: &[Step], start: usize) -> Vec<usize> {
    let mut places = Vec::new();
    let mut node = start;
    loop {
        places.push(policy[node]);
        node = steps[policy[node]].to as usize;
        if node == start {
            return places;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The greatest ratio by trying: Lawler's search with Bellman and Ford.
    fn by_search(nodes: usize, steps: &[Step]) -> Option<f64> {
        let has_gain = |ratio: f64| {
            let mut value = vec![0.0_f64; nodes];
            (0..=nodes).all(|_| {
                let mut better = false;
                for step in steps {
                    let other = value[step.from as usize] + step.gain - ratio * step.cost;
                    if other > value[step.to as usize] + 1e-9 {
                        value[step.to as usize] = other;
                        better = true;
                    }
                }
                better
            })
        };
        if !has_gain(-1e6) {
            return None;
        }
        let (mut low, mut high) = (-1e6, 1e6);
        for _ in 0..100 {
            let middle = 0.5 * (low + high);
            if has_gain(middle) { low = middle } else { high = middle }
        }
        Some(low)
    }

    proptest! {
        #[test]
        fn no_loop_is_better(
            raw in proptest::collection::vec((0_u32..8, 0_u32..8, -5.0_f64..5.0, 0.5_f64..3.0), 0..24),
        ) {
            let mut steps: Vec<Step> =
                raw.into_iter().map(|(from, to, gain, cost)| Step { from, to, gain, cost }).collect();
            steps.sort_by_key(|step| step.from);
            let found = best_loop(8, &steps);
            let expected = by_search(8, &steps);
            prop_assert_eq!(found.is_some(), expected.is_some());
            if let (Some(found), Some(expected)) = (found, expected) {
                for (k, next) in found.iter().zip(found.iter().cycle().skip(1)) {
                    prop_assert_eq!(steps[*k].to, steps[*next].from, "steps follow each other");
                }
                let sum = |of: &dyn Fn(&Step) -> f64| found.iter().map(|k| of(&steps[*k])).sum::<f64>();
                let ratio = sum(&|step| step.gain) / sum(&|step| step.cost);
                prop_assert!((ratio - expected).abs() < 1e-4, "{} is not {}", ratio, expected);
            }
        }
    }
}
