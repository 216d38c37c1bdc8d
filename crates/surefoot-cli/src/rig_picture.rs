//! `surefoot inspect --picture`: what was understood of a body, ready to be drawn.

use crate::input::said_unit;
use crate::inspect::Report;
use surefoot::analyse::{RigError, check_rig};
use surefoot::motion::Clip;
use surefoot::rig::{JointId, Leg, ModelPose, Pose, Rig};
use surefoot_view::report::counted;
use surefoot_view::rig_picture::{self, PicturedLimb, RigPicture};
use surefoot_view::svg::Svg;

/// Draws the body of a file with its legs.
pub(crate) fn draw(report: &Report<'_>) -> Svg {
    let (import, skeleton) = (report.import, &report.import.skeleton);
    let limbs: Vec<PicturedLimb<'_>> = match &report.told {
        Some(rig) => {
            let told = |leg| PicturedLimb { leg, taken: true, confidence: None, doubt: "" };
            rig.legs.iter().map(told).collect()
        }
        None => {
            let found = report.limbs.iter().filter(|limb| limb.taken || report.no_legs.is_some());
            let pictured = |leg, taken, confidence, doubt| PicturedLimb { leg, taken, confidence, doubt };
            found.map(|limb| pictured(&limb.leg, limb.taken, Some(limb.confidence), limb.doubt.as_str())).collect()
        }
    };
    let legs: Vec<Leg> = limbs.iter().filter(|limb| limb.taken).map(|limb| limb.leg.clone()).collect();
    let no_legs = report.no_legs.as_ref().filter(|_| report.told.is_none());
    let count = legs.len();
    let (pose, posed) = pose(report, legs);

    let source = &import.source;
    let skin = import.skin.as_ref().map(|skin| format!(" · skin of {}", counted(skin.triangles.len(), "triangle")));
    let facts = [
        format!("{} · {}{} · {posed}", source.format, counted(skeleton.len(), "joint"), skin.unwrap_or_default()),
        format!(
            "unit: {} · up: {} ({}) · facing: {} ({})",
            said_unit(source.unit.value, &source.unit.reason),
            source.up.value,
            source.up.reason,
            source.forward.value,
            source.forward.reason
        ),
        match (&report.told, no_legs) {
            (Some(_), _) => format!("{count} legs, as the rig file names them"),
            (None, Some(_)) => "no legs".into(),
            (None, None) => {
                let sure = limbs.iter().filter_map(|limb| limb.confidence).fold(1.0, f32::min);
                format!("{count} legs, {:.0} % sure", 100.0 * sure)
            }
        },
    ];
    let missing =
        no_legs.map(|why| format!("{why}. Legs can be named by hand: --write-rig writes a file, --rig takes it."));
    let marks: Vec<(JointId, String)> = match no_legs {
        Some(RigError::OneBone { joint }) => {
            skeleton.find(joint).map(|found| (found, format!("{joint}: no knee"))).into_iter().collect()
        }
        _ => Vec::new(),
    };
    let title = report.path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    rig_picture::draw(&RigPicture {
        title: &title,
        facts: &facts,
        skeleton,
        pose: &pose,
        skin: import.skin.as_ref(),
        limbs: &limbs,
        missing: missing.as_deref(),
        marks: &marks,
    })
}

/// The pose in which a body stands, and which it is: at rest, or as a clip starts where it stands then and not at rest.
fn pose(report: &Report<'_>, legs: Vec<Leg>) -> (ModelPose, String) {
    let (import, skeleton) = (report.import, &report.import.skeleton);
    let rest = (ModelPose::new(skeleton), format!("drawn at rest: {}", report.said_rest()));
    if legs.is_empty() {
        return rest;
    }
    let rig = Rig { skeleton: skeleton.clone(), legs, mirror: None };
    let stands = |pose: &Pose| check_rig(&rig, import.skin.as_ref(), pose).is_ok();
    if stands(&Pose::rest(skeleton)) {
        return rest;
    }
    let idle = import.clips.iter().filter(|clip| clip.name().to_lowercase().contains("idle"));
    for clip in idle.chain(std::iter::once(report.clip)) {
        let pose = start(clip, Pose::rest(skeleton));
        if stands(&pose) {
            let mut model = ModelPose::new(skeleton);
            pose.to_model(skeleton, &mut model);
            return (model, format!("drawn as clip {} starts: it does not stand at rest", clip.name()));
        }
    }
    rest
}

fn start(clip: &Clip, mut pose: Pose) -> Pose {
    pose.locals.copy_from_slice(clip.frame(0));
    pose
}
