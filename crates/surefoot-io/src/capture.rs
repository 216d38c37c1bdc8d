//! What every captured body and clip goes through, whatever its format: axes told from the body, and faults of
//! captures that are dealt with at the door.

use crate::infer::Figure;
use crate::unit::Axis;
use crate::{ImportError, ImportSettings, Inferred, Warning};
use surefoot::math::Rigid;
use surefoot::motion::Clip;
use surefoot::rig::{ModelPose, Pose, Skeleton};

/// A root that moves faster than this is not running but misplaced, m/s.
const TELEPORT_SPEED: f32 = 18.0;

/// The frame rate that the caller states, Hz.
pub(crate) fn stated_rate(settings: &ImportSettings) -> Result<Option<f32>, ImportError> {
    match settings.rate {
        Some(stated) if !(stated > 0.0 && stated.is_finite()) => {
            Err(ImportError::new(format!("a rate of {stated} Hz was stated; it must be above 0")))
        }
        stated => Ok(stated),
    }
}

/// The axis that points up: as stated, as the body tells, or assumed with a warning.
pub(crate) fn find_up(figure: &Figure<'_>, settings: &ImportSettings, warnings: &mut Vec<Warning>) -> Inferred<Axis> {
    match (settings.up, figure.up()) {
        (Some(stated), _) => Inferred { value: stated, reason: "stated".into() },
        (None, Some((value, reason))) => Inferred { value, reason },
        (None, None) => {
            warnings.push(Warning::UpAssumed { up: Axis::Y });
            Inferred { value: Axis::Y, reason: "assumed: no feet found by name".into() }
        }
    }
}

/// The axis that the rest pose faces: as stated, as the body tells, or assumed with a warning.
pub(crate) fn find_forward(
    figure: &Figure<'_>,
    up: Axis,
    settings: &ImportSettings,
    warnings: &mut Vec<Warning>,
) -> Result<Inferred<Axis>, ImportError> {
    if let Some(stated) = settings.forward {
        if stated.index == up.index {
            return Err(ImportError::new(format!(
                "forward {stated} and up {up} lie on one line; give another --forward or --up"
            )));
        }
        return Ok(Inferred { value: stated, reason: "stated".into() });
    }
    let (told, mirrored) = figure.forward(up);
    if mirrored {
        warnings.push(Warning::Mirrored);
    }
    Ok(match told {
        Some((value, reason)) => Inferred { value, reason },
        None => {
            // What programs with that upward axis usually mean by forward.
            let value = if up.index == 2 { Axis { index: 1, negative: !up.negative } } else { Axis::Z };
            warnings.push(Warning::ForwardAssumed { forward: value });
            Inferred { value, reason: "assumed: names tell neither toes nor sides".into() }
        }
    })
}

/// Height of the lowest joint or tip at rest, metres.
pub(crate) fn ground_of(skeleton: &Skeleton) -> f32 {
    let mut model = ModelPose::new(skeleton);
    Pose::rest(skeleton).to_model(skeleton, &mut model);
    let joints = model.joints.iter().map(|joint| joint.translation.y);
    let tips = skeleton.tips().iter().map(|tip| model[tip.joint].transform_point(tip.offset).y);
    joints.chain(tips).fold(f32::INFINITY, f32::min)
}

fn jump_to(skeleton: &Skeleton, clip: &Clip, frame: usize) -> f32 {
    (clip.body(skeleton, frame).translation - clip.body(skeleton, frame - 1).translation).length()
}

/// Cuts leading frames in which nothing at all moves before the body teleports away: several, or one in which no
/// joint is turned and the root is at the origin. Never more than half of the clip.
pub(crate) fn cut_dead_rows(skeleton: &Skeleton, clip: Clip, warnings: &mut Vec<Warning>) -> Clip {
    let first = clip.frame(0);
    let still = |frame: &usize| {
        let same = |(a, b): (&Rigid, &Rigid)| {
            (a.translation - b.translation).length() < 1e-5 && a.rotation.dot(b.rotation).abs() > 1.0 - 1e-6
        };
        clip.frame(*frame).iter().zip(first).all(same)
    };
    let dead = (0..clip.frames()).take_while(still).count();
    let blank = first[0].translation.length() < 1e-5 && first.iter().all(|local| local.rotation.w.abs() > 1.0 - 1e-6);
    if 2 * dead > clip.frames() || !(dead > 1 || blank) || jump_to(skeleton, &clip, dead) * clip.rate() < TELEPORT_SPEED
    {
        return clip;
    }
    warnings.push(Warning::DeadRows { rows: dead, jump: jump_to(skeleton, &clip, dead) });
    clip.trimmed(dead..clip.frames())
}

/// Warns of a root that jumps inside the clip.
pub(crate) fn note_teleports(skeleton: &Skeleton, clip: &Clip, warnings: &mut Vec<Warning>) {
    let jumps: Vec<usize> =
        (1..clip.frames()).filter(|frame| jump_to(skeleton, clip, *frame) * clip.rate() > TELEPORT_SPEED).collect();
    if let Some(first) = jumps.first() {
        warnings.push(Warning::Teleport { frame: *first, jump: jump_to(skeleton, clip, *first), count: jumps.len() });
    }
}
