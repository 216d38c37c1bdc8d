//! The picture of a path that was followed, and the page that plays it.

use super::{FollowedReport, ShownFollowed};
use crate::foot_name::side_word;
use crate::page::{Chart, Fact, FloorLine, FloorPrint, LineKind, Page, PageScene};
use crate::scene_picture::{self, Overlay};
use crate::shown_clip::{ShownClip, ShownFeet};
use crate::svg::Svg;
use crate::walk_track::TrackPrint;
use surefoot::glam::{Vec2, Vec3};
use surefoot::random::Seed;
use surefoot::world::{Body, FloorMap, Scene, ScenePose};

/// Room around path and walk, metres.
const AROUND: f32 = 0.8;

impl ShownFollowed<'_> {
    /// The path from above with the walk and its footprints.
    #[must_use]
    pub fn map(&self) -> Svg {
        let overlay =
            Overlay { routes: vec![self.path.points().to_vec()], walk: Some(self.track()), ..Overlay::default() };
        scene_picture::draw(&self.scene(), &overlay)
    }

    /// The page that plays it.
    #[must_use]
    pub fn page(&self) -> Page {
        let feet = Some(ShownFeet { rig: &self.done.rig, take: &self.done.take, cycle: None });
        let skeleton = &self.done.rig.skeleton;
        let shown = ShownClip { skeleton, clip: self.clip, feet, analysis: None, skin: None };
        let mut page = shown.page(None);
        page.subtitle = format!("on {}", self.graph);
        page.facts = facts(&FollowedReport::new(self));
        page.charts.insert(0, Chart { title: "path".into(), svg: self.map().finish() });
        page.scene = Some(self.page_scene());
        page
    }

    /// The path and the walk on the floor.
    fn page_scene(&self) -> PageScene {
        let track = self.track();
        let points = |points: &[Vec3]| points.iter().map(Vec3::to_array).collect::<Vec<_>>();
        let line = |label: &str, kind, on: &[Vec3]| FloorLine { label: label.into(), kind, points: points(on) };
        let print = |print: &TrackPrint| FloorPrint {
            outline: points(&print.outline),
            side: side_word(print.side).into(),
            time: print.time,
        };
        let floor = self.scene().floor;
        let corner = |corner: &Vec2| corner.to_array();
        PageScene {
            ground: None,
            floor: floor.map_or_else(Vec::new, |floor| floor.boundary().iter().map(corner).collect()),
            walls: Vec::new(),
            movers: Vec::new(),
            lines: vec![
                line("path as drawn", LineKind::Planned, self.path.points()),
                line("way of the hips", LineKind::Walked, &track.way),
            ],
            prints: track.prints.iter().map(print).collect(),
        }
    }

    /// An empty floor with room for path and walk.
    fn scene(&self) -> Scene {
        let flat = |p: &Vec3| Vec2::new(p.x, p.z);
        let track = self.track();
        let all = self.path.points().iter().chain(&track.way).map(flat);
        let ends = (Vec2::splat(f32::MAX), Vec2::splat(f32::MIN));
        let (low, high) = all.fold(ends, |(low, high), p| (low.min(p), high.max(p)));
        let floor = FloorMap::rectangle(low - Vec2::splat(AROUND), high + Vec2::splat(AROUND)).ok();
        let heading = Some(self.path.heading(0.0));
        Scene {
            name: self.clip.name().into(),
            seed: Seed(0),
            body: Body::default(),
            start: ScenePose { place: self.path.start(), heading },
            goal: ScenePose { place: self.path.end(), heading: None },
            floor,
            mesh: None,
            platforms: Vec::new(),
            obstacles: Vec::new(),
            areas: Vec::new(),
        }
    }
}

fn facts(report: &FollowedReport) -> Vec<Fact> {
    let fact = |label: &str, value: String| Fact { label: label.into(), value };
    let [least, most] = report.scales;
    vec![
        fact("walk", format!("{:.1} m in {:.1} s", report.length_m, report.seconds)),
        fact("path", format!("{:.1} m", report.path_m)),
        fact("off the path", format!("{:.0} mm, root mean square", report.distance_mm)),
        fact("legs", format!("{least:.2} to {most:.2} times as long")),
        fact("changes of clip", report.transitions.to_string()),
        fact("foot drift, 95 %", format!("{:.2} mm", report.drift_mm.p95)),
    ]
}
