//! The far ends of last bones and the height of soles, which glTF has no place for: our own writer puts them into the `extras` of nodes.

use super::schema::{MARK, Schema};
use crate::nodes::Body;
use serde_json::{Map, Value, json};
use surefoot::glam::Vec3A;
use surefoot::rig::{JointId, Skeleton};
use surefoot::stages::{SoleBelow, Tip};

/// The key of a node's bone ends, under [`MARK`].
const TIPS: &str = "tips";
/// The key of how far below its toes the foot of an ankle touches the ground, under [`MARK`].
const SOLE: &str = "sole";

/// The `extras` of a joint's node: where the bones that end nothing lead to, in the joint's space, and how high the sole of an ankle is,
/// metres. `None` for a joint of which neither is to be told.
pub(crate) fn extras(skeleton: &Skeleton, joint: JointId) -> Option<Value> {
    let tips = skeleton.tips().iter().filter(|tip| tip.joint == joint);
    let tips: Vec<[f32; 3]> = tips.map(|tip| tip.offset.to_array()).collect();
    let mut told = Map::new();
    if !tips.is_empty() {
        told.insert(TIPS.into(), json!(tips));
    }
    if let Some(below) = skeleton.sole_below(joint) {
        told.insert(SOLE.into(), json!(below));
    }
    (!told.is_empty()).then(|| json!({ MARK: told }))
}

/// How high soles are that our own writer has noted. `unit` is metres per unit of the file.
pub(super) fn noted_soles<'a>(schema: &'a Schema, body: &'a Body, unit: f32) -> impl Iterator<Item = SoleBelow> + 'a {
    body.joints.iter().enumerate().filter_map(move |(index, joint)| {
        let noted = schema.nodes.get(joint.node)?.extras.get(MARK)?.get(SOLE)?.as_f64()?;
        let below = noted as f32 * unit * joint.above.scale * joint.scale;
        Some(SoleBelow { ankle: JointId(u16::try_from(index).ok()?), below })
    })
}

/// The far ends of bones that our own writer has noted. `unit` is metres per unit of the file.
pub(super) fn noted<'a>(schema: &'a Schema, body: &'a Body, unit: f32) -> impl Iterator<Item = Tip> + 'a {
    body.joints.iter().enumerate().flat_map(move |(index, joint)| {
        let noted = schema.nodes.get(joint.node).and_then(|node| node.extras.get(MARK)?.get(TIPS)?.as_array());
        let metres = unit * joint.above.scale * joint.scale;
        noted.into_iter().flatten().filter_map(move |place| {
            let offset = metres * Vec3A::from_array(three(place)?);
            Some(Tip { joint: JointId(u16::try_from(index).ok()?), offset })
        })
    })
}

fn three(place: &Value) -> Option<[f32; 3]> {
    let number = |axis: usize| place.get(axis)?.as_f64().map(|number| number as f32);
    Some([number(0)?, number(1)?, number(2)?])
}
