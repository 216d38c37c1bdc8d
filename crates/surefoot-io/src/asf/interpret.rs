//! A skeleton and its motion in metres, Y up, facing +Z.

use super::amc::Motion;
use super::document::{Bone, Channel, Document, Freedom, Movement};
use crate::capture::{cut_dead_rows, find_forward, find_up, ground_of, note_teleports, stated_rate};
use crate::infer::Figure;
use crate::unit::{Axes, Unit};
use crate::{Dialect, Import, ImportError, ImportSettings, Inferred, RestPose, Source, Warning};
use surefoot::glam::{Quat, Vec3, Vec3A};
use surefoot::math::{Rigid, quat};
use surefoot::motion::Clip;
use surefoot::rig::{Joint, JointId, Skeleton};
use surefoot::stages::Tip;

/// CMU's captures, Hz.
const USUAL_RATE: f32 = 120.0;
/// Frames looked at to find out about axes.
const LOOKS: usize = 9;

pub(super) fn interpret(
    document: &Document,
    motion: Option<&Motion>,
    name: &str,
    settings: &ImportSettings,
    mut warnings: Vec<Warning>,
) -> Result<Import, ImportError> {
    let rate = frame_rate(motion, settings, &mut warnings)?;
    note_oddities(document, motion, &mut warnings);

    // Axes come from the body alone, in the file's own.
    let radians = motion.and_then(|m| m.radians).unwrap_or(document.radians);
    let figure = Reading::new(document, radians, Axes::SAME, 1.0).figure(motion);
    let up = find_up(&figure, settings, &mut warnings);
    let forward = find_forward(&figure, up.value, settings, &mut warnings)?;
    let leg = figure.leg(up.value);
    let unit = find_unit(document, &figure, leg, settings, &mut warnings);

    let reading = Reading::new(document, radians, Axes::new(up.value, forward.value), unit.value.metres());
    let pelvis = JointId(figure.pelvis() as u16);
    let skeleton = reading.skeleton()?.with_pelvis(pelvis);
    let locals = match motion {
        Some(motion) => reading.locals(motion),
        None => skeleton.rest().to_vec(),
    };
    let clip = Clip::new(&skeleton, name, rate, locals).map_err(|error| ImportError::new(error.to_string()))?;
    let clip = if settings.cut_dead_rows { cut_dead_rows(&skeleton, clip, &mut warnings) } else { clip };
    note_teleports(&skeleton, &clip, &mut warnings);

    let source = Source {
        format: if motion.is_some() { "AMC" } else { "ASF" },
        leg: leg.map(|units| units * unit.value.metres()),
        unit,
        up,
        forward,
        positions: Inferred { value: Dialect::Add, reason: "the root moves from its position".into() },
        rest: RestPose::Offsets,
        rest_row: false,
        rows: motion.map_or(0, Motion::frames),
        freedoms: reading.freedoms(),
    };
    Ok(Import { skeleton, clips: vec![clip], skin: None, source, document: None, warnings })
}

fn frame_rate(
    motion: Option<&Motion>,
    settings: &ImportSettings,
    warnings: &mut Vec<Warning>,
) -> Result<f32, ImportError> {
    if let Some(rate) = stated_rate(settings)?.or(motion.and_then(|motion| motion.rate)) {
        return Ok(rate);
    }
    if motion.is_some() {
        warnings.push(Warning::RateAssumed { rate: USUAL_RATE });
    }
    Ok(USUAL_RATE)
}

fn note_oddities(document: &Document, motion: Option<&Motion>, warnings: &mut Vec<Warning>) {
    if motion.is_none() {
        warnings.push(Warning::SkeletonOnly);
    }
    let root = &document.bones[0];
    if root.axis.iter().chain(&root.reach).any(|v| *v != 0.0) {
        warnings.push(Warning::RootPreset);
    }
    if let Some(bone) = document.bones.iter().find(|bone| bone.channels.contains(&Channel::Length)) {
        warnings.push(Warning::StretchIgnored { bone: bone.name.clone() });
    }
}

