//! A journey's map, and a page in which the character walks between the walls.

use super::{JourneyReport, ShownJourney};
use crate::foot_name::side_word;
use crate::page::{Chart, Fact, FloorLine, FloorPrint, LineKind, Page, PageScene, Wall};
use crate::scene_picture::{self, Overlay};
use crate::shown_clip::{ShownClip, ShownFeet};
use crate::svg::Svg;
use crate::walk_track::TrackPrint;
use surefoot::glam::{Vec2, Vec3};

/// How high obstacles are drawn on a page, metres: low enough to see the character behind them.
const WALL_HEIGHT: f32 = 0.6;

impl ShownJourney<'_> {
    /// The scene from above with the path, the walk and its footprints.
    #[must_use]
    pub fn map(&self) -> Svg {
        let overlay = Overlay {
            routes: vec![self.done.report.path.points().to_vec()],
            walk: Some(self.track()),
            ..Overlay::default()
        };
        scene_picture::draw(self.scene, &overlay)
    }

    /// The page that plays it.
    #[must_use]
    pub fn page(&self) -> Page {
        let feet = Some(ShownFeet { rig: self.rig, take: self.done.take(), cycle: None });
        let shown = ShownClip { skeleton: &self.rig.skeleton, clip: self.clip, feet, analysis: None, skin: None };
        let mut page = shown.page(None);
        page.subtitle = format!("on {}", self.graph);
        page.facts = facts(&JourneyReport::new(self));
        page.charts.insert(0, Chart { title: "map".into(), svg: self.map().finish() });
        page.scene = Some(self.page_scene());
        page
    }

    /// What stands around the character, and what it leaves on the floor.
    fn page_scene(&self) -> PageScene {
        let track = self.track();
        let flat = |points: &[Vec3]| points.iter().map(|p| [p.x, 0.0, p.z]).collect::<Vec<_>>();
        let corners = |corners: &[Vec2]| corners.iter().map(Vec2::to_array).collect::<Vec<_>>();
        let floor = self.scene.floor.as_ref();
        let wall = |outline: &[Vec2]| Wall { corners: corners(outline), height: WALL_HEIGHT };
        let line = |label: &str, kind, points: &[Vec3]| FloorLine { label: label.into(), kind, points: flat(points) };
        let print = |print: &TrackPrint| FloorPrint {
            outline: flat(&print.outline),
            side: side_word(print.side).into(),
            time: print.time,
        };
        PageScene {
            ground: None,
            floor: floor.map_or_else(Vec::new, |floor| corners(floor.boundary())),
            walls: floor.map_or_else(Vec::new, |floor| floor.obstacles().map(|(_, o)| wall(o.corners())).collect()),
            lines: vec![
                line("path as planned", LineKind::Planned, self.done.report.path.points()),
                line("way of the hips", LineKind::Walked, &track.way),
            ],
            prints: track.prints.iter().map(print).collect(),
        }
    }
}

fn facts(report: &JourneyReport) -> Vec<Fact> {
    let fact = |label: &str, value: String| Fact { label: label.into(), value };
    let arrival = &report.arrival;
    let changed = format!("{}: {:.0} mm, {:+.1}°", arrival.steps_changed, arrival.shift_mm, arrival.turn_deg);
    vec![
        fact("walked", format!("{:.1} s, {:.1} m", report.seconds, report.length_m)),
        fact("path", format!("{:.1} m", report.path_m)),
        fact("collisions", report.collisions.to_string()),
        fact("arrived", report.arrived()),
        fact("last steps changed", changed),
        fact("transitions", format!("{}, {:.1}/s", report.transitions, report.transitions_per_s)),
        fact("foot drift, 95 %", format!("{:.2} mm", report.drift_mm.p95)),
    ]
}
