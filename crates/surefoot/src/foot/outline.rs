//! The outline of a foot as it stands: the points of it that a riser or an edge meets first, in the sole's own frame.

use crate::math::single;
use crate::rig::Foot;
use glam::Vec3A;

/// Directions over the floor in which the farthest points are kept.
const DIRECTIONS: usize = 12;

/// The outline of a bare foot: from its heel to the tip of its toes, as wide as it is; metres.
#[must_use]
pub(crate) fn outline_of_foot(foot: &Foot, [heel, ball]: [Vec3A; 2]) -> Vec<Vec3A> {
    let wide = Vec3A::X * (0.5 * foot.width);
    let tip = ball.with_z(ball.z.max(heel.z + foot.length));
    // Heels are narrower, and so are the tips of toes.
    [(heel, 0.7), (ball, 1.0), (tip, 0.7)]
        .iter()
        .flat_map(|(at, share)| [*at - *share * wide, *at + *share * wide])
        .collect()
}

/// The outline of skin, its points in the sole's own frame (metres): farthest of what is within `low` of the ground, and farthest
/// of all. Skin under the sole is taken to be on it.
#[must_use]
pub(crate) fn outline_of_skin(skin: &[Vec3A], low: f32) -> Vec<Vec3A> {
    let mut kept = Vec::new();
    for highest in [low, f32::INFINITY] {
        for k in 0..DIRECTIONS {
            let (sin, cos) = single::sin_cos(std::f32::consts::TAU * k as f32 / DIRECTIONS as f32);
            let far = |point: &&Vec3A| point.x * sin + point.z * cos;
            let farthest = skin.iter().filter(|point| point.y <= highest).max_by(|a, b| far(a).total_cmp(&far(b)));
            kept.extend(farthest.map(|point| point.with_y(point.y.max(0.0))));
        }
    }
    kept.dedup();
    kept
}

/// Where skin is lowest, its points in the sole's own frame (metres): farthest of what is within `low` of the ground, and its middle.
#[must_use]
pub(crate) fn under_of_skin(skin: &[Vec3A], low: f32) -> Vec<Vec3A> {
    let lowest: Vec<Vec3A> = skin.iter().filter(|point| point.y <= low).copied().collect();
    let mut kept = outline_of_skin(&lowest, f32::INFINITY);
    let middle = lowest.iter().sum::<Vec3A>() / lowest.len().max(1) as f32;
    kept.extend(lowest.into_iter().min_by(|a, b| a.distance(middle).total_cmp(&b.distance(middle))));
    kept.iter_mut().for_each(|point| point.y = 0.0);
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_outline_is_as_far_as_the_skin_at_each_height() {
        let low = [Vec3A::new(0.0, -0.01, 0.2), Vec3A::new(0.05, 0.0, 0.0), Vec3A::new(-0.05, 0.0, 0.0)];
        let skin = [low[0], low[1], low[2], Vec3A::new(0.0, 0.1, 0.3), Vec3A::new(0.0, 0.0, 0.1)];
        let outline = outline_of_skin(&skin, 0.02);
        let far = |highest: f32| outline.iter().filter(|p| p.y <= highest).map(|p| p.z).fold(0.0, f32::max);
        assert_eq!((far(0.02), far(1.0)), (0.2, 0.3));
        assert!(outline.iter().all(|p| p.y >= 0.0 && p.z != 0.1), "{outline:?}");
        assert!(outline_of_skin(&[], 0.02).is_empty());
    }
}
