//! Takes as frames: every animation stack, evaluated by ufbx at one steady rate.

use super::scene::{label, transform, vector};
use super::tree::{Tree, bone_of};
use crate::nodes::{Body, EVEN, Motion, Signs, Similar, Unique, budget, even, shown_rate};
use crate::warning::excerpt;
use crate::{ImportError, Warning};
use surefoot::math::{Rigid, quat};

/// The fastest rate that a file's own setting is taken for, Hz: 1000 is MotionBuilder's way to say none.
const FASTEST: f64 = 240.0;
/// Keys this near to a frame lie on it, in frames.
const ON_FRAME: f64 = 0.02;

/// The takes of a scene, and what moves in them.
pub(super) struct Takes<'a> {
    takes: Vec<Take<'a>>,
    /// Whether a node is moved or turned in any take, by its number.
    pub(super) moving: Vec<bool>,
}

/// One animation stack.
struct Take<'a> {
    index: usize,
    stack: &'a ufbx::AnimStack,
    /// Nodes with curves of any kind, by their number.
    curved: Vec<usize>,
}

/// Whether a property of a node moves or turns it.
fn moves(property: &str) -> bool {
    matches!(property, "Lcl Translation" | "Lcl Rotation")
}

impl<'a> Takes<'a> {
    pub(super) fn new(scene: &'a ufbx::Scene, tree: &Tree<'_>) -> Self {
        let mut moving = vec![false; tree.nodes.len()];
        let mut takes = Vec::new();
        for (index, stack) in scene.anim_stacks.iter().map(AsRef::as_ref).enumerate() {
            let mut curved = Vec::new();
            for (node, property, value) in curves_of(stack) {
                curved.push(node);
                let varies = curves(value).any(|curve| curve.max_value - curve.min_value > 1e-6);
                // Curves may hold a node still in another place than where it stands.
                moving[node] |= moves(property) && (varies || stands_elsewhere(stack, tree.nodes[node]));
            }
            curved.sort_unstable();
            curved.dedup();
            takes.push(Take { index, stack, curved });
        }
        Self { takes, moving }
    }

    /// The frame rate: the file's own, if keys lie on its frames; else the one that keys show; else the file's own.
    pub(super) fn rate(&self, scene: &ufbx::Scene, body: &Body) -> Option<f32> {
        let own = scene.settings.frames_per_second;
        let own = Some(own).filter(|rate| (1.0..=FASTEST).contains(rate));
        let mut times: Vec<Vec<f64>> = Vec::new();
        for take in &self.takes {
            for (node, property, value) in curves_of(take.stack) {
                if body.of_node[node].is_some() && moves(property) {
                    times.extend(curves(value).map(|curve| curve.keyframes.iter().map(|key| key.time).collect()));
                }
            }
        }
        let all = || times.iter().flatten();
        let on_frame = |rate: f64| {
            let off = all().filter(|time| (*time * rate - (*time * rate).round()).abs() > ON_FRAME).count();
            100 * off <= all().count()
        };
        match own {
            Some(own) if on_frame(own) => Some(own as f32),
            _ => {
                let distances = times.iter().flat_map(|times| times.windows(2).map(|pair| pair[1] - pair[0]));
                shown_rate(distances.filter(|distance| *distance > 0.0)).or(own.map(|own| own as f32))
            }
        }
    }

    /// All takes that move the body, at `rate` Hz.
    pub(super) fn sample(
        &self,
        tree: &Tree<'_>,
        body: &Body,
        rate: f32,
        bytes: usize,
        warnings: &mut Vec<Warning>,
    ) -> Result<Vec<Motion>, ImportError> {
        let mut left = budget(bytes);
        let mut names = Unique::default();
        let mut motions = Vec::new();
        for take in &self.takes {
            let own: &str = take.stack.element.name.as_ref();
            let name = if own.is_empty() { format!("take {}", take.index) } else { excerpt(own) };
            match take.sample(tree, body, rate, &mut left, warnings)? {
                Some(Ok((start, locals))) => {
                    motions.push(Motion { name: names.of(name), animation: Some(take.index), start, locals });
                }
                Some(Err(why)) => warnings.push(Warning::ClipLeftOut { name, why }),
                None => warnings.push(Warning::StillAnimation { name }),
            }
        }
        Ok(motions)
    }
}

/// The time of a take's first frame, seconds, and its frames; or why it cannot be used.
type Sampled = Result<(f32, Vec<Rigid>), String>;