/// As the file says, unless that makes legs that nobody has.
fn find_unit(
    document: &Document,
    figure: &Figure<'_>,
    leg: Option<f32>,
    settings: &ImportSettings,
    warnings: &mut Vec<Warning>,
) -> Inferred<Unit> {
    if let Some(stated) = settings.unit {
        return Inferred { value: stated, reason: "stated".into() };
    }
    let said = match document.length {
        length if (length - 0.45).abs() < 1e-6 => Unit::Cmu,
        1.0 => Unit::Inch,
        length => Unit::Other(Unit::Inch.metres() / length),
    };
    if let Some(leg) = leg.filter(|leg| !(0.35..1.4).contains(&(leg * said.metres()))) {
        let (Ok((value, why)) | Err((value, why))) = figure.unit(leg);
        warnings.push(Warning::UnitAssumed { unit: value, why: why.clone() });
        return Inferred { value, reason: format!("assumed: {why}") };
    }
    Inferred { value: said, reason: format!("the file says length {}: inches times that", document.length) }
}

/// One step in making a joint's transform from its columns, in our units and axes.
struct Step {
    movement: Movement,
    axis: Vec3A,
    /// Radians or metres per file unit.
    scale: f32,
}

/// A skeleton with what has been decided about it.
struct Reading<'a> {
    document: &'a Document,
    axes: Axes,
    unit: f32,
    steps: Vec<Step>,
    /// Per joint: its transform before its columns, metres, in our axes; and the end of its steps.
    bases: Vec<(Rigid, usize)>,
}

impl<'a> Reading<'a> {
    fn new(document: &'a Document, radians: bool, axes: Axes, unit: f32) -> Self {
        let mut reading = Self { document, axes, unit, steps: Vec::new(), bases: Vec::new() };
        let angle = if radians { 1.0 } else { 1.0_f32.to_radians() };
        for bone in &document.bones {
            let own = file_axes(bone);
            // The root's preset is put before its motion; a bone's axes only say about what it turns.
            let (base, turned) = match bone.parent {
                None => (Rigid::new(reading.rotation(own), reading.vector(bone.reach)), Quat::IDENTITY),
                Some(0) => (Rigid::IDENTITY, own),
                Some(parent) => (Rigid::from_translation(reading.vector(document.bones[parent].reach)), own),
            };
            for channel in &bone.channels {
                let along = |axis: usize| Vec3A::from(axes.apply(turned * Vec3::AXES[axis]));
                let step = match *channel {
                    Channel::Rotation(axis) => Step { movement: Movement::Turn, axis: along(axis), scale: angle },
                    Channel::Position(axis) => Step { movement: Movement::Slide, axis: along(axis), scale: unit },
                    Channel::Length => {
                        let axis = reading.vector(bone.reach).normalize_or(Vec3A::Y);
                        Step { movement: Movement::Stretch, axis, scale: unit }
                    }
                };
                reading.steps.push(step);
            }
            reading.bases.push((base, reading.steps.len()));
        }
        reading
    }

    /// A vector of the file in our axes, metres.
    fn vector(&self, v: [f32; 3]) -> Vec3A {
        Vec3A::from(self.axes.apply(Vec3::from(v)) * self.unit)
    }

    /// A rotation of the file in our axes.
    fn rotation(&self, q: Quat) -> Quat {
        let v = self.axes.apply(Vec3::new(q.x, q.y, q.z));
        Quat::from_xyzw(v.x, v.y, v.z, q.w)
    }

    /// `parent_from_joint` of every joint in a frame.
    fn frame_locals(&self, values: &[f32], out: &mut Vec<Rigid>) {
        let mut from = 0;
        for (base, end) in &self.bases {
            let (mut turn, mut slide) = (Quat::IDENTITY, Vec3A::ZERO);
            for (step, value) in self.steps[from..*end].iter().zip(&values[from..*end]) {
                match step.movement {
                    Movement::Turn => turn = Quat::from_axis_angle(step.axis.into(), value * step.scale) * turn,
                    Movement::Slide => slide += step.axis * (value * step.scale),
                    Movement::Stretch => {}
                }
            }
            let rotation = (base.rotation * turn).normalize();
            out.push(Rigid::new(rotation, base.transform_point(slide)));
            from = *end;
        }
    }

