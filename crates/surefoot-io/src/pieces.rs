//! Bodies in pieces, as exporters leave them that drop an animator's controls: what hung from those hangs from the trunk again.

use crate::Import;
use surefoot::analyse::find_skinned_rig;
use surefoot::glam::Vec3A;
use surefoot::math::Rigid;
use surefoot::motion::Clip;
use surefoot::rig::{Joint, JointId, Leg, ModelPose, Skeleton, Skin};
use surefoot::stages::Tip;

/// Clips that are looked at for legs, at most.
const CLIPS: usize = 3;
/// A body of fewer pieces than this is whole.
const PIECES: usize = 3;
/// The joints of a trunk are this near to the middle between its hips on average, in heights of the body.
const CENTRAL: f32 = 0.03;

/// The import with its pieces put together; as it is, if one joint carries all legs or there is no trunk beside them.
pub(crate) fn put_together(import: Import) -> Import {
    let Some(new) = import.skin.as_ref().and_then(|skin| parents(&import, skin)) else { return import };
    let order = Skeleton::depth_first(&new.parents);
    if order.len() != new.parents.len() {
        return import;
    }
    Together::of(&import.skeleton, &new, order).and_then(|together| together.import(&import)).unwrap_or(import)
}

/// What joints hang from once a body is put together.
struct Parents {
    parents: Vec<Option<usize>>,
    /// The first joint of the trunk.
    trunk: JointId,
}

/// What joints of a body in pieces hang from; `None` for one that is whole.
fn parents(import: &Import, skin: &Skin) -> Option<Parents> {
    let skeleton = &import.skeleton;
    let mut held = vec![0.0; skeleton.len()];
    for (bones, weights) in skin.joints.iter().zip(&skin.weights) {
        bones
            .iter()
            .zip(weights)
            .for_each(|(bone, weight)| held[skin.bones[usize::from(*bone)].joint.index()] += weight);
    }
    let weight = |root: &JointId| held[skeleton.subtree(*root)].iter().sum::<f32>();
    let pieces: Vec<JointId> = skeleton.roots().filter(|root| weight(root) > 0.0).collect();
    if pieces.len() < PIECES {
        return None;
    }
    let clips: Vec<&Clip> = import.clips.iter().take(CLIPS).collect();
    let legs = match skeleton.known_legs() {
        [] => find_skinned_rig(skeleton, Some(skin), &clips).ok()?.legs,
        known => known.to_vec(),
    };
    let has = |piece: JointId, joint: JointId| skeleton.subtree(piece).contains(&joint.index());
    let bears = |piece: &JointId| legs.iter().any(|leg| has(*piece, leg.hip()));
    let whole = pieces.iter().any(|piece| legs.iter().all(|leg| has(*piece, leg.hip())));
    // Feet that animators move by themselves hang from nothing on purpose.
    let is_foot = |piece: &JointId| legs.iter().any(|leg| leg.shin.is_some() && has(*piece, leg.ankle()));
    let rest = ModelPose::new(skeleton);
    let middle = legs.iter().map(|leg| rest[leg.hip()].translation.x).sum::<f32>() / legs.len().max(1) as f32;
    let aside = |joint: usize| (rest.joints[joint].translation.x - middle).abs();
    // Arms with all their fingers have more skin than a slim trunk.
    let is_central = |piece: &JointId| {
        let joints = skeleton.subtree(*piece);
        let count = joints.len() as f32;
        joints.map(aside).sum::<f32>() / count < CENTRAL * skeleton.height()
    };
    let trunk = pieces.iter().copied().filter(|piece| !bears(piece) && !is_foot(piece) && is_central(piece));
    let trunk = trunk.max_by(|a, b| weight(a).total_cmp(&weight(b)))?;
    if whole || legs.len() < 2 {
        return None;
    }

    let mut parents: Vec<Option<usize>> = skeleton.parents().iter().map(|p| p.map(JointId::index)).collect();
    let mut together: Vec<JointId> = skeleton.subtree(trunk).map(|i| JointId(i as u16)).collect();
    // Legs hang from the trunk, all else from what is nearest.
    let of_trunk = together.clone();
    let mut open: Vec<JointId> = pieces.into_iter().filter(|piece| *piece != trunk && !is_foot(piece)).collect();
    for piece in open.extract_if(.., |piece| bears(piece)).collect::<Vec<_>>() {
        parents[piece.index()] = nearest(skeleton, &rest, &of_trunk, piece).map(|(joint, _)| joint.index());
        together.extend(skeleton.subtree(piece).map(|i| JointId(i as u16)));
    }
    while !open.is_empty() {
        let near = |(number, piece): (usize, &JointId)| {
            nearest(skeleton, &rest, &together, *piece).map(|(joint, far)| (number, joint, far))
        };
        let (number, joint, _) = open.iter().enumerate().filter_map(near).min_by(|a, b| a.2.total_cmp(&b.2))?;
        let piece = open.remove(number);
        parents[piece.index()] = Some(joint.index());
        together.extend(skeleton.subtree(piece).map(|i| JointId(i as u16)));
    }
    Some(Parents { parents, trunk })
}

