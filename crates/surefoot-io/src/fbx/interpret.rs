//! Bytes to motion: the stages of reading, in order.

use super::mesh::{self, Meshes};
use super::scene::{self, transform};
use super::takes::Takes;
use super::tree::Tree;
use crate::names::readable;
use crate::nodes::{Body, Conventions, Motion, half_turn, stand, turn_of, turn_round};
use crate::unit::{Axes, Axis, Unit};
use crate::{Dialect, Import, ImportError, ImportSettings, Inferred, RestPose, RestRow, Source, Warning};
use surefoot::glam::{Quat, Vec3};
use surefoot::math::{Rigid, quat};
use surefoot::motion::Clip;

/// Frames per second where neither the file nor its keys tell a rate, Hz.
const ASSUMED_RATE: f32 = 30.0;

/// Reads an FBX file, binary or text: its skeleton, all its takes, its skin.
///
/// `name` is what the clip of a file without takes is called.
///
/// # Errors
/// If the bytes are no FBX, hold no skeleton, scale bones unevenly or over time, or unfold to more than their size
/// allows; the error names the node.
pub fn read(bytes: &[u8], name: &str, settings: &ImportSettings) -> Result<Import, ImportError> {
    let mut warnings = Vec::new();
    let scene = scene::load(bytes)?;
    warnings.extend(scene::oddities(&scene));
    let tree = Tree::new(&scene)?;
    let takes = Takes::new(&scene, &tree);
    let body = tree.body(&scene, &takes, &mut warnings)?;

    // Clips and rest in metres, Y up, as the file has them; all scale taken in.
    let rate = match crate::capture::stated_rate(settings)? {
        Some(stated) => stated,
        None => takes.rate(&scene, &body).unwrap_or_else(|| {
            if !scene.anim_stacks.is_empty() {
                warnings.push(Warning::RateAssumed { rate: ASSUMED_RATE });
            }
            ASSUMED_RATE
        }),
    };
    let mut motions = takes.sample(&tree, &body, rate, bytes.len(), &mut warnings)?;

    // The pose of binding is what the author made the body in; nodes are often left in some frame of a take.
    let standing: Vec<Rigid> = body.joints.iter().map(|joint| joint.placed(tree.locals[joint.node])).collect();
    let mut bound = body.bound_pose(mesh::bound(&tree, &body), &standing);
    turn_like(&body, &mut bound, &standing, &motions);
    let is_bound = scene.skin_clusters.iter().any(|cluster| cluster.bone_node.is_some());
    let cut = motions.iter_mut().filter_map(|motion| cut_rest_frame(motion, &standing, settings).then_some(()));
    let rest_row = cut.count() > 0;
    let (mut rest, rest_pose) = if is_bound && !body.is_no_body(&bound, &motions) {
        (bound, RestPose::BindPose)
    } else {
        (standing, RestPose::Nodes)
    };
    if motions.is_empty() {
        warnings.push(Warning::NoClips);
        motions.push(Motion { name: name.to_owned(), animation: None, start: 0.0, locals: rest.clone() });
    }

    // What the body tells about unit and axes; then everything is brought to ours.
    let figure = body.figure(&rest, &motions);
    let said = Said::new(&scene);
    let mut found = Conventions::find(&figure, "the file", &said.to_scene(settings), &mut warnings)?;
    let (pelvis, figure_size) = (body.pelvis(&figure), figure.size());
    let unit = found.unit.value.metres();
    let turn = turn_of(Axes::new(found.up.value, found.forward.value));
    body.convert(&mut rest, unit, turn);
    motions.iter_mut().for_each(|motion| body.convert(&mut motion.locals, unit, turn));
    let on_ground = |rest: Vec<Rigid>| {
        let meshes = |rest: &_| Meshes { tree: &tree, body: &body, unit, rest, bytes: bytes.len() }.read();
        let (skeleton, skin) = stand(rest, &body, meshes)?;
        Ok::<_, ImportError>((skeleton.with_pelvis(pelvis), skin))
    };
    let (mut skeleton, mut skin) = on_ground(rest.clone())?;
    let moving: Vec<(&str, &[Rigid])> =
        motions.iter().map(|motion| (motion.name.as_str(), motion.locals.as_slice())).collect();
    if turn_round(&mut found, &skeleton, skin.as_ref(), &moving, rate, settings, &mut warnings) {
        let round = half_turn();
        body.convert(&mut rest, 1.0, round);
        motions.iter_mut().for_each(|motion| body.convert(&mut motion.locals, 1.0, round));
        (skeleton, skin) = on_ground(rest)?;
    }

    let mut clips = Vec::with_capacity(motions.len());
    for Motion { name, locals, .. } in motions {
        let clip = Clip::new(&skeleton, readable(&name), rate, locals);
        clips.push(clip.map_err(|error| ImportError::new(format!("take {name:?}: {error}")))?);
    }
    let source = Source {
        format: "FBX",
        leg: found.leg.map(|leg| leg * unit),
        unit: said.unit_in_file(found.unit, figure_size, &mut warnings),
        up: said.axis_in_file(found.up),
        forward: said.axis_in_file(found.forward),
        positions: Inferred { value: Dialect::Replace, reason: "curves are whole transforms".into() },
        rest: rest_pose,
        rest_row,
        rows: clips.iter().map(Clip::frames).sum(),
        freedoms: Vec::new(),
    };
    Ok(Import { skeleton, clips, skin, source, document: None, warnings })
}

