//! Pictures of floor maps: obstacles, what the radius takes away, a roadmap and paths.

use crate::svg::{Anchor, Stroke, Svg};
use surefoot::glam::Vec2;
use surefoot::plan::Path;
use surefoot::stages::Roadmap;
use surefoot::world::GrownMap;

/// What is drawn of a map, seen from above with +Z up the page, so that +X is to the left.
#[derive(Clone, Copy, Debug)]
pub struct MapPicture<'a> {
    /// The map, with its obstacles grown by its radius.
    pub map: &'a GrownMap,
    /// A roadmap under the paths.
    pub roadmap: Option<&'a Roadmap>,
    /// Paths with what they are called.
    pub paths: &'a [(&'a str, &'a Path)],
    /// The picture's longer side, pixels.
    pub size: f32,
}

/// Colours of paths, one after the other.
const COLOURS: [&str; 4] = ["#b23a48", "#19818f", "#d98e04", "#5b4b8a"];

impl MapPicture<'_> {
    /// The picture.
    #[must_use]
    pub fn draw(&self) -> Svg {
        let [low, high] = self.map.map().bounds();
        let (extent, margin) = (high - low, 24.0);
        let scale = (self.size - 2.0 * margin) / extent.max_element();
        let at = |p: Vec2| [margin + (high.x - p.x) * scale, margin + (high.y - p.y) * scale];
        let legend = 20.0 * self.paths.len() as f32;
        let mut svg = Svg::new(extent.x * scale + 2.0 * margin, extent.y * scale + 2.0 * margin + legend, "#ffffff");
        let outline = |corners: &[Vec2]| corners.iter().map(|corner| at(*corner)).collect::<Vec<_>>();
        let none = Stroke::new("none", 0.0);
        svg.area(&[outline(self.map.map().boundary())], "#f4f2ec", Stroke::new("#8a867c", 1.0));
        // Pieces overlap, so that each is an area of its own.
        let frame = [margin, margin, extent.x * scale, extent.y * scale];
        svg.clipped(frame, |svg| {
            for piece in self.map.pieces() {
                svg.area(&[outline(piece.corners())], "#e2ded4", none);
            }
            for (_, obstacle) in self.map.map().obstacles() {
                svg.area(&[outline(obstacle.corners())], "#55514a", none);
            }
        });
        if let Some(roadmap) = self.roadmap {
            let ways: Vec<_> = roadmap.ways().map(|way| way.map(at)).collect();
            svg.segments(&ways, Stroke::new("#9db8bd", 0.5));
        }
        for (i, (name, path)) in self.paths.iter().enumerate() {
            let colour = COLOURS[i % COLOURS.len()];
            let points: Vec<_> = path.points().iter().map(|p| at(Vec2::new(p.x, p.z))).collect();
            svg.polyline(&points, Stroke::new(colour, 2.0));
            svg.circle(points[0], 4.0, colour);
            svg.circle(points[points.len() - 1], 4.0, colour);
            let y = extent.y * scale + 2.0 * margin + 20.0 * i as f32;
            let text = format!("{name}: {:.2} m", path.length());
            svg.text([margin, y], 13.0, colour, Anchor::Start, &text);
        }
        svg
    }
}
