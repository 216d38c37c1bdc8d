//! Lines with fewer corners, after Ramer, Douglas and Peucker.

use glam::Vec2;

/// The same line without points that are less than `apart` off what is left; its ends stay.
#[must_use]
pub fn plainer(points: &[Vec2], apart: f32) -> Vec<Vec2> {
    let Some(last) = points.len().checked_sub(1) else { return Vec::new() };
    let mut kept = vec![false; points.len()];
    (kept[0], kept[last]) = (true, true);
    let mut parts = vec![(0, last)];
    while let Some((a, b)) = parts.pop() {
        let along = points[b] - points[a];
        let off = |p: Vec2| {
            let x = (p - points[a]).dot(along) / along.length_squared().max(1e-12);
            p.distance(points[a] + along * x.clamp(0.0, 1.0))
        };
        let farthest = (a + 1..b).map(|i| (off(points[i]), i)).max_by(|x, y| x.0.total_cmp(&y.0));
        if let Some((_, i)) = farthest.filter(|(off, _)| *off > apart) {
            kept[i] = true;
            parts.extend([(a, i), (i, b)]);
        }
    }
    points.iter().zip(kept).filter_map(|(point, kept)| kept.then_some(*point)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_corners_are_left_out() {
        // A wave of 2 cm along a line with one true corner.
        let wave = |i: i32| Vec2::new(0.02 * (i as f32).sin(), 0.1 * i as f32);
        let mut points: Vec<Vec2> = (0..50).map(wave).collect();
        points.push(Vec2::new(3.0, 5.0));
        let plain = plainer(&points, 0.05);
        assert_eq!(plain, [points[0], points[49], points[50]]);
        assert_eq!(plainer(&points, 0.0).len(), points.len());
        assert!(plainer(&[], 0.1).is_empty() && plainer(&points[..1], 0.1).len() == 1);
    }
}