/// Turns a pose of binding by quarters so that it faces as the nodes stand, where an armature was turned after binding: if
/// all motions face that way too.
fn turn_like(body: &Body, bound: &mut [Rigid], standing: &[Rigid], motions: &[Motion]) {
    let up = Axis::Y;
    let [at_bind, as_standing] = [&*bound, standing].map(|pose| body.figure(pose, motions));
    let (Some(from), Some(to)) = (at_bind.facing(up), as_standing.facing(up)) else { return };
    let heading = |v: Vec3| surefoot::math::single::atan2(v.x, v.z);
    let quarter = std::f32::consts::FRAC_PI_2;
    let quarters = ((heading(to) - heading(from)) / quarter).round();
    let moving_so = at_bind.all_moving_face(up, to);
    if quarters.rem_euclid(4.0) == 0.0 || !moving_so {
        return;
    }
    let turn = Rigid::from_rotation(Quat::from_rotation_y(quarters * quarter));
    for (joint, local) in body.joints.iter().zip(bound) {
        if joint.parent.is_none() {
            *local = turn * *local;
        }
    }
}

/// Takes out the first frame where it is a rest pose and not motion, as captures made from BVH have it: every joint is
/// turned as its node stands, and the next frame is far from that. Whether it was.
fn cut_rest_frame(motion: &mut Motion, standing: &[Rigid], settings: &ImportSettings) -> bool {
    let (near, far) = (2.0_f32.to_radians(), 45.0_f32.to_radians());
    let joints = standing.len();
    if motion.locals.len() < 3 * joints || settings.rest_row == RestRow::No {
        return false;
    }
    let (first, next) = (&motion.locals[..joints], &motion.locals[joints..2 * joints]);
    let greatest = |a: &[Rigid], b: &[Rigid]| {
        a.iter().zip(b).map(|(a, b)| quat::angle_between(a.rotation, b.rotation)).fold(0.0, f32::max)
    };
    let is_rest = greatest(first, standing) < near && greatest(first, next) > far;
    let cut = is_rest || settings.rest_row == RestRow::Yes;
    if cut {
        motion.locals.drain(..joints);
    }
    cut
}

/// What a file says about its unit and axes.
struct Said {
    /// Metres per unit.
    metres: f32,
    /// The turn from the file's axes to the scene's, which are Y up; after the file's x is mirrored, if it is.
    scene_from_file: Quat,
    /// Whether the file is left-handed.
    mirrored: bool,
}

impl Said {
    fn new(scene: &ufbx::Scene) -> Self {
        let metres = scene.settings.unit_meters as f32;
        let metres = Some(metres).filter(|metres| metres.is_finite() && *metres > 0.0).unwrap_or(1.0);
        let root = transform(&scene.root_node.local_transform);
        let scene_from_file = root.map_or(Quat::IDENTITY, |(rigid, _)| rigid.rotation);
        Self { metres, scene_from_file, mirrored: scene.metadata.mirror_axis == scene::MIRROR }
    }

    fn mirror(&self, axis: Vec3) -> Vec3 {
        if self.mirrored { Vec3::new(-axis.x, axis.y, axis.z) } else { axis }
    }

    /// What the caller states about the file, as it holds for the scene that ufbx made of it.
    fn to_scene(&self, settings: &ImportSettings) -> ImportSettings {
        let axis = |axis: Axis| Axis::nearest(self.scene_from_file * self.mirror(axis.vector())).0;
        ImportSettings {
            unit: settings.unit.map(|unit| Unit::Other(unit.metres() / self.metres)),
            up: settings.up.map(axis),
            forward: settings.forward.map(axis),
            ..settings.clone()
        }
    }

    fn axis_in_file(&self, found: Inferred<Axis>) -> Inferred<Axis> {
        let value = Axis::nearest(self.mirror(self.scene_from_file.inverse() * found.value.vector())).0;
        Inferred { value, reason: found.reason }
    }

    /// The scene's unit as that of the file, in the warning about it too.
    fn unit_in_file(&self, found: Inferred<Unit>, size: f32, warnings: &mut [Warning]) -> Inferred<Unit> {
        let unit = named(found.value.metres() * self.metres);
        let (said, taken) = (named(self.metres), size * found.value.metres());
        let mut reason = found.reason;
        for warning in warnings {
            if let Warning::UnitAssumed { unit: assumed, why } = warning {
                *why = format!("by the file's own, {said}, the body is {size:.2} m long; took it for {taken:.2} m");
                (*assumed, reason) = (unit, why.clone());
            }
        }
        Inferred { value: unit, reason }
    }
}

/// The unit of a length in metres, by its name if it has one.
fn named(metres: f32) -> Unit {
    let near = |unit: &Unit| (unit.metres() / metres - 1.0).abs() < 1e-4;
    Unit::NAMED.into_iter().find(near).unwrap_or(Unit::Other(metres))
}
