//! Heightfields: heights on a square grid, with holes.

use super::ground::{Ground, GroundHit, hit_at};
use glam::{Vec2, Vec3};

/// Heights on a square grid, bilinear between them. A height that is not finite is a hole: the four cells around it have
/// no ground.
#[derive(Clone, Debug, PartialEq)]
pub struct Heightfield {
    origin: Vec2,
    spacing: f32,
    columns: usize,
    heights: Vec<f32>,
}

/// Why numbers are no heightfield.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum HeightfieldError {
    /// Grid lines must be some distance apart.
    #[error("grid lines are {0} m apart; it must be more than 0 and finite, and the origin finite")]
    Spacing(f32),
    /// The heights do not fill whole rows.
    #[error("{heights} heights are not two or more rows of {columns} (two or more)")]
    Rows {
        /// How many heights there are.
        heights: usize,
        /// How many make a row.
        columns: usize,
    },
}

impl Heightfield {
    /// From `heights` (metres) in rows of `columns` along +x, rows following each other along +z; the first is at
    /// `origin` (x, z), neighbours are `spacing` metres apart.
    ///
    /// # Errors
    /// If the spacing is not positive and finite, or there are not at least two whole rows and columns.
    pub fn new(origin: Vec2, spacing: f32, columns: usize, heights: Vec<f32>) -> Result<Self, HeightfieldError> {
        if !(spacing.is_finite() && spacing > 0.0 && origin.is_finite()) {
            return Err(HeightfieldError::Spacing(spacing));
        }
        if columns < 2 || heights.len() < 2 * columns || !heights.len().is_multiple_of(columns) {
            return Err(HeightfieldError::Rows { heights: heights.len(), columns });
        }
        Ok(Self { origin, spacing, columns, heights })
    }

    /// The least and the greatest corner (x, z), metres.
    #[must_use]
    pub fn bounds(&self) -> [Vec2; 2] {
        let cells = Vec2::new((self.columns - 1) as f32, (self.heights.len() / self.columns - 1) as f32);
        [self.origin, self.origin + self.spacing * cells]
    }

    /// Height and slopes (∂y/∂x, ∂y/∂z) at a floor point (x, z); `None` outside and in holes.
    #[must_use]
    pub fn at(&self, point: Vec2) -> Option<(f32, Vec2)> {
        let p = (point - self.origin) / self.spacing;
        let rows = self.heights.len() / self.columns;
        let last = Vec2::new((self.columns - 1) as f32, (rows - 1) as f32);
        if !(p.cmpge(Vec2::ZERO).all() && p.cmple(last).all()) {
            return None;
        }
        // The far edges belong to the last cells.
        let cell = p.floor().min(last - 1.0);
        let Vec2 { x: u, y: v } = p - cell;
        let first = cell.y as usize * self.columns + cell.x as usize;
        let corner = |column: usize, row: usize| self.heights[first + column + row * self.columns];
        let [a, b, c, d] = [corner(0, 0), corner(1, 0), corner(0, 1), corner(1, 1)];
        let y = (1.0 - v) * ((1.0 - u) * a + u * b) + v * ((1.0 - u) * c + u * d);
        let slopes = Vec2::new((1.0 - v) * (b - a) + v * (d - c), (1.0 - u) * (c - a) + u * (d - b)) / self.spacing;
        (y.is_finite() && slopes.is_finite()).then_some((y, slopes))
    }
}

impl Ground for Heightfield {
    fn below(&self, point: Vec3, reach: f32, time: f32) -> Option<GroundHit> {
        let (y, slopes) = self.at(Vec2::new(point.x, point.z))?;
        hit_at(point, reach, time, y, Vec3::new(-slopes.x, 1.0, -slopes.y).normalize_or(Vec3::Y))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn plane(columns: usize, rows: usize, slopes: Vec2) -> Heightfield {
        let spacing = 0.5;
        let height =
            |i: usize| slopes.x * spacing * (i % columns) as f32 + slopes.y * spacing * (i / columns) as f32 + 1.0;
        Heightfield::new(Vec2::new(-3.0, 2.0), spacing, columns, (0..columns * rows).map(height).collect()).unwrap()
    }

    proptest! {
        #[test]
        fn planes_are_met_exactly(x in 0.0_f32..4.5, z in 0.0_f32..2.0, sx in -2.0_f32..2.0, sz in -2.0_f32..2.0) {
            let field = plane(10, 5, Vec2::new(sx, sz));
            let hit = field.below(Vec3::new(x - 3.0, 50.0, z + 2.0), 100.0, 0.0).unwrap();
            prop_assert!((hit.point.y - (1.0 + sx * x + sz * z)).abs() < 1e-4, "{hit:?}");
            prop_assert!((hit.normal - Vec3::new(-sx, 1.0, -sz).normalize()).length() < 1e-4, "{hit:?}");
        }

        #[test]
        fn neighbours_agree_on_their_edge(heights in prop::collection::vec(-1.0_f32..1.0, 9), v in 0.0_f32..2.0) {
            let field = Heightfield::new(Vec2::ZERO, 1.0, 3, heights).unwrap();
            let [before, after] = [0.999_999_f32, 1.000_001].map(|x| field.at(Vec2::new(x, v)).unwrap().0);
            prop_assert!((before - after).abs() < 1e-4);
        }
    }

    #[test]
    fn outside_and_in_holes_there_is_no_ground() {
        let mut field = plane(4, 4, Vec2::ZERO);
        let [low, high] = field.bounds();
        assert!(field.at(low).is_some() && field.at(high).is_some(), "edges belong to it");
        assert_eq!(field.at(low - 0.01), None);
        assert_eq!(field.at(high + 0.01), None);
        assert_eq!(field.at(Vec2::NAN), None);
        field.heights[5] = f32::NAN;
        assert_eq!(field.at(low + 0.25), None);
        assert!(field.at(high - 0.25).is_some(), "the rest stays");
    }

    #[test]
    fn what_is_no_grid_is_refused() {
        let new = |spacing, columns, heights| Heightfield::new(Vec2::ZERO, spacing, columns, vec![0.0; heights]);
        assert!(new(1.0, 2, 4).is_ok(), "the least");
        assert!(matches!(new(f32::NAN, 2, 4), Err(HeightfieldError::Spacing(_))), "spacing");
        assert_eq!(new(0.0, 2, 4), Err(HeightfieldError::Spacing(0.0)));
        for (columns, heights) in [(0, 0), (1, 4), (2, 2), (3, 7)] {
            assert_eq!(new(1.0, columns, heights), Err(HeightfieldError::Rows { heights, columns }));
        }
    }
}
