//! Properties of the frame distance and of blends, on made-up motion.

use super::blend::{BlendJoints, Blended, Blender, Sides, moments};
use super::cloud::Cloud;
use super::contacts::Contacts;
use super::matrix::Columns;
use super::points::BodyPoints;
use super::scan::near_pairs;
use crate::math::single::sin;
use crate::math::{FloorPose, Rigid, double, quat};
use crate::motion::{Clip, Footprint, Span, Stance, Take};
use crate::random::{Rng, Seed};
use crate::rig::{Joint, LegId, ManyLegs, ModelPose, Pose, Rig, Skeleton};
use glam::{DVec2, Quat, Vec2, Vec3, Vec3A};

/// A body of seven joints, one of them on top of another and one a finger.
fn body() -> Skeleton {
    let at = |x: f32, y: f32, z: f32| Rigid::from_translation(Vec3A::new(x, y, z));
    Skeleton::new(vec![
        Joint::new("hips", None, at(0.0, 1.0, 0.0)),
        Joint::new("spine", Some(0), at(0.0, 0.0, 0.0)),
        Joint::new("chest", Some(1), at(0.0, 0.5, 0.02)),
        Joint::new("finger", Some(2), at(0.001, 0.001, 0.0)),
        Joint::new("left knee", Some(0), at(0.1, -0.5, 0.0)),
        Joint::new("left foot", Some(4), at(0.0, -0.45, -0.05)),
        Joint::new("right foot", Some(0), at(-0.1, -0.9, 0.1)),
    ])
    .unwrap()
}

/// Smooth random motion along a bent path.
fn wiggle(skeleton: &Skeleton, seed: u64, frames: usize) -> Clip {
    let mut rng = Rng::new(Seed(seed)).stream("wiggle");
    let waves: Vec<[f32; 5]> = skeleton
        .joints()
        .map(|_| std::array::from_fn(|k| if k < 3 { rng.range(-0.4, 0.4) } else { rng.range(2.0, 9.0) }))
        .collect();
    let turning = rng.range(-1.0, 1.0);
    let mut locals = Vec::new();
    for frame in 0..frames {
        let t = frame as f32 / 30.0;
        let mut pose = skeleton.rest().to_vec();
        for (local, [x, y, z, a, b]) in pose.iter_mut().zip(&waves) {
            local.rotation = quat::exp(Vec3::new(x * sin(a * t), y * sin(b * t), z * sin(a * t + 1.0)));
        }
        let heading = Quat::from_rotation_y(turning * t);
        pose[0] =
            Rigid::new(heading * pose[0].rotation, Vec3A::new(sin(turning * t), 1.0 + 0.03 * sin(7.0 * t), 1.2 * t));
        locals.extend(pose);
    }
    let mut clip = Clip::new(skeleton, format!("wiggle {seed}"), 30.0, locals).unwrap();
    clip.extract_root(skeleton);
    clip
}

/// The same clip somewhere else on the floor, facing another way.
fn moved(clip: &Clip, by: FloorPose) -> Clip {
    let mut clip = clip.clone();
    clip.roots_mut().iter_mut().for_each(|root| *root = by.to_rigid() * *root);
    clip
}

