//! How a sole lies on the ground at a place: the one question that every system asks of the ground under a foot.

use crate::math::{FloorPose, Rigid, floor, single};
use crate::rig::Foot;
use crate::world::{GroundHit, SurfaceId};
use glam::{Mat3, Quat, Vec2, Vec3, Vec3A};

/// How a sole is put down.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PutDown {
    /// Ground that is steeper under the sole is an edge, radians: the sole stays level over it.
    pub steepest: f32,
    /// Soles are tilted with the ground by this much at most, radians; on steeper ground they touch it with their middle, so that
    /// legs need not reach farther than the ground asks.
    pub most_tilt: f32,
    /// How steeply toes bend up, rise over run, where they count for how high the sole must lie: they must not stand in a riser.
    pub toes: Option<f32>,
    /// Ground this near to the sole carries it, metres.
    pub carries: f32,
    /// Ground beside the line from heel to ball may be higher by this much, metres: feet are soft. More is an edge, on which the
    /// sole lies.
    pub soft: f32,
}

impl Default for PutDown {
    fn default() -> Self {
        Self { steepest: 0.75, most_tilt: std::f32::consts::FRAC_PI_2, toes: None, carries: 0.03, soft: 0.0 }
    }
}

/// A foot that is put down.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sole<'a> {
    /// The foot.
    pub foot: &'a Foot,
    /// Heel and ball in the sole's own frame ([`Foot::ankle_from_sole`]), metres.
    pub points: [Vec3A; 2],
    /// The length of its leg, metres, by which margins go.
    pub leg: f32,
    /// The foot's outline in the sole's own frame, metres, which lies over no ground that is higher; empty where heel and ball
    /// and their sides stand for it.
    pub outline: &'a [Vec3A],
    /// Where its skin is lowest, in the sole's own frame, metres: what it is seen to stand on; empty where heel and ball are.
    pub under: &'a [Vec3A],
}

impl<'a> Sole<'a> {
    /// The sole of a foot on a leg of this length, metres.
    #[must_use]
    pub(crate) fn of(foot: &'a Foot, leg: f32) -> Self {
        let sole_from_ankle = foot.ankle_from_sole().inverse();
        Self {
            foot,
            points: [foot.heel, foot.ball].map(|point| sole_from_ankle.transform_point(point)),
            leg,
            outline: &[],
            under: &[],
        }
    }
}

/// A place for a sole.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SolePlace {
    /// The sole's frame in the world: no point of it is under the ground.
    pub print: Rigid,
    /// How far heel or ball is over the ground, metres; more than 0 at edges.
    pub gap: f32,
    /// How far its corners and outline hold it over what lies under the lowest of its skin, or under its middle line, metres.
    pub held_up: f32,
    /// The share of its middle line, from heel to toes, that lies over nothing.
    pub overhang: f32,
    /// Whether its ball does.
    pub ball_overhangs: bool,
    /// How steep the ground is in its middle, radians.
    pub slope: f32,
    /// What it stands on.
    pub surface: SurfaceId,
}

/// A sole that would be tilted more than this against the ground in its middle lies across an edge: rise over run.
const EDGE: f32 = 0.3;

/// Ground whose middle is off the line between both ends by this share of their difference is a step.
const STEP: f32 = 0.35;
/// Ground under a foot's outline may be higher than the sole by this share of the leg: feet are soft.
const SOFT: f32 = 0.005;
/// Ground lower than the sole by this share of the leg does not carry it.
const EDGE_DROP: f32 = 0.03;
/// Places along a sole at which it is asked what carries it.
const LINE: usize = 7;

