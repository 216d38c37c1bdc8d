//! A second look at which way a body faces, once its legs are known.

use super::conventions::Conventions;
use crate::unit::Axis;
use crate::{ImportSettings, Warning};
use surefoot::analyse::{find_facing, find_skinned_rig};
use surefoot::math::Rigid;
use surefoot::motion::Clip;
use surefoot::rig::{Skeleton, Skin};

/// How sure a vote must be to turn a body round.
const SURE: f32 = 0.1;
/// Clips that are looked at.
const LOOKS: usize = 8;

/// Whether a body, brought to our axes, looks backwards by its feet, head and walks; then its forward axis is turned round,
/// with the reason. What was stated stays. `frames` are the locals of each clip.
pub(crate) fn turn_round(
    found: &mut Conventions,
    skeleton: &Skeleton,
    skin: Option<&Skin>,
    motions: &[(&str, &[Rigid])],
    rate: f32,
    settings: &ImportSettings,
    warnings: &mut Vec<Warning>,
) -> bool {
    if settings.forward.is_some() {
        return false;
    }
    // Walks tell most; a few of the others tell how it stands.
    let is_walk = |name: &str| {
        let name = name.to_lowercase();
        ["walk", "run", "trot", "gallop", "idle"].iter().any(|word| name.contains(word))
    };
    let mut motions: Vec<&(&str, &[Rigid])> = motions.iter().collect();
    motions.sort_by_key(|(name, _)| !is_walk(name));
    motions.truncate(LOOKS);
    let clip = |(name, locals): &(&str, &[Rigid])| Clip::new(skeleton, (*name).to_owned(), rate, locals.to_vec()).ok();
    let clips: Vec<Clip> = motions.into_iter().filter_map(clip).collect();
    let clips: Vec<&Clip> = clips.iter().collect();
    let Ok(rig) = find_skinned_rig(skeleton, skin, &clips) else { return false };
    let (vote, reason) = find_facing(&rig, skin, &clips);
    if vote > -SURE {
        return false;
    }
    let forward = &mut found.forward;
    forward.value = Axis { negative: !forward.value.negative, ..forward.value };
    forward.reason = reason;
    if rig.mirror.as_ref().is_some_and(|mirror| mirror.paired() > 0) && !warnings.contains(&Warning::Mirrored) {
        warnings.push(Warning::Mirrored);
    }
    true
}
