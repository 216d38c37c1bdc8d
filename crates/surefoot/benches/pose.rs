//! One pose of a large body: sampling a clip, and composing joints into model space. `cargo bench -p surefoot`.

use divan::{Bencher, black_box};
use surefoot::glam::{Vec3, Vec3A};
use surefoot::math::{Rigid, quat};
use surefoot::motion::Clip;
use surefoot::random::{Rng, Seed};
use surefoot::rig::{Joint, ModelPose, Pose, Skeleton};

fn main() {
    divan::main();
}

/// A body of `joints` joints with limbs of a dozen bones, as game characters have.
fn body(joints: usize) -> Skeleton {
    let offset = Rigid::from_translation(Vec3A::new(0.02, 0.1, 0.0));
    // Limbs hang from the last joint of a spine, so that the order stays depth-first.
    let spine = joints.div_ceil(12);
    let joints = (0..joints).map(|i| {
        let parent = match i {
            0 => None,
            _ if i < spine => Some(i - 1),
            _ if (i - spine).is_multiple_of(12) => Some(spine - 1),
            _ => Some(i - 1),
        };
        Joint::new(format!("joint {i}"), parent, offset)
    });
    Skeleton::new(joints.collect()).expect("a tree")
}

fn clip(skeleton: &Skeleton, frames: usize) -> Clip {
    let mut rng = Rng::new(Seed(1)).stream("bench");
    let mut locals = Vec::new();
    for _ in 0..frames * skeleton.len() {
        let v = Vec3::new(rng.range(-0.5, 0.5), rng.range(-0.5, 0.5), rng.range(-0.5, 0.5));
        locals.push(Rigid::new(quat::exp(v), Vec3A::new(0.0, rng.range(0.05, 0.15), 0.0)));
    }
    Clip::new(skeleton, "noise", 60.0, locals).expect("a clip")
}

#[divan::bench(args = [1, 31, 67, 173])]
fn sample(bencher: Bencher<'_, '_>, joints: usize) {
    let skeleton = body(joints);
    let clip = clip(&skeleton, 64);
    let mut pose = Pose::rest(&skeleton);
    let mut t = 0.0;
    bencher.bench_local(|| {
        t = if t > 1.0 { 0.0 } else { t + 0.0137 };
        clip.sample(black_box(t), &mut pose);
        black_box(pose.locals[0])
    });
}

#[divan::bench(args = [1, 31, 67, 173])]
fn local_to_model(bencher: Bencher<'_, '_>, joints: usize) {
    let skeleton = body(joints);
    let clip = clip(&skeleton, 2);
    let mut pose = Pose::rest(&skeleton);
    let mut model = ModelPose::new(&skeleton);
    clip.sample(0.01, &mut pose);
    bencher.bench_local(|| {
        black_box(&pose).to_model(&skeleton, &mut model);
        black_box(model.joints[joints - 1])
    });
}