/// The definition, in double precision, from joint positions: points of both windows, centres taken off, best turn by atan2,
/// differences summed.
fn reference(skeleton: &Skeleton, weights: &[f32], half: usize, a: (&Clip, usize), b: (&Clip, usize)) -> f64 {
    let points = |(clip, first): (&Clip, usize)| {
        let mut all = Vec::new();
        for frame in first..=first + 2 * half {
            let mut pose = Pose::rest(skeleton);
            let mut model = ModelPose::new(skeleton);
            pose.locals.copy_from_slice(clip.frame(frame));
            pose.to_model(skeleton, &mut model);
            all.extend(
                skeleton.joints().map(|joint| clip.roots()[frame].transform_point(model[joint].translation).as_dvec3()),
            );
        }
        all
    };
    let total: f64 = weights.iter().map(|w| f64::from(*w)).sum::<f64>() * (2 * half + 1) as f64;
    let weight = |n: usize| f64::from(weights[n % weights.len()]) / total;
    let centred = |points: &[glam::DVec3]| {
        let mean = points.iter().enumerate().fold(DVec2::ZERO, |sum, (n, p)| sum + weight(n) * DVec2::new(p.z, p.x));
        points.iter().map(|p| (DVec2::new(p.z, p.x) - mean, p.y)).collect::<Vec<_>>()
    };
    let (a, b) = (centred(&points(a)), centred(&points(b)));
    let (mut c, mut s) = (0.0, 0.0);
    for (n, ((a, _), (b, _))) in a.iter().zip(&b).enumerate() {
        c += weight(n) * a.dot(*b);
        s += weight(n) * (a.y * b.x - a.x * b.y);
    }
    let (sin, cos) = double::sin_cos(double::atan2(s, c));
    let apart = a.iter().zip(&b).enumerate().map(|(n, ((a, ay), (b, by)))| {
        let turned = DVec2::new(b.x * cos - b.y * sin, b.y * cos + b.x * sin);
        weight(n) * ((*a - turned).length_squared() + (ay - by).powi(2))
    });
    apart.sum()
}

/// No joint is light enough to be left out.
const WEIGHTS: [f32; 7] = [1.0, 0.5, 1.0, 0.1, 2.0, 1.5, 1.0];

fn cloud(skeleton: &Skeleton, clip: &Clip) -> Cloud {
    Cloud::new(skeleton, &BodyPoints::weighted(skeleton, &WEIGHTS), 2, clip)
}

#[test]
fn the_distance_is_that_of_its_definition() {
    let skeleton = body();
    let (a, b) = (wiggle(&skeleton, 1, 40), wiggle(&skeleton, 2, 33));
    // A copy a little later, for small distances.
    let near = a.trimmed(1..40);
    for other in [&b, &near] {
        let (first, second) = (cloud(&skeleton, &a), cloud(&skeleton, other));
        let mut matrix = vec![0.0; first.windows() * second.windows()];
        Columns::new(&second).squared(&first, 0..first.windows(), 0..second.windows(), &mut matrix);
        // A part of it is a part of it.
        let mut part = vec![0.0; 5 * 7];
        Columns::new(&second).squared(&first, 3..8, 19..26, &mut part);
        for (k, squared) in part.iter().enumerate() {
            assert_eq!(*squared, matrix[(3 + k / 7) * second.windows() + 19 + k % 7], "{k}");
        }
        let mut hits = vec![f32::NAN; matrix.len()];
        near_pairs(&[first.clone(), second.clone()], 100.0, 1, true, |i, j, found| {
            if (i, j) == (0, 1) {
                found
                    .iter()
                    .for_each(|hit| hits[hit.row as usize * second.windows() + hit.column as usize] = hit.squared);
            }
        });
        for i in 0..first.windows() {
            for j in 0..second.windows() {
                let exact = reference(&skeleton, &WEIGHTS, 2, (&a, i), (other, j));
                let (whole, found) = (matrix[i * second.windows() + j], hits[i * second.windows() + j]);
                let aligned = first.align(i, &second, j).squared;
                assert!((aligned - exact).abs() < 1e-5 * exact + 1e-11, "{i} {j}: {aligned}, not {exact}");
                assert!((f64::from(found) - exact).abs() < 1e-4 * exact + 1e-11, "{i} {j}: {found}, not {exact}");
                assert!((f64::from(whole) - exact).abs() < 1e-4 * exact + 1e-7, "{i} {j}: {whole}, not {exact}");
            }
        }
    }
}

