//! Feet: repair, stances and clean-up of a walk of 660 frames, per clip. `cargo bench -p surefoot-io --bench feet`.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use surefoot::analyse::{Studied, Study};
use surefoot::motion::Clip;
use surefoot::rig::Skeleton;
use surefoot::stages::Clean;
use surefoot::stages::{FindStances, Repair};
use surefoot_io::{Import, embedded};

fn main() {
    divan::main();
}

fn walk() -> (Skeleton, Clip, Studied) {
    let Import { skeleton, mut clips, .. } = embedded::find("47_01").expect("embedded").import();
    let studied = Study::default().run(&skeleton, &clips[0]).expect("it has legs");
    (skeleton, clips.remove(0), studied)
}

#[divan::bench]
fn repair(bencher: Bencher<'_, '_>) {
    let (skeleton, clip, _) = walk();
    bencher.counter(ItemsCount::new(clip.frames())).bench(|| Repair::default().run(&skeleton, black_box(&clip)));
}

#[divan::bench]
fn find_stances(bencher: Bencher<'_, '_>) {
    let (_, clip, studied) = walk();
    let items = ItemsCount::new(clip.frames());
    let copy = || studied.take.clip.clone();
    bencher.counter(items).with_inputs(copy).bench_values(|clip| FindStances::default().run(&studied.rig, clip));
}

#[divan::bench]
fn clean(bencher: Bencher<'_, '_>) {
    let (_, clip, studied) = walk();
    let items = ItemsCount::new(clip.frames());
    bencher.counter(items).bench(|| Clean::default().run(&studied.rig, black_box(&studied.take)));
}
