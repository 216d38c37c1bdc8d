//! The body among the nodes: which of them are joints, what they are called, and what stands above them.

use super::schema::{Channel, Schema};
use super::tree::Tree;
use crate::nodes::{self, Body, Joint, Similar, Unique};
use crate::{ImportError, Warning};
use surefoot::math::Rigid;
use surefoot::rig::Skeleton;

/// Whether a channel moves or turns its node.
pub(super) fn moves(channel: &Channel) -> bool {
    matches!(channel.target.path.as_str(), "translation" | "rotation")
}

/// Finds the body.
pub(super) fn find(schema: &Schema, tree: &Tree, warnings: &mut Vec<Warning>) -> Result<Body, ImportError> {
    let count = schema.nodes.len();
    let mut animated = vec![false; count];
    for (index, animation) in schema.animations.iter().enumerate() {
        for channel in animation.channels.iter().filter(|channel| moves(channel)) {
            let Some(node) = channel.target.node else { continue };
            *animated.get_mut(node).ok_or_else(|| {
                let label = schema.animation_label(index);
                ImportError::new(format!("{label} moves node {node}, and there are {count} nodes"))
            })? = true;
        }
    }
    let kept = kept(schema, tree, &animated)?;
    let mut of_node = vec![None; count];
    let mut is_above = vec![false; count];
    let mut joints: Vec<Joint> = Vec::new();
    let mut names = Unique::default();
    let mut unnamed = 0;
    for node in tree.order.iter().copied().filter(|node| kept[*node]) {
        let parent = tree.parents[node].and_then(|parent| of_node[parent]);
        let above = match parent {
            Some(parent) => {
                let parent: &Joint = &joints[parent];
                Similar { rigid: Rigid::IDENTITY, scale: parent.above.scale * parent.scale }
            }
            None => {
                let mut above = Similar::IDENTITY;
                for node in tree.ancestry(node).skip(1) {
                    above = tree.similar(schema, node)?.then(above);
                    is_above[node] = true;
                }
                above
            }
        };
        let scale = tree.similar(schema, node)?.scale;
        let own = schema.nodes[node].name.as_deref().filter(|name| !name.is_empty());
        unnamed += usize::from(own.is_none());
        let name = names.of(own.map_or_else(|| format!("node {node}"), str::to_owned));
        of_node[node] = Some(joints.len());
        joints.push(Joint { node, parent, name, above, scale });
    }
    if joints.len() > Skeleton::MAX_JOINTS {
        let (there, most) = (joints.len(), Skeleton::MAX_JOINTS);
        return Err(ImportError::new(format!("{there} joints are more than the {most} that a skeleton may have")));
    }
    if unnamed > 0 {
        warnings.push(Warning::Unnamed { count: unnamed });
    }
    warnings.extend(names.repeated().map(|(name, count)| Warning::MadeUnique { name, count }));
    let outside: Vec<usize> = (0..count).filter(|node| animated[*node] && of_node[*node].is_none()).collect();
    if let Some(first) = outside.first() {
        warnings.push(Warning::LeftAlone { count: outside.len(), example: schema.node_label(*first) });
    }
    Ok(Body { joints, of_node, is_above })
}

/// The joints of all skins, what moves above them, and every node between. In a file without skins: what moves.
fn kept(schema: &Schema, tree: &Tree, animated: &[bool]) -> Result<Vec<bool>, ImportError> {
    let count = schema.nodes.len();
    let mut joint = vec![false; count];
    for (index, skin) in schema.skins.iter().enumerate() {
        for node in &skin.joints {
            *joint.get_mut(*node).ok_or_else(|| {
                ImportError::new(format!("skin {index} has node {node} as a joint, and there are {count} nodes"))
            })? = true;
        }
    }
    if schema.skins.is_empty() {
        joint.copy_from_slice(animated);
    }
    if !joint.contains(&true) {
        return Err(ImportError::new("there is no skeleton in it: no skin, and no node that moves"));
    }
    Ok(nodes::kept(&joint, animated, &tree.parents, &tree.order))
}