impl PutDown {
    /// The sole put down at a place, as the ground there turns it; `look` tells the ground at a place (x, z), metres. `None`
    /// where there is no ground under its middle.
    #[must_use]
    pub(crate) fn run(
        &self,
        sole: Sole<'_>,
        place: FloorPose,
        look: &dyn Fn(Vec2) -> Option<GroundHit>,
    ) -> Option<SolePlace> {
        let middle = look(place.position)?;
        if sole.foot.is_point() {
            return Some(on_a_point(sole, place, middle, look));
        }
        let rotation = self.rotation(sole, place, &middle, look);
        // As low as the sole allows, with a little room around it.
        let flat = Rigid { rotation, translation: floor::at_height(place.position, 0.0).into() };
        let heights = |points: &[Vec3A]| {
            let [mut low, mut high] = [f32::INFINITY, f32::NEG_INFINITY];
            for point in points {
                let point = flat.transform_point(*point);
                // Beyond an edge there may be nothing to stand on.
                let Some(hit) = look(floor::of_point(point)) else {
                    low = low.min(middle.point.y - 0.1 * sole.leg);
                    continue;
                };
                low = low.min(hit.point.y - point.y);
                high = high.max(hit.point.y - point.y);
            }
            [low, high]
        };
        let [heel, ball] = sole.points;
        let (wide, long) = (Vec3A::X * (0.4 * sole.foot.width), Vec3A::Z * (0.02 * sole.leg));
        let corners = [heel - long - wide, heel - long + wide, ball + long - wide, ball + long + wide];
        let [low, line] = heights(&[heel, ball, 0.5 * (heel + ball)]);
        let [low_beside, mut beside] = heights(&corners);
        if let Some(bend) = self.toes {
            let tip = toe_tip(sole);
            let bent = |p: Vec3A| p + Vec3A::Y * (bend * (p.z - ball.z));
            let [_, toes] = heights(&[0.5 * (ball + tip), tip - wide, tip + wide].map(bent));
            beside = beside.max(toes);
        }
        let mut y = if beside > line + self.soft { beside } else { line };
        if !sole.outline.is_empty() {
            y = y.max(heights(sole.outline)[1] - SOFT * sole.leg);
        }
        // Where it would lie is where it is, tilted as much as it may be.
        let rotation = self.capped(place, rotation).unwrap_or(rotation);
        let print = Rigid { rotation, translation: floor::at_height(place.position, y).into() };
        let slope = slope_of(&middle).min(1.2);
        let carried = |point: Vec3A| {
            let point = flat.transform_point(point);
            look(floor::of_point(point)).is_some_and(|hit| hit.point.y - point.y > y - EDGE_DROP * sole.leg)
        };
        let (mut overhang, mut ball_overhangs) = (0.0, false);
        if !sole.outline.is_empty() && y - low.min(low_beside) > EDGE_DROP * sole.leg {
            let tip = ball.with_z(sole.outline.iter().map(|point| point.z).fold(ball.z, f32::max));
            let along: [Vec3A; LINE] = std::array::from_fn(|k| heel.lerp(tip, k as f32 / (LINE - 1) as f32));
            overhang = along.into_iter().filter(|point| !carried(*point)).count() as f32 / LINE as f32;
            ball_overhangs = !carried(ball);
        }
        let gap = y - low.min(low_beside);
        let on = if sole.under.is_empty() { line } else { heights(sole.under)[1] };
        Some(SolePlace {
            print,
            gap,
            held_up: (y - on).max(0.0),
            overhang,
            ball_overhangs,
            slope,
            surface: middle.surface,
        })
    }

    /// The share of a sole, from heel to toes, that lies on ground which carries it.
    #[must_use]
    pub(crate) fn carried(&self, sole: Sole<'_>, print: Rigid, look: &dyn Fn(Vec2) -> Option<GroundHit>) -> f32 {
        let ([heel, ball], tip) = (sole.points, toe_tip(sole));
        let side = Vec3A::X * (0.3 * sole.foot.width);
        let along = [heel, heel.lerp(ball, 0.25), heel.lerp(ball, 0.65), ball, ball.lerp(tip, 0.5), tip];
        let points = along.into_iter().flat_map(|p| [p - side, p + side]);
        let on = points.filter(|p| {
            let point = print.transform_point(*p);
            look(floor::of_point(point)).is_some_and(|hit| (hit.point.y - point.y).abs() < self.carries)
        });
        on.count() as f32 / (2 * along.len()) as f32
    }

    /// A turn that is tilted too much, tilted as much as it may be; `None` if it is not.
    fn capped(&self, place: FloorPose, rotation: Quat) -> Option<Quat> {
        let up = rotation * Vec3A::Y;
        if up.y >= single::cos(self.most_tilt) {
            return None;
        }
        let aside = up.with_y(0.0).normalize_or_zero();
        let normal = (aside * single::sin(self.most_tilt)).with_y(single::cos(self.most_tilt));
        Some((Quat::from_rotation_arc(Vec3::Y, normal.into()) * place.to_rigid().rotation).normalize())
    }

