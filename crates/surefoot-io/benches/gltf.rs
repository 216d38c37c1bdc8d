//! Reading and writing glTF: a character with 76 clips. `cargo bench -p surefoot-io --bench gltf`.

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use std::path::Path;
use surefoot::glam::Vec3;
use surefoot::rig::ModelPose;
use surefoot_io::gltf::{self, NewClip, WriteSettings, write_clips};
use surefoot_io::{Import, ImportSettings};

fn main() {
    divan::main();
}

fn knight() -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/characters/kaykit_Knight.glb");
    std::fs::read(path).expect("an asset")
}

fn read(bytes: &[u8]) -> Import {
    let none = |_: &str| Err(std::io::ErrorKind::NotFound.into());
    gltf::read(bytes, "knight", &none, &ImportSettings::default()).expect("a good file")
}

/// Bytes to a skeleton, 76 clips and a skin.
#[divan::bench]
fn read_knight(bencher: Bencher<'_, '_>) {
    let bytes = knight();
    bencher.counter(BytesCount::of_slice(&bytes)).bench(|| read(black_box(&bytes)));
}

/// The floor: its JSON to a tree of values, nothing else.
#[divan::bench]
fn parse_json_only(bencher: Bencher<'_, '_>) {
    let bytes = knight();
    let length = u32::from_le_bytes([bytes[12], bytes[13], bytes[14], bytes[15]]) as usize;
    let text = &bytes[20..20 + length];
    bencher
        .counter(BytesCount::of_slice(text))
        .bench(|| serde_json::from_slice::<serde_json::Value>(black_box(text)).expect("good text"));
}

/// All 76 clips back into the document.
#[divan::bench]
fn write_knight(bencher: Bencher<'_, '_>) {
    let import = read(&knight());
    let document = import.document.as_ref().expect("kept");
    let clips: Vec<NewClip<'_>> = import.clips.iter().map(NewClip::of).collect();
    bencher.bench(|| write_clips(document, &import.skeleton, black_box(&clips), &WriteSettings::default()));
}

/// One pose of the skin, 7024 vertices.
#[divan::bench]
fn deform_knight(bencher: Bencher<'_, '_>) {
    let import = read(&knight());
    let skin = import.skin.expect("a skin");
    let pose = ModelPose::new(&import.skeleton);
    let mut out = vec![Vec3::ZERO; skin.positions.len()];
    bencher.bench_local(|| skin.deform(black_box(&pose), &mut out));
}
