//! Putting a document's bytes into one GLB buffer, without those that only removed animations used.

use super::write::WriteError;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Packs the buffers of a document into one and leaves out accessors of `removed` that nothing else uses. Where an
/// extension that is not known might refer to them, all bytes stay where they are. Bytes of what stays never change.
pub(super) fn pack(
    json: &mut Value,
    buffers: &[Option<Vec<u8>>],
    removed: &BTreeSet<u64>,
) -> Result<Vec<u8>, WriteError> {
    let mut compacted = json.clone();
    if let Some(bin) = is_understood(json).then(|| drop_unused(&mut compacted, buffers, removed)).flatten() {
        *json = compacted;
        return Ok(bin);
    }
    whole(json, buffers)
}

/// All buffers as they are: the first in the binary chunk, others in data URIs.
fn whole(json: &mut Value, buffers: &[Option<Vec<u8>>]) -> Result<Vec<u8>, WriteError> {
    let list = super::write::list(json, "buffers");
    for (index, (buffer, bytes)) in list.iter_mut().zip(buffers).enumerate() {
        let Some(buffer) = buffer.as_object_mut() else { continue };
        match bytes {
            None if index == 0 => return Err(WriteError::NoData),
            None => {}
            Some(_) if index == 0 => drop(buffer.remove("uri")),
            Some(bytes) => {
                let uri = format!("data:application/octet-stream;base64,{}", STANDARD.encode(bytes));
                buffer.insert("uri".into(), uri.into());
            }
        }
    }
    if list.is_empty() {
        list.push(json!({}));
    }
    Ok(buffers.first().and_then(Option::as_ref).cloned().unwrap_or_default())
}

/// Whether every extension in use is known to refer to no accessor and no buffer view.
fn is_understood(json: &Value) -> bool {
    const PREFIXES: [&str; 5] = ["KHR_materials_", "KHR_texture_", "KHR_lights_", "KHR_node_", "VRM"];
    const NAMES: [&str; 4] =
        ["KHR_mesh_quantization", "KHR_animation_pointer", "EXT_texture_webp", "KHR_materials_variants"];
    let known = |name: &str| NAMES.contains(&name) || PREFIXES.iter().any(|prefix| name.starts_with(prefix));
    match json {
        Value::Object(members) => members.iter().all(|(key, value)| {
            let named = match value {
                Value::Object(extensions) if key == "extensions" => extensions.keys().all(|name| known(name)),
                _ => true,
            };
            named && is_understood(value)
        }),
        Value::Array(members) => members.iter().all(is_understood),
        _ => true,
    }
}

/// The one buffer that holds what is used; `None` if the document contradicts itself, so that nothing is safe.
fn drop_unused(json: &mut Value, buffers: &[Option<Vec<u8>>], removed: &BTreeSet<u64>) -> Option<Vec<u8>> {
    let mut used: BTreeSet<u64> = BTreeSet::new();
    each_accessor(json, &mut |index| used.extend(index.as_u64()));
    let unused: BTreeSet<u64> = removed.iter().copied().filter(|index| !used.contains(index)).collect();

    // Views that only dropped accessors refer to go with them; views of nothing at all stay.
    let mut candidates = BTreeSet::new();
    let mut position = 0;
    let accessors = super::write::list(json, "accessors");
    accessors.retain(|accessor| {
        let drop = unused.contains(&position);
        position += 1;
        if drop {
            let mut accessor = accessor.clone();
            each_view_of_accessor(&mut accessor, &mut |index| candidates.extend(index.as_u64()));
        }
        !drop
    });
    renumber(json, &unused, each_accessor)?;
    let mut used: BTreeSet<u64> = BTreeSet::new();
    each_view(json, &mut |index| used.extend(index.as_u64()));
    let unused: BTreeSet<u64> = candidates.into_iter().filter(|index| !used.contains(index)).collect();
    let mut position = 0;
    super::write::list(json, "bufferViews").retain(|_| {
        position += 1;
        !unused.contains(&(position - 1))
    });
    renumber(json, &unused, each_view)?;

    // Runs of bytes that views use, by buffer and place; overlapping ones are one run.
    let mut runs: Vec<(usize, usize, usize)> = Vec::new();
    for view in super::write::list(json, "bufferViews") {
        runs.push(place_of(view, buffers)?);
    }
    runs.sort_unstable();
    let mut merged: Vec<(usize, usize, usize)> = Vec::new();
    for (buffer, start, end) in runs {
        match merged.last_mut() {
            Some(last) if last.0 == buffer && start <= last.2 => last.2 = last.2.max(end),
            _ => merged.push((buffer, start, end)),
        }
    }
    let mut bin = Vec::new();
    let mut new_starts = Vec::with_capacity(merged.len());
    for (buffer, start, end) in &merged {
        // Numbers stay aligned as they were.
        while bin.len() % 4 != start % 4 {
            bin.push(0);
        }
        new_starts.push(bin.len());
        bin.extend(&buffers[*buffer].as_ref()?[*start..*end]);
    }
    for view in super::write::list(json, "bufferViews") {
        let (buffer, start, _) = place_of(view, buffers)?;
        let run = merged.partition_point(|run| (run.0, run.1) <= (buffer, start)).checked_sub(1)?;
        view["buffer"] = 0.into();
        view["byteOffset"] = (new_starts[run] + start - merged[run].1).into();
    }
    let list = super::write::list(json, "buffers");
    list.truncate(1);
    match list.first_mut() {
        Some(first) => drop(first.as_object_mut()?.remove("uri")),
        None => list.push(json!({})),
    }
    Some(bin)
}

