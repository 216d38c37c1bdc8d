//! Turns: how soon the character has turned by an angle.

use super::kept::Kept;

/// For each angle (radians, > 0) and node, the least frames in which a walk from that node turns by so much, to the left or
/// to the right; `None` if it takes more than `frames`.
///
/// The greatest turn from a node in t frames is that of a hop and of what follows it, so one pass over the hops for each t
/// answers for all nodes.
pub(super) fn least_times(kept: &Kept, left: bool, angles: &[f32], frames: usize) -> Vec<Vec<Option<u32>>> {
    let sign = if left { 1.0 } else { -1.0 };
    let nodes = kept.nodes.len();
    let mut least = vec![vec![None; nodes]; angles.len()];
    // Only so many rows are looked back at.
    let longest = kept.hops.iter().map(|hop| hop.frames as usize).max().unwrap_or(1);
    let rows = longest.min(frames) + 1;
    let mut most = vec![0.0_f32; rows * nodes];
    for t in 1..=frames {
        for node in 0..nodes {
            let mut own = most[((t - 1) % rows) * nodes + node];
            for hop in kept.leaving(node) {
                let span = hop.frames as usize;
                let turn = match hop.take {
                    _ if span <= t => sign * hop.turn + most[((t - span) % rows) * nodes + hop.to as usize],
                    // On the way.
                    Some((take, from)) => {
                        let heading = &kept.courses[take as usize].heading;
                        sign * (heading[from as usize + t] - heading[from as usize])
                    }
                    None => continue,
                };
                own = own.max(turn);
            }
            most[(t % rows) * nodes + node] = own;
            for (least, angle) in least.iter_mut().zip(angles) {
                if own >= *angle && least[node].is_none() {
                    least[node] = Some(t as u32);
                }
            }
        }
    }
    least
}
