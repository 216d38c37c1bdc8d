//! Plain strides: what a grown person's walk, run and jump do to the feet, without clips: to plan with before there are any.

use super::{StrideKind, StridePrint, StrideReach, StrideSlack};
use crate::math::FloorPose;
use crate::rig::Side;
use glam::{Vec2, Vec3};

/// From one foot's middle to the other's across, metres.
const WIDTH: f32 = 0.2;

/// A stride along an arc.
struct Arc {
    name: &'static str,
    kind: StrideKind,
    /// Of the body's way, metres.
    length: f32,
    /// Degrees, left positive.
    turn: f32,
    seconds: f32,
    slack: StrideSlack,
}

impl Arc {
    fn reach(&self) -> StrideReach {
        let turn = self.turn.to_radians();
        let print = |side: Side, share: f32| {
            let aside = if side == Side::Left { 0.5 } else { -0.5 } * WIDTH;
            let heading = share * turn;
            // The body goes along the chord of its arc, which lies half the turn to the side.
            let chord = FloorPose::new(Vec2::new(0.5 * WIDTH, 0.0), 0.5 * heading);
            let body = FloorPose::new(chord.transform_point(Vec2::new(0.0, share * self.length)), heading);
            let at = body.transform_point(Vec2::new(aside, 0.0));
            StridePrint { side, place: Vec3::new(at.x, 0.0, at.y), heading, time: share * self.seconds }
        };
        let speed = if self.kind == StrideKind::Run { 1.0 } else { 0.0 };
        StrideReach {
            name: self.name.to_owned(),
            kind: self.kind,
            prints: vec![print(Side::Left, 0.5), print(Side::Right, 1.0)],
            seconds: self.seconds,
            entry_speed: speed,
            exit_speed: speed,
            penalty: if self.kind == StrideKind::Run { 0.4 } else { 0.0 },
            slack: self.slack,
            flight: None,
            stand: None,
            turns_on_spot: false,
        }
    }
}

/// Walks and runs straight on and in bends to both sides, short steps, a jump out of a walk over gaps of up to 1.0 m and one out
/// of a run over gaps of up to 1.7 m; steps up and down by what each allows.
#[must_use]
pub fn plain_strides() -> Vec<StrideReach> {
    use StrideKind::{Run, Walk};
    let slack =
        |along: f32, degrees: f32, rise: f32| StrideSlack { along, across: 0.12, turn: degrees.to_radians(), rise };
    let (walk, short, run) = (slack(0.35, 12.0, 0.36), slack(0.25, 15.0, 0.45), slack(0.4, 8.0, 0.3));
    let arc = |name, kind, length, turn, seconds, slack| Arc { name, kind, length, turn, seconds, slack }.reach();
    let mut strides = vec![
        arc("walk", Walk, 1.3, 0.0, 1.1, walk),
        arc("walk wide left", Walk, 1.25, 25.0, 1.1, walk),
        arc("walk wide right", Walk, 1.25, -25.0, 1.1, walk),
        arc("walk left", Walk, 1.0, 60.0, 1.15, walk),
        arc("walk right", Walk, 1.0, -60.0, 1.15, walk),
        arc("short steps", Walk, 0.6, 0.0, 1.0, short),
        arc("run", Run, 2.2, 0.0, 0.75, run),
        arc("run wide left", Run, 2.0, 20.0, 0.75, run),
        arc("run wide right", Run, 2.0, -20.0, 0.75, run),
        arc("run left", Run, 1.8, 45.0, 0.8, run),
        arc("run right", Run, 1.8, -45.0, 0.8, run),
    ];
    let print = |side, x: f32, z: f32, time| StridePrint { side, place: Vec3::new(x, 0.0, z), heading: 0.0, time };
    let jump = |name: &str, [take_off, land]: [f32; 2], [left, seconds]: [f32; 2], speed: f32| StrideReach {
        name: name.to_owned(),
        kind: StrideKind::Special,
        prints: vec![print(Side::Left, WIDTH, take_off, left), print(Side::Right, 0.0, land, seconds)],
        seconds,
        entry_speed: speed,
        exit_speed: speed,
        penalty: 0.0,
        slack: slack(0.25, 8.0, 0.3),
        flight: Some(1),
        stand: None,
        turns_on_spot: false,
    };
    strides.push(jump("jump", [0.55, 1.55], [0.5, 1.2], 0.0));
    strides.push(jump("running jump", [1.0, 2.7], [0.35, 1.0], 1.0));
    strides
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strides_begin_and_end_on_the_right_and_come_in_pairs() {
        let all = plain_strides();
        for stride in &all {
            let last = stride.last().unwrap();
            assert_eq!((last.side, last.time), (Side::Right, stride.seconds), "{}", stride.name);
            assert!(stride.prints.windows(2).all(|pair| pair[0].time < pair[1].time), "{}", stride.name);
            let Some(other) = stride.name.strip_suffix("left") else { continue };
            let mirrored = all.iter().find(|stride| stride.name == format!("{other}right")).unwrap();
            assert_eq!(mirrored.last().unwrap().heading, -last.heading, "{}", stride.name);
        }
        let gap = |name: &str| all.iter().find(|stride| stride.name == name).unwrap().gap();
        assert_eq!(gap("walk"), 0.0);
        assert!((gap("running jump") - 1.96).abs() < 0.01, "{}", gap("running jump"));
    }
}
