//! Reading BVH: numbers alone, whole clips, and plain split-and-parse beside them. `cargo bench -p surefoot-io`.

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use surefoot_io::bvh::{self, BvhWriter};
use surefoot_io::{ImportSettings, embedded, glb};

fn main() {
    divan::main();
}

/// A long clip in the text that CMU files have: four decimals.
fn text() -> Vec<u8> {
    let import = embedded::find("47_01").expect("embedded").import();
    let writer = BvhWriter { unit: surefoot_io::Unit::Cmu, decimals: 4, rest_row: true };
    bvh::write(&import.skeleton, &import.clips[0].resampled(120.0), &writer).into_bytes()
}

fn rows(text: &[u8]) -> &[u8] {
    let mark = b"Frame Time:";
    let at = text.windows(mark.len()).position(|w| w == mark).expect("a header");
    let line = text[at..].iter().position(|b| *b == b'\n').expect("a row");
    &text[at + line..]
}

/// Text to numbers: everything that the reader does before it decides what they mean.
#[divan::bench]
fn numbers(bencher: Bencher<'_, '_>) {
    let text = text();
    bencher.counter(BytesCount::of_slice(&text)).bench(|| bvh::parse(black_box(&text), false).expect("good text"));
}

/// The peer: split at white space and parse with the standard library.
#[divan::bench]
fn split_and_parse(bencher: Bencher<'_, '_>) {
    let text = text();
    let rows = std::str::from_utf8(rows(&text)).expect("ASCII");
    bencher.counter(BytesCount::of_str(rows)).bench(|| {
        let numbers = black_box(rows).split_ascii_whitespace().map(|word| word.parse::<f32>().expect("a number"));
        numbers.collect::<Vec<f32>>()
    });
}

/// Bytes to a skeleton and a clip in metres.
#[divan::bench]
fn whole_clip(bencher: Bencher<'_, '_>) {
    let text = text();
    let settings = ImportSettings::default();
    bencher
        .counter(BytesCount::of_slice(&text))
        .bench(|| bvh::read(black_box(&text), "clip", &settings).expect("good text"));
}

#[divan::bench]
fn write_bvh(bencher: Bencher<'_, '_>) {
    let import = embedded::find("47_01").expect("embedded").import();
    let size = bvh::write(&import.skeleton, &import.clips[0], &BvhWriter::default()).len();
    bencher
        .counter(BytesCount::new(size))
        .bench(|| bvh::write(&import.skeleton, black_box(&import.clips[0]), &BvhWriter::default()));
}

#[divan::bench]
fn write_glb(bencher: Bencher<'_, '_>) {
    let import = embedded::find("47_01").expect("embedded").import();
    let size = glb::write(&import.skeleton, &import.clips).len();
    bencher.counter(BytesCount::new(size)).bench(|| glb::write(&import.skeleton, black_box(&import.clips)));
}
