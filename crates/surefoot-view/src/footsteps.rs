//! Footsteps through a scene, to be shown: every stage as a picture and as numbers, and the page that plays them.

use crate::foot_name::side_word;
use crate::near_mesh::NearMesh;
use crate::own_file::OwnFile;
use crate::page::{Chart, Fact, FloorLine, FloorPrint, LineKind, Page, PageScene};
use crate::scene_picture::{self, Overlay};
use crate::shown_clip::{ShownClip, ShownFeet};
use crate::svg::Svg;
use crate::walk_track::{TrackPrint, WalkTrack};
use std::fmt::Write as _;
use surefoot::glam::Vec3;
use surefoot::math::{FloorPose, floor};
use surefoot::motion::Clip;
use surefoot::rig::{Rig, Side};
use surefoot::show::print_outline;
use surefoot::stages::Mark;
use surefoot::systems::Footstepped;
use surefoot::world::Scene;

/// Footsteps through a scene. Everything is of one body.
#[derive(Clone, Copy, Debug)]
pub struct ShownFootsteps<'a> {
    /// Who walks.
    pub rig: &'a Rig,
    /// What its strides are called.
    pub strides: &'a str,
    /// The scene with the start and goal that were taken.
    pub scene: &'a Scene,
    /// What was made of the plan.
    pub done: &'a Footstepped,
    /// The motion, with a name.
    pub clip: &'a Clip,
    /// How often one stride passes into another.
    pub changes_of_stride: usize,
}

/// What one stage made: prints, a way, or both.
#[derive(Clone, Debug, PartialEq)]
pub struct FootstepStage {
    /// Its place and name, for a file.
    pub name: &'static str,
    /// What it shows, in a few words.
    pub says: &'static str,
    prints: Vec<Mark>,
    /// Where the body is, by frame.
    way: Vec<FloorPose>,
    /// Frames a second.
    rate: f32,
}

