//! The body among the nodes of a scene.

use super::scene::{label, transform};
use super::takes::Takes;
use crate::bounds::LONGEST_NAME;
use crate::nodes::{Body, Nodes, Similar, even, mean_scale};
use crate::{ImportError, Warning};
use surefoot::math::Rigid;

/// The number of the node that a file means by one of ufbx's: scale that bones below do not take over stands in a helper
/// below the node that has it, and so do the node's bone, mesh and skins.
pub(super) fn bone_of(node: &ufbx::Node) -> usize {
    let owner = node.parent.as_deref().filter(|_| node.is_scale_helper);
    owner.unwrap_or(node).element.typed_id as usize
}

/// The nodes of a scene, by their number in it.
pub(super) struct Tree<'a> {
    pub(super) nodes: Vec<&'a ufbx::Node>,
    pub(super) parents: Vec<Option<usize>>,
    /// `parent_from_node` as the nodes stand in the file, metres after the scene's own scale.
    pub(super) locals: Vec<Rigid>,
}

impl<'a> Tree<'a> {
    pub(super) fn new(scene: &'a ufbx::Scene) -> Result<Self, ImportError> {
        let nodes: Vec<&ufbx::Node> = scene.nodes.iter().map(AsRef::as_ref).collect();
        let parents = nodes.iter().map(|node| node.parent.as_ref().map(|parent| parent.element.typed_id as usize));
        let place = |node: &&ufbx::Node| {
            let local = transform(&node.local_transform).map(|(rigid, _)| rigid);
            local.ok_or_else(|| ImportError::new(format!("{}: its transform is not finite", label(node))))
        };
        let locals = nodes.iter().map(place).collect::<Result<_, _>>()?;
        Ok(Self { parents: parents.collect(), locals, nodes })
    }

    /// A node's transform with its uniform scale; refused by name if the scale is not.
    pub(super) fn similar(&self, node: usize) -> Result<Similar, ImportError> {
        let of = self.nodes[node];
        let Some((rigid, scale)) = transform(&of.local_transform) else {
            return Err(ImportError::new(format!("{}: its transform is not finite", label(of))));
        };
        match (even(scale), scale.to_array()) {
            (Some(scale), _) => Ok(Similar { rigid, scale }),
            (None, [x, y, z]) => {
                let how = if scale.to_array().contains(&0.0) { "is flat: scale" } else { "is scaled unevenly:" };
                let what = "bones and what they hang from must be scaled evenly";
                Err(ImportError::new(format!("{} {how} {x} {y} {z}; {what}", label(of))))
            }
        }
    }

    pub(super) fn ancestry(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(node), |n| self.parents[*n])
    }

    /// All nodes, parents first, depth first.
    fn order(&self) -> Vec<usize> {
        let mut open: Vec<usize> = (0..self.nodes.len()).rev().filter(|n| self.parents[*n].is_none()).collect();
        let mut order = Vec::with_capacity(self.nodes.len());
        while let Some(node) = open.pop() {
            order.push(node);
            open.extend(self.nodes[node].children.iter().rev().map(|child| child.element.typed_id as usize));
        }
        order
    }

    /// The body: bones and the joints of skins; in a file without either, what moves.
    pub(super) fn body(
        &self,
        scene: &ufbx::Scene,
        takes: &Takes<'_>,
        warnings: &mut Vec<Warning>,
    ) -> Result<Body, ImportError> {
        let mut joint = vec![false; self.nodes.len()];
        for node in self.nodes.iter().filter(|node| node.bone.is_some()) {
            joint[bone_of(node)] = true;
        }
        for bone in scene.skin_clusters.iter().filter_map(|cluster| cluster.bone_node.as_deref()) {
            joint[bone_of(bone)] = true;
        }
        if !joint.contains(&true) {
            joint.copy_from_slice(&takes.moving);
        }
        if !joint.contains(&true) {
            return Err(ImportError::new("there is no skeleton in it: no bones, no skin, and no node that moves"));
        }
        let name = |node: usize| {
            let own: &str = self.nodes[bone_of(self.nodes[node])].element.name.as_ref();
            let own: String = own.chars().take(LONGEST_NAME / 4).collect();
            if self.nodes[node].is_scale_helper { format!("{own} scale") } else { own }
        };
        let nodes = Nodes {
            parents: &self.parents,
            order: &self.order(),
            joint: &joint,
            moving: &takes.moving,
            similar: &|node| self.similar(node),
            mean_scale: &|node| transform(&self.nodes[node].local_transform).map_or(1.0, |(_, s)| mean_scale(s)),
            name: &name,
            label: &|node| label(self.nodes[node]),
        };
        nodes.body(warnings)
    }
}
