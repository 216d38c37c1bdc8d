//! Bytes to motion: the stages of reading, in order.

use super::accessor::Data;
use super::document::{self, Document, JointNode, SourceClip};
use super::mend;
use super::mesh::{self, Meshes};
use super::motion::Sampling;
use super::schema::Schema;
use super::told::{self, Told};
use super::tree::{Tree, Trs};
use super::uri::Resolve;
use super::{body, container, meshopt, tips, vrm};
use crate::names::readable;
use crate::nodes::{
    Body, Conventions, Joint, Motion, Signs, bound, half_turn, stand, turn_of, turn_round, unit as unit_quaternion,
};
use crate::unit::Axes;
use crate::{Dialect, Import, ImportError, ImportSettings, Inferred, RestPose, Source, Warning};
use serde_json::Value;
use surefoot::glam::Mat4;
use surefoot::math::Rigid;
use surefoot::motion::Clip;

/// Frames per second where the keys show no rate, Hz.
const ASSUMED_RATE: f32 = 30.0;

/// Reads a GLB file or the JSON of a glTF file: its skeleton, all its clips, its skin, and the document itself.
///
/// `name` is what a clip without a name is called. `resolve` reads a file beside this one by its relative path, for
/// buffers and images that are files of their own; paths that lead elsewhere never reach it.
///
/// # Errors
/// If the bytes are no glTF 2, need an extension that is not read, hold no skeleton, scale bones unevenly that others hang
/// from, or contradict themselves; the error names the part by index and name. A clip that changes the size of such bones is
/// left out with a warning, and so are compressed meshes.
pub fn read(bytes: &[u8], name: &str, resolve: Resolve<'_>, settings: &ImportSettings) -> Result<Import, ImportError> {
    let (text, bin) = container::split(bytes)?;
    let json = parse(text)?;
    let mut why = None;
    match told::read(&json) {
        Some(Ok(told)) => match interpret(json.clone(), bytes.len(), bin, name, resolve, settings, Some(&told))? {
            Ok(import) => return Ok(import),
            Err(unfit) => why = Some(unfit),
        },
        Some(Err(unread)) => why = Some(unread),
        None => {}
    }
    // Of a rig that does not fit nothing is believed.
    let import = interpret(json, bytes.len(), bin, name, resolve, settings, None)?;
    let mut import = import.map_err(ImportError::new)?;
    import.warnings.extend(why.map(|why| Warning::RigUnfit { why }));
    Ok(import)
}