    /// How a sole is turned: pitch from under heel and ball, roll from under both sides; neither over an edge.
    fn rotation(
        &self,
        sole: Sole<'_>,
        place: FloorPose,
        middle: &GroundHit,
        look: &dyn Fn(Vec2) -> Option<GroundHit>,
    ) -> Quat {
        let yaw = place.to_rigid();
        let most = single::tan(self.steepest);
        let tilt = |a: Vec2, b: Vec2, along: Vec3A| {
            // As the ground itself has it in the middle; a sole that would lie otherwise lies across an edge.
            let own = -Vec3::from(along).dot(middle.normal) / middle.normal.y.max(0.1);
            let own = if own.abs() <= most { own } else { 0.0 };
            let [a, b] = [a, b].map(|p| look(place.transform_point(p)).map(|hit: GroundHit| hit.point));
            let (Some(a), Some(b)) = (a, b) else { return own };
            let run = floor::of_point((b - a).into()).length();
            let tilt = (b.y - a.y) / run.max(1e-4);
            // A step between both ends is not half-way up in the middle.
            let bulge = (middle.point.y - 0.5 * (a.y + b.y)).abs();
            if !sole.outline.is_empty() && bulge > STEP * (b.y - a.y).abs() + 1e-4 * sole.leg {
                return own;
            }
            if tilt.abs() <= most && (tilt - own).abs() < EDGE { tilt } else { own }
        };
        let [back, front] = sole.points.map(floor::of_point);
        let side = Vec2::new(0.5 * sole.foot.width.max(0.2 * sole.foot.length), 0.0);
        let pitch = tilt(back, front, yaw.rotation * Vec3A::Z);
        let roll = tilt(-side, side, yaw.rotation * Vec3A::X);
        let ahead = Vec3::from(yaw.rotation * Vec3A::Z) + Vec3::Y * pitch;
        let left = Vec3::from(yaw.rotation * Vec3A::X) + Vec3::Y * roll;
        let up = ahead.cross(left).normalize();
        let ahead = ahead.normalize();
        Quat::from_mat3(&Mat3::from_cols(up.cross(ahead), up, ahead)).normalize()
    }
}

/// The tip of the toes in the sole's own frame, metres.
fn toe_tip(sole: Sole<'_>) -> Vec3A {
    let [heel, ball] = sole.points;
    Vec3A::new(0.5 * (heel.x + ball.x), ball.y, (heel.z + sole.foot.length).max(ball.z))
}

fn slope_of(hit: &GroundHit) -> f32 {
    single::acos(hit.normal.y.clamp(-1.0, 1.0))
}

