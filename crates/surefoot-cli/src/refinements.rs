//! What each refinement of footsteps adds: the same plan made again without each of them.

use crate::stepper::{Stepped, Stepper};
use std::fmt::Write as _;
use surefoot::metrics::{Footing, measure_feet};
use surefoot::motion::Clip;
use surefoot::plan::footsteps::FootstepWorld;
use surefoot::stages::Refinement;
use surefoot::systems::{Footstepped, Footsteps};

/// A refinement as it is typed.
#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
pub(crate) enum Typed {
    /// Right prints made smooth
    Smooth,
    /// The root led so that the foot that stands keeps its place
    Anchor,
    /// Prints refined by what is played
    Refine,
    /// Strides blended by turn and speed
    Groups,
    /// The body moved over its feet
    Body,
}

impl From<Typed> for Refinement {
    fn from(typed: Typed) -> Self {
        match typed {
            Typed::Smooth => Self::Smooth,
            Typed::Anchor => Self::Anchor,
            Typed::Refine => Self::Refine,
            Typed::Groups => Self::Groups,
            Typed::Body => Self::Body,
        }
    }
}

/// The walk made with everything and without each refinement, as comma-separated values: how far prints lie from where the strides by
/// themselves would put them, the body is moved over its feet, feet stray and miss, how fast a joint turns and how much all jerk.
pub(crate) fn csv(stepper: &Stepper, stepped: &Stepped, motion: &Footsteps) -> String {
    let mut out = String::from(
        "left_out,strides_off_mm,body_moved_mm,drift_p95_mm,missed_mm,legs_stretched_percent,fastest_joint_deg_s,jerk_m_s3\n",
    );
    let Some(world) = FootstepWorld::of(&stepped.scene) else { return out };
    let ways = std::iter::once(("nothing", *motion))
        .chain(Refinement::ALL.map(|left_out| (name(left_out), motion.without(left_out))));
    for (name, way) in ways {
        let Ok(made) = way.run(&stepper.strides, &stepped.done.plan, &world.ground) else { continue };
        let feet = measure_feet(&stepper.strides.rig, &made.take, Footing::Known(&world.ground));
        let _ = writeln!(
            out,
            "{name},{:.1},{:.1},{:.3},{:.3},{:.1},{:.0},{:.1}",
            1e3 * strides_off(&made),
            1e3 * made.report.moved_body,
            1e3 * feet.drift.p95,
            1e3 * made.report.missed,
            1e2 * feet.extension,
            fastest(&made.take.clip).to_degrees(),
            feet.jerk,
        );
    }
    out
}

fn name(refinement: Refinement) -> &'static str {
    match refinement {
        Refinement::Smooth => "smooth",
        Refinement::Anchor => "anchor",
        Refinement::Refine => "refine",
        Refinement::Groups => "groups",
        Refinement::Body => "body",
        _ => "another",
    }
}

/// How far steps lie from where the strides by themselves would put them, in the mean, metres: what legs and body must make good.
fn strides_off(made: &Footstepped) -> f32 {
    let (own, wanted) = (&made.stages.blended_prints, &made.stages.prints);
    let pairs = own.windows(2).zip(wanted.windows(2));
    let off = pairs.map(|(own, wanted)| {
        let [is, should] = [own[0].inverse().then(own[1]), wanted[0].at.inverse().then(wanted[1].at)];
        is.position.distance(should.position)
    });
    off.sum::<f32>() / (own.len().max(2) - 1) as f32
}

/// The fastest turn of a joint, radians a second.
fn fastest(clip: &Clip) -> f32 {
    let turn = |f: usize| {
        let pairs = clip.frame(f - 1).iter().zip(clip.frame(f));
        pairs.map(|(a, b)| a.rotation.angle_between(b.rotation)).fold(0.0, f32::max)
    };
    (1..clip.frames()).map(turn).fold(0.0, f32::max) * clip.rate()
}
