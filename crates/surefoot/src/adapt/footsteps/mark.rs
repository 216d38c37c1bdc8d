//! Prints while they are still being moved: places on the floor, with the height of the ground under them.

use crate::math::{FloorPose, Rigid, floor, quat, wrap_angle};
use crate::plan::footsteps::PlannedPrint;
use crate::rig::Side;
use crate::world::Ground;
use glam::{Vec2, Vec3, Vec3A};

/// A print that may still be moved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mark {
    /// The foot.
    pub side: Side,
    /// The sole's place and heading on the floor.
    pub at: FloorPose,
    /// The height of the ground there, metres.
    pub height: f32,
    /// Whether it stays where it is.
    pub fixed: bool,
    /// Where it was planned, metres.
    pub home: Vec2,
    /// The middle of its stance, seconds: as it was planned, and as it is played once it is stepped on.
    pub time: f32,
}

impl Mark {
    /// A planned print of a foot.
    #[must_use]
    pub fn of(planned: &PlannedPrint, side: Side) -> Self {
        let sole = planned.print.world_from_sole;
        let position = floor::of_point(sole.translation);
        let heading = quat::heading(sole.rotation).unwrap_or(0.0);
        Self {
            side,
            at: FloorPose::new(position, heading),
            height: sole.translation.y,
            fixed: planned.fixed || planned.print.pinned,
            home: position,
            time: planned.time,
        }
    }

    /// The level sole that stands there.
    #[must_use]
    pub fn sole(&self) -> Rigid {
        Rigid { rotation: quat::from_heading(self.at.heading), translation: self.place() }
    }

    /// Its place in the world, metres.
    #[must_use]
    pub fn place(&self) -> Vec3A {
        floor::at_height(self.at.position, self.height).into()
    }
}

/// What keeps prints that are moved on the ground that they were planned on.
#[derive(Clone, Copy)]
pub(crate) struct Snap<'a> {
    pub(crate) ground: &'a dyn Ground,
    /// Half of a sole's length, metres: so far before and behind its middle there must be ground, too.
    pub(crate) half_sole: f32,
    /// From the middle of a sole to the tips of its toes, metres.
    pub(crate) toes: f32,
    /// Prints are moved no farther than this from where they were planned, metres.
    pub(crate) stray: f32,
}

/// Ground that is higher or lower than a slope of this rise over run would have it is another step.
const SLOPE: f32 = 0.6;
/// And by this much more, metres: what is uneven.
const UNEVEN: f32 = 0.02;
/// Toes are kept out of what is up to this much higher than their print, metres: more is for the body to keep off.
const WALL: f32 = 0.6;
/// Ground is sought from so far above a print, metres, and as far below it.
const LOOK: f32 = 0.3;

impl Snap<'_> {
    /// A place no farther than marks may stray from where they were planned.
    pub(crate) fn near_home(&self, mark: &Mark, to: FloorPose) -> FloorPose {
        FloorPose { position: mark.home + (to.position - mark.home).clamp_length_max(self.stray), ..to }
    }

    /// Marks that were moved from where they were `before` are put on the ground: all of the way, parts of it, or back, as far as they
    /// stay on the ground that they were on.
    pub(crate) fn put_down(&self, before: &[Mark], marks: &mut [Mark]) {
        for (old, mark) in before.iter().zip(marks).filter(|(old, mark)| old.at != mark.at) {
            let to = mark.at;
            let turn = wrap_angle(to.heading - old.at.heading);
            *mark = *old;
            for share in [1.0, 0.7, 0.4] {
                let there = FloorPose {
                    position: old.at.position.lerp(to.position, share),
                    heading: old.at.heading + share * turn,
                };
                if let Some(height) = self.height(old, there) {
                    (mark.at, mark.height) = (there, height);
                    break;
                }
            }
        }
    }

    /// The height of the ground where a mark is to be; `None` where there is none of its own.
    fn height(&self, mark: &Mark, there: FloorPose) -> Option<f32> {
        let below = |p: Vec2| {
            let from = Vec3::new(p.x, mark.height + LOOK, p.y);
            self.ground.below(from, 2.0 * LOOK, mark.time).map(|hit| hit.point.y)
        };
        let near = |y: f32, far: f32| ((y - mark.height).abs() <= SLOPE * far + UNEVEN).then_some(y);
        let height = near(below(there.position)?, (there.position - mark.at.position).length())?;
        let along = self.half_sole * there.forward();
        let end = |end: Vec2| near(below(end)?, (end - mark.at.position).length());
        let [ball, heel] = [end(there.position + along)?, end(there.position - along)?];
        // Toes are in no riser; they may hang over an edge.
        let tip = there.position + self.toes * there.forward();
        let free = mark.height + SLOPE * (tip - mark.at.position).length() + UNEVEN;
        let wall = self.ground.below(Vec3::new(tip.x, mark.height + WALL, tip.y), WALL, mark.time);
        // One plane: neither end hangs over an edge.
        let level = (0.5 * (ball + heel) - height).abs() <= UNEVEN;
        (level && wall.is_none_or(|hit| hit.point.y <= free)).then_some(height)
    }
}