/// A foot that stands on a point: on one side of an edge or on the other, and nowhere near it.
fn on_a_point(
    sole: Sole<'_>,
    place: FloorPose,
    middle: GroundHit,
    look: &dyn Fn(Vec2) -> Option<GroundHit>,
) -> SolePlace {
    let leg = sole.leg;
    // Its skin has a width, though it rolls over a point of it.
    let wide = (0.5 * sole.foot.width).clamp(0.02 * leg, 0.08 * leg);
    let print = Rigid { translation: middle.point.into(), ..place.to_rigid() };
    // Near an edge the ground is not where its plane goes on.
    let edge = |aside: Vec2| {
        let at = aside * wide;
        let plane = middle.point.y - at.dot(Vec2::new(middle.normal.x, middle.normal.z)) / middle.normal.y.max(0.1);
        look(place.position + at).map_or(0.1 * leg, |hit| (hit.point.y - plane).abs())
    };
    let gap = [Vec2::X, Vec2::Y, -Vec2::X, -Vec2::Y].map(edge).into_iter().fold(0.0, f32::max);
    let gap = if gap < 3e-3 * leg { 0.0 } else { gap + 0.06 * leg };
    let (held_up, overhang, ball_overhangs) = (0.0, 0.0, false);
    SolePlace { print, gap, held_up, overhang, ball_overhangs, slope: slope_of(&middle), surface: middle.surface }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::{Ground, LevelGround};

    fn foot() -> Foot {
        let (heel, ball) = (Vec3A::new(0.0, -0.08, -0.05), Vec3A::new(0.0, -0.08, 0.14));
        Foot { heel, ball, up: Vec3A::Y, tip: None, length: 0.25, width: 0.08 }
    }

    fn down(ground: &dyn Ground, put: PutDown, z: f32) -> (SolePlace, f32) {
        let foot = foot();
        let sole = Sole::of(&foot, 0.83);
        let look = |p: Vec2| ground.below(floor::at_height(p, 2.0), 5.0, 0.0);
        let place = put.run(sole, FloorPose::new(Vec2::new(0.0, z), 0.0), &look).unwrap();
        (place, put.carried(sole, place.print, &look))
    }

    #[test]
    fn a_sole_lies_on_slopes_as_they_are_and_level_over_edges() {
        let (level, carried) = down(&LevelGround { height: 0.3 }, PutDown::default(), 0.0);
        assert_eq!((level.print.translation.y, carried), (0.3, 1.0));
        let (slope, carried) = down(&|_: f32, z: f32| 0.4 * z, PutDown::default(), 0.5);
        let up = slope.print.rotation * Vec3A::Y;
        assert!((up - Vec3A::new(0.0, 1.0, -0.4).normalize()).length() < 1e-3 && carried == 1.0, "{slope:?}");
        // The ball is on a step of 0.2 m: level, on the step, and only part of it carried.
        let step = |_: f32, z: f32| if z > 0.05 { 0.2 } else { 0.0 };
        let (edge, carried) = down(&step, PutDown::default(), 0.0);
        assert!((edge.print.rotation * Vec3A::Y).y > 0.999 && edge.print.translation.y == 0.2, "{edge:?}");
        assert!(carried < 0.7 && (edge.gap - 0.2).abs() < 1e-5, "{carried} {edge:?}");
    }

    #[test]
    fn what_holds_a_sole_over_the_ground_that_its_skin_does_not_touch_is_told() {
        // A block of 2 cm just ahead of the ball.
        let block = |_: f32, z: f32| if z > 0.1 { 0.02 } else { 0.0 };
        let foot = foot();
        let look = |p: Vec2| block.below(floor::at_height(p, 2.0), 5.0, 0.0);
        let held_up = |under: &[Vec3A]| {
            let sole = Sole { under, ..Sole::of(&foot, 0.83) };
            let place = PutDown::default().run(sole, FloorPose::new(Vec2::ZERO, 0.0), &look).unwrap();
            assert_eq!(place.print.translation.y, 0.02);
            place.held_up
        };
        assert_eq!(held_up(&[Vec3A::new(0.0, 0.0, -0.09), Vec3A::new(0.0, 0.0, 0.09)]), 0.02);
        assert_eq!(held_up(&[Vec3A::new(0.0, 0.0, -0.09), Vec3A::new(0.0, 0.0, 0.11)]), 0.0, "its toes are on it");
    }

    #[test]
    fn soles_are_tilted_with_the_ground_but_no_more_than_they_may_be() {
        let put = PutDown { steepest: 0.95, most_tilt: 35.0_f32.to_radians(), ..PutDown::default() };
        for degrees in [0.0_f32, 20.0, 34.0, 36.0, 50.0] {
            let rise = single::tan(degrees.to_radians());
            let (place, _) = down(&|_: f32, z: f32| rise * z, put, 0.5);
            let tilt = single::acos((place.print.rotation * Vec3A::Y).y.min(1.0));
            assert!(
                (tilt - degrees.to_radians().min(put.most_tilt)).abs() < 1e-3,
                "{} of {degrees}",
                tilt.to_degrees()
            );
            let points = Sole::of(&foot(), 0.83).points.map(|point| place.print.transform_point(point));
            let over = points.map(|p| p.y - rise * p.z);
            if tilt < put.most_tilt - 1e-3 {
                assert!(over.iter().all(|over| over.abs() < 1e-4), "both touch: {over:?} at {degrees}°");
            } else {
                assert!((over[0] + over[1]).abs() < 1e-3, "its middle touches: {over:?} at {degrees}°");
            }
        }
    }

    #[test]
    fn toes_in_a_riser_raise_the_sole_where_they_count() {
        let riser = |_: f32, z: f32| if z > 0.13 { 0.2 } else { 0.0 };
        let (without, _) = down(&riser, PutDown::default(), 0.0);
        let (with, _) = down(&riser, PutDown { toes: Some(0.0), ..PutDown::default() }, 0.0);
        assert_eq!((without.print.translation.y, with.print.translation.y), (0.0, 0.2));
        // Toes that bend follow a ramp, and the sole stays on the ground.
        let ramp = |_: f32, z: f32| 0.4 * (z - 0.125).max(0.0);
        let stiff = down(&ramp, PutDown { toes: Some(0.0), ..PutDown::default() }, 0.0).0;
        let bent = down(&ramp, PutDown { toes: Some(0.5), ..PutDown::default() }, 0.0).0;
        assert!(stiff.print.translation.y > 0.005 && bent.print.translation.y == 0.0, "{stiff:?} {bent:?}");
    }
}
