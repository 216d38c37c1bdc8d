//! The tree of nodes: who hangs from whom, and each node's own transform.

use super::schema::{Node, Schema};
use crate::ImportError;
use crate::nodes::{Signs, Similar, even, unit};
use surefoot::glam::{DVec3, Quat, Vec3, Vec3A};
use surefoot::math::Rigid;

/// Nodes that hang from one another deeper than this are no body.
const MAX_DEPTH: usize = 1024;

/// The nodes of a file.
pub(super) struct Tree {
    pub(super) parents: Vec<Option<usize>>,
    /// Every node, parents first, depth first.
    pub(super) order: Vec<usize>,
    /// `parent_from_node`, by node, in the file's units.
    pub(super) locals: Vec<Trs>,
}

/// A node's transform: scale, then turn, then move. All scales have one sign: mirrors are in the turn.
#[derive(Clone, Copy)]
pub(super) struct Trs {
    pub(super) rigid: Rigid,
    pub(super) scale: Vec3,
    /// What the file's own turn was turned by first, and its scales multiplied with, to take mirrors out of them.
    pub(super) turned: Quat,
    pub(super) signs: Vec3,
    /// From a matrix whose axes are not at right angles: the other fields are a near miss.
    pub(super) sheared: bool,
}

impl Trs {
    fn new(rigid: Rigid, scale: Vec3, sheared: bool) -> Self {
        let Signs { signs, turn } = Signs::of(scale);
        let rigid = Rigid { rotation: rigid.rotation * turn, ..rigid };
        Self { rigid, scale: scale * signs, turned: turn, signs, sheared }
    }
}

impl Tree {
    pub(super) fn new(schema: &Schema) -> Result<Self, ImportError> {
        let count = schema.nodes.len();
        let mut parents = vec![None; count];
        for (index, node) in schema.nodes.iter().enumerate() {
            for child in &node.children {
                let Some(slot) = parents.get_mut(*child) else {
                    let label = schema.node_label(index);
                    return Err(ImportError::new(format!(
                        "{label} has the child {child}, and there are {count} nodes"
                    )));
                };
                if let Some(other) = slot.replace(index) {
                    let (child, other) = (schema.node_label(*child), schema.node_label(other));
                    let label = schema.node_label(index);
                    return Err(ImportError::new(format!("{child} hangs from two nodes: {other} and {label}")));
                }
            }
        }
        let order = depth_first(schema, &parents)?;
        let locals = (0..count).map(|node| transform(schema, node)).collect::<Result<_, _>>()?;
        Ok(Self { parents, order, locals })
    }

    pub(super) fn ancestry(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(node), |n| self.parents[*n])
    }

    /// A node's transform with its uniform scale; refused by name if the scale is not.
    pub(super) fn similar(&self, schema: &Schema, node: usize) -> Result<Similar, ImportError> {
        let local = &self.locals[node];
        match even(local.scale) {
            Some(scale) if !local.sheared => Ok(Similar { rigid: local.rigid, scale }),
            _ => {
                let how = match (local.scale * local.signs).to_array() {
                    _ if local.sheared => "is sheared".to_owned(),
                    [x, y, z] if x == 0.0 || y == 0.0 || z == 0.0 => format!("is flat: scale {x} {y} {z}"),
                    [x, y, z] => format!("is scaled unevenly: {x} {y} {z}"),
                };
                let label = schema.node_label(node);
                Err(ImportError::new(format!("{label} {how}; bones and what they hang from must be scaled evenly")))
            }
        }
    }
}

/// All nodes depth first, children in their listed order; no recursion, so no file is too deep to be refused.
fn depth_first(schema: &Schema, parents: &[Option<usize>]) -> Result<Vec<usize>, ImportError> {
    let mut open: Vec<(usize, usize)> =
        (0..parents.len()).rev().filter(|n| parents[*n].is_none()).map(|n| (n, 0)).collect();
    let mut order = Vec::with_capacity(parents.len());
    let mut reached = vec![false; parents.len()];
    while let Some((node, depth)) = open.pop() {
        if depth >= MAX_DEPTH {
            let label = schema.node_label(node);
            return Err(ImportError::new(format!("{label} hangs deeper than {MAX_DEPTH} nodes")));
        }
        reached[node] = true;
        order.push(node);
        open.extend(schema.nodes[node].children.iter().rev().map(|child| (*child, depth + 1)));
    }
    match reached.iter().position(|reached| !reached) {
        Some(node) => {
            Err(ImportError::new(format!("{} hangs from itself, through its children", schema.node_label(node))))
        }
        None => Ok(order),
    }
}

fn transform(schema: &Schema, index: usize) -> Result<Trs, ImportError> {
    let node: &Node = &schema.nodes[index];
    let refuse = |what: &str| Err(ImportError::new(format!("{}: its {what}", schema.node_label(index))));
    if let Some(matrix) = node.matrix {
        if !matrix.iter().all(|value| value.is_finite()) {
            return refuse("matrix is not finite");
        }
        return Ok(decompose(&matrix));
    }
    let translation = Vec3A::from_array(node.translation.unwrap_or_default());
    let scale = Vec3::from_array(node.scale.unwrap_or([1.0; 3]));
    if !translation.is_finite() || !scale.is_finite() {
        return refuse("translation or scale is not finite");
    }
    let Some(rotation) = unit(node.rotation.unwrap_or([0.0, 0.0, 0.0, 1.0])) else {
        return refuse("rotation is not a quaternion: zero or not finite");
    };
    Ok(Trs::new(Rigid { rotation, translation }, scale, false))
}

/// Scale, turn and move of a matrix (column by column).
fn decompose(m: &[f32; 16]) -> Trs {
    let column = |c: usize| DVec3::new(f64::from(m[4 * c]), f64::from(m[4 * c + 1]), f64::from(m[4 * c + 2]));
    let (scale, rotation, sheared) = crate::nodes::decompose([column(0), column(1), column(2)]);
    let translation = Vec3A::new(m[12], m[13], m[14]);
    Trs::new(Rigid { rotation, translation }, scale.as_vec3(), sheared)
}
