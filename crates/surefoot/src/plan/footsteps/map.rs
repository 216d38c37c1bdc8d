//! A world prepared for planning footsteps: its ground, what strides are there, and where feet can be.

use super::ahead::Ahead;
use super::cells::Cells;
use super::fit::{CHANGED, MOST_SPECIAL};
use super::foothold::SoleSize;
use super::samples::Samples;
use crate::library::strides::{StrideKind, StrideReach};
use crate::math::floor;
use crate::random::Seed;
use crate::rig::Side;
use crate::world::{Area, Body, MeshGround, Scene};
use glam::{Vec2, Vec3};

/// A world to take steps in.
#[derive(Debug)]
pub struct FootstepWorld {
    /// What is stood on and bumped into.
    pub ground: MeshGround,
    /// The room that the body takes.
    pub body: Body,
    /// Areas where strides cost more, or where nobody runs.
    pub areas: Vec<Area>,
    /// The size of the soles.
    pub sole: SoleSize,
    /// The widest crack that is stepped over by strides that do not fly, metres.
    pub stride_over: f32,
    /// What a special stride that flies costs over its seconds and its own penalty, seconds: jumps are for gaps.
    pub special: f32,
    /// What plans keep from walls beyond the body's radius, metres: motion strays from its plan a little.
    pub spare: f32,
}

impl FootstepWorld {
    /// A world of triangles, with what else is usual.
    #[must_use]
    pub fn new(ground: MeshGround) -> Self {
        Self {
            ground,
            body: Body::default(),
            areas: Vec::new(),
            sole: SoleSize::default(),
            stride_over: 0.4,
            special: 2.0,
            spare: 0.0,
        }
    }

    /// The world of a scene: its mesh with the obstacles that stay. `None` if it has no mesh.
    #[must_use]
    pub fn of(scene: &Scene) -> Option<Self> {
        let survey = scene.mesh.as_ref()?.survey;
        let ground = survey.run(&scene.blocked_mesh()?);
        Some(Self { body: scene.body, areas: scene.areas.clone(), ..Self::new(ground) })
    }

    /// How many times as dear a stride of a kind is at a floor point (x, z); `None` where it is forbidden.
    pub(super) fn cost(&self, kind: StrideKind, at: Vec2) -> Option<f32> {
        let mut cost = 1.0;
        for area in self.areas.iter().filter(|area| area.holds(at)) {
            if kind == StrideKind::Run && !area.running {
                return None;
            }
            cost *= area.cost.max(1.0);
        }
        Some(cost)
    }

    /// Whether a stride may be taken anywhere at all.
    pub(super) fn allows(&self, reach: &StrideReach) -> bool {
        let nobody_runs = self.areas.iter().any(|area| area.outline.is_empty() && !area.running);
        // Nor is there a run-up for what begins at a run.
        let runs = reach.kind == StrideKind::Run || reach.entry_speed > MOST_SPECIAL;
        !(reach.prints.is_empty() || nobody_runs && runs)
    }

    /// How far the body is raised over what it steps on before it bumps into anything, metres.
    pub(super) fn lift(&self) -> f32 {
        self.ground.survey().step_height + 0.05
    }

    /// Whether the body has room over a place on the ground, metres: what is no higher than a step is in nobody's way.
    #[must_use]
    pub fn is_free(&self, place: Vec3) -> bool {
        self.has_room(place, -self.spare)
    }

    /// Whether the body has room over a place on the ground as plans keep it; `more` is added to its radius, metres.
    pub(super) fn has_room(&self, place: Vec3, more: f32) -> bool {
        let lift = self.lift();
        let radius = (self.body.radius + self.spare + more).max(0.01);
        let height = (self.body.height - lift).max(2.0 * radius);
        self.ground.is_free(Body { radius, height }, place + lift * Vec3::Y)
    }
}

/// What strides can do at most.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Limits {
    /// The widest gap that a stride flies over, metres; 0 if none flies.
    pub(super) gap: f32,
    /// The highest step up or down without flying, metres.
    pub(super) rise: f32,
    /// The highest that a flight ends over or under its beginning, metres.
    pub(super) flight_rise: f32,
    /// The widest crack that is stepped over, metres.
    pub(super) crack: f32,
    /// From one foot to the other across, metres.
    pub(super) width: f32,
    /// The longest step of a walk along the floor that is easy, metres.
    pub(super) step: f32,
    /// The least that a metre costs, seconds.
    pub(super) metre: f32,
    /// The least that a metre costs without running, seconds.
    pub(super) walked: f32,
    /// The least that a flight costs over its metres, seconds.
    pub(super) flight: f32,
}

