//! The pen: the one thing a drawing back-end must offer.

use glam::Vec3A;

/// What a line stands for; the back-end chooses colours and widths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ink {
    /// The left side of the body.
    Left,
    /// The right side of the body.
    Right,
    /// The middle of the body.
    Middle,
    /// The ground and other fixed things.
    Ground,
}

/// Something that draws lines in world space: an SVG view, an engine's gizmos, a page.
pub trait Draw {
    /// A straight line from `a` to `b`, metres, world space.
    fn line(&mut self, a: Vec3A, b: Vec3A, ink: Ink);

    /// A line through all points.
    fn path(&mut self, points: &[Vec3A], ink: Ink) {
        for pair in points.windows(2) {
            self.line(pair[0], pair[1], ink);
        }
    }
}