#[test]
fn where_a_clip_lies_and_faces_does_not_matter() {
    let skeleton = body();
    let (a, b) = (wiggle(&skeleton, 1, 30), wiggle(&skeleton, 2, 30));
    let by = FloorPose::new(Vec2::new(20.0, -7.0), 2.2);
    let clouds = [&a, &b, &moved(&b, by)].map(|clip| cloud(&skeleton, clip));
    for (i, j) in [(0, 0), (3, 17), (25, 9)] {
        let (here, there) = (clouds[0].align(i, &clouds[1], j), clouds[0].align(i, &clouds[2], j));
        assert!((here.squared / there.squared - 1.0).abs() < 1e-4, "{} {}", here.squared, there.squared);
        // And the alignment takes the moved one to where the other is taken.
        let back = FloorPose::new(Vec2::new(there.shift.x as f32, there.shift.y as f32), there.turn as f32).then(by);
        let off = back.position - Vec2::new(here.shift.x as f32, here.shift.y as f32);
        assert!(off.length() < 1e-4, "{off}");
        assert!(crate::math::wrap_angle(back.heading - here.turn as f32).abs() < 1e-5, "{back:?} {here:?}");
    }
    // Nothing is as near as the same, and its alignment is the way back.
    let same = clouds[1].align(4, &clouds[2], 4);
    assert!(same.squared < 1e-9 && (same.turn + 2.2).abs() < 1e-5, "{same:?}");
}

#[test]
fn the_root_of_the_distance_is_a_metric() {
    let skeleton = body();
    let clips = [1, 2, 3].map(|seed| wiggle(&skeleton, seed, 24));
    let clouds = clips.each_ref().map(|clip| cloud(&skeleton, clip));
    let d = |a: (usize, usize), b: (usize, usize)| clouds[a.0].align(a.1, &clouds[b.0], b.1).squared.sqrt();
    for i in 0..20 {
        let (a, b, c) = ((0, i), (1, (7 * i) % 20), (2, (11 * i) % 20));
        assert!(d(a, c) <= d(a, b) + d(b, c) + 1e-9, "{i}");
        assert!((d(a, b) - d(b, a)).abs() < 1e-9, "{i}");
    }
}

#[test]
fn skipping_changes_nothing() {
    let skeleton = body();
    let clouds: Vec<Cloud> =
        (0..6).map(|seed| cloud(&skeleton, &wiggle(&skeleton, seed % 4, 70 + 9 * seed as usize))).collect();
    for limit in [0.02, 0.08, 0.3] {
        let [skipped, all] = [true, false].map(|skip| {
            let mut told = Vec::new();
            near_pairs(&clouds, limit, 5, skip, |i, j, hits| told.extend(hits.iter().map(|hit| (i, j, *hit))));
            told.sort_by_key(|(i, j, hit)| (*i, *j, hit.row, hit.column));
            told
        });
        assert!(!all.is_empty(), "something is near within {limit} m");
        assert_eq!(skipped, all, "within {limit} m");
    }
}

#[test]
fn odd_bodies_and_short_clips_have_clouds() {
    // One joint; a body without length; clips shorter than a window.
    let dot = Skeleton::new(vec![Joint::new("dot", None, Rigid::IDENTITY)]).unwrap();
    let points = BodyPoints::by_bone_length(&dot);
    assert_eq!(points.len(), 1);
    let clip = Clip::new(&dot, "", 30.0, vec![Rigid::IDENTITY; 9]).unwrap();
    let still = Cloud::new(&dot, &points, 2, &clip);
    assert_eq!((still.windows(), still.align(0, &still, 4).squared), (5, 0.0));
    let short = Cloud::new(&dot, &points, 2, &clip.trimmed(0..4));
    assert_eq!(short.windows(), 0);
    let mut count = 0;
    near_pairs(&[still.clone(), short], 1.0, 1, true, |_, _, hits| count += hits.len());
    assert_eq!(count, 10, "every pair of the first with itself");
    Columns::new(&still).squared(&still, 0..5, 0..5, &mut [0.0; 25]);
    assert_eq!(BodyPoints::by_bone_length(&body()).len(), 5, "one on top of another is one, a finger none");
}

/// A rig without legs: what is blended goes by the takes' own movement.
fn floating(skeleton: &Skeleton) -> Rig {
    Rig { skeleton: skeleton.clone(), legs: Vec::new(), mirror: None }
}

