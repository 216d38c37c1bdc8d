//! Finding the body: which nodes are joints, what they are called, and what stands above them.

use super::body::{Body, Joint};
use super::similar::Similar;
use super::unique::Unique;
use crate::names::readable;
use crate::{ImportError, Warning};
use surefoot::math::Rigid;
use surefoot::rig::Skeleton;
use surefoot::stages::is_end_name;

/// What a format tells about the nodes of a scene.
pub(crate) struct Nodes<'a> {
    pub(crate) parents: &'a [Option<usize>],
    /// Every node, parents first, depth first.
    pub(crate) order: &'a [usize],
    /// Whether the file has a node as a joint.
    pub(crate) joint: &'a [bool],
    /// Whether an animation moves a node.
    pub(crate) moving: &'a [bool],
    /// A node's transform; refused by name where its scale is uneven.
    pub(crate) similar: &'a dyn Fn(usize) -> Result<Similar, ImportError>,
    /// The mean of a node's scale, for one that nothing hangs from.
    pub(crate) mean_scale: &'a dyn Fn(usize) -> f32,
    /// A node's own name; empty if it has none.
    pub(crate) name: &'a dyn Fn(usize) -> String,
    /// What messages call a node.
    pub(crate) label: &'a dyn Fn(usize) -> String,
}

impl Nodes<'_> {
    /// The body, with warnings about names and about what moves outside of it.
    pub(crate) fn body(&self, warnings: &mut Vec<Warning>) -> Result<Body, ImportError> {
        let count = self.parents.len();
        let kept = kept(self.joint, self.moving, self.parents, self.order);
        // Whether another joint hangs below a node, but for the end that exporters give last bones.
        let mut holds = vec![false; count];
        for node in self.order.iter().rev().copied() {
            if let Some(parent) = self.parents[node] {
                holds[parent] |= holds[node] || (kept[node] && !self.is_end_of(node, parent));
            }
        }
        let mut of_node = vec![None; count];
        let mut is_above = vec![false; count];
        let mut joints: Vec<Joint> = Vec::new();
        let mut names = Unique::default();
        let mut unnamed = 0;
        for node in self.order.iter().copied().filter(|node| kept[*node]) {
            let parent = self.parents[node].and_then(|parent| of_node[parent]);
            let above = match parent {
                Some(parent) => {
                    let parent: &Joint = &joints[parent];
                    Similar { rigid: Rigid::IDENTITY, scale: parent.above.scale * parent.scale }
                }
                None => {
                    let mut above = Similar::IDENTITY;
                    for node in std::iter::successors(self.parents[node], |n| self.parents[*n]) {
                        above = (self.similar)(node)?.then(above);
                        is_above[node] = true;
                    }
                    above
                }
            };
            let scale = match (self.similar)(node) {
                Ok(similar) => similar.scale,
                // It spoils only itself where it hangs from a body and nothing hangs from it.
                Err(_) if parent.is_some() && !holds[node] => {
                    warnings.push(Warning::ScaleIgnored { node: (self.label)(node) });
                    (self.mean_scale)(node)
                }
                Err(error) => return Err(error),
            };
            let own = readable(&(self.name)(node)).into_owned();
            unnamed += usize::from(own.is_empty());
            let name = names.of(if own.is_empty() { format!("node {node}") } else { own });
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
        let outside: Vec<usize> = (0..count).filter(|node| self.moving[*node] && of_node[*node].is_none()).collect();
        if let Some(first) = outside.first() {
            warnings.push(Warning::LeftAlone { count: outside.len(), example: (self.label)(*first) });
        }
        Ok(Body { joints, of_node, is_above })
    }

    /// Whether a node is the end of the last bone above it, as exporters add them.
    fn is_end_of(&self, node: usize, parent: usize) -> bool {
        is_end_name(&(self.name)(node), &(self.name)(parent))
    }
}

/// Which nodes make the skeleton: the joints, what moves above them, and every node between. `order` has parents
/// first.
fn kept(joint: &[bool], animated: &[bool], parents: &[Option<usize>], order: &[usize]) -> Vec<bool> {
    let mut holds = joint.to_vec();
    for node in order.iter().rev() {
        if let Some(parent) = parents[*node] {
            holds[parent] |= holds[*node];
        }
    }
    let mut kept = vec![false; joint.len()];
    for node in order {
        let below_kept = parents[*node].is_some_and(|parent| kept[parent]);
        kept[*node] = joint[*node] || (holds[*node] && (animated[*node] || below_kept));
    }
    kept
}
