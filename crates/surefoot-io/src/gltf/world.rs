//! A scene without characters: every mesh where its nodes put it, as polygons in the file's unit and axes.

use super::accessor::Data;
use super::mesh::{add_triangles, corners};
use super::schema::Schema;
use super::tree::Tree;
use super::{container, document, interpret, meshopt};
use crate::ImportError;
use crate::gltf::Resolve;
use crate::warning::excerpt;
use crate::world::polygons::{Face, Polygons};
use serde_json::Value;
use surefoot::glam::{DAffine3, DMat3, DQuat, DVec3};

/// Points and corners of triangles that a file may unfold to beyond 16 for each of its bytes: many nodes may show one
/// mesh.
const ALLOWANCE: usize = 1 << 22;
/// Never more than this.
const MOST: usize = 1 << 26;

/// A mesh in its own space.
struct Shape {
    points: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
}

/// Whether a glTF file is a world and no character: it has meshes, no skin, and nothing in it moves.
pub(crate) fn is_world(bytes: &[u8]) -> bool {
    let Some(json) = container::split(bytes).ok().and_then(|(text, _)| interpret::parse(text).ok()) else {
        return false;
    };
    let any = |key: &str| json.get(key).and_then(Value::as_array).is_some_and(|list| !list.is_empty());
    any("meshes") && !any("skins") && !any("animations")
}

/// All triangles of a file's scene, a group for each node with a mesh.
pub(crate) fn polygons(bytes: &[u8], resolve: Resolve<'_>) -> Result<Polygons, ImportError> {
    let (text, bin) = container::split(bytes)?;
    let json = interpret::parse(text)?;
    let mut schema = Schema::new(&json, false)?;
    let buffers = document::buffers(&schema, bin, resolve)?;
    let buffers = meshopt::unpack(&mut schema, &buffers)?.unwrap_or(buffers);
    let data = Data::new(&schema, &buffers);
    let tree = Tree::new(&schema)?;
    let shown = shown(&json, &schema, &tree)?;
    let size = bytes.len() + buffers.iter().flatten().map(Vec::len).sum::<usize>();
    let mut left = MOST.min(ALLOWANCE + 16 * size);

    let mut shapes: Vec<Option<Shape>> = schema.meshes.iter().map(|_| None).collect();
    let mut world_from_node = vec![DAffine3::IDENTITY; schema.nodes.len()];
    let mut polygons = Polygons::new("glTF");
    for node in tree.order.iter().copied() {
        let above = tree.parents[node].map_or(DAffine3::IDENTITY, |parent| world_from_node[parent]);
        world_from_node[node] = above * local(&schema, &tree, node);
        let Some(index) = schema.nodes[node].mesh.filter(|_| shown[node]) else { continue };
        let fail = |what: String| ImportError::new(format!("{}, mesh {index}: {what}", schema.node_label(node)));
        let slot = shapes.get_mut(index).ok_or_else(|| fail("there is no such mesh".into()))?;
        if slot.is_none() {
            *slot = Some(shape(&schema, &data, index).map_err(|error| fail(error.what))?);
        }
        let Some(shape) = slot else { continue };
        left = left
            .checked_sub(shape.points.len() + 3 * shape.triangles.len())
            .ok_or_else(|| fail("meshes unfold to more than the file's size allows".into()))?;
        add(&mut polygons, shape, world_from_node[node], group_name(&schema, &json, node, index));
    }
    if polygons.faces.is_empty() {
        return Err(ImportError::new("there is no world in it: no node has a mesh with triangles"));
    }
    Ok(polygons)
}

/// The nodes of the scene that is shown: the one that the file names, or its first; all nodes if it has none.
fn shown(json: &Value, schema: &Schema, tree: &Tree) -> Result<Vec<bool>, ImportError> {
    let scenes = json.get("scenes").and_then(Value::as_array).filter(|scenes| !scenes.is_empty());
    let Some(scenes) = scenes else { return Ok(vec![true; schema.nodes.len()]) };
    let index = json.get("scene").and_then(Value::as_u64).unwrap_or(0) as usize;
    let there = scenes.len();
    let scene = scenes
        .get(index)
        .ok_or_else(|| ImportError::new(format!("the file shows its scene {index}, and it has {there}")))?;
    let mut shown = vec![false; schema.nodes.len()];
    for root in scene.get("nodes").and_then(Value::as_array).into_iter().flatten() {
        let place = root.as_u64().and_then(|root| shown.get_mut(root as usize));
        *place.ok_or_else(|| {
            ImportError::new(format!(
                "scene {index} has the node {}, and there are {}",
                excerpt(&root.to_string()),
                schema.nodes.len()
            ))
        })? = true;
    }
    for node in &tree.order {
        shown[*node] |= tree.parents[*node].is_some_and(|parent| shown[parent]);
    }
    Ok(shown)
}

/// `parent_from_node` with all of its scale and shear.
fn local(schema: &Schema, tree: &Tree, node: usize) -> DAffine3 {
    if let Some(m) = schema.nodes[node].matrix {
        let column = |c: usize| DVec3::new(f64::from(m[4 * c]), f64::from(m[4 * c + 1]), f64::from(m[4 * c + 2]));
        return DAffine3 { matrix3: DMat3::from_cols(column(0), column(1), column(2)), translation: column(3) };
    }
    let local = &tree.locals[node];
    let rotation: DQuat = local.rigid.rotation.as_dquat().normalize();
    let translation = surefoot::glam::Vec3::from(local.rigid.translation).as_dvec3();
    DAffine3::from_scale_rotation_translation(local.scale.as_dvec3(), rotation, translation)
}

fn shape(schema: &Schema, data: &Data<'_>, mesh: usize) -> Result<Shape, ImportError> {
    let mut shape = Shape { points: Vec::new(), triangles: Vec::new() };
    for primitive in &schema.meshes[mesh].primitives {
        // Triangles, strips and fans; points and lines are no ground.
        let mode = primitive.mode.unwrap_or(4);
        let Some(positions) = primitive.attributes.get("POSITION").filter(|_| (4..=6).contains(&mode)) else {
            continue;
        };
        let positions = data.rows::<3>(*positions)?;
        let corners = corners(data, primitive, positions.len())?;
        add_triangles(mode, shape.points.len() as u32, &corners, &mut shape.triangles);
        shape.points.extend(positions.into_iter().map(|p| surefoot::glam::Vec3::from_array(p).as_dvec3()));
    }
    Ok(shape)
}

fn add(polygons: &mut Polygons, shape: &Shape, world_from_mesh: DAffine3, name: String) {
    let first = polygons.points.len() as u32;
    polygons.points.extend(shape.points.iter().map(|point| world_from_mesh.transform_point3(*point)));
    polygons.groups.push((name, polygons.faces.len()));
    // A mirrored mesh would be inside out.
    let mirrored = world_from_mesh.matrix3.determinant() < 0.0;
    for [a, b, c] in shape.triangles.iter().copied() {
        let (b, c) = if mirrored { (c, b) } else { (b, c) };
        polygons.corners.extend([first + a, first + b, first + c]);
        polygons.faces.push(Face { end: polygons.corners.len(), line: None });
    }
}

/// The node's name, or the mesh's, or the node's number.
fn group_name(schema: &Schema, json: &Value, node: usize, mesh: usize) -> String {
    let of_node = schema.nodes[node].name.as_deref();
    let of_mesh = || json.get("meshes")?.get(mesh)?.get("name")?.as_str();
    let name = of_node.filter(|name| !name.is_empty()).or_else(of_mesh);
    name.map_or_else(|| format!("node {node}"), excerpt)
}