/// What a document means; why not, if the rig that it tells does not fit its body.
fn interpret(
    mut json: Value,
    size: usize,
    bin: Option<&[u8]>,
    name: &str,
    resolve: Resolve<'_>,
    stated: &ImportSettings,
    told: Option<&Told>,
) -> Result<Result<Import, String>, ImportError> {
    let settings = &told.map_or_else(|| stated.clone(), |told| told.settings(stated));
    let mut warnings = Vec::new();
    let mut schema = Schema::new(&json, true)?;
    let mut buffers = document::buffers(&schema, bin, resolve)?;
    mend::weights(&schema, &mut json, &mut buffers, &mut warnings);
    let compressed = schema.meshes.iter().flat_map(|mesh| &mesh.primitives).filter(|part| part.is_compressed()).count();
    if compressed > 0 {
        warnings.push(Warning::MeshesLeftOut { count: compressed, extension: super::schema::COMPRESSED });
    }
    let unpacked = meshopt::unpack(&mut schema, &buffers)?;
    let readable_buffers = unpacked.as_deref().unwrap_or(&buffers);
    let data = Data::new(&schema, readable_buffers);
    let tree = Tree::new(&schema)?;
    let body = body::find(&schema, &tree, &mut warnings)?;

    // Clips and rest in the file's own unit and axes, all scale taken in.
    let size = size + buffers.iter().flatten().map(Vec::len).sum::<usize>();
    let sampling = Sampling { schema: &schema, data: &data, tree: &tree, body: &body, size };
    let rate = frame_rate(&sampling, settings, &mut warnings)?;
    let mut motions = sampling.run(rate, name, &mut warnings)?;
    let binds = mesh::binds(&schema, &data)?;
    let (mut rest, rest_pose) = rest_pose(&schema, &tree, &body, &binds, &motions);

    if motions.is_empty() {
        warnings.push(Warning::NoClips);
        motions.push(Motion { name: name.to_owned(), animation: None, start: 0.0, locals: rest.clone() });
    }

    // What the body tells about unit and axes; then everything is brought to ours.
    let figure = body.figure(&rest, &motions);
    let mut found = Conventions::find(&figure, "glTF", settings, &mut warnings)?;
    if told.is_some() {
        Told::reason(&mut found.unit, stated.unit.is_some());
        Told::reason(&mut found.up, stated.up.is_some());
        Told::reason(&mut found.forward, stated.forward.is_some());
    }
    let pelvis = body.pelvis(&figure);
    let unit = found.unit.value.metres();
    let mut turn = turn_of(Axes::new(found.up.value, found.forward.value));
    body.convert(&mut rest, unit, turn);
    motions.iter_mut().for_each(|motion| body.convert(&mut motion.locals, unit, turn));
    let on_ground = |rest: Vec<Rigid>| {
        let (skeleton, skin) = stand(rest, &body, |rest| {
            // Read twice at most, so each time with a budget of its own.
            let data = Data::new(&schema, readable_buffers);
            let meshes = Meshes { schema: &schema, data: &data, tree: &tree, body: &body, binds: &binds, unit, rest };
            meshes.read()
        })?;
        let skeleton = skeleton.with_tips(tips::noted(&schema, &body, unit));
        Ok::<_, ImportError>((skeleton.with_pelvis(pelvis).with_legs(vrm::legs(&json, &body)), skin))
    };
    let (mut skeleton, mut skin) = on_ground(rest.clone())?;
    let moving: Vec<(&str, &[Rigid])> =
        motions.iter().map(|motion| (motion.name.as_str(), motion.locals.as_slice())).collect();
    if turn_round(&mut found, &skeleton, skin.as_ref(), &moving, rate, settings, &mut warnings) {
        let round = half_turn();
        turn = round * turn;
        body.convert(&mut rest, 1.0, round);
        motions.iter_mut().for_each(|motion| body.convert(&mut motion.locals, 1.0, round));
        (skeleton, skin) = on_ground(rest)?;
    }

    if let Some(told) = told {
        match told.legs(&skeleton, skin.as_ref(), &motions[0].locals[..skeleton.len()]) {
            Ok(legs) => skeleton = skeleton.with_known_legs(legs),
            Err(unfit) => return Ok(Err(unfit)),
        }
    }
    let mut clips = Vec::with_capacity(motions.len());
    let mut source_clips = Vec::with_capacity(motions.len());
    for Motion { name, animation, start, locals } in motions {
        let clip = Clip::new(&skeleton, readable(&name), rate, locals);
        let label = || animation.map_or_else(|| "the rest pose".into(), |index| schema.animation_label(index));
        let clip = clip.map_err(|error| ImportError::new(format!("{}: {error}", label())))?;
        let course = animation.and_then(|index| schema.animations.get(index)?.course(clip.frames()));
        let legs = skeleton.known_legs().len();
        let standing = animation.filter(|_| legs > 0).and_then(|index| schema.animations.get(index)?.standing(legs));
        clips.push(clip.with_course(course).with_standing(standing));
        source_clips.extend(animation.map(|animation| SourceClip { name, animation, start }));
    }
    let images = document::images(&schema, resolve, &mut warnings)?;
    let joints = body.joints.iter().map(|joint| joint_node(joint, &tree, unit, turn)).collect();
    let source = Source {
        format: "glTF",
        leg: found.leg.map(|leg| leg * unit),
        unit: found.unit,
        up: found.up,
        forward: found.forward,
        positions: Inferred { value: Dialect::Replace, reason: "keys are whole transforms".into() },
        rest: rest_pose,
        rest_row: false,
        rows: clips.iter().map(Clip::frames).sum(),
        freedoms: Vec::new(),
    };
    let document = Document {
        json,
        buffers,
        images,
        joints,
        clips: source_clips,
        loose: Vec::new(),
        skeleton: skeleton.key(),
        turn: turn.rotation,
        metres: unit,
    };
    Ok(Ok(Import { skeleton, clips, skin, source, document: Some(document), warnings }))
}

