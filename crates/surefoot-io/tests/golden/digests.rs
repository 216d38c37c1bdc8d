//! Digests of what stages give, number by number in a stable order; names of fields and types are not in them.

use surefoot::glam::{Vec3, Vec3A};
use surefoot::math::{FloorPose, Rigid};
use surefoot::metrics::FootFigures;
use surefoot::motion::{Clip, Span, Stance};
use surefoot::plan::Path;
use surefoot::rig::{JointId, Leg, Skeleton};
use surefoot::stages::{Aside, Digest, Footfall, Point, Spread};

/// A digest in the making.
#[derive(Default)]
pub struct Bits(Digest);

impl Bits {
    pub fn finish(self) -> u64 {
        self.0.finish()
    }

    pub fn count(&mut self, count: usize) {
        self.0.word(count as u64);
    }

    pub fn bool(&mut self, is: bool) {
        self.0.word(u64::from(is));
    }

    pub fn text(&mut self, text: &str) {
        self.0.bytes(text.as_bytes());
    }

    pub fn number(&mut self, number: f32) {
        // Which NaN it is may be the processor's own.
        self.0.number(if number.is_nan() { f32::NAN } else { number });
    }

    pub fn numbers(&mut self, numbers: &[f32]) {
        self.count(numbers.len());
        numbers.iter().for_each(|number| self.number(*number));
    }

    pub fn vector(&mut self, vector: Vec3A) {
        vector.to_array().into_iter().for_each(|number| self.number(number));
    }

    pub fn vectors(&mut self, vectors: &[Vec3A]) {
        self.count(vectors.len());
        vectors.iter().for_each(|vector| self.vector(*vector));
    }

    pub fn rigid(&mut self, rigid: Rigid) {
        self.0.rigid(rigid);
    }

    pub fn rigids(&mut self, rigids: &[Rigid]) {
        self.count(rigids.len());
        rigids.iter().for_each(|rigid| self.rigid(*rigid));
    }

    pub fn pose(&mut self, pose: FloorPose) {
        self.numbers(&[pose.position.x, pose.position.y, pose.heading]);
    }

    pub fn path(&mut self, path: &Path) {
        path.points().iter().for_each(|point: &Vec3| self.vector((*point).into()));
        self.numbers(path.lengths());
    }

    pub fn point(&mut self, point: Point) {
        self.count(point.take as usize);
        self.count(point.frame as usize);
    }

    pub fn span(&mut self, span: Option<Span>) {
        self.bool(span.is_some());
        if let Some(span) = span {
            self.numbers(&[span.start, span.end]);
        }
    }

    pub fn stance(&mut self, stance: &Stance) {
        self.count(stance.leg().index());
        self.rigid(stance.print.world_from_sole);
        self.count(stance.print.surface.0 as usize);
        self.bool(stance.print.pinned);
        [Some(stance.time), stance.heel, stance.ball].into_iter().for_each(|span| self.span(span));
        self.vector(stance.heel_at);
        self.vector(stance.ball_at);
        self.bool(stance.open);
    }

    pub fn stances(&mut self, stances: &[Stance]) {
        self.count(stances.len());
        stances.iter().for_each(|stance| self.stance(stance));
    }

    /// Every transform, the rate and the cycle.
    pub fn clip(&mut self, clip: &Clip) {
        self.0.word(clip.digest());
    }

    pub fn skeleton(&mut self, skeleton: &Skeleton) {
        for joint in skeleton.joints() {
            self.text(skeleton.name(joint));
        }
        self.rigids(skeleton.rest());
    }

    fn joint(&mut self, joint: Option<JointId>) {
        self.0.word(joint.map_or(u64::MAX, |joint| joint.index() as u64));
    }

    /// The joints of a leg, how they bend, and its sole.
    pub fn leg(&mut self, leg: &Leg) {
        self.count(leg.chain.len());
        leg.chain.iter().for_each(|joint| self.joint(Some(*joint)));
        self.joint(leg.toe);
        self.vectors(&leg.hinges);
        self.vectors(leg.shin.as_slice());
        self.vectors(&[leg.foot.heel, leg.foot.ball, leg.foot.up]);
        self.vectors(leg.foot.tip.as_slice());
        self.numbers(&[leg.foot.length, leg.foot.width]);
    }

    pub fn footfall(&mut self, fall: &Footfall) {
        self.stance(&fall.stance);
        let swing = &fall.swing;
        let Aside { by, during } = swing.aside;
        self.numbers(&[swing.height, by, during[0], during[1], swing.folds]);
        (0..=32).for_each(|i| self.number(swing.along(i as f32 / 32.0)));
        let (toes, heel) = (fall.toes_up, fall.heel_up);
        self.numbers(&[toes.angle, toes.seconds, heel.angle, heel.seconds, fall.beyond]);
        self.bool(fall.grounded);
    }

    pub fn footfalls(&mut self, legs: &[Vec<Footfall>]) {
        for falls in legs {
            self.count(falls.len());
            falls.iter().for_each(|fall| self.footfall(fall));
        }
    }

    fn spread(&mut self, spread: &Spread) {
        self.numbers(&[spread.median, spread.p95, spread.max]);
        self.count(spread.worst);
    }

    pub fn feet(&mut self, figures: &FootFigures) {
        for spread in [&figures.drift, &figures.float, &figures.penetration, &figures.grazing, &figures.toes] {
            self.spread(spread);
        }
        self.count(figures.stances);
        let FootFigures { skate, skating_ratio, agreement, clearance, extension, jerk, .. } = *figures;
        self.numbers(&[skate, skating_ratio, agreement, clearance, extension, jerk]);
    }
}
