//! The page of a clip as it is: how it walks, and its contact sheet.

use crate::foot_name::{foot_name, side_word};
use crate::own_file::OwnFile;
use crate::page::{Chart, Fact, Page, PageClip, Placing, Trace};
use crate::shown_clip::{ShownClip, ShownFeet};
use crate::standing::standing;
use surefoot::glam::Vec3;
use surefoot::motion::Clip;
use surefoot::rig::{JointId, Leg, LegId, ModelPose, Pose, Skeleton, Skin};
use surefoot::stages::Trajectories;

impl ShownClip<'_> {
    /// The page that plays it in the character's own file, if it has one.
    ///
    /// # Panics
    /// If clip, skin or file were made for another skeleton.
    #[must_use]
    pub fn page(&self, file: Option<&OwnFile>) -> Page {
        Page {
            title: self.clip.name().to_owned(),
            subtitle: String::new(),
            traces: self.traces(file),
            facts: self.facts(),
            notes: Vec::new(),
            places: Vec::new(),
            charts: vec![self.sheet_chart()],
            placing: Placing::of(file, self.ground()),
            scene: None,
            ghost: None,
            clips: Vec::new(),
            beside: Vec::new(),
        }
    }

    /// What a page of another clip says when this one is chosen, which is the animation of that number in its file. Both are
    /// of one rig.
    ///
    /// # Panics
    /// If clip or skin were made for another skeleton.
    #[must_use]
    pub fn page_clip(&self, index: usize) -> PageClip {
        PageClip {
            index,
            title: self.clip.name().to_owned(),
            facts: self.facts(),
            charts: vec![self.sheet_chart()],
            stances: self.traces(None).into_iter().filter_map(|trace| trace.stances).collect(),
        }
    }

    fn sheet_chart(&self) -> Chart {
        Chart { title: "contact sheet".into(), svg: self.sheet(&[]).finish() }
    }

    /// How it walks, in few words.
    pub(crate) fn facts(&self) -> Vec<Fact> {
        let (clip, skeleton) = (self.clip, self.skeleton);
        let fact = |label: &str, value: String| Fact { label: label.into(), value };
        let mut facts = vec![
            fact("length", format!("{:.2} s, {} Hz", clip.duration(), clip.rate())),
            fact("joints", skeleton.len().to_string()),
        ];
        let (Some(feet), Some(analysis)) = (self.feet, self.analysis) else { return facts };
        facts.push(fact("legs", feet.rig.legs.len().to_string()));
        if !analysis.idle && analysis.steps > 0 {
            facts.push(fact("steps", format!("{}, {:.2} a second", analysis.steps, analysis.cadence)));
            facts.push(fact("stride", format!("{:.2} m, {:.2} s", analysis.stride_length, analysis.stride_time)));
        }
        facts.push(fact("turn", format!("{:+.0}°", analysis.pelvis_yaw_net.to_degrees().round() + 0.0)));
        facts
    }

    /// The feet whose paths are drawn: those of the legs, else the lowest joints.
    pub(crate) fn traces(&self, file: Option<&OwnFile>) -> Vec<Trace> {
        match self.feet {
            Some(feet) => leg_traces(self.clip, feet, file),
            None => lowest_traces(self.skeleton, self.clip, file),
        }
    }

    /// Height of the ground below it, metres.
    pub(crate) fn ground(&self) -> f32 {
        match (self.skin, self.feet.filter(|feet| !feet.take.stances.is_empty())) {
            (Some(skin), _) => lowest(self.skeleton, self.clip, skin),
            (None, Some(feet)) => feet.take.ground,
            (None, None) => 0.0,
        }
    }
}

fn leg_traces(clip: &Clip, feet: ShownFeet<'_>, file: Option<&OwnFile>) -> Vec<Trace> {
    let (rig, stances) = (feet.rig, standing(feet.take, feet.cycle));
    let trace = |(id, leg): (LegId, &Leg)| {
        let joint = leg.toe.unwrap_or(leg.ankle());
        let seconds = |frame: usize| frame as f32 / clip.rate();
        let own = stances.iter().filter(|s| s.leg == id).map(|s| [seconds(s.frames.start), seconds(s.frames.end)]);
        Trace {
            node: rig.skeleton.name(joint).into(),
            label: foot_name(rig, leg),
            side: side_word(leg.side).into(),
            index: file.map(|file| file.node(joint)),
            stances: Some(own.collect()),
        }
    };
    rig.legs().map(trace).collect()
}

fn lowest_traces(skeleton: &Skeleton, clip: &Clip, file: Option<&OwnFile>) -> Vec<Trace> {
    let trace = |joint: JointId| Trace {
        node: skeleton.name(joint).into(),
        label: skeleton.name(joint).into(),
        side: side_word(skeleton.side(joint)).into(),
        index: file.map(|file| file.node(joint)),
        stances: None,
    };
    Trajectories::new(skeleton, clip).lowest_joints(skeleton).into_iter().map(trace).collect()
}

/// The height that a skin's lowest point has in a quarter of the frames or is below, metres: the ground, for one that
/// walks or runs.
fn lowest(skeleton: &Skeleton, clip: &Clip, skin: &Skin) -> f32 {
    // Poses that are looked at: enough for every phase of a walk.
    const LOOKS: usize = 17;
    let mut pose = Pose::rest(skeleton);
    let mut model = ModelPose::new(skeleton);
    let mut places = vec![Vec3::ZERO; skin.positions.len()];
    let looks = LOOKS.min(clip.frames());
    let mut heights: Vec<f32> = (0..looks)
        .map(|look| {
            let frame = look * (clip.frames() - 1) / (looks - 1).max(1);
            pose.locals.copy_from_slice(clip.frame(frame));
            pose.to_model(skeleton, &mut model);
            skin.deform(&model, &mut places);
            let root = clip.roots()[frame];
            places.iter().map(|place| root.transform_point((*place).into()).y).fold(f32::INFINITY, f32::min)
        })
        .collect();
    heights.sort_by(f32::total_cmp);
    heights[looks / 4]
}
