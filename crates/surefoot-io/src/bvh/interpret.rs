//! [`Document`] to motion: what its numbers mean in metres, Y up, facing +Z.

use super::document::{Channel, Document, Node};
use super::{euler, rate};
use crate::capture::{cut_dead_rows, find_forward, find_up, ground_of, note_teleports, stated_rate};
use crate::infer::{Figure, lowest};
use crate::unit::{Axes, Axis, Unit};
use crate::{Dialect, Import, ImportError, ImportSettings, Inferred, RestPose, RestRow, Source, Warning};
use surefoot::glam::{Vec3, Vec3A};
use surefoot::math::{Rigid, quat};
use surefoot::motion::Clip;
use surefoot::rig::{Joint, JointId, Skeleton};
use surefoot::stages::Tip;

/// Frames looked at to find out about axes.
const LOOKS: usize = 9;

pub(super) fn interpret(
    document: &Document,
    name: &str,
    settings: &ImportSettings,
    mut warnings: Vec<Warning>,
) -> Result<Import, ImportError> {
    let rate = frame_rate(document, settings, &mut warnings)?;
    let rest_row = has_rest_row(document, settings.rest_row);
    let children = children_dialect(document, settings.positions);
    let mut reading = Reading::new(document, children);

    // Axes come from the body alone; only then is it known what a height is.
    let mut figure = reading.figure(rest_row);
    let mut rest = if rest_row { RestPose::FirstRow } else { RestPose::Offsets };
    if figure.rest_is_no_body() {
        figure.rest_from_motion();
        rest = RestPose::FirstFrame;
    }
    let up = find_up(&figure, settings, &mut warnings);
    let forward = find_forward(&figure, up.value, settings, &mut warnings)?;
    let leg = figure.leg(up.value);
    let unit = find_unit(&figure, leg, settings, &mut warnings);
    let positions = root_dialect(&mut reading, up.value, children, settings.positions);

    let axes = Axes::new(up.value, forward.value);
    reading.programme(axes, unit.value.metres());
    // Axes are exchanged by whole quarter turns; what a posed rest pose is turned beyond that is taken out of it.
    let posed = rest != RestPose::Offsets;
    let facing = figure.facing(up.value).filter(|_| posed).map_or(Vec3::Z, |facing| axes.apply(facing));
    let pelvis = JointId(figure.pelvis() as u16);
    let skeleton = reading.skeleton(rest, facing)?.with_pelvis(pelvis);
    let locals = reading.locals(usize::from(rest_row));
    let clip = Clip::new(&skeleton, name, rate, locals).map_err(|error| ImportError::new(error.to_string()))?;
    let clip = if settings.cut_dead_rows { cut_dead_rows(&skeleton, clip, &mut warnings) } else { clip };
    note_teleports(&skeleton, &clip, &mut warnings);

    let leg = leg.map(|units| units * unit.value.metres());
    let rows = document.rows();
    let freedoms = Vec::new();
    let source = Source { format: "BVH", unit, up, forward, positions, rest, rest_row, rows, leg, freedoms };
    Ok(Import { skeleton, clips: vec![clip], skin: None, source, document: None, warnings })
}

fn frame_rate(document: &Document, settings: &ImportSettings, warnings: &mut Vec<Warning>) -> Result<f32, ImportError> {
    if let Some(stated) = stated_rate(settings)? {
        return Ok(stated);
    }
    let printed = (1.0 / document.frame_time) as f32;
    let snapped = rate::snap(document.frame_time, document.frame_time_decimals).map(|r| r as f32);
    let rate = snapped.unwrap_or(printed);
    // A hair's difference is only the printed digits; more than 0.1 % deserves a word.
    if (rate / printed - 1.0).abs() > 1e-3 {
        warnings.push(Warning::RateSnapped { printed, rate });
    }
    if !(5.0..=1000.0).contains(&rate) {
        warnings.push(Warning::OddRate { rate });
    }
    Ok(rate)
}

