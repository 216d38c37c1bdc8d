//! Walks with shorter steps: prints and body drawn together along the way, legs bent after them.

use crate::ik::{BendLeg, LegChain};
use crate::math::{floor, smoothstep};
use crate::motion::{FootTrack, Stance, Take};
use crate::rig::{ModelPose, Pose, Rig};
use glam::Vec3A;

/// A take whose steps are `share` times as long along its way, from its first root to its last; feet that stand still do so still.
/// One that goes nowhere stays as it is.
pub(super) fn shortened(rig: &Rig, take: &Take, share: f32) -> Take {
    let roots = take.clip.roots();
    let start = roots[0].translation;
    let Some(way) = floor::of_point(roots[roots.len() - 1].translation - start).try_normalize() else {
        return take.clone();
    };
    let way = Vec3A::from(floor::at_height(way, 0.0));
    let drawn = |place: Vec3A| way * ((share - 1.0) * (place - start).dot(way));
    let mut short = take.clone();
    for stance in &mut short.stances {
        let by = drawn(stance.print.world_from_sole.translation);
        stance.transform(crate::math::Rigid::from_translation(by));
    }
    short.clip.roots_mut().iter_mut().for_each(|root| root.translation += drawn(root.translation));

    let tracks = FootTrack::of_all(rig, &take.clip);
    let skeleton = &rig.skeleton;
    let (mut pose, mut model) = (Pose::rest(skeleton), ModelPose::new(skeleton));
    for ((id, leg), track) in rig.legs().zip(&tracks) {
        let chain = LegChain::of_rig(leg);
        let own: Vec<&Stance> = take.stances.iter().filter(|stance| stance.leg() == id).collect();
        let moved = moved(&own, take, &drawn);
        for f in 0..take.clip.frames() {
            pose.locals.copy_from_slice(short.clip.frame(f));
            pose.to_model(skeleton, &mut model);
            let mut ankle = track.ankles[f];
            ankle.translation += moved[f];
            let goal = short.clip.roots()[f].inverse() * ankle;
            BendLeg::default().run(skeleton, &chain, &mut pose, &mut model, goal);
            short.clip.frame_mut(f).copy_from_slice(&pose.locals);
        }
    }
    short
}

/// How far a foot is moved, by frame: as its print is while it stands, from one print to the next while it swings.
fn moved(own: &[&Stance], take: &Take, drawn: &dyn Fn(Vec3A) -> Vec3A) -> Vec<Vec3A> {
    let rate = take.clip.rate();
    let by = |stance: &Stance| drawn(stance.print.world_from_sole.translation);
    let at = |f: usize| {
        let time = f as f32 / rate;
        let next = own.iter().position(|stance| stance.time.end > time);
        let last = next.unwrap_or(own.len()).checked_sub(1).map(|k| own[k]);
        match (last, next.map(|k| own[k])) {
            (Some(last), Some(next)) if time < next.time.start => {
                let swing = (time - last.time.end) / (next.time.start - last.time.end).max(1e-3);
                by(last).lerp(by(next), smoothstep(swing))
            }
            // A foot that has not stood yet is a whole step away from its print: it goes with its body.
            (None, Some(next)) if time < next.time.start => {
                let body = drawn(take.clip.roots()[f].translation);
                body.lerp(by(next), smoothstep(1.0 - (next.time.start - time) / SWING))
            }
            (Some(last), None) => {
                let body = drawn(take.clip.roots()[f].translation);
                by(last).lerp(body, smoothstep((time - last.time.end) / SWING))
            }
            (_, Some(next)) => by(next),
            (None, None) => drawn(take.clip.roots()[f].translation),
        }
    };
    (0..take.clip.frames()).map(at).collect()
}

/// How long a foot swings of which only one end is seen, seconds.
const SWING: f32 = 0.4;