impl Take<'_> {
    /// From the first key of a joint to the last, within what the take says of itself. Seconds.
    fn span(&self, tree: &Tree<'_>, body: &Body) -> Option<(f64, f64)> {
        let (mut first, mut last) = (f64::INFINITY, f64::NEG_INFINITY);
        for (node, property, value) in curves_of(self.stack) {
            // Scale that changes is a motion too, of which nothing is made but an error.
            let varies = curves(value).any(|curve| curve.max_value - curve.min_value > 1e-6);
            let is_part = body.of_node[bone_of(tree.nodes[node])].is_some();
            if is_part && (moves(property) || (property == "Lcl Scaling" && varies)) {
                for key in curves(value).flat_map(|curve| [curve.keyframes.first(), curve.keyframes.last()]).flatten() {
                    (first, last) = (first.min(key.time), last.max(key.time));
                }
            }
        }
        if !(first.is_finite() && last.is_finite()) {
            return None;
        }
        let (begin, end) = (self.stack.time_begin.max(first), self.stack.time_end.min(last));
        Some(if begin < end { (begin, end) } else { (first, last) })
    }

    fn sample(
        &self,
        tree: &Tree<'_>,
        body: &Body,
        rate: f32,
        left: &mut usize,
        warnings: &mut Vec<Warning>,
    ) -> Result<Option<Sampled>, ImportError> {
        let Some((first, last)) = self.span(tree, body) else { return Ok(None) };
        let fail = |what: String| ImportError::new(format!("take {:?}: {what}", excerpt(&self.stack.element.name)));

        // Frames from the first key to the last; one more where the last key lies between two frames.
        let joints = body.joints.len();
        let steps = (last - first) * f64::from(rate);
        let frames = if (steps - steps.round()).abs() < ON_FRAME { steps.round() } else { steps.ceil() } + 1.0;
        // Every layer is evaluated for every transform.
        let cost = frames * joints as f64 * self.stack.layers.len().max(1) as f64;
        if cost.is_nan() || cost > *left as f64 {
            let (seconds, layers) = (last - first, self.stack.layers.len());
            return Err(fail(format!(
                "{seconds} s at {rate} Hz would make {frames} frames of {joints} joints in {layers} layers, more than the file's size allows; state a lower rate"
            )));
        }
        *left -= cost as usize;
        let frames = frames as usize;

        let rest: Vec<Rigid> = body.joints.iter().map(|joint| joint.placed(tree.locals[joint.node])).collect();
        let mut locals: Vec<Rigid> = Vec::with_capacity(frames * joints);
        (0..frames).for_each(|_| locals.extend(&rest));
        for node in self.curved.iter().copied() {
            let joint = body.of_node[node];
            let is_part = body.is_above[node] || body.of_node[bone_of(tree.nodes[node])].is_some();
            if joint.is_none() && !is_part {
                continue;
            }
            let still = vector(tree.nodes[node].local_transform.scale).as_vec3();
            let still = still * Signs::of(still).signs;
            let mut before = rest[joint.unwrap_or(0)].rotation;
            for frame in 0..frames {
                // Rounded past the last key, a curve that repeats would start again.
                let time = (first + frame as f64 / f64::from(rate)).min(last);
                let local = ufbx::evaluate_transform(&self.stack.anim, tree.nodes[node], time);
                let Some((rigid, scale)) = transform(&local) else {
                    return Err(fail(format!("{} is not finite in frame {frame}", label(tree.nodes[node]))));
                };
                let change = (scale / still - 1.0).abs().max_element();
                let uneven = even(scale).is_none() && !tree.nodes[node].is_scale_helper;
                if change.is_nan() || change > EVEN || uneven {
                    let node = label(tree.nodes[node]);
                    if !joint.is_some_and(|joint| body.is_last(joint)) {
                        return Ok(Some(Err(format!(
                            "it scales {node} from {still} to {scale} (frame {frame}); bones and what they hang from must keep their size"
                        ))));
                    }
                    let ignored = Warning::ScaleIgnored { node };
                    if !warnings.contains(&ignored) {
                        warnings.push(ignored);
                    }
                }
                // What stands above was found to stand still, and helpers only scale.
                let Some(joint) = joint else { continue };
                let placed = body.joints[joint].above.then(Similar { rigid, scale: 1.0 }).rigid;
                before = quat::nearest_sign(before, placed.rotation);
                locals[frame * joints + joint] = Rigid { rotation: before, ..placed };
            }
        }
        Ok(Some(Ok((first as f32, locals))))
    }
}

/// Every animated property of a node in a take: the node's number, the property's name, its curves.
fn curves_of(stack: &ufbx::AnimStack) -> impl Iterator<Item = (usize, &str, &ufbx::AnimValue)> {
    let layers = stack.layers.iter().map(AsRef::as_ref);
    layers.flat_map(|layer: &ufbx::AnimLayer| layer.anim_props.iter()).filter_map(|property| {
        let node = ufbx::as_node(&property.element)?.element.typed_id as usize;
        Some((node, property.prop_name.as_ref(), property.anim_value.as_ref()))
    })
}

fn curves(value: &ufbx::AnimValue) -> impl Iterator<Item = &ufbx::AnimCurve> {
    value.curves.iter().flatten().map(AsRef::as_ref)
}

/// Whether a take holds a node elsewhere than where it stands in the file.
fn stands_elsewhere(stack: &ufbx::AnimStack, node: &ufbx::Node) -> bool {
    let (a, b) = (node.local_transform, ufbx::evaluate_transform(&stack.anim, node, stack.time_begin));
    let apart = vector(a.translation).distance(vector(b.translation));
    let near = 1e-4 * vector(a.translation).length().max(1e-2);
    apart > near || ufbx::quat_dot(a.rotation, b.rotation).abs() < 1.0 - 1e-7
}
