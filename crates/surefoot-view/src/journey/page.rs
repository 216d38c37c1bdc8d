//! A journey's map, and a page in which the character walks between the walls.

use super::{JourneyReport, ShownJourney};
use crate::foot_name::side_word;
use crate::near_mesh::NearMesh;
use crate::own_file::OwnFile;
use crate::page::{Chart, Fact, FloorLine, FloorPrint, LineKind, MoverKind, Page, PageScene, Wall};
use crate::page_mover::page_mover;
use crate::scene_picture::{self, Overlay};
use crate::shown_clip::{ShownClip, ShownFeet};
use crate::svg::Svg;
use crate::walk_track::TrackPrint;
use surefoot::glam::{Vec2, Vec3};
use surefoot::world::{Ground as _, World};

/// How high obstacles are drawn on a page, metres: low enough to see the character behind them.
const WALL_HEIGHT: f32 = 0.6;
/// How far above and below a way its ground is looked for, metres: more than a step, less than a storey.
const STEP: f32 = 0.8;
/// Lines are laid on the ground in pieces of this length, metres.
const PIECE: f32 = 0.25;

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

    /// The page that plays it, in the character's own file if there is one.
    #[must_use]
    pub fn page(&self, file: Option<&OwnFile>) -> Page {
        let feet = Some(ShownFeet { rig: self.rig, take: self.done.take(), cycle: None });
        let shown = ShownClip { skeleton: &self.rig.skeleton, clip: self.clip, feet, analysis: None, skin: None };
        let mut page = shown.page(file);
        page.subtitle = format!("on {}", self.graph);
        page.facts = facts(&JourneyReport::new(self));
        page.charts.insert(0, Chart { title: "map".into(), svg: self.map().finish() });
        page.scene = Some(self.page_scene());
        page
    }

    /// What stands and moves around the character, and what it leaves on the ground.
    fn page_scene(&self) -> PageScene {
        let track = self.track();
        let (world, floor) = (self.scene.world(), self.scene.floor.as_ref());
        let points = |points: &[Vec3]| points.iter().map(Vec3::to_array).collect::<Vec<_>>();
        let corners = |corners: &[Vec2]| corners.iter().map(Vec2::to_array).collect::<Vec<_>>();
        let wall = |outline: &[Vec2]| Wall { corners: corners(outline), height: WALL_HEIGHT };
        let line = |label: &str, kind, on: &[Vec3]| FloorLine { label: label.into(), kind, points: points(on) };
        let print = |print: &TrackPrint| FloorPrint {
            outline: points(&print.outline),
            side: side_word(print.side).into(),
            time: print.time,
        };
        let seconds = track.seconds();
        let platforms = self.scene.platforms.iter().map(|mover| page_mover(mover, MoverKind::Platform, seconds));
        let obstacles = self.scene.obstacles.iter().map(|mover| page_mover(mover, MoverKind::Obstacle, seconds));
        let way: Vec<Vec3> =
            (0..).zip(&track.way).map(|(frame, p)| below(&world, *p, frame as f32 / track.rate)).collect();
        let path = on_ground(&world, self.done.report.path.points());
        PageScene {
            ground: self.scene.mesh.as_ref().map(|mesh| NearMesh::default().run(&mesh.soup, &way)),
            floor: floor.map_or_else(Vec::new, |floor| corners(floor.boundary())),
            walls: floor.map_or_else(Vec::new, |floor| floor.obstacles().map(|(_, o)| wall(o.corners())).collect()),
            movers: platforms.chain(obstacles).collect(),
            lines: vec![
                line("path as planned", LineKind::Planned, &path),
                line("way of the hips", LineKind::Walked, &way),
            ],
            prints: track.prints.iter().map(print).collect(),
        }
    }
}

/// The ground below a point that is near it, else the point.
fn below(world: &World, p: Vec3, time: f32) -> Vec3 {
    world.below(p + STEP * Vec3::Y, 2.0 * STEP, time).map_or(p, |hit| hit.point)
}

/// A way with points so near each other that it lies on the ground in between, at time 0.
fn on_ground(world: &World, way: &[Vec3]) -> Vec<Vec3> {
    let piece = |pair: &[Vec3]| {
        let (from, to) = (pair[0], pair[1]);
        let parts = (from.distance(to) / PIECE).ceil().clamp(1.0, 1e4) as u32;
        (1..=parts).map(move |k| from.lerp(to, k as f32 / parts as f32))
    };
    let all = way.first().copied().into_iter().chain(way.windows(2).flat_map(piece));
    all.map(|p| below(world, p, 0.0)).collect()
}

fn facts(report: &JourneyReport) -> Vec<Fact> {
    let fact = |label: &str, value: String| Fact { label: label.into(), value };
    let arrival = &report.arrival;
    let changed = match arrival.steps_changed {
        0 => "no".into(),
        steps => format!("{steps}, by {:.0} mm and {:.1}°", arrival.shift_mm, arrival.turn_deg.abs()),
    };
    vec![
        fact("walk", format!("{:.1} m in {:.1} s", report.length_m, report.seconds)),
        fact("planned path", format!("{:.1} m", report.path_m)),
        fact("collisions", report.collisions.to_string()),
        fact("at the goal", report.arrived()),
        fact("last steps adjusted", changed),
        fact("changes of clip", format!("{}, {:.1} a second", report.transitions, report.transitions_per_s)),
        fact("foot drift, 95 %", format!("{:.2} mm", report.drift_mm.p95)),
    ]
}