/// Whose bone a joint is nearest to at rest, and how far it is, metres.
fn nearest(skeleton: &Skeleton, rest: &ModelPose, among: &[JointId], joint: JointId) -> Option<(JointId, f32)> {
    let at = rest[joint].translation;
    let to_bone = |bone: &JointId| {
        let from = rest[*bone].translation;
        let ends = skeleton.children(*bone).map(|child| rest[child].translation).chain([from]);
        (*bone, ends.map(|end| to_segment(at, [from, end])).fold(f32::INFINITY, f32::min))
    };
    among.iter().map(to_bone).min_by(|a, b| a.1.total_cmp(&b.1))
}

/// How far a point is from a segment, metres.
fn to_segment(point: Vec3A, [from, to]: [Vec3A; 2]) -> f32 {
    let along = to - from;
    let share = ((point - from).dot(along) / along.length_squared().max(f32::MIN_POSITIVE)).clamp(0.0, 1.0);
    point.distance(from + share * along)
}

/// A body that is put together.
struct Together {
    skeleton: Skeleton,
    /// What each of its joints was before.
    order: Vec<usize>,
    /// Whether each hung from nothing before, and does not now.
    loose: Vec<bool>,
    /// What each joint from before is now.
    now: Vec<JointId>,
}

impl Together {
    fn of(old: &Skeleton, new: &Parents, order: Vec<usize>) -> Option<Self> {
        let mut now = vec![JointId(0); order.len()];
        order.iter().enumerate().for_each(|(new, old)| now[*old] = JointId(new as u16));
        let loose =
            order.iter().map(|joint| new.parents[*joint].is_some() && old.parents()[*joint].is_none()).collect();
        let parents: Vec<Option<usize>> =
            order.iter().map(|joint| new.parents[*joint].map(|parent| now[parent].index())).collect();
        let rest = moved(old, old.rest(), &order, &parents);
        let joints = order.iter().zip(&parents).zip(rest);
        let joints = joints.map(|((joint, parent), rest)| Joint::new(&old.names()[*joint], *parent, rest)).collect();
        let of = |joint: JointId| now[joint.index()];
        let tips = old.tips().iter().map(|tip| Tip { joint: of(tip.joint), ..*tip });
        let known = old.known_legs().iter().map(|leg| Leg {
            chain: leg.chain.iter().map(|joint| of(*joint)).collect(),
            toe: leg.toe.map(of),
            ..leg.clone()
        });
        let named = old.legs().iter().map(|leg| leg.iter().map(|joint| of(*joint)).collect());
        let skeleton = Skeleton::new(joints).ok()?.with_tips(tips).with_pelvis(of(new.trunk));
        let skeleton = skeleton.with_legs(named.collect()).with_known_legs(known.collect());
        Some(Self { skeleton, order, loose, now })
    }

    /// The import of the body that was in pieces, with this one; `None` if a clip cannot be brought onto it.
    fn import(self, old: &Import) -> Option<Import> {
        let parents: Vec<Option<usize>> = self.skeleton.parents().iter().map(|p| p.map(JointId::index)).collect();
        let clip = |clip: &Clip| {
            let frames = (0..clip.frames()).flat_map(|f| moved(&old.skeleton, clip.frame(f), &self.order, &parents));
            let mut own = Clip::new(&self.skeleton, clip.name(), clip.rate(), frames.collect()).ok()?;
            own.roots_mut().copy_from_slice(clip.roots());
            let own = own.with_cycle(clip.cycle()).with_course(clip.course().map(<[_]>::to_vec));
            Some(own.with_standing(clip.standing().map(<[_]>::to_vec)))
        };
        let clips = old.clips.iter().map(clip).collect::<Option<Vec<Clip>>>()?;
        let mut skin = old.skin.clone();
        skin.iter_mut().flat_map(|skin| &mut skin.bones).for_each(|bone| bone.joint = self.now[bone.joint.index()]);
        let mut document = old.document.clone();
        if let Some(document) = &mut document {
            document.put_together(&self.order, self.loose, self.skeleton.key());
        }
        Some(Import {
            skeleton: self.skeleton,
            clips,
            skin,
            document,
            source: old.source.clone(),
            warnings: old.warnings.clone(),
        })
    }
}

/// A pose as it is told where joints hang from others and stand in another order: `parent_from_joint`.
fn moved(old: &Skeleton, locals: &[Rigid], order: &[usize], parents: &[Option<usize>]) -> Vec<Rigid> {
    let mut model: Vec<Rigid> = Vec::with_capacity(locals.len());
    for (local, parent) in locals.iter().zip(old.parents()) {
        model.push(parent.map_or(*local, |parent| model[parent.index()] * *local));
    }
    let local = |(new, joint): (usize, &usize)| {
        let was = old.parents()[*joint].map(JointId::index);
        let is = parents[new].map(|parent| order[parent]);
        if was == is {
            return locals[*joint];
        }
        let local = is.map_or(Rigid::IDENTITY, |parent| model[parent].inverse()) * model[*joint];
        Rigid { rotation: local.rotation.normalize(), ..local }
    };
    order.iter().enumerate().map(local).collect()
}