    /// All frames, with rotations on the near side of the frame before.
    fn locals(&self, motion: &Motion) -> Vec<Rigid> {
        let joints = self.bases.len();
        let mut locals: Vec<Rigid> = Vec::with_capacity(motion.frames() * joints);
        for frame in 0..motion.frames() {
            self.frame_locals(motion.frame(frame), &mut locals);
            for now in (frame * joints..locals.len()).skip_while(|_| frame == 0) {
                locals[now].rotation = quat::nearest_sign(locals[now - joints].rotation, locals[now].rotation);
            }
        }
        locals
    }

    /// The skeleton with its rest pose over the origin and its lowest point on the ground.
    fn skeleton(&self) -> Result<Skeleton, ImportError> {
        let build = |shift: Vec3A| {
            let joints = self.document.bones.iter().zip(&self.bases).map(|(bone, (base, _))| {
                let rest = if bone.parent.is_none() { Rigid { translation: shift, ..*base } } else { *base };
                Joint::new(bone.name.clone(), bone.parent, rest)
            });
            let skeleton = Skeleton::new(joints.collect()).map_err(|error| ImportError::new(error.to_string()))?;
            Ok::<_, ImportError>(skeleton.with_tips(self.tips()))
        };
        let ground = ground_of(&build(Vec3A::ZERO)?);
        build(Vec3A::new(0.0, -ground, 0.0))
    }

    /// The far ends of bones that nothing hangs from.
    fn tips(&self) -> Vec<Tip> {
        let bones = &self.document.bones;
        let mut last = vec![true; bones.len()];
        last[0] = false;
        bones.iter().filter_map(|bone| bone.parent).for_each(|parent| last[parent] = false);
        let ends = bones.iter().enumerate().filter(|(i, _)| last[*i]);
        ends.map(|(i, bone)| Tip { joint: JointId(i as u16), offset: self.vector(bone.reach) }).collect()
    }

    fn freedoms(&self) -> Vec<Freedom> {
        let bones = self.document.bones.iter().enumerate();
        let limits = bones.flat_map(|(i, bone)| bone.limits.iter().map(move |limit| (JointId(i as u16), *limit)));
        limits
            .zip(&self.steps)
            .map(|((joint, [least, most]), step)| {
                // The motion file may have another unit of angles than the skeleton, which the limits have.
                let skeletons = if self.document.radians { 1.0 } else { 1.0_f32.to_radians() };
                let scale = if step.movement == Movement::Turn { skeletons } else { step.scale };
                Freedom { joint, movement: step.movement, axis: step.axis, least: least * scale, most: most * scale }
            })
            .collect()
    }

    /// The body in the file's own axes and units, at rest and in a few frames.
    fn figure(&self, motion: Option<&Motion>) -> Figure<'a> {
        let (bones, tips) = (&self.document.bones, self.tips());
        let positions = |locals: &[Rigid]| {
            let mut model: Vec<Rigid> = Vec::with_capacity(bones.len());
            for (bone, local) in bones.iter().zip(locals) {
                model.push(bone.parent.map_or(*local, |parent| model[parent] * *local));
            }
            let ends = tips.iter().map(|tip| Vec3::from(model[tip.joint.index()].transform_point(tip.offset)));
            model.iter().map(|joint| Vec3::from(joint.translation)).chain(ends).collect::<Vec<Vec3>>()
        };
        let rest: Vec<Rigid> = self.bases.iter().map(|(base, _)| *base).collect();
        let frames = motion.map_or(0, Motion::frames);
        let looks = (0..LOOKS.min(frames)).map(|i| i * frames / LOOKS.min(frames));
        let moving = looks.filter_map(|frame| Some(motion?.frame(frame))).map(|values| {
            let mut locals = Vec::with_capacity(bones.len());
            self.frame_locals(values, &mut locals);
            positions(&locals)
        });
        Figure::new(
            bones.iter().map(|bone| bone.name.as_str()).chain(tips.iter().map(|_| "")).collect(),
            bones.iter().map(|bone| bone.parent).chain(tips.iter().map(|tip| Some(tip.joint.index()))).collect(),
            positions(&rest),
            moving.collect(),
        )
    }
}

/// `C`: how a bone's axes are turned in the file's, the first angle of its order applied first.
fn file_axes(bone: &Bone) -> Quat {
    bone.axis_order
        .iter()
        .fold(Quat::IDENTITY, |turned, axis| Quat::from_axis_angle(Vec3::AXES[*axis], bone.axis[*axis]) * turned)
}
