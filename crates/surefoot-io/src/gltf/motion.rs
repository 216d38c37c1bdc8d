//! Animations as frames: keys of any interpolation, sampled at one steady rate.

use super::accessor::Data;
use super::body::moves;
use super::schema::{Animation, Schema};
use super::tree::Tree;
use crate::nodes::{Body, EVEN, Motion, Similar, Unique, budget, even, shown_rate, unit};
use crate::{ImportError, Warning};
use std::collections::BTreeSet;
use surefoot::glam::{Quat, Vec3, Vec4};
use surefoot::math::{Rigid, quat};

/// What is sampled.
pub(super) struct Sampling<'a> {
    pub(super) schema: &'a Schema,
    pub(super) data: &'a Data<'a>,
    pub(super) tree: &'a Tree,
    pub(super) body: &'a Body,
    /// Size of the file and its buffers, bytes.
    pub(super) size: usize,
}

/// The keys of one property of one joint.
struct Track {
    joint: usize,
    turns: bool,
    times: Vec<f32>,
    /// A value per key; for cubic splines the tangent in, the value and the tangent out.
    values: Vec<Vec4>,
    how: How,
}

#[derive(Clone, Copy, PartialEq)]
enum How {
    Step,
    Linear,
    Cubic,
}

impl Sampling<'_> {
    /// The frame rate that the keys show: that of their most common distance. `None` if it is no usual one.
    pub(super) fn rate(&self) -> Result<Option<f32>, ImportError> {
        let mut distances = Vec::new();
        let mut seen = BTreeSet::new();
        for (index, animation) in self.schema.animations.iter().enumerate() {
            for (sampler, _, _) in self.channels(index, animation)? {
                let input = animation.samplers[sampler].input;
                if seen.insert(input) {
                    let times = self.times(index, input)?;
                    distances.extend(times.windows(2).map(|pair| f64::from(pair[1]) - f64::from(pair[0])));
                }
            }
        }
        Ok(shown_rate(distances.into_iter()))
    }

    /// All animations that move the body, at `rate` Hz.
    pub(super) fn run(&self, rate: f32, name: &str, warnings: &mut Vec<Warning>) -> Result<Vec<Motion>, ImportError> {
        let mut left = budget(self.size);
        let mut names = Unique::default();
        let mut motions = Vec::new();
        for (index, animation) in self.schema.animations.iter().enumerate() {
            let own = animation.name.as_deref().filter(|own| !own.is_empty());
            let clip = match own {
                Some(own) => own.to_owned(),
                None if self.schema.animations.len() == 1 => name.to_owned(),
                None => format!("{name} {index}"),
            };
            let scales = match self.scales(index, animation, warnings)? {
                Ok(scales) => scales,
                Err(why) => {
                    warnings.push(Warning::ClipLeftOut { name: crate::warning::excerpt(&clip), why });
                    continue;
                }
            };
            match self.one(index, animation, rate, &scales, &mut left)? {
                Some((start, locals)) => {
                    motions.push(Motion { name: names.of(clip), animation: Some(index), start, locals });
                }
                None => warnings.push(Warning::StillAnimation { name: crate::warning::excerpt(&clip) }),
            }
        }
        Ok(motions)
    }

    fn one(
        &self,
        index: usize,
        animation: &Animation,
        rate: f32,
        scales: &[f32],
        left: &mut usize,
    ) -> Result<Option<(f32, Vec<Rigid>)>, ImportError> {
        let channels = self.channels(index, animation)?;
        let mut tracks = Vec::with_capacity(channels.len());
        for (sampler, joint, turns) in channels {
            tracks.push(self.track(index, sampler, joint, turns)?);
        }
        let first = tracks.iter().filter_map(|track| track.times.first()).copied().reduce(f32::min);
        let last = tracks.iter().filter_map(|track| track.times.last()).copied().reduce(f32::max);
        let (Some(first), Some(last)) = (first, last) else { return Ok(None) };

        // Frames from the first key to the last; one more where the last key lies between two frames.
        let joints = self.body.joints.len();
        let steps = (f64::from(last) - f64::from(first)) * f64::from(rate);
        let frames = if (steps - steps.round()).abs() < 0.02 { steps.round() } else { steps.ceil() } + 1.0;
        let transforms = frames * joints as f64;
        if transforms > *left as f64 {
            let label = self.schema.animation_label(index);
            let seconds = f64::from(last) - f64::from(first);
            return Err(ImportError::new(format!(
                "{label}: {seconds} s at {rate} Hz would make {frames} frames of {joints} joints, more than the file's size allows; state a lower rate"
            )));
        }
        let frames = frames as usize;
        *left -= frames * joints;

        let mut locals: Vec<Rigid> = Vec::with_capacity(frames * joints);
        let rest: Vec<Rigid> = self.body.joints.iter().map(|joint| self.tree.locals[joint.node].rigid).collect();
        (0..frames).for_each(|_| locals.extend(&rest));
        for track in &tracks {
            let mut cursor = 0;
            for frame in 0..frames {
                let time = f64::from(first) + frame as f64 / f64::from(rate);
                let value = track.at(time, 1e-4_f64.min(0.05 / f64::from(rate)), &mut cursor);
                let local = &mut locals[frame * joints + track.joint];
                if track.turns {
                    local.rotation = Quat::from_vec4(value);
                } else {
                    local.translation = value.truncate().into();
                }
            }
        }
        // Scale goes into translations; rotations stay on the near side of the frame before.
        for frame in 0..frames {
            for joint in 0..joints {
                let at = frame * joints + joint;
                let mut above = self.body.joints[joint].above;
                above.scale *= scales[joint];
                let placed = above.then(Similar { rigid: locals[at], scale: 1.0 }).rigid;
                locals[at] = match at.checked_sub(joints) {
                    Some(before) => {
                        Rigid { rotation: quat::nearest_sign(locals[before].rotation, placed.rotation), ..placed }
                    }
                    None => placed,
                };
            }
        }
        Ok(Some((first, locals)))
    }

    /// The channels that move joints: sampler, joint, and whether they turn it.
    fn channels(&self, index: usize, animation: &Animation) -> Result<Vec<(usize, usize, bool)>, ImportError> {
        let mut channels = Vec::new();
        for channel in animation.channels.iter().filter(|channel| moves(channel)) {
            let Some(joint) = channel.target.node.and_then(|node| self.body.of_node[node]) else { continue };
            self.check_sampler(index, animation, channel.sampler)?;
            channels.push((channel.sampler, joint, channel.target.path == "rotation"));
        }
        Ok(channels)
    }

    fn check_sampler(&self, index: usize, animation: &Animation, sampler: usize) -> Result<(), ImportError> {
        let there = animation.samplers.len();
        if sampler < there {
            return Ok(());
        }
        let label = self.schema.animation_label(index);
        Err(ImportError::new(format!("{label} uses its sampler {sampler}, and it has {there}")))
    }

    fn times(&self, index: usize, accessor: usize) -> Result<Vec<f32>, ImportError> {
        let times: Vec<f32> = self.data.rows::<1>(accessor)?.into_iter().map(|[time]| time).collect();
        let fail = |what: String| {
            let (label, accessor) = (self.schema.animation_label(index), self.data.label(accessor));
            Err(ImportError::new(format!("{label}: {accessor}: {what}")))
        };
        if times.is_empty() {
            return fail("there are no keys".into());
        }
        if let Some(bad) = times.windows(2).position(|pair| pair[1] <= pair[0]) {
            return fail(format!("key {} at {} s does not come after {} s", bad + 1, times[bad + 1], times[bad]));
        }
        Ok(times)
    }

    fn track(&self, index: usize, sampler: usize, joint: usize, turns: bool) -> Result<Track, ImportError> {
        let sampler = &self.schema.animations[index].samplers[sampler];
        let fail = |what: String| {
            let node = self.schema.node_label(self.body.joints[joint].node);
            ImportError::new(format!("{}, {node}: {what}", self.schema.animation_label(index)))
        };
        let how = match sampler.interpolation.as_deref() {
            None | Some("LINEAR") => How::Linear,
            Some("STEP") => How::Step,
            Some("CUBICSPLINE") => How::Cubic,
            Some(other) => {
                return Err(fail(format!("interpolation {:?} is unknown", crate::warning::excerpt(other))));
            }
        };
        let times = self.times(index, sampler.input)?;
        let mut values: Vec<Vec4> = if turns {
            self.data.rows::<4>(sampler.output)?.into_iter().map(Vec4::from_array).collect()
        } else {
            self.data.rows::<3>(sampler.output)?.into_iter().map(|row| Vec3::from_array(row).extend(0.0)).collect()
        };
        let each = if how == How::Cubic { 3 } else { 1 };
        if values.len() != times.len() * each {
            return Err(fail(format!("{} values for {} keys, {each} each", values.len(), times.len())));
        }
        if turns {
            // Neighbouring keys on the near side of each other: q and -q are one rotation. Only the values of cubic
            // splines have unit length; their tangents change sign with them.
            let middle = each / 2;
            let mut before = Vec4::ZERO;
            for (key, group) in values.chunks_exact_mut(each).enumerate() {
                let Some(rotation) = unit(group[middle].to_array()) else {
                    return Err(fail(format!("the rotation of key {key} is zero")));
                };
                group[middle] = rotation.into();
                // As the node's own turn: after the mirrors that are in its scale. Tangents turn with the values.
                let turned = self.tree.locals[self.body.joints[joint].node].turned;
                if turned != Quat::IDENTITY {
                    group.iter_mut().for_each(|value| *value = (Quat::from_vec4(*value) * turned).into());
                }
                if before.dot(group[middle]) < 0.0 {
                    group.iter_mut().for_each(|value| *value = -*value);
                }
                before = group[middle];
            }
        }
        Ok(Track { joint, turns, times, values, how })
    }

    /// What each joint's scale above differs by from the nodes' own in this animation, as a factor: exporters write
    /// constant keys that are off by some rounding. Scale that really changes is ignored on a last joint; on others it is
    /// told why the animation cannot be used.
    fn scales(
        &self,
        index: usize,
        animation: &Animation,
        warnings: &mut Vec<Warning>,
    ) -> Result<Result<Vec<f32>, String>, ImportError> {
        let joints = &self.body.joints;
        let mut own = vec![1.0; joints.len()];
        for channel in animation.channels.iter().filter(|channel| channel.target.path == "scale") {
            let Some(node) = channel.target.node.filter(|node| *node < self.schema.nodes.len()) else { continue };
            let joint = self.body.of_node[node];
            if joint.is_none() && !self.body.is_above[node] {
                continue;
            }
            self.check_sampler(index, animation, channel.sampler)?;
            let sampler = &animation.samplers[channel.sampler];
            let cubic = sampler.interpolation.as_deref() == Some("CUBICSPLINE");
            let keys: Vec<Vec3> = self.data.rows::<3>(sampler.output)?.into_iter().map(Vec3::from_array).collect();
            let (skip, step) = if cubic { (1, 3) } else { (0, 1) };
            let (still, signs) = (self.tree.locals[node].scale, self.tree.locals[node].signs);
            let keys: Vec<Vec3> = keys.into_iter().map(|key| key * signs).collect();
            for key in keys.iter().skip(skip).step_by(step) {
                let change = (*key / still - Vec3::ONE).abs().max_element();
                // A scale of zero makes it NaN.
                if !(change.is_nan() || change > EVEN) {
                    continue;
                }
                let node = self.schema.node_label(node);
                if !joint.is_some_and(|joint| self.body.is_last(joint)) {
                    return Ok(Err(format!(
                        "it scales {node} from {still} to {key}; bones and what they hang from must keep their size"
                    )));
                }
                let ignored = Warning::ScaleIgnored { node };
                if !warnings.contains(&ignored) {
                    warnings.push(ignored);
                }
                break;
            }
            if let (Some(joint), Some(first)) = (joint, keys.get(skip)) {
                own[joint] = even(*first / still).unwrap_or(1.0);
            }
        }
        let mut factors = vec![1.0; joints.len()];
        for joint in 0..joints.len() {
            factors[joint] = joints[joint].parent.map_or(1.0, |parent| factors[parent] * own[parent]);
        }
        Ok(Ok(factors))
    }
}

