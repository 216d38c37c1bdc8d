//! What glTF forbids in a mesh and a program can put right: a document that is written again should be a good one.

use super::accessor::Data;
use super::schema::{Primitive, Schema};
use crate::Warning;
use serde_json::Value;
use std::collections::BTreeSet;

/// How far the sum of a vertex's weights may be off 1 for every weight that is not 0: what Khronos' validator allows.
const ALLOWED: f64 = 2e-7;

/// Makes the weights of every vertex sum up to 1 where they do not, or are no numbers, which is how viewers draw them and skins are read
/// here; one that nothing holds follows its first joint. Weights that are right keep their bytes.
pub(super) fn weights(schema: &Schema, json: &mut Value, buffers: &mut [Option<Vec<u8>>], warnings: &mut Vec<Warning>) {
    let mut seen = BTreeSet::new();
    let (mut vertices, mut farthest) = (0, 0.0_f64);
    for primitive in schema.meshes.iter().flat_map(|mesh| &mesh.primitives) {
        let sets = sets(primitive);
        if sets.is_empty() || !seen.insert(sets.clone()) {
            continue;
        }
        // What cannot be read is told by whoever needs it.
        let Some(mended) = wrong_rows(schema, buffers, &sets) else { continue };
        for row in &mended {
            farthest = farthest.max((row.sum - 1.0).abs());
            for (at, value) in row.values() {
                let buffer = at.buffer;
                if let Some(place) = buffers[buffer].as_mut().and_then(|bytes| bytes.get_mut(at.byte..at.byte + 4)) {
                    place.copy_from_slice(&value.to_le_bytes());
                }
            }
        }
        if !mended.is_empty() {
            vertices += mended.len();
            for accessor in &sets {
                // Bounds that may be true no longer; nothing needs them.
                if let Some(accessor) = json["accessors"][*accessor].as_object_mut() {
                    accessor.remove("min");
                    accessor.remove("max");
                }
            }
        }
    }
    if vertices > 0 {
        warnings.push(Warning::WeightsMended { vertices, farthest: farthest as f32 });
    }
}

/// The accessors of a primitive's weights.
fn sets(primitive: &Primitive) -> Vec<usize> {
    (0..).map_while(|set| primitive.attributes.get(&format!("WEIGHTS_{set}")).copied()).collect()
}

/// Where a weight stands.
#[derive(Clone, Copy)]
struct At {
    buffer: usize,
    byte: usize,
}

/// The weights of one vertex, which do not sum up to 1.
struct Row {
    sum: f64,
    weights: Vec<(At, f32)>,
}

impl Row {
    /// The weights as they should be.
    fn values(&self) -> impl Iterator<Item = (At, f32)> + '_ {
        self.weights.iter().enumerate().map(|(i, (at, weight))| {
            let first = if i == 0 { 1.0 } else { 0.0 };
            (*at, if self.sum > 0.0 { (f64::from(*weight) / self.sum) as f32 } else { first })
        })
    }
}

/// Vertices whose weights, over all sets, do not sum up to 1; `None` if these are not plain numbers that can be mended.
fn wrong_rows(schema: &Schema, buffers: &[Option<Vec<u8>>], sets: &[usize]) -> Option<Vec<Row>> {
    let data = Data::new(schema, buffers);
    let read = |accessor: &usize| Some((data.raw_rows::<4>(*accessor).ok()?, data.floats(*accessor)?));
    let read: Vec<_> = sets.iter().map(read).collect::<Option<_>>()?;
    let count = read[0].0.len();
    let mut wrong = Vec::new();
    for vertex in 0..count {
        let mut weights = Vec::with_capacity(4 * read.len());
        let mut broken = false;
        for (rows, place) in &read {
            let row = rows.get(vertex)?;
            let at = |i: usize| At { buffer: place.buffer, byte: place.first + vertex * place.stride + 4 * i };
            // What is no number holds nothing.
            broken |= row.iter().any(|weight| !weight.is_finite());
            let weight = |weight: &f32| if weight.is_finite() { *weight } else { 0.0 };
            weights.extend(row.iter().enumerate().map(|(i, share)| (at(i), weight(share))));
        }
        if weights.iter().any(|(_, weight)| *weight < 0.0) {
            return None;
        }
        let sum: f64 = weights.iter().map(|(_, weight)| f64::from(*weight)).sum();
        let held = weights.iter().filter(|(_, weight)| *weight > 0.0).count();
        if broken || (sum - 1.0).abs() > ALLOWED * held.max(1) as f64 {
            wrong.push(Row { sum, weights });
        }
    }
    Some(wrong)
}
