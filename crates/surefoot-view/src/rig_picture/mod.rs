//! A picture of what was understood of a body: skin, skeleton, legs and soles from the side, the front and above.

mod drawing;
mod pictured_body;
mod table;
mod words;

use drawing::{Drawing, View};
use pictured_body::Body;
use table::Table;
use words::wrapped;

use crate::sheet::{FAINT, MARGIN, PAPER, TEXT, panel};
use crate::svg::{Anchor, Svg};
use surefoot::rig::{JointId, Leg, ModelPose, Skeleton, Skin};

/// Pixels across.
const WIDTH: f32 = 1600.0;
/// Pixels between panels.
const GAP: f32 = 16.0;
/// Pixels beside a body, left and right: room for names.
const BESIDE: f32 = 190.0;
/// Pixels over and under a body: room for a panel's title and for the scale.
const OVER: f32 = 52.0;
/// Pixels that a body may be high, seen from the side: the picture fits a screen.
const TALL: f32 = 520.0;
/// The same, seen from above.
const BROAD: f32 = 400.0;
/// Pixels that the table of legs needs at least, across.
const TABLE: f32 = 660.0;
/// Pixels from one line of small text to the next.
const LINE: f32 = 15.0;
/// Size of small text, pixels.
const SMALL: f32 = 11.0;
/// Letters that fit a name beside a body.
const NAME: usize = 19;
/// Letters of a line under the title: as many as its text may have, with room for wide ones.
const LETTERS: usize = 150;
/// Limbs shown that are no legs: more would hide each other.
const OTHERS: usize = 10;
/// Legs whose joints are named from the side and the front; of more, they are told apart from above only.
const FEW: usize = 4;
/// Where something is missing.
const WRONG: &str = "#c0392b";

/// What was understood of a body.
#[derive(Clone, Copy, Debug)]
pub struct RigPicture<'a> {
    /// The first line.
    pub title: &'a str,
    /// Lines below it: how the file was read, how sure the legs are.
    pub facts: &'a [String],
    /// The body.
    pub skeleton: &'a Skeleton,
    /// The pose that is drawn, facing +Z.
    pub pose: &'a ModelPose,
    /// Its mesh, if it has one.
    pub skin: Option<&'a Skin>,
    /// Its legs; where there are none, the limbs that may be some.
    pub limbs: &'a [PicturedLimb<'a>],
    /// Why it has no legs, if so.
    pub missing: Option<&'a str>,
    /// Joints at which something is missing, and what.
    pub marks: &'a [(JointId, String)],
}

/// A leg, or a limb that may be one.
#[derive(Clone, Copy, Debug)]
pub struct PicturedLimb<'a> {
    /// Its joints and its foot.
    pub leg: &'a Leg,
    /// Whether it is taken for a leg.
    pub taken: bool,
    /// How much speaks for it, 0 to 1; `None` where a person has said so.
    pub confidence: Option<f32>,
    /// What speaks against it, or what was assumed about it; empty if nothing.
    pub doubt: &'a str,
}

/// Draws a body with its legs.
///
/// # Panics
/// If pose, skin or limbs are not of the skeleton.
#[must_use]
pub fn draw(rig: &RigPicture<'_>) -> Svg {
    let body = Body::of(rig);
    let lines: Vec<String> = rig.facts.iter().flat_map(|fact| wrapped(fact, LETTERS)).collect();
    let top = 60.0 + 18.0 * lines.len() as f32;

    let wide = WIDTH - 2.0 * MARGIN - GAP;
    let size = body.high - body.low;
    let scale = ((wide - TABLE - 2.0 * BESIDE) / size.z)
        .min((wide - 4.0 * BESIDE) / (size.z + size.x))
        .min(TALL / size.y)
        .min(BROAD / size.x);
    let [side_needs, front_needs] = [size.z, size.x].map(|across| scale * across + 2.0 * BESIDE);
    let front_needs = front_needs.max(TABLE);
    let side_wide = side_needs + 0.5 * (wide - side_needs - front_needs);
    let front_wide = wide - side_wide;
    let table = Table::of(rig, &body, front_wide);
    let names = |view| LINE * body.names(rig, view).len() as f32;
    let side_tall = (scale * size.y).max(names(View::Side)).max(names(View::Front)) + 2.0 * OVER;
    let top_tall = ((scale * size.x).max(0.6 * names(View::Top)) + 2.0 * OVER).max(table.height());

    let mut svg = Svg::new(WIDTH, (top + side_tall + GAP + top_tall + MARGIN).ceil(), PAPER);
    svg.text([MARGIN, 38.0], 24.0, TEXT, Anchor::Start, rig.title);
    for (i, line) in lines.iter().enumerate() {
        svg.text([MARGIN, 60.0 + 18.0 * i as f32], 13.0, FAINT, Anchor::Start, line);
    }
    let (right, below) = (MARGIN + side_wide + GAP, top + side_tall + GAP);
    let views = [
        (View::Side, [MARGIN, top, side_wide, side_tall]),
        (View::Front, [right, top, front_wide, side_tall]),
        (View::Top, [MARGIN, below, side_wide, top_tall]),
    ];
    for (view, frame) in views {
        Drawing { rig, body: &body, view, scale, frame: panel(frame, &mut svg) }.draw(&mut svg);
    }
    table.draw(panel([right, below, front_wide, top_tall], &mut svg), &mut svg);
    svg
}

#[cfg(test)]
mod tests {
    use super::words::short;
    use super::*;
    use surefoot::rig::ManyLegs;

    #[test]
    fn bodies_of_any_size_and_number_of_legs_are_drawn() {
        for (pairs, leg) in [(1, 0.001), (2, 0.6), (4, 300.0), (8, 0.6)] {
            let rig = ManyLegs { pairs, leg }.run();
            let pose = ModelPose::new(&rig.skeleton);
            let limb = |leg| PicturedLimb { leg, taken: true, confidence: Some(0.97), doubt: "" };
            let limbs: Vec<PicturedLimb<'_>> = rig.legs.iter().map(limb).collect();
            let (skeleton, pose) = (&rig.skeleton, &pose);
            let facts = ["in metres".to_owned()];
            let (limbs, missing, marks) = (&limbs[..], None, &[][..]);
            let picture =
                RigPicture { title: "made", facts: &facts, skeleton, pose, skin: None, limbs, missing, marks };
            let drawn = draw(&picture).finish();
            assert!(!drawn.contains("NaN") && !drawn.contains("inf"), "{pairs} pairs of {leg} m");
            // Each leg's hip is named once beside it, and once in the table.
            for leg in &rig.legs {
                let name = format!(">hip {}<", short(skeleton.name(leg.hip()), NAME));
                assert_eq!(drawn.matches(&name).count(), 1, "{name}");
            }
            assert_eq!(drawn.matches("97 %").count(), 2 * pairs);
            // Without legs the ends of limbs are named instead.
            let none = draw(&RigPicture { limbs: &[], missing: Some("no legs"), ..picture }).finish();
            assert!(none.contains("no limb that could be one") && none.contains("Grey rings"));
        }
    }
}