pub(super) fn parse(text: &[u8]) -> Result<Value, ImportError> {
    serde_json::from_slice(text).map_err(|error| {
        // The line and column as a place in the bytes.
        let line_start = match error.line().saturating_sub(2) {
            _ if error.line() < 2 => 0,
            ends => text.iter().enumerate().filter(|(_, b)| **b == b'\n').nth(ends).map_or(0, |(at, _)| at + 1),
        };
        let at = line_start + error.column().saturating_sub(1);
        let what = error.to_string();
        let what = what.split(" at line ").next().unwrap_or(&what);
        ImportError::at(format!("not JSON: {what}"), text, at, at + 1)
    })
}

fn frame_rate(
    sampling: &Sampling<'_>,
    settings: &ImportSettings,
    warnings: &mut Vec<Warning>,
) -> Result<f32, ImportError> {
    match settings.rate {
        Some(rate) if rate > 0.0 && rate.is_finite() => Ok(rate),
        Some(rate) => Err(ImportError::new(format!("a rate of {rate} Hz was stated; it must be above 0"))),
        None => Ok(sampling.rate()?.unwrap_or_else(|| {
            if !sampling.schema.animations.is_empty() {
                warnings.push(Warning::RateAssumed { rate: ASSUMED_RATE });
            }
            ASSUMED_RATE
        })),
    }
}

/// The rest pose in file units: the nodes as they stand; as the skins were bound, where that tells a body better.
fn rest_pose(
    schema: &Schema,
    tree: &Tree,
    body: &Body,
    binds: &[Vec<Mat4>],
    motions: &[Motion],
) -> (Vec<Rigid>, RestPose) {
    let standing = body.joints.iter().map(|joint| joint.placed(tree.locals[joint.node].rigid)).collect::<Vec<_>>();
    if let Some(bound) = bound_pose(schema, body, binds, &standing)
        && !body.is_no_body(&bound, motions)
        && (body.is_no_body(&standing, motions) || bound::is_better(body, &standing, &bound, motions))
    {
        return (bound, RestPose::BindPose);
    }
    (standing, RestPose::Nodes)
}

/// Locals of the pose in which the skins were bound; `None` if a bind matrix cannot be undone.
fn bound_pose(schema: &Schema, body: &Body, binds: &[Vec<Mat4>], standing: &[Rigid]) -> Option<Vec<Rigid>> {
    let mut placed: Vec<Option<Rigid>> = vec![None; body.joints.len()];
    for (skin, binds) in schema.skins.iter().zip(binds) {
        for (node, bind) in skin.joints.iter().zip(binds) {
            let joint = body.of_node.get(*node).copied().flatten()?;
            let bind = Some(bind).filter(|bind| bind.determinant().abs() > f32::MIN_POSITIVE)?;
            let (scale, rotation, translation) = bind.inverse().to_scale_rotation_translation();
            let rotation = unit_quaternion(rotation.to_array())? * Signs::of(scale).turn;
            placed[joint] = Some(Rigid { rotation, translation: translation.into() }).filter(|r| r.is_finite());
        }
    }
    Some(body.bound_pose(placed, standing))
}

fn joint_node(joint: &Joint, tree: &Tree, unit: f32, turn: Rigid) -> JointNode {
    let above = joint.above.rigid;
    let model_from_parent = match joint.parent {
        Some(_) => Rigid::IDENTITY,
        None => turn * Rigid { translation: above.translation * unit, ..above },
    };
    let Trs { rigid, turned, signs, .. } = tree.locals[joint.node];
    let own = Rigid { rotation: rigid.rotation * turned.inverse(), ..rigid };
    let metres = unit * joint.above.scale;
    JointNode { node: joint.node, model_from_parent, metres, own, turned, scale: joint.scale, signs }
}