impl Limits {
    fn new(world: &FootstepWorld, reaches: &[StrideReach]) -> Self {
        let gap = |reach: &StrideReach| reach.gap() - world.sole.length();
        let most = |values: &mut dyn Iterator<Item = f32>| values.fold(0.0, f32::max);
        let allowed = || reaches.iter().filter(|reach| world.allows(reach) && reach.goes_on());
        let flying = || allowed().filter(|reach| reach.flight.is_some());
        let walking = || allowed().filter(|reach| reach.flight.is_none());
        let mut widths: Vec<f32> = walking()
            .filter_map(|reach| reach.prints.iter().find(|print| print.side == Side::Left))
            .map(|print| print.place.x)
            .collect();
        widths.sort_by(f32::total_cmp);
        // As long as the clip has it, or as long as it may be.
        let cost = |reach: &StrideReach, metre: f32| {
            let length = reach.last().map_or(0.0, |last| Vec2::new(last.place.x, last.place.z).length());
            let seconds = reach.seconds + reach.penalty;
            [(length, seconds), (length + reach.slack.along, (1.0 + CHANGED) * seconds)]
                .map(
                    |(length, seconds)| {
                        if metre == 0.0 { seconds / length.max(1e-3) } else { seconds - metre * length }
                    },
                )
                .into_iter()
                .fold(f32::INFINITY, f32::min)
        };
        let least = |values: &mut dyn Iterator<Item = f32>| values.fold(f32::INFINITY, f32::min);
        let metre = least(&mut allowed().map(|reach| cost(reach, 0.0)));
        let metre = if metre.is_finite() { metre.max(1e-3) } else { 1.0 };
        let walks = allowed().filter(|reach| reach.kind == StrideKind::Walk);
        let walked = least(&mut walks.map(|reach| cost(reach, 0.0)));
        let flight = least(&mut flying().map(|reach| cost(reach, metre)));
        Self {
            gap: most(&mut flying().map(gap)),
            rise: most(&mut walking().map(|reach| reach.slack.rise)).min(world.ground.survey().step_height),
            flight_rise: most(&mut flying().map(|reach| reach.slack.rise)),
            crack: world.stride_over,
            width: widths.get(widths.len() / 2).copied().unwrap_or(0.2),
            step: LONGER * most(&mut allowed().filter(|reach| reach.kind == StrideKind::Walk).map(longest_step)),
            metre,
            walked: if walked.is_finite() { walked.max(metre) } else { metre },
            flight: if flight.is_finite() { flight.max(0.0) } else { 0.0 },
        }
    }
}

/// Steps of walks that are more than this many times as long as in any of their clips cost more.
const LONGER: f32 = 1.15;

/// The longest step of a stride along the floor, metres.
fn longest_step(reach: &StrideReach) -> f32 {
    let mut last = Vec2::ZERO;
    let steps = reach.prints.iter().map(|print| {
        let at = Vec2::new(print.place.x, print.place.z);
        at.distance(std::mem::replace(&mut last, at))
    });
    steps.fold(0.0, f32::max)
}

/// A world prepared for planning with a set of strides.
#[derive(Debug)]
pub struct FootstepMap {
    pub(super) world: FootstepWorld,
    pub(super) reaches: Vec<StrideReach>,
    pub(super) limits: Limits,
    pub(super) cells: Cells,
    pub(super) ahead: Ahead,
    pub(super) samples: Option<Samples>,
}

impl FootstepMap {
    /// Finds where in a world feet can be, and which gaps the strides cross.
    #[must_use]
    pub fn new(world: FootstepWorld, mut reaches: Vec<StrideReach>) -> Self {
        let jumps = |reach: &&mut StrideReach| reach.kind == StrideKind::Special && reach.flight.is_some();
        reaches.iter_mut().filter(jumps).for_each(|reach| reach.penalty += world.special);
        let limits = Limits::new(&world, &reaches);
        let cells = Cells::new(&world, &limits);
        let goes_on = |reach: &&StrideReach| world.allows(reach) && reach.goes_on();
        let ahead = Ahead::new(reaches.iter().filter(goes_on), limits.metre);
        Self { world, reaches, limits, cells, ahead, samples: None }
    }

    /// Strews right prints over the surfaces, for [`FootstepSearch::Graph`](super::FootstepSearch::Graph).
    #[must_use]
    pub fn with_graph(mut self, seed: Seed) -> Self {
        self.samples = Some(Samples::new(&self, seed));
        self
    }

    /// The world.
    #[must_use]
    pub fn world(&self) -> &FootstepWorld {
        &self.world
    }

    /// The strides, as plans number them, with what they cost in this world.
    #[must_use]
    pub fn reaches(&self) -> &[StrideReach] {
        &self.reaches
    }

    /// The widest gap that a stride flies over, metres; 0 if none flies.
    #[must_use]
    pub fn widest_gap(&self) -> f32 {
        self.limits.gap
    }

    /// Forbids running within a box on the floor (its least and greatest corner, x and z, metres), on whatever floor.
    pub(crate) fn slow_down(&mut self, low: Vec2, high: Vec2) {
        let outline = vec![low, Vec2::new(high.x, low.y), high, Vec2::new(low.x, high.y)];
        self.world.areas.push(Area { name: String::new(), outline, running: false, cost: 1.0 });
        self.cells.update(&self.world, &self.limits, [floor::at_height(low, 0.0), floor::at_height(high, 0.0)]);
    }

    /// Takes other ground that differs only within a box (its least and greatest corner, metres): only what is near it is looked
    /// at again.
    pub fn update(&mut self, ground: MeshGround, changed: [Vec3; 2]) {
        self.world.ground = ground;
        self.cells.update(&self.world, &self.limits, changed);
        if let Some(mut samples) = self.samples.take() {
            samples.update(self, changed);
            self.samples = Some(samples);
        }
    }
}