/// Whether row 0 is a rest pose and not motion: most of the angles that are ever used are zero in it, and it is much
/// farther from row 1 than the next rows are from each other.
fn has_rest_row(document: &Document, setting: RestRow) -> bool {
    let rows = document.rows();
    match setting {
        RestRow::Yes => return rows > 1,
        RestRow::No => return false,
        RestRow::Detect if rows < 4 => return false,
        RestRow::Detect => {}
    }
    let (first, second) = (document.row(0), document.row(1));
    let angles = document.columns_by_node().flat_map(|(node, column)| {
        let rotations = node.channels.iter().enumerate().filter(|(_, c)| matches!(c, Channel::Rotation(_)));
        rotations.map(move |(i, _)| column + i)
    });
    // Forty rows over the whole file: dead rows may hide the motion for a while.
    let looks: Vec<&[f32]> =
        (0..40.min(rows - 2)).map(|i| document.row(2 + i * (rows - 2) / 40.min(rows - 2))).collect();
    let used: Vec<usize> = angles
        .filter(|column| second[*column].abs() > 1e-3 || looks.iter().any(|row| row[*column].abs() > 1e-3))
        .collect();
    let zeros = used.iter().filter(|column| first[**column].abs() < 1e-4).count();
    if used.is_empty() || zeros * 10 < used.len() * 6 {
        return false;
    }
    // The steps of angles between two rows, degrees, in order; whole turns are no step.
    let steps = |a: &[f32], b: &[f32]| {
        let wrapped = |c: &usize| (a[*c] - b[*c] - 360.0 * ((a[*c] - b[*c]) / 360.0).round()).abs();
        let mut steps: Vec<f32> = used.iter().map(wrapped).collect();
        steps.sort_by(f32::total_cmp);
        steps
    };
    let first_steps = steps(first, second);
    let later: Vec<Vec<f32>> = (2..rows.min(12)).map(|row| steps(document.row(row - 1), document.row(row))).collect();
    // The largest step, or, where a few channels jump in every row as fingers do, one that a quarter of all exceed.
    let jumps = |place: fn(usize) -> usize, times: f32, least: f32| {
        let of = |steps: &[f32]| steps[place(steps.len())];
        let mut usual: Vec<f32> = later.iter().map(|steps| of(steps)).collect();
        usual.sort_by(f32::total_cmp);
        let usual = usual.get(usual.len() / 2).copied().unwrap_or(0.0);
        of(&first_steps) > least && of(&first_steps) > times * usual
    };
    jumps(|count| count - 1, 4.0, 8.0) || jumps(|count| count * 3 / 4, 6.0, 2.0)
}

/// The meaning of position channels on joints below the root: the nearer reading of row 0. `None` where only the
/// root has any.
fn children_dialect(document: &Document, stated: Option<Dialect>) -> Option<Dialect> {
    let row = document.row(0);
    let (mut as_added, mut as_whole, mut any) = (0.0_f64, 0.0_f64, false);
    for (node, column) in document.columns_by_node().filter(|(node, _)| node.parent.is_some() && node.has_positions()) {
        any = true;
        for (i, channel) in node.channels.iter().enumerate() {
            if let Channel::Position(axis) = channel {
                let value = f64::from(row[column + i]);
                as_added += value.abs();
                as_whole += (value - f64::from(node.offset[*axis])).abs();
            }
        }
    }
    any.then(|| stated.unwrap_or(if as_added < as_whole { Dialect::Add } else { Dialect::Replace }))
}

/// The meaning for the whole file. Where only the root has position channels the two differ by a constant shift, and
/// the one that puts the feet on the ground is taken.
fn root_dialect(
    reading: &mut Reading<'_>,
    up: Axis,
    children: Option<Dialect>,
    stated: Option<Dialect>,
) -> Inferred<Dialect> {
    let (value, reason) = match (stated, children) {
        (Some(stated), _) => (stated, "stated".to_owned()),
        (None, Some(Dialect::Replace)) => (Dialect::Replace, "channels repeat the OFFSETs in row 0".into()),
        (None, Some(Dialect::Add)) => (Dialect::Add, "channels are near 0 beside the OFFSETs in row 0".into()),
        (None, None) => {
            let roots = reading.document.nodes.iter().filter(|n| n.parent.is_none() && n.has_positions());
            let shift: f32 = roots.map(|n| Vec3::from(n.offset).length()).fold(0.0, f32::max);
            if shift == 0.0 {
                (Dialect::Replace, "root OFFSET is 0: no difference".into())
            } else {
                let mut off = |dialect| {
                    reading.read_roots_as(dialect);
                    let rows = reading.looks(0);
                    rows.iter()
                        .map(|row| lowest(&reading.positions(Some(*row)), up))
                        .fold(f32::INFINITY, f32::min)
                        .abs()
                };
                let (replaced, added) = (off(Dialect::Replace), off(Dialect::Add));
                let value = if added < replaced { Dialect::Add } else { Dialect::Replace };
                (value, "so read, the lowest point is nearest to the ground".into())
            }
        }
    };
    reading.read_roots_as(value);
    Inferred { value, reason }
}

