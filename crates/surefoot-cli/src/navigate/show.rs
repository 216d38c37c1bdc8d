//! How a journey is shown: its map, and a page in which the character walks between the walls.

use super::figures::arrival;
use super::journey::{Journey, Walker};
use crate::page;
use surefoot::glam::{Vec2, Vec3};
use surefoot_view::page::{Chart, Fact, FloorLine, FloorPrint, LineKind, Page, PageScene, Wall};
use surefoot_view::scene_picture::{self, Overlay};
use surefoot_view::svg::Svg;
use surefoot_view::walk_track::{TrackPrint, WalkTrack};

/// How high obstacles are drawn on a page, metres: low enough to see the character behind them.
const WALL_HEIGHT: f32 = 0.6;

fn track(walker: &Walker, journey: &Journey) -> WalkTrack {
    WalkTrack::of(&walker.graph.rig, &journey.clip, &journey.studied.found.stances)
}

/// The scene from above with the path, the walk and its footprints.
pub(crate) fn map(walker: &Walker, journey: &Journey) -> Svg {
    let overlay = Overlay {
        routes: vec![journey.path.points().to_vec()],
        walk: Some(track(walker, journey)),
        ..Overlay::default()
    };
    scene_picture::draw(&journey.scene, &overlay)
}

/// The page that plays it.
pub(crate) fn page(walker: &Walker, journey: &Journey) -> Page {
    let skeleton = &walker.graph.rig.skeleton;
    let mut page = page::of_clip((skeleton, &journey.clip), Some(&journey.studied), None, None);
    page.subtitle = format!("on {}", walker.name);
    page.facts = facts(journey);
    page.charts.insert(0, Chart { title: "map".into(), svg: map(walker, journey).finish() });
    page.scene = Some(scene(walker, journey));
    page
}

fn facts(journey: &Journey) -> Vec<Fact> {
    let Journey { walk, clip, .. } = journey;
    let fact = |label: &str, value: String| Fact { label: label.into(), value };
    let (blends, arrived) = (walk.walked.seams.len(), &walk.arrived);
    let (shift, turn) = (1e3 * arrived.shift.length(), arrived.turn.to_degrees());
    let changed = format!("{}: {shift:.0} mm, {turn:+.1}°", arrived.steps);
    vec![
        fact("walked", format!("{:.1} s, {:.1} m", clip.duration(), walk.way.length)),
        fact("path", format!("{:.1} m", journey.path.length())),
        fact("collisions", walk.way.collisions.to_string()),
        fact("arrived", arrival(journey)),
        fact("last steps changed", changed),
        fact("transitions", format!("{blends}, {:.1}/s", blends as f32 / clip.duration())),
        fact("foot drift, 95 %", format!("{:.2} mm", 1e3 * journey.figures.after.drift.p95)),
    ]
}

/// What stands around the character, and what it leaves on the floor.
fn scene(walker: &Walker, journey: &Journey) -> PageScene {
    let track = track(walker, journey);
    let flat = |points: &[Vec3]| points.iter().map(|p| [p.x, 0.0, p.z]).collect::<Vec<_>>();
    let corners = |corners: &[Vec2]| corners.iter().map(Vec2::to_array).collect::<Vec<_>>();
    let floor = journey.scene.floor.as_ref();
    let wall = |outline: &[Vec2]| Wall { corners: corners(outline), height: WALL_HEIGHT };
    let line = |label: &str, kind, points: &[Vec3]| FloorLine { label: label.into(), kind, points: flat(points) };
    let print = |print: &TrackPrint| FloorPrint {
        outline: flat(&print.outline),
        side: page::side_word(print.side).into(),
        time: print.time,
    };
    PageScene {
        ground: None,
        floor: floor.map_or_else(Vec::new, |floor| corners(floor.boundary())),
        walls: floor.map_or_else(Vec::new, |floor| floor.obstacles().map(|(_, o)| wall(o.corners())).collect()),
        lines: vec![
            line("path as planned", LineKind::Planned, journey.path.points()),
            line("way of the hips", LineKind::Walked, &track.way),
        ],
        prints: track.prints.iter().map(print).collect(),
    }
}