fn blended(rig: &Rig, takes: [&Take; 2], starts: [usize; 2], length: usize) -> Blended {
    let contacts = takes.map(|take| Contacts::new(take, rig.legs.len()));
    let mut out = Blended::default();
    let sides = Sides { takes, contacts: contacts.each_ref(), starts, length };
    Blender::new(rig, &BlendJoints::all(rig)).run(&sides, [&[]; 2], &mut out);
    out
}

#[test]
fn a_clip_blended_with_itself_is_the_clip() {
    let skeleton = body();
    let clip = wiggle(&skeleton, 5, 40);
    let take = Take::from(moved(&clip, FloorPose::new(Vec2::new(3.0, 1.0), -1.0)));
    let same = Take::from(clip);
    let out = blended(&floating(&skeleton), [&take, &same], [7, 7], 13);
    let place = |frame: usize| FloorPose::below(same.clip.roots()[frame]).unwrap();
    for k in 0..13 {
        let expected = place(7).inverse().then(place(7 + k));
        assert!((out.roots[k].position - expected.position).length() < 1e-5, "frame {k}");
        assert!(crate::math::wrap_angle(out.roots[k].heading - expected.heading).abs() < 1e-5, "frame {k}");
        for (a, b) in out.locals[k * 7..(k + 1) * 7].iter().zip(same.clip.frame(7 + k)) {
            assert!(quat::angle_between(a.rotation, b.rotation) < 1e-4, "frame {k}");
        }
    }
}

#[test]
fn a_blend_goes_the_same_way_whether_all_of_it_is_played_or_only_its_feet() {
    let rig = ManyLegs::default().run();
    // Strikes a frame or two apart, so that time is warped on both sides; and at one time, so that it is not.
    for late in [0, 2] {
        let takes = [(3, 0), (4, late)].map(|(seed, late)| {
            let stance = |frames: std::ops::Range<usize>| {
                let time = Span::of_frames(&frames, 30.0).unwrap();
                let print = Footprint::new(LegId(1), Rigid::IDENTITY);
                let (heel_at, ball_at) = (Vec3A::ZERO, Vec3A::ZERO);
                Stance { print, time, heel: None, ball: Some(time), heel_at, ball_at, open: false }
            };
            Take { stances: vec![stance(12 + late..30)], ..Take::from(wiggle(&rig.skeleton, seed, 40)) }
        });
        let whole = blended(&rig, takes.each_ref(), [7, 7], 13);
        let joints = BlendJoints::of_feet(&rig);
        let known = takes.each_ref().map(|take| moments(&rig, &joints, &take.clip));
        let contacts = takes.each_ref().map(|take| Contacts::new(take, rig.legs.len()));
        let sides = Sides { takes: takes.each_ref(), contacts: contacts.each_ref(), starts: [7, 7], length: 13 };
        for known in [known.each_ref().map(|known| &known[..]), [&[][..], &known[1]], [&[][..]; 2]] {
            let mut out = Blended::default();
            Blender::new(&rig, &joints).run(&sides, known, &mut out);
            assert_eq!(out.roots, whole.roots, "to the bit; strikes {late} frames apart");
            assert!(out.locals.is_empty());
        }
    }
}

#[test]
fn two_straight_walks_at_an_angle_do_not_slide_sideways() {
    let skeleton = body();
    let straight = |heading: f32| {
        let locals = (0..30).flat_map(|_| skeleton.rest().to_vec()).collect();
        let mut clip = Clip::new(&skeleton, "straight", 30.0, locals).unwrap();
        let start = FloorPose::new(Vec2::new(5.0, 2.0), heading);
        for (frame, root) in clip.roots_mut().iter_mut().enumerate() {
            *root = start.then(FloorPose::new(Vec2::new(0.0, 0.05 * frame as f32), 0.0)).to_rigid();
        }
        Take::from(clip)
    };
    // As they are aligned, the second goes off to the left; in the blend the character goes where it faces.
    let out = blended(&floating(&skeleton), [&straight(0.0), &straight(0.9)], [3, 3], 13);
    for pair in out.roots.windows(2) {
        let step = pair[0].inverse().then(pair[1]).position;
        assert!(step.x.abs() < 1e-6 && (step.y - 0.05).abs() < 1e-6, "{step}");
    }
}
