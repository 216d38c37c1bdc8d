//! Journeys over meshes and platforms: by planned footsteps.

use super::{Args, said};
use crate::failure::Failure;
use crate::format::Kind;
use crate::output;
use crate::picture;
use crate::stepper::{Stepped, Stepper, footstep_end};
use std::path::PathBuf;
use surefoot::plan::footsteps::FootstepEnd;
use surefoot::stages::PlanFootsteps;
use surefoot::systems::FootstepJourney;
use surefoot::world::ScenePose;
use surefoot_io::scene::LoadedScene;

/// Walks where that leads to the goal, else runs and jumps as well.
pub(super) fn run(args: &Args, kind: Kind, loaded: LoadedScene, outputs: Vec<PathBuf>) -> Result<String, Failure> {
    let LoadedScene { scene, frame, .. } = loaded;
    let end = |typed: Option<super::TypedEnd>, own: ScenePose| -> FootstepEnd {
        typed.map_or(own.into(), |typed| footstep_end(typed.end(&frame), own))
    };
    let [start, mut goal] = [end(args.start, scene.start), end(args.goal, scene.goal)];
    goal.stands = !args.walk_through;
    let stepper = Stepper::load(None, args.who.load()?)?;
    let plan = PlanFootsteps { seed: scene.seed, ..PlanFootsteps::default() };
    let journey = FootstepJourney { plan, ..FootstepJourney::default() };
    let mut stepped = Stepped::make(&stepper, scene, [start, goal], &journey).map_err(|why| {
        let why = why.to_string();
        let said = if args.json { said::refused(&why) } else { String::new() };
        Failure { said, ..Failure::refused(why) }
    })?;
    let (bytes, faults) = stepped.encode(&stepper, &args.format, kind)?;
    args.check.judge(&faults, &stepper.strides.rig.skeleton)?;
    output::write(&args.output, &bytes)?;
    if let Some(path) = &args.picture {
        picture::write(path, stepped.shown(&stepper).map())?;
    }
    if let Some(path) = &args.page {
        let glb = (kind == Kind::Glb).then_some(&*bytes);
        stepped.write_page(&stepper, path, glb, kind == Kind::Bvh || args.format.own_mesh())?;
    }
    let written: Vec<(PathBuf, usize)> = said::sizes(outputs);
    Ok(if args.json {
        said::footsteps_json(&stepper, &stepped, &written)
    } else {
        said::footsteps_in_words(&args.world, &stepper, &stepped, &written)
    })
}
