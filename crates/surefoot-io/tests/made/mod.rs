//! Small glTF files made by hand, for tests to break.
#![allow(dead_code, unreachable_pub, reason = "each test file uses a part of it")]

use base64::Engine;
use serde_json::{Value, json};
use surefoot_io::gltf::{NewClip, WriteSettings, write_clips};
use surefoot_io::{Import, ImportError, ImportSettings, gltf};

/// A glTF file in the making: its JSON and the content of its one buffer.
#[derive(Clone)]
pub struct Made {
    pub json: Value,
    pub bin: Vec<u8>,
}

impl Made {
    /// Hips and two legs of 0.9 m, a mesh of two triangles held by the hips, and a swing of the left leg over seven
    /// frames at 24 Hz.
    pub fn person() -> Self {
        let mut made = Self {
            json: json!({
                "asset": { "version": "2.0" },
                "extras": { "kept": [1, 2.5, null] },
                "scene": 0,
                "scenes": [{ "nodes": [0, 5] }],
                "nodes": [
                    { "name": "Hips", "translation": [0, 0.9, 0], "children": [1, 3] },
                    { "name": "LeftLeg", "translation": [0.1, 0, 0], "children": [2] },
                    { "name": "LeftFoot", "translation": [0, -0.85, 0] },
                    { "name": "RightLeg", "translation": [-0.1, 0, 0], "children": [4] },
                    { "name": "RightFoot", "translation": [0, -0.85, 0] },
                    { "name": "Body", "mesh": 0, "skin": 0 },
                ],
                "bufferViews": [],
                "accessors": [],
                "animations": [],
            }),
            bin: Vec::new(),
        };
        let positions = made.floats(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0]]);
        made.json["accessors"][positions]["min"] = json!([0, 0, 0]);
        made.json["accessors"][positions]["max"] = json!([1, 1, 0]);
        let joints = made.accessor_of(&[0; 16], 5121, "VEC4", 4);
        let weights = made.floats(&[[1.0, 0.0, 0.0, 0.0]; 4]);
        let indices: Vec<u8> = [0_u16, 1, 2, 2, 1, 3].iter().flat_map(|i| i.to_le_bytes()).collect();
        let indices = made.accessor_of(&indices, 5123, "SCALAR", 6);
        made.json["meshes"] = json!([{ "primitives": [{
            "attributes": { "POSITION": positions, "JOINTS_0": joints, "WEIGHTS_0": weights }, "indices": indices,
        }] }]);
        let bind = |x: f32, y: f32| [1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., -x, -y, 0., 1.];
        let binds = made.floats(&[bind(0., 0.9), bind(0.1, 0.9), bind(0.1, 0.05), bind(-0.1, 0.9), bind(-0.1, 0.05)]);
        made.json["skins"] = json!([{ "joints": [0, 1, 2, 3, 4], "inverseBindMatrices": binds }]);
        let times: Vec<f32> = (0..7).map(|i| i as f32 / 24.0).collect();
        let turns: Vec<[f32; 4]> =
            (0..7).map(|i| surefoot::glam::Quat::from_rotation_x(0.1 * i as f32).to_array()).collect();
        made.animate(1, "rotation", "LINEAR", &times, &turns);
        made.json["animations"][0]["name"] = json!("Swing");
        made.json["animations"][0]["extras"] = json!({ "mood": "calm" });
        made
    }

    /// A view of new bytes.
    pub fn view(&mut self, bytes: &[u8]) -> usize {
        self.bin.resize(self.bin.len().next_multiple_of(4), 0);
        let views = self.json["bufferViews"].as_array_mut().unwrap();
        views.push(json!({ "buffer": 0, "byteOffset": self.bin.len(), "byteLength": bytes.len() }));
        self.bin.extend(bytes);
        views.len() - 1
    }

    /// An accessor of new bytes.
    pub fn accessor_of(&mut self, bytes: &[u8], component: u32, kind: &str, count: usize) -> usize {
        let view = self.view(bytes);
        let accessors = self.json["accessors"].as_array_mut().unwrap();
        accessors.push(json!({ "bufferView": view, "componentType": component, "type": kind, "count": count }));
        accessors.len() - 1
    }

    /// An accessor of rows of floats.
    pub fn floats<const N: usize>(&mut self, rows: &[[f32; N]]) -> usize {
        let bytes: Vec<u8> = rows.as_flattened().iter().flat_map(|value| value.to_le_bytes()).collect();
        let kind = match N {
            1 => "SCALAR",
            3 => "VEC3",
            4 => "VEC4",
            _ => "MAT4",
        };
        self.accessor_of(&bytes, 5126, kind, rows.len())
    }

    /// Adds an animation of one channel, named `Made`.
    pub fn animate<const N: usize>(&mut self, node: usize, path: &str, how: &str, times: &[f32], values: &[[f32; N]]) {
        let output = self.floats(values);
        self.animate_with(node, path, how, times, output);
    }

    /// Adds an animation of one channel with an accessor that is there already.
    pub fn animate_with(&mut self, node: usize, path: &str, how: &str, times: &[f32], output: usize) {
        let input = self.floats(&times.iter().map(|time| [*time]).collect::<Vec<_>>());
        self.json["animations"].as_array_mut().unwrap().push(json!({
            "name": "Made",
            "samplers": [{ "input": input, "output": output, "interpolation": how }],
            "channels": [{ "sampler": 0, "target": { "node": node, "path": path } }],
        }));
    }

    /// As text, with the buffer in a data URI.
    pub fn bytes(&self) -> Vec<u8> {
        let mut json = self.json.clone();
        let encoded = base64::engine::general_purpose::STANDARD.encode(&self.bin);
        let length = json.pointer("/buffers/0/byteLength").and_then(Value::as_u64).unwrap_or(self.bin.len() as u64);
        let uri = format!("data:application/octet-stream;base64,{encoded}");
        json["buffers"] = json!([{ "byteLength": length, "uri": uri }]);
        serde_json::to_vec(&json).unwrap()
    }
}

/// Reads bytes that need no other file.
pub fn read_with(bytes: &[u8], settings: &ImportSettings) -> Result<Import, ImportError> {
    gltf::read(bytes, "made", &|_| Err(std::io::ErrorKind::NotFound.into()), settings)
}

/// Reads bytes that need no other file.
pub fn read_bytes(bytes: &[u8]) -> Result<Import, ImportError> {
    read_with(bytes, &ImportSettings::default())
}

/// Reads a file in the making.
pub fn read(made: &Made) -> Result<Import, ImportError> {
    read_bytes(&made.bytes())
}

/// Why a file in the making is refused.
pub fn refusal(made: &Made) -> String {
    match read(made) {
        Ok(_) => "it was read".into(),
        Err(error) => error.to_string(),
    }
}

/// All clips of an import in its own document.
pub fn export(import: &Import, settings: &WriteSettings) -> Vec<u8> {
    let clips: Vec<NewClip<'_>> = import.clips.iter().map(NewClip::of).collect();
    write_clips(import.document.as_ref().unwrap(), &import.skeleton, &clips, settings).unwrap()
}

/// The JSON of a GLB file and its binary chunk.
pub fn parts(glb: &[u8]) -> (Value, Vec<u8>) {
    let length = u32::from_le_bytes(glb[12..16].try_into().unwrap()) as usize;
    (serde_json::from_slice(&glb[20..20 + length]).unwrap(), glb[20 + length + 8..].to_vec())
}
