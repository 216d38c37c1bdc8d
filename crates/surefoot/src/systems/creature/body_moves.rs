//! How much the body that legs hang from moves in a walk cycle: up and down, aside, about the way, and left and right.

use crate::character::Character;
use crate::math::{quat, single};
use crate::motion::Clip;
use crate::plan::steps::Stride;
use crate::rig::{ModelPose, Pose};
use glam::Vec3;
use std::f32::consts::TAU;

/// What a body does twice or once a cycle, root mean squares about the middle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct BodyMoves {
    /// Down while feet are apart, metres.
    pub down: f32,
    /// Over the feet that stand, metres.
    pub aside: f32,
    /// Up on the side of the feet that stand, radians.
    pub roll: f32,
    /// Ahead with the feet that are ahead, radians; below 0 against them.
    pub turn: f32,
}

/// Hips are down no earlier and no later than where feet are apart than this, radians of a foot's round twice over.
const LATEST: f32 = 1.0;

/// Where a body is in every frame of a cycle, off its middle: height and place to the left, metres, turns about left, up and ahead,
/// radians.
struct Rows {
    places: Vec<[f32; 2]>,
    turns: Vec<Vec3>,
}

impl Rows {
    fn of(character: &Character, clip: &Clip) -> Self {
        let (skeleton, plan) = (&character.rig.skeleton, &character.body_plan);
        let (mut pose, mut model) = (Pose::rest(skeleton), ModelPose::new(skeleton));
        character.stand.pose.to_model(skeleton, &mut model);
        let idle = model[plan.trunk].rotation;
        let (mut places, mut turns) = (Vec::new(), Vec::new());
        for f in 0..clip.frames() {
            pose.locals.copy_from_slice(clip.frame(f));
            pose.to_model(skeleton, &mut model);
            let trunk = model[plan.trunk];
            places.push([trunk.translation.y, trunk.translation.x]);
            turns.push(quat::log(quat::nearest_sign(glam::Quat::IDENTITY, trunk.rotation * idle.conjugate())));
        }
        let count = places.len().max(1) as f32;
        let place = [0, 1].map(|k| places.iter().map(|place| place[k]).sum::<f32>() / count);
        let turn = turns.iter().sum::<Vec3>() / count;
        places.iter_mut().for_each(|at| *at = [at[0] - place[0], at[1] - place[1]]);
        turns.iter_mut().for_each(|at| *at -= turn);
        Self { places, turns }
    }
}

/// How fast the body that legs hang from goes up or down in a cycle at most, m/s.
pub(super) fn heaves(character: &Character, clip: &Clip) -> f32 {
    let Rows { places, .. } = Rows::of(character, clip);
    let next = places.iter().cycle().skip(1);
    places.iter().zip(next).map(|(a, b)| (b[0] - a[0]).abs()).fold(0.0, f32::max) * clip.rate()
}

impl BodyMoves {
    /// Of any cycle.
    pub(super) fn of(character: &Character, clip: &Clip) -> Self {
        let Rows { places, turns } = Rows::of(character, clip);
        let rms = |values: &dyn Fn(usize) -> f32| {
            ((0..places.len()).map(|i| values(i) * values(i)).sum::<f32>() / places.len().max(1) as f32).sqrt()
        };
        Self {
            down: rms(&|i| places[i][0]),
            aside: rms(&|i| places[i][1]),
            roll: rms(&|i| turns[i].z),
            turn: rms(&|i| turns[i].y),
        }
    }

    /// Of a drawn walk, as far as its steps tell it, and how much later than its feet ask for it goes down, aside and rolls, radians of a
    /// foot's round.
    pub(super) fn drawn(character: &Character, walk: &Stride) -> (Self, [f32; 3]) {
        let Rows { places, turns } = Rows::of(character, &walk.clip);
        let count = places.len();
        // What steps do to a body that is carried over them, and what they do a quarter of its way later: down where feet are apart,
        // over the feet that stand, ahead with those ahead.
        let steps = |f: usize| {
            let (mut low, mut aside) = ([0.0; 2], [0.0; 2]);
            for (leg, share) in character.stand.shares_of_trunk(character.body_plan.trunk_at.z) {
                let drawn = &walk.legs[leg];
                let stands = drawn.lift - 0.5 * (1.0 - drawn.air);
                let (sin, cos) = single::sin_cos(TAU * (f as f32 / count as f32 - stands));
                let side = if character.stand.legs[leg].order.left { -share } else { share };
                low = [low[0] + share * (sin * sin - cos * cos), low[1] - 2.0 * share * sin * cos];
                aside = [aside[0] - side * cos, aside[1] - side * sin];
            }
            [low, aside]
        };
        let told: Vec<[[f32; 2]; 2]> = (0..count).map(steps).collect();
        // The part of a movement that goes with what steps do, at once and later.
        let with = |what: usize, later: usize, values: &dyn Fn(usize) -> f32| {
            let both: f32 = told.iter().enumerate().map(|(i, told)| told[what][later] * values(i)).sum();
            let own: f32 = told.iter().map(|told| told[what][later] * told[what][later]).sum();
            if own > 1e-3 * count as f32 { both / (own * count as f32).sqrt() } else { 0.0 }
        };
        let (down, aside, roll) = (|i: usize| -places[i][0], |i: usize| places[i][1], |i: usize| turns[i].z);
        let both = [(0, &down as &dyn Fn(usize) -> f32), (1, &aside), (1, &roll)]
            .map(|(what, values)| [0, 1].map(|later| with(what, later, values)));
        let [down, aside, roll] = both.map(|[now, later]| (now * now + later * later).sqrt());
        let mut late = both.map(|[now, later]| single::atan2(later, now));
        // Legs do not let hips go up where feet are apart.
        let told = late[0];
        late[0] = told.clamp(-LATEST, LATEST);
        let down = down * single::cos(told - late[0]).max(0.0);
        (Self { down, aside, roll, turn: with(1, 1, &|i| turns[i].y) }, late)
    }
}