fn find_unit(
    figure: &Figure<'_>,
    leg: Option<f32>,
    settings: &ImportSettings,
    warnings: &mut Vec<Warning>,
) -> Inferred<Unit> {
    if let Some(stated) = settings.unit {
        return Inferred { value: stated, reason: "stated".into() };
    }
    let (value, why) = match leg.map(|leg| figure.unit(leg)) {
        Some(Ok((value, reason))) => return Inferred { value, reason },
        Some(Err(unsure)) => unsure,
        None => {
            // Nothing living that is animated is longer than three metres or shorter than three centimetres.
            let size = figure.size();
            let value = if size > 3.0 { Unit::Centimetre } else { Unit::Metre };
            (value, format!("no two legs were found by name, and the body is {size:.3} units long"))
        }
    };
    warnings.push(Warning::UnitAssumed { unit: value, why: why.clone() });
    Inferred { value, reason: format!("assumed: {why}") }
}

/// One step in making a joint's transform from its columns, in our axes.
#[derive(Clone, Copy)]
enum Step {
    /// Set or add to a coordinate: axis, metres per unit with sign.
    Move(usize, f32),
    /// Turn about an axis: radians per degree with sign.
    Turn(usize, f32),
}

/// A document with what has been decided about it so far.
struct Reading<'a> {
    document: &'a Document,
    children: Dialect,
    roots: Dialect,
    axes: Axes,
    unit: f32,
    steps: Vec<Step>,
    /// Per joint: translation before its columns, metres, in our axes; and the end of its steps.
    bases: Vec<(Vec3A, usize)>,
}

impl<'a> Reading<'a> {
    /// In the file's own axes and units, roots read as the children are.
    fn new(document: &'a Document, children: Option<Dialect>) -> Self {
        let children = children.unwrap_or(Dialect::Replace);
        let mut reading = Self {
            document,
            children,
            roots: children,
            axes: Axes::SAME,
            unit: 1.0,
            steps: Vec::new(),
            bases: Vec::new(),
        };
        reading.programme(Axes::SAME, 1.0);
        reading
    }

    /// Lays down how columns become transforms: axes, unit and dialects are settled here, once for all frames.
    fn programme(&mut self, axes: Axes, unit: f32) {
        (self.axes, self.unit) = (axes, unit);
        self.steps.clear();
        self.bases.clear();
        for node in &self.document.nodes {
            let mut base = node.offset;
            for channel in &node.channels {
                match *channel {
                    Channel::Position(axis) => {
                        let (ours, sign) = axes.ours[axis];
                        self.steps.push(Step::Move(ours, sign * unit));
                        if self.dialect(node) == Dialect::Replace {
                            base[axis] = 0.0;
                        }
                    }
                    Channel::Rotation(axis) => {
                        let (ours, sign) = axes.ours[axis];
                        self.steps.push(Step::Turn(ours, sign * 1.0_f32.to_radians()));
                    }
                }
            }
            let base = Vec3A::from(axes.apply(Vec3::from(base)) * unit);
            self.bases.push((base, self.steps.len()));
        }
    }

    fn read_roots_as(&mut self, dialect: Dialect) {
        self.roots = dialect;
        self.programme(self.axes, self.unit);
    }

    fn dialect(&self, node: &Node) -> Dialect {
        if node.parent.is_none() { self.roots } else { self.children }
    }

    /// `parent_from_joint` of every joint in a row.
    fn row_locals(&self, row: &[f32], out: &mut Vec<Rigid>) {
        let mut from = 0;
        for (base, end) in &self.bases {
            let mut local = Rigid::from_translation(*base);
            let mut turned = false;
            for (step, value) in self.steps[from..*end].iter().zip(&row[from..*end]) {
                match *step {
                    Step::Move(axis, scale) => local.translation[axis] += value * scale,
                    Step::Turn(axis, scale) => {
                        let turn = euler::about(axis, value * scale);
                        local.rotation = if turned { local.rotation * turn } else { turn };
                        turned = true;
                    }
                }
            }
            local.rotation = local.rotation.normalize();
            out.push(local);
            from = *end;
        }
    }

    /// All frames from row `first` on, with rotations on the near side of the frame before.
    fn locals(&self, first: usize) -> Vec<Rigid> {
        let (rows, joints) = (self.document.rows(), self.document.nodes.len());
        let mut locals: Vec<Rigid> = Vec::with_capacity((rows - first) * joints);
        for row in first..rows {
            self.row_locals(self.document.row(row), &mut locals);
            if row > first {
                let (before, now) = locals.split_at_mut((row - first) * joints);
                let before = &before[before.len() - joints..];
                for (now, before) in now.iter_mut().zip(before) {
                    now.rotation = quat::nearest_sign(before.rotation, now.rotation);
                }
            }
        }
        locals
    }

