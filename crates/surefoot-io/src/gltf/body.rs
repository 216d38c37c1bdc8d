//! The body among the nodes of a file.

use super::schema::{Channel, Schema};
use super::tree::Tree;
use crate::nodes::{Body, Nodes};
use crate::{ImportError, Warning};

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
    let nodes = Nodes {
        parents: &tree.parents,
        order: &tree.order,
        joint: &joints(schema, &animated)?,
        moving: &animated,
        similar: &|node| tree.similar(schema, node),
        mean_scale: &|node| crate::nodes::mean_scale(tree.locals[node].scale),
        name: &|node| schema.nodes[node].name.clone().unwrap_or_default(),
        label: &|node| schema.node_label(node),
    };
    nodes.body(warnings)
}

/// Nodes that hang from one another in a file of nothing else: fewer are no body.
const BARE: usize = 4;

/// Whether nodes are joints of a skin; in a file without skins, whether they move; in one without meshes, too, in which nothing
/// moves, all that hang together.
fn joints(schema: &Schema, animated: &[bool]) -> Result<Vec<bool>, ImportError> {
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
    let nothing_else =
        schema.meshes.is_empty() && schema.nodes.iter().filter(|node| !node.children.is_empty()).count() >= BARE;
    if !joint.contains(&true) && nothing_else {
        for (index, node) in schema.nodes.iter().enumerate() {
            for child in &node.children {
                joint[index] = true;
                joint[*child] = true;
            }
        }
    }
    if !joint.contains(&true) {
        return Err(ImportError::new("there is no skeleton in it: no skin, and no node that moves"));
    }
    Ok(joint)
}
