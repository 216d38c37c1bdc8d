//! Making paths shorter and rounder where the map leaves room.

use super::Path;
use crate::math::floor;
use crate::world::GrownMap;
use glam::Vec3;

fn free(map: &GrownMap, a: Vec3, b: Vec3) -> bool {
    map.segment_is_free(floor::of_point(a.into()), floor::of_point(b.into()))
}

fn length(points: &[Vec3]) -> f32 {
    points.windows(2).map(|pair| pair[0].distance(pair[1])).sum()
}

/// Leaves out points that straight lines can pass by, from each as far as it sees.
fn skip(points: &[Vec3], map: &GrownMap) -> Vec<Vec3> {
    let mut kept = vec![points[0]];
    let mut i = 0;
    while i + 1 < points.len() {
        // Far first: most paths are seen through in a few looks.
        let next = (i + 2..points.len()).rev().find(|&j| free(map, points[i], points[j])).unwrap_or(i + 1);
        kept.push(points[next]);
        i = next;
    }
    kept
}

/// Cuts each corner as deep as is free: a quarter of the way in at first, then nearer to it.
fn cut(points: &[Vec3], map: &GrownMap) -> Vec<Vec3> {
    let mut out = vec![points[0]];
    for i in 1..points.len() - 1 {
        let (a, b, c) = (out[out.len() - 1], points[i], points[i + 1]);
        let reach = a.distance(b).min(b.distance(c));
        let ends = |d: f32| [b + (a - b).normalize_or_zero() * d, b + (c - b).normalize_or_zero() * d];
        let depths = [reach, 0.5 * reach, 0.25 * reach, 0.125 * reach, 0.06 * reach, 0.03 * reach];
        // What is left of the two pieces is looked at again: rounding may have moved it.
        let fits = |[p, q]: &[Vec3; 2]| free(map, *p, *q) && free(map, a, *p) && free(map, *q, c);
        match depths.into_iter().map(ends).find(fits) {
            Some([p, q]) => out.extend([p, q]),
            None => out.push(b),
        }
    }
    out.push(points[points.len() - 1]);
    out.dedup();
    out
}

impl Path {
    /// The path pulled taut as far as straight cuts go: shorter, never longer, with the same ends and on the same side
    /// of every obstacle it cannot see past. If the path was free, it stays free.
    #[must_use]
    pub fn shortcut(&self, map: &GrownMap) -> Self {
        let mut points = skip(self.points(), map);
        for _ in 0..12 {
            if points.len() < 3 {
                break;
            }
            let before = length(&points);
            // Backwards as well, so that what one end sees first is not all that counts.
            let mut next = skip(&cut(&points, map), map);
            next.reverse();
            next = skip(&next, map);
            next.reverse();
            let after = length(&next);
            if after < before {
                points = next;
            }
            if after > 0.9995 * before {
                break;
            }
        }
        Self::new(points)
    }

    /// Corners rounded by curves that begin at most `reach` metres before them. Each is tried smaller until it is free,
    /// and left sharp if none is: a corner that touches an obstacle can only be rounded if the path was planned for a
    /// larger radius than `map` has.
    #[must_use]
    pub fn smoothed(&self, map: &GrownMap, reach: f32) -> Self {
        let points = self.points();
        let mut out = vec![points[0]];
        for i in 1..points.len().max(1) - 1 {
            let [a, b, c] = [points[i - 1], points[i], points[i + 1]];
            // Half of each piece belongs to the corner at its other end.
            let most = reach.min(0.5 * a.distance(b)).min(0.5 * b.distance(c));
            let curve = |d: f32| {
                let (from, to) = (b + (a - b).normalize_or_zero() * d, b + (c - b).normalize_or_zero() * d);
                (0..=8).map(|k| k as f32 / 8.0).map(|t| from.lerp(b, t).lerp(b.lerp(to, t), t)).collect::<Vec<_>>()
            };
            let round = (0..5).map(|k| curve(most / (1 << k) as f32));
            let last = out[out.len() - 1];
            let mut round = round.filter(|curve| {
                let joined = free(map, last, curve[0]) && free(map, curve[8], c);
                joined && curve.windows(2).all(|pair| free(map, pair[0], pair[1]))
            });
            match round.next() {
                Some(curve) => out.extend(curve),
                None => out.push(b),
            }
        }
        if points.len() > 1 {
            out.push(points[points.len() - 1]);
        }
        Self::new(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::FloorPose;
    use crate::world::{FloorMap, Obstacle};
    use glam::Vec2;

    /// The largest turn between neighbouring pieces, radians.
    fn sharpest(path: &Path) -> f32 {
        path.points().windows(3).map(|w| (w[1] - w[0]).angle_between(w[2] - w[1])).fold(0.0, f32::max)
    }

    fn v(x: f32, z: f32) -> Vec2 {
        Vec2::new(x, z)
    }

    fn room(radius: f32) -> GrownMap {
        let mut map = FloorMap::rectangle(Vec2::ZERO, v(10.0, 8.0)).unwrap();
        map.add(Obstacle::rectangle("", FloorPose::new(v(5.0, 3.0), 0.0), v(1.0, 6.0))).unwrap();
        GrownMap::new(map, radius).unwrap()
    }

    #[test]
    fn a_detour_is_pulled_taut() {
        let map = room(0.3);
        let detour = Path::on_floor(&[v(1.0, 1.0), v(1.0, 7.5), v(3.0, 7.0), v(9.0, 7.6), v(9.0, 1.0)]);
        assert!(detour.is_free(&map));
        let taut = detour.shortcut(&map);
        // Round both corners of the wall, grown by 0.3.
        let best = v(1.0, 1.0).distance(v(4.3, 6.2)) * 2.0 + 1.4;
        assert!(taut.is_free(&map) && taut.length() < 1.02 * best, "{} of {best}", taut.length());
        assert!(taut.clearance(&map) > 0.2998);
        assert_eq!((taut.start(), taut.end()), (detour.start(), detour.end()));
    }

    #[test]
    fn a_path_with_room_is_rounded() {
        let path = Path::on_floor(&[v(1.0, 1.0), v(3.8, 7.0), v(6.2, 7.0), v(9.0, 1.0)]);
        let map = room(0.3);
        let round = path.smoothed(&map, 0.8);
        assert!(round.is_free(&map) && sharpest(&round) < 0.3 * sharpest(&path), "{}", sharpest(&round));
    }
}