impl Track {
    /// The value at a time, seconds; within `slack` of a key it is that key's. `cursor` is where the last call ended,
    /// for times that rise.
    fn at(&self, time: f64, slack: f64, cursor: &mut usize) -> Vec4 {
        let each = if self.how == How::Cubic { 3 } else { 1 };
        let value = |key: usize| self.values[key * each + each / 2];
        let last = self.times.len() - 1;
        while *cursor < last && f64::from(self.times[*cursor + 1]) <= time + slack {
            *cursor += 1;
        }
        let key = *cursor;
        let since = time - f64::from(self.times[key]);
        if key == last || since <= slack || self.how == How::Step {
            return value(key);
        }
        let span = f64::from(self.times[key + 1]) - f64::from(self.times[key]);
        let x = (since / span).clamp(0.0, 1.0);
        let (a, b) = (value(key), value(key + 1));
        match self.how {
            How::Linear if self.turns => {
                // In f64: the arc's length is badly known from a dot product of two f32 quaternions.
                Quat::from_vec4(a).as_dquat().slerp(Quat::from_vec4(b).as_dquat(), x).normalize().as_quat().into()
            }
            How::Linear | How::Step => a.lerp(b, x as f32),
            How::Cubic => {
                // Hermite: p = (2x³-3x²+1) a + (x³-2x²+x) s out(a) + (3x²-2x³) b + (x³-x²) s in(b), s the span.
                let (x, s) = (x as f32, span as f32);
                let (x2, x3) = (x * x, x * x * x);
                let (out, into) = (self.values[key * 3 + 2], self.values[(key + 1) * 3]);
                let p = (2.0 * x3 - 3.0 * x2 + 1.0) * a
                    + (x3 - 2.0 * x2 + x) * s * out
                    + (3.0 * x2 - 2.0 * x3) * b
                    + (x3 - x2) * s * into;
                if self.turns { unit(p.to_array()).map_or(a, Vec4::from) } else { p }
            }
        }
    }
}
