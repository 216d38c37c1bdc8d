//! What forbids a way: the gap, step or wall between a start and a goal.

use super::cells::gap_between;
use super::map::FootstepMap;
use glam::Vec3;

/// Why there are no footsteps from a start to a goal.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum NoFootsteps {
    /// There is no stride to take.
    #[error("there are no strides to plan with")]
    NoStride,
    /// The right foot cannot stand at the start.
    #[error("the start ({:.2}, {:.2}, {:.2}) is not where a foot can stand: too steep, too narrow, too low, or in the air", .0.x, .0.y, .0.z)]
    Start(Vec3),
    /// The right foot cannot stand at the goal.
    #[error("the goal ({:.2}, {:.2}, {:.2}) is not where a foot can stand: too steep, too narrow, too low, or in the air", .0.x, .0.y, .0.z)]
    Goal(Vec3),
    /// Something lies between.
    #[error("{barrier}; the nearest place that is reached is ({:.2}, {:.2}, {:.2}), {away:.2} m from the goal", nearest.x, nearest.y, nearest.z)]
    Apart {
        /// What.
        barrier: Barrier,
        /// The nearest place to the goal that is reached, metres.
        nearest: Vec3,
        /// How far that is from the goal, metres.
        away: f32,
    },
    /// The search was ended from outside.
    #[error("the search was stopped")]
    Stopped,
}

/// What lies between a start and a goal.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Barrier {
    /// A gap that no stride flies over.
    #[error("a gap of {width:.2} m from ({:.2}, {:.2}) to ({:.2}, {:.2}) (x, z) is in the way: the widest that the strides cross is {widest:.2} m", from.x, from.z, to.x, to.z)]
    Gap {
        /// The edge on this side, metres.
        from: Vec3,
        /// The edge on the other side, metres.
        to: Vec3,
        /// How wide it is, metres.
        width: f32,
        /// The widest that strides cross, metres.
        widest: f32,
    },
    /// A step that is too high or too deep.
    #[error("a step of {rise:.2} m at ({:.2}, {:.2}) (x, z) is in the way: the highest that the strides take is {highest:.2} m", at.x, at.z)]
    Step {
        /// Where, metres.
        at: Vec3,
        /// How much higher it is on the other side, metres; lower if negative.
        rise: f32,
        /// The highest that strides take, metres.
        highest: f32,
    },
    /// The body has no room.
    #[error("the body has no room between ({:.2}, {:.2}) and ({:.2}, {:.2}) (x, z)", from.x, from.z, to.x, to.z)]
    Narrow {
        /// On this side, metres.
        from: Vec3,
        /// On the other side, metres.
        to: Vec3,
    },
    /// Ground leads there, but no stride fits on it.
    #[error("no stride fits on the ground at ({:.2}, {:.2}) (x, z)", at.x, at.z)]
    NoFit {
        /// Where, metres.
        at: Vec3,
    },
}

/// The most cells whose distances are compared; of more, every so many are.
const MOST_CELLS: usize = 4000;

impl FootstepMap {
    /// What lies between two cells that nothing joins: of all ways over what is too wide or too high, the one whose worst place is
    /// the least bad, and of that the first such place; and the nearest place to the goal that is reached.
    pub(super) fn barrier(&self, start: usize, goal: usize) -> (Barrier, Vec3) {
        let islands = self.cells.islands(&self.limits, true);
        let [home, away] = [start, goal].map(|cell| islands[cell]);
        let to = self.cells.cell(goal).place;
        let reached = (0..self.cells.len()).filter(|cell| islands[*cell] == home);
        let far = |cell: &usize| self.cells.cell(*cell).place.distance_squared(to);
        let nearest = reached.min_by(|a, b| far(a).total_cmp(&far(b))).map_or(to, |cell| self.cells.cell(cell).place);

        let edge = |cell: &usize| islands[*cell] != u32::MAX && self.cells.cell(*cell).edge;
        let mut edges: Vec<usize> = (0..self.cells.len()).filter(edge).collect();
        let every = edges.len().div_ceil(MOST_CELLS).max(1);
        edges = edges.into_iter().step_by(every).collect();
        for end in [start, goal] {
            if !edges.contains(&end) {
                edges.push(end);
            }
        }
        let place = |k: usize| self.cells.cell(edges[k]).place;
        // Steps that are too high are as bad as gaps of twice their height.
        let bad = |a: Vec3, b: Vec3| {
            let rise = ((a.y - b.y).abs() - self.limits.rise).max(0.0);
            Vec3 { y: 0.0, ..a - b }.length() + 2.0 * rise
        };
        // Grown island by island, each time over the least bad place.
        let mut best: Vec<(f32, usize)> = vec![(f32::INFINITY, 0); edges.len()];
        let mut done = vec![false; edges.len()];
        let mut came: Vec<(u32, [usize; 2])> = Vec::new();
        let mut island = home;
        while island != away {
            for k in (0..edges.len()).filter(|k| islands[edges[*k]] == island) {
                done[k] = true;
                for other in 0..edges.len() {
                    if !done[other] && islands[edges[other]] != island {
                        let cost = bad(place(k), place(other));
                        if cost < best[other].0 {
                            best[other] = (cost, k);
                        }
                    }
                }
            }
            let open = (0..edges.len()).filter(|k| !done[*k]);
            let Some(next) = open.min_by(|a, b| best[*a].0.total_cmp(&best[*b].0)) else { break };
            if !best[next].0.is_finite() {
                break;
            }
            island = islands[edges[next]];
            came.push((island, [best[next].1, next]));
        }
        // Back from the goal to the first place on the way.
        let mut first = None;
        let mut at = away;
        while at != home {
            let Some((_, link)) = came.iter().find(|(island, _)| *island == at) else { break };
            first = Some(*link);
            at = islands[edges[link[0]]];
        }
        let barrier = match first {
            Some([from, to]) => self.named(place(from), place(to)),
            None => Barrier::Narrow { from: nearest, to },
        };
        (barrier, nearest)
    }

    /// What lies between two places near each other.
    fn named(&self, from: Vec3, to: Vec3) -> Barrier {
        let gap = gap_between(&self.world, from, to);
        let rise = to.y - from.y;
        let widest = self.limits.gap.max(self.limits.crack);
        if gap.width > widest {
            Barrier::Gap { from: gap.from, to: gap.to, width: gap.width, widest }
        } else if rise.abs() > self.limits.rise {
            Barrier::Step { at: to, rise, highest: self.limits.rise.max(self.limits.flight_rise) }
        } else {
            Barrier::Narrow { from, to }
        }
    }
}
