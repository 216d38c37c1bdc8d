//! A walk of 31 joints on a character of 41, per frame. `cargo bench -p surefoot-io --bench retarget`.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use std::path::PathBuf;
use surefoot::adapt::Build;
use surefoot::adapt::ChainModes;
use surefoot::analyse::{Studied, Study, find_skinned_rig};
use surefoot::rig::{ModelPose, Pose};
use surefoot::stages::{Carry, Retarget};
use surefoot::systems::OntoBody;
use surefoot_io::{ImportSettings, embedded, load};

fn main() {
    divan::main();
}

fn pair() -> (Build, Studied, Build) {
    let walk = embedded::find("47_01").expect("embedded").import();
    let studied = Study::default().run(&walk.skeleton, &walk.clips[0]).expect("it has legs");
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../assets/characters/kaykit_Knight.glb");
    let knight = load(&path, &ImportSettings::default()).expect("an asset");
    let clips: Vec<_> = knight.clips.iter().collect();
    let rig = find_skinned_rig(&knight.skeleton, knight.skin.as_ref(), &clips).expect("it has legs");
    (Build::new(studied.rig.clone(), None), studied, Build::new(rig, knight.skin.as_ref()))
}

/// Postures alone: read, carried, taken up.
#[divan::bench]
fn postures(bencher: Bencher<'_, '_>) {
    let (from, studied, to) = pair();
    let carry = Carry::new(&from, &to, &ChainModes::default()).expect("two legs each");
    let clip = &studied.take.clip;
    let (mut pose, mut model) = (Pose::rest(&from.rig.skeleton), ModelPose::new(&from.rig.skeleton));
    let (mut own, mut there) = (Pose::rest(&to.rig.skeleton), ModelPose::new(&to.rig.skeleton));
    let (mut a, mut b) = (from.posture(), to.posture());
    bencher.counter(ItemsCount::new(clip.frames())).bench_local(|| {
        for f in 0..clip.frames() {
            pose.locals.copy_from_slice(clip.frame(f));
            pose.to_model(&from.rig.skeleton, &mut model);
            from.read(&model, &mut a);
            carry.run(&a, &mut b);
            to.write(&b, &mut own, &mut there);
            black_box(&own);
        }
    });
}

/// With height, hands and toes.
#[divan::bench]
fn retarget(bencher: Bencher<'_, '_>) {
    let (from, studied, to) = pair();
    let items = ItemsCount::new(studied.take.clip.frames());
    bencher.counter(items).bench(|| Retarget::default().run(&from, black_box(&studied.take), &to));
}

/// With clean-up on both bodies.
#[divan::bench]
fn onto_body(bencher: Bencher<'_, '_>) {
    let (from, studied, to) = pair();
    let items = ItemsCount::new(studied.take.clip.frames());
    let run = |studied| OntoBody::default().run_studied(&from, studied, &to);
    bencher.counter(items).with_inputs(|| studied.clone()).bench_values(run);
}
