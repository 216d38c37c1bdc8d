//! The page in which a creature walks over its ground.

use crate::foot_name::{foot_name, side_word};
use crate::ground_mesh::DrawGround;
use crate::own_file::OwnFile;
use crate::page::{Chart, Fact, FloorLine, FloorPrint, LineKind, Page, PageScene, Placing, TimeMark, Trace};
use crate::walk_track::WalkTrack;
use surefoot::glam::Vec3;
use surefoot::motion::Stance;
use surefoot::rig::{Leg, LegId, ModelPose, Side};
use surefoot::systems::{CreatureMotion, CreatureTake};
use surefoot::world::{Ground, Terrain};

/// A creature's walk and the ground it goes over.
#[derive(Clone, Copy)]
pub struct ShownCreature<'a> {
    /// The walk as it was planned.
    pub motion: &'a CreatureMotion,
    /// The walk as motion, with its figures.
    pub done: &'a CreatureTake,
    /// The ground.
    pub ground: &'a dyn Ground,
    /// The ground again where it was made by a rule (slope, stairs, rubble), which tells where its edges are.
    pub terrain: Option<Terrain>,
    /// The character's own file, if it is played in one.
    pub file: Option<&'a OwnFile>,
}

impl ShownCreature<'_> {
    /// The page, with the picture (SVG text) below.
    #[must_use]
    pub fn page(&self, title: String, subtitle: String, picture: String) -> Page {
        Page {
            title,
            subtitle,
            traces: self.motion.character.rig.legs().map(|(id, leg)| self.trace(id, leg)).collect(),
            facts: self.facts(),
            notes: Vec::new(),
            places: self.places(),
            charts: vec![Chart { title: "side view and prints".into(), svg: picture }],
            placing: Placing::of(self.file, 0.0),
            scene: Some(self.scene()),
            ghost: None,
            clips: Vec::new(),
        }
    }

    fn trace(&self, id: LegId, leg: &Leg) -> Trace {
        let (take, rig) = (&self.done.take, &self.motion.character.rig);
        let joint = leg.toe.unwrap_or(leg.ankle());
        let own = take.stances.iter().filter(|stance| stance.leg() == id);
        Trace {
            node: rig.skeleton.name(joint).into(),
            label: foot_name(rig, leg),
            side: self.side(id).into(),
            index: self.file.map(|file| file.node(joint)),
            stances: Some(own.map(|s| [s.strike(), s.off()]).collect()),
        }
    }

    fn side(&self, leg: LegId) -> &'static str {
        let left = self.motion.character.stand.legs[leg.index()].order.left;
        side_word(Some(if left { Side::Left } else { Side::Right }))
    }

    fn facts(&self) -> Vec<Fact> {
        let fact = |label: &str, value: String| Fact { label: label.into(), value };
        let (figures, clip) = (&self.done.report.figures, &self.done.take.clip);
        let mm = |x: f32| format!("{:.2} mm", 1e3 * x);
        vec![
            fact("length", format!("{:.2} s, {} Hz", clip.duration(), clip.rate())),
            fact("legs", self.motion.character.rig.legs.len().to_string()),
            fact("stances", figures.stances.to_string()),
            fact("greatest foot drift", mm(figures.drift.max)),
            fact("deepest standing foot", mm(figures.penetration.max)),
            fact("deepest swinging foot", mm(figures.grazing.max)),
        ]
    }

    fn places(&self) -> Vec<TimeMark> {
        let (missed, frame) = (self.done.report.missed, self.done.report.missed_in);
        let label = format!("a standing foot missed its place by {:.0} mm", 1e3 * missed);
        let time = frame as f32 / self.done.take.clip.rate();
        (missed > 1e-3).then_some(TimeMark { time, label }).into_iter().collect()
    }

    fn scene(&self) -> PageScene {
        let (stand, take) = (&self.motion.character.stand, &self.done.take);
        let leg = stand.legs.iter().map(|leg| leg.length).fold(0.0, f32::max);
        let track = WalkTrack::of(&self.motion.character.rig, &take.clip, &take.stances);
        // Cells of made ground end where it does; other ground is drawn finely.
        let cell = leg / if self.terrain.is_some() { 4.0 } else { 12.0 };
        let seams = self.terrain.map_or([None; 2], |terrain| terrain.seams());
        // Short legs may carry a large body.
        let mut model = ModelPose::new(&self.motion.character.rig.skeleton);
        stand.pose.to_model(&self.motion.character.rig.skeleton, &mut model);
        let top = model.joints.iter().map(|joint| joint.translation.y - stand.middle.y).fold(0.0, f32::max);
        let reach = (1.5 * leg + stand.radius).max(0.8 * top);
        let mesh = DrawGround { cell, reach, seams }.run(self.ground, &track.way);
        let mut way: Vec<Vec3> = Vec::new();
        for p in &track.way {
            if way.last().is_none_or(|last| last.with_y(0.0).distance(p.with_y(0.0)) > leg / 40.0) {
                let hit = self.ground.below(p.with_y(p.y + leg), 2.0 * leg, 0.0);
                way.extend(hit.map(|hit| hit.point));
            }
        }
        let print = |(stance, outline): (&Stance, &[Vec3])| FloorPrint {
            outline: self.outline(stance, outline, leg).into_iter().map(rounded).collect(),
            side: self.side(stance.leg()).into(),
            time: stance.strike(),
        };
        let outlines = track.prints.iter().map(|print| print.outline.as_slice());
        PageScene {
            ground: Some(mesh),
            lines: vec![FloorLine {
                label: "way of the hips".into(),
                kind: LineKind::Walked,
                points: way.into_iter().map(rounded).collect(),
            }],
            prints: take.stances.iter().zip(outlines).map(print).collect(),
            ..PageScene::default()
        }
    }

    /// The outline of a print; feet that are points leave small rounds.
    fn outline(&self, stance: &Stance, sole: &[Vec3], leg: f32) -> Vec<Vec3> {
        if !self.motion.character.stand.legs[stance.leg().index()].foot.is_point() {
            return sole.to_vec();
        }
        let on_circle = |i: u8| {
            let (sin, cos) = (f32::from(i) * std::f32::consts::TAU / 10.0).sin_cos();
            let sole = Vec3::new(sin, 0.0, cos) * 0.03 * leg;
            stance.print.world_from_sole.transform_point(sole.into()).into()
        };
        (0..10).map(on_circle).collect()
    }
}

/// To tenths of a millimetre.
fn rounded(p: Vec3) -> [f32; 3] {
    p.to_array().map(|x| (1e4 * x).round() / 1e4)
}