impl ShownFootsteps<'_> {
    /// What it leaves on the ground.
    #[must_use]
    pub fn track(&self) -> WalkTrack {
        WalkTrack::of(self.rig, self.clip, &self.done.take.stances)
    }

    /// The scene from above with the walk and its footprints.
    #[must_use]
    pub fn map(&self) -> Svg {
        scene_picture::draw(self.scene, &Overlay { walk: Some(self.track()), ..Overlay::default() })
    }

    /// Every stage, in order.
    #[must_use]
    pub fn stages(&self) -> Vec<FootstepStage> {
        let stages = &self.done.stages;
        // What a free play does is of the same feet at the same times.
        let played = |prints: &[FloorPose]| -> Vec<Mark> {
            stages.planned.iter().zip(prints).map(|(mark, at)| Mark { at: *at, ..*mark }).collect()
        };
        let stage = |name, says, prints: Vec<Mark>, way: &[FloorPose]| FootstepStage {
            name,
            says,
            prints,
            way: way.to_vec(),
            rate: self.clip.rate(),
        };
        let none: &[FloorPose] = &[];
        vec![
            stage("1-planned", "prints as they were planned", stages.planned.clone(), none),
            stage("2-smoothed", "right prints smoothed", stages.smoothed.clone(), none),
            stage("3-played", "the planned strides played freely", played(&stages.played_prints), &stages.played),
            stage("4-refined", "prints refined by what was played", stages.refined.clone(), none),
            stage("5-blended", "strides blended by turn and speed", played(&stages.blended_prints), &stages.blended),
            stage("6-prints", "the prints that are stepped on", stages.prints.clone(), none),
            stage("7-traced", "the body led over its prints", stages.prints.clone(), &stages.traced),
            stage("8-body", "the body moved so that feet reach", stages.prints.clone(), &stages.body),
        ]
    }

    /// A picture of a stage from above.
    #[must_use]
    pub fn picture(&self, stage: &FootstepStage) -> Svg {
        let print = |mark: &Mark| {
            let leg = self.rig.legs.iter().find(|leg| leg.side == Some(mark.side)).unwrap_or(&self.rig.legs[0]);
            let outline = print_outline(&leg.foot, mark.sole()).map(Vec3::from).to_vec();
            TrackPrint { outline, side: Some(mark.side), time: mark.time }
        };
        let walk = WalkTrack {
            way: stage.way.iter().map(|pose| floor::at_height(pose.position, 0.0)).collect(),
            rate: stage.rate,
            prints: stage.prints.iter().map(print).collect(),
        };
        let scene = Scene { name: format!("{}: {}", self.scene.name, stage.says), ..self.scene.clone() };
        scene_picture::draw(&scene, &Overlay { walk: Some(walk), ..Overlay::default() })
    }

    /// The page that plays it, in the character's own file if there is one.
    #[must_use]
    pub fn page(&self, file: Option<&OwnFile>) -> Page {
        let feet = Some(ShownFeet { rig: self.rig, take: &self.done.take, cycle: None });
        let shown = ShownClip { skeleton: &self.rig.skeleton, clip: self.clip, feet, analysis: None, skin: None };
        let mut page = shown.page(file);
        page.subtitle = format!("on {}", self.strides);
        page.facts = self.facts();
        page.charts.insert(0, Chart { title: "map".into(), svg: self.map().finish() });
        page.scene = Some(self.page_scene());
        page
    }

    fn facts(&self) -> Vec<Fact> {
        let fact = |label: &str, value: String| Fact { label: label.into(), value };
        let report = &self.done.report;
        let (off, turned) = (1e3 * report.arrival.off, report.arrival.turned.to_degrees());
        vec![
            fact("prints", report.prints.to_string()),
            fact("walk", format!("{} frames, {:.1} s", report.frames, report.seconds)),
            fact("at the goal", format!("off by {off:.1} mm and {turned:.1}°")),
            fact("prints moved", format!("{:.0} mm at most", 1e3 * report.moved_prints)),
            fact("feet missed", format!("{:.1} mm at most", 1e3 * report.missed)),
        ]
    }

    fn page_scene(&self) -> PageScene {
        let track = self.track();
        let points = |points: &[Vec3]| points.iter().map(Vec3::to_array).collect::<Vec<_>>();
        let print = |print: &TrackPrint| FloorPrint {
            outline: points(&print.outline),
            side: side_word(print.side).into(),
            time: print.time,
        };
        PageScene {
            ground: self.scene.mesh.as_ref().map(|mesh| NearMesh::default().run(&mesh.soup, &track.way)),
            floor: Vec::new(),
            walls: Vec::new(),
            movers: Vec::new(),
            lines: vec![FloorLine {
                label: "way of the hips".into(),
                kind: LineKind::Walked,
                points: points(&track.way),
            }],
            prints: track.prints.iter().map(print).collect(),
        }
    }
}

impl FootstepStage {
    /// Its numbers as comma-separated values: prints first, then the way by frame.
    #[must_use]
    pub fn csv(&self) -> String {
        let mut out = String::from("what,time_s,side,x_m,y_m,z_m,heading_deg,fixed\n");
        for mark in &self.prints {
            let (at, side) = (mark.at, if mark.side == Side::Left { "left" } else { "right" });
            let (time, y, heading) = (mark.time, mark.height, at.heading.to_degrees());
            let (x, z, fixed) = (at.position.x, at.position.y, mark.fixed);
            let _ = writeln!(out, "print,{time:.4},{side},{x:.4},{y:.4},{z:.4},{heading:.2},{fixed}");
        }
        for (frame, pose) in self.way.iter().enumerate() {
            let (time, heading) = (frame as f32 / self.rate, pose.heading.to_degrees());
            let _ = writeln!(out, "body,{time:.4},,{:.4},,{:.4},{heading:.2},", pose.position.x, pose.position.y);
        }
        out
    }
}