    /// `parent_from_joint` of the rest pose.
    fn rest_locals(&self, rest: RestPose) -> Vec<Rigid> {
        let nodes = &self.document.nodes;
        let mut locals = Vec::with_capacity(nodes.len());
        match rest {
            RestPose::FirstRow | RestPose::FirstFrame => self.row_locals(self.document.row(0), &mut locals),
            _ => {
                let offset = |node: &Node| Vec3A::from(self.axes.apply(Vec3::from(node.offset)) * self.unit);
                locals.extend(nodes.iter().map(|node| Rigid::from_translation(offset(node))));
            }
        }
        locals
    }

    /// The skeleton with its rest pose over the origin, its lowest point on the ground, facing +Z instead of
    /// `facing`.
    fn skeleton(&self, rest: RestPose, facing: Vec3) -> Result<Skeleton, ImportError> {
        let nodes = &self.document.nodes;
        let ends = nodes.iter().enumerate().flat_map(|(i, node)| node.ends.iter().map(move |end| (i, *end)));
        let tips: Vec<Tip> = ends
            .map(|(i, end)| Tip {
                joint: JointId(i as u16),
                offset: Vec3A::from(self.axes.apply(Vec3::from(end)) * self.unit),
            })
            .collect();
        let build = |locals: &[Rigid]| {
            let joints = nodes.iter().zip(locals).map(|(node, rest)| Joint::new(node.name.clone(), node.parent, *rest));
            let skeleton = Skeleton::new(joints.collect()).map_err(|error| ImportError::new(error.to_string()))?;
            Ok::<_, ImportError>(skeleton.with_tips(tips.iter().copied()))
        };
        let mut locals = self.rest_locals(rest);
        let heading = surefoot::math::single::atan2(facing.x, facing.z);
        // A pose that is a little crooked is not turned.
        let back = if heading.abs() < 0.1 { 0.0 } else { -heading };
        let turn = Rigid::from_rotation(quat::from_heading(back));
        let roots = |locals: &mut [Rigid], change: &dyn Fn(Rigid) -> Rigid| {
            for (node, local) in nodes.iter().zip(locals) {
                if node.parent.is_none() {
                    *local = change(*local);
                }
            }
        };
        roots(&mut locals, &|local| turn * local);
        let ground = ground_of(&build(&locals)?);
        let shift = Vec3A::new(-locals[0].translation.x, -ground, -locals[0].translation.z);
        roots(&mut locals, &|local| Rigid { translation: local.translation + shift, ..local });
        build(&locals)
    }

    // --- looking at the body before anything is decided -----------------------------------------------------

    /// A few rows of motion, evenly spread.
    fn looks(&self, first: usize) -> Vec<usize> {
        let count = self.document.rows() - first;
        (0..LOOKS.min(count)).map(|i| first + i * count / LOOKS.min(count)).collect()
    }

    /// Positions of joints and bone ends in the axes and unit of the programme; at rest for `None`.
    fn positions(&self, row: Option<usize>) -> Vec<Vec3> {
        let mut locals = Vec::new();
        match row {
            Some(row) => self.row_locals(self.document.row(row), &mut locals),
            None => locals = self.rest_locals(RestPose::Offsets),
        }
        let nodes = &self.document.nodes;
        let mut model: Vec<Rigid> = Vec::with_capacity(nodes.len());
        for (node, local) in nodes.iter().zip(&locals) {
            model.push(node.parent.map_or(*local, |parent| model[parent] * *local));
        }
        let ends = nodes.iter().zip(&model).flat_map(|(node, joint)| {
            node.ends.iter().map(|end| Vec3::from(joint.transform_point(Vec3A::from_array(*end))))
        });
        model.iter().map(|joint| Vec3::from(joint.translation)).chain(ends).collect()
    }

    fn figure(&self, rest_row: bool) -> Figure<'a> {
        let nodes = &self.document.nodes;
        let ends = || nodes.iter().enumerate().flat_map(|(i, node)| node.ends.iter().map(move |_| i));
        let first = usize::from(rest_row);
        Figure::new(
            nodes.iter().map(|n| n.name.as_str()).chain(ends().map(|_| "")).collect(),
            nodes.iter().map(|n| n.parent).chain(ends().map(Some)).collect(),
            self.positions(rest_row.then_some(0)),
            self.looks(first).into_iter().map(|row| self.positions(Some(row))).collect(),
        )
    }
}
