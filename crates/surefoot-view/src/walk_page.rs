//! The page in which a character walks over its ground.

use crate::foot_name::{foot_name, side_word};
use crate::own_file::OwnFile;
use crate::page::{Chart, Fact, FloorLine, FloorPrint, LineKind, MoverKind, Page, PageScene, Placing, TimeMark, Trace};
use crate::page_mover::page_mover;
use crate::shown_walk::{BodyPlace, ShownWalk};
use crate::walk_track::WalkTrack;
use surefoot::glam::{Vec2, Vec3};
use surefoot::math::floor;
use surefoot::motion::Stance;
use surefoot::rig::{Leg, LegId, Side};

/// How far the border of the ground goes down, as a share of how far it reaches: a slab looks like ground, a sheet does not.
const RIM: f32 = 0.08;
/// Places of the path, and of the walk beside it, at most: as fine as the eye sees.
const PLACES: usize = 1000;

impl ShownWalk<'_> {
    /// The page, with the picture below; `file` is the character's own, if it is played in one.
    #[must_use]
    pub fn page(&self, title: &str, subtitle: &str, file: Option<&OwnFile>) -> Page {
        let picture = self.picture(&format!("{title}, {subtitle}")).finish();
        Page {
            title: title.into(),
            subtitle: subtitle.into(),
            traces: self.character.rig.legs().map(|(id, leg)| self.trace(id, leg, file)).collect(),
            facts: self.facts(),
            notes: Vec::new(),
            places: self.places(),
            charts: vec![Chart { title: "side view and prints".into(), svg: picture }],
            placing: Placing::of(file, 0.0),
            scene: Some(self.scene()),
            ghost: None,
            clips: Vec::new(),
            beside: Vec::new(),
        }
    }

    fn trace(&self, id: LegId, leg: &Leg, file: Option<&OwnFile>) -> Trace {
        let (take, rig) = (self.take, &self.character.rig);
        let joint = leg.toe.unwrap_or(leg.ankle());
        let own = take.stances.iter().filter(|stance| stance.leg() == id);
        Trace {
            node: rig.skeleton.name(joint).into(),
            label: foot_name(rig, leg),
            side: self.side_of(id).into(),
            index: file.map(|file| file.node(joint)),
            stances: Some(own.map(|s| [s.strike(), s.off()]).collect()),
        }
    }

    fn side_of(&self, leg: LegId) -> &'static str {
        side_word(Some(if self.is_left(leg) { Side::Left } else { Side::Right }))
    }

    fn facts(&self) -> Vec<Fact> {
        let fact = |label: &str, value: String| Fact { label: label.into(), value };
        let (figures, clip) = (self.figures, &self.take.clip);
        let mm = |x: f32| format!("{:.2} mm", 1e3 * x);
        vec![
            fact("length", format!("{:.2} s, {} Hz", clip.duration(), clip.rate())),
            fact("legs", self.character.rig.legs.len().to_string()),
            fact("stances", figures.stances.to_string()),
            fact("greatest foot drift", mm(figures.drift.max)),
            fact("deepest standing foot", mm(figures.penetration.max)),
            fact("deepest swinging foot", mm(figures.grazing.max)),
        ]
    }

    fn places(&self) -> Vec<TimeMark> {
        let label = format!("a standing foot missed its place by {:.0} mm", 1e3 * self.missed.distance);
        let time = self.missed.frame as f32 / self.take.clip.rate();
        (self.missed.distance > 1e-3).then_some(TimeMark { time, label }).into_iter().collect()
    }

    fn scene(&self) -> PageScene {
        let (take, leg) = (self.take, self.longest_leg());
        let track = WalkTrack::of(&self.character.rig, &take.clip, &take.stances);
        // Cells of made ground end where it does; other ground is drawn finely.
        let cell = leg / if self.terrain.is_some() { 4.0 } else { 12.0 };
        let mesh = self.ground_mesh(cell, RIM * self.reach());
        let mut way: Vec<Vec3> = Vec::new();
        for p in &track.way {
            if way.last().is_none_or(|last| last.with_y(0.0).distance(p.with_y(0.0)) > leg / 40.0) {
                let hit = self.ground.below(p.with_y(p.y + leg), 2.0 * leg, 0.0);
                way.extend(hit.map(|hit| hit.point));
            }
        }
        let print = |(stance, outline): (&Stance, &[Vec3])| FloorPrint {
            outline: self.outline(stance, outline, leg).into_iter().map(rounded).collect(),
            side: self.side_of(stance.leg()).into(),
            time: stance.strike(),
        };
        let line = |label: &str, kind, points: Vec<Vec3>| FloorLine {
            label: label.into(),
            kind,
            points: points.into_iter().map(rounded).collect(),
        };
        let outlines = track.prints.iter().map(|print| print.outline.as_slice());
        let seconds = take.clip.duration();
        let platforms = self.platforms.iter().map(|mover| page_mover(mover, MoverKind::Platform, seconds));
        let obstacles = self.obstacles.iter().map(|mover| page_mover(mover, MoverKind::Obstacle, seconds));
        PageScene {
            ground: Some(mesh),
            lines: vec![
                line("path", LineKind::Planned, self.path_on_ground(leg)),
                line("way of the hips", LineKind::Walked, way),
            ],
            prints: take.stances.iter().zip(outlines).map(print).collect(),
            movers: platforms.chain(obstacles).collect(),
            ..PageScene::default()
        }
    }

    /// The path on the ground, which is looked for at the height that the body has nearby: a path may be drawn on a floor.
    fn path_on_ground(&self, leg: f32) -> Vec<Vec3> {
        let spacing = (0.1 * leg).max(self.path.length() / PLACES as f32);
        let step = self.course.len().div_ceil(PLACES).max(1);
        let beside = |p: Vec2| {
            let far = |body: &&BodyPlace| body.place.position.distance_squared(p);
            self.course.iter().step_by(step).min_by(|a, b| far(a).total_cmp(&far(b)))
        };
        let on_ground = |p: &Vec3| {
            let place = floor::of_point((*p).into());
            let from = beside(place)?.height + leg;
            Some(self.ground.below(floor::at_height(place, from), 2.0 * leg, 0.0)?.point)
        };
        self.path.resampled(spacing).points().iter().filter_map(on_ground).collect()
    }

    /// The outline of a print; feet that are points leave small rounds.
    fn outline(&self, stance: &Stance, sole: &[Vec3], leg: f32) -> Vec<Vec3> {
        if !self.character.stand.legs[stance.leg().index()].foot.is_point() {
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
