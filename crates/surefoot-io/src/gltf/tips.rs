//! The far ends of last bones, which glTF has no place for: our own writer puts them into the `extras` of nodes.

use super::schema::{MARK, Schema};
use crate::nodes::Body;
use serde_json::{Value, json};
use surefoot::glam::Vec3A;
use surefoot::rig::{JointId, Skeleton};
use surefoot::stages::Tip;

/// The key of a node's bone ends, under [`MARK`].
const TIPS: &str = "tips";

/// The `extras` of a joint's node: where the bones that end nothing lead to, metres in the joint's space. `None` for a joint that
/// has none.
pub(crate) fn extras(skeleton: &Skeleton, joint: JointId) -> Option<Value> {
    let tips = skeleton.tips().iter().filter(|tip| tip.joint == joint);
    let tips: Vec<[f32; 3]> = tips.map(|tip| tip.offset.to_array()).collect();
    (!tips.is_empty()).then(|| json!({ MARK: { TIPS: tips } }))
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