/// Buffer, start and end of a view, if the buffer has them.
fn place_of(view: &Value, buffers: &[Option<Vec<u8>>]) -> Option<(usize, usize, usize)> {
    let number = |key: &str| view.get(key).map_or(Some(0), Value::as_u64).and_then(|n| usize::try_from(n).ok());
    let (buffer, start) = (number("buffer")?, number("byteOffset")?);
    let end = start.checked_add(number("byteLength")?)?;
    (end <= buffers.get(buffer)?.as_ref()?.len()).then_some((buffer, start, end))
}

/// What visits every reference of one kind.
type Visit = fn(&mut Value, &mut dyn FnMut(&mut Value));

/// Changes references for a list that has lost some members; `None` if one referred to a lost or strange one.
fn renumber(json: &mut Value, lost: &BTreeSet<u64>, each: Visit) -> Option<()> {
    if lost.is_empty() {
        return Some(());
    }
    let lost: Vec<u64> = lost.iter().copied().collect();
    let mut safe = true;
    each(json, &mut |reference| match reference.as_u64().map(|old| (old, lost.binary_search(&old))) {
        Some((old, Err(before))) => *reference = (old - before as u64).into(),
        _ => safe = false,
    });
    safe.then_some(())
}

fn members<'a>(value: &'a mut Value, key: &str) -> impl Iterator<Item = &'a mut Value> + use<'a> {
    value.get_mut(key).and_then(Value::as_array_mut).into_iter().flatten()
}

fn values(value: Option<&mut Value>) -> impl Iterator<Item = &mut Value> {
    value.and_then(Value::as_object_mut).into_iter().flat_map(|object| object.values_mut())
}

/// Every reference to an accessor.
fn each_accessor(json: &mut Value, visit: &mut dyn FnMut(&mut Value)) {
    for mesh in members(json, "meshes") {
        for primitive in members(mesh, "primitives") {
            values(primitive.get_mut("attributes")).for_each(&mut *visit);
            primitive.get_mut("indices").into_iter().for_each(&mut *visit);
            for target in members(primitive, "targets") {
                values(Some(target)).for_each(&mut *visit);
            }
        }
    }
    for skin in members(json, "skins") {
        skin.get_mut("inverseBindMatrices").into_iter().for_each(&mut *visit);
    }
    for animation in members(json, "animations") {
        for sampler in members(animation, "samplers") {
            for key in ["input", "output"] {
                sampler.get_mut(key).into_iter().for_each(&mut *visit);
            }
        }
    }
}

/// Every reference to a buffer view.
fn each_view(json: &mut Value, visit: &mut dyn FnMut(&mut Value)) {
    for accessor in members(json, "accessors") {
        each_view_of_accessor(accessor, visit);
    }
    for image in members(json, "images") {
        image.get_mut("bufferView").into_iter().for_each(&mut *visit);
    }
}

fn each_view_of_accessor(accessor: &mut Value, visit: &mut dyn FnMut(&mut Value)) {
    accessor.get_mut("bufferView").into_iter().for_each(&mut *visit);
    for part in ["indices", "values"] {
        let index = accessor.get_mut("sparse").and_then(|s| s.get_mut(part)).and_then(|p| p.get_mut("bufferView"));
        index.into_iter().for_each(&mut *visit);
    }
}
