//! Who goes by planned footsteps: strides of a body, and what is made of them.

use crate::body::Body;
use crate::check;
use crate::failure::Failure;
use crate::format::{Format, Kind, Own, new_walk};
use crate::output;
use crate::page;
use std::path::Path;
use std::time::Instant;
use surefoot::library::strides::Strides;
use surefoot::metrics::{CheckMotion, Checked, Fault, Footing, measure_feet};
use surefoot::motion::Clip;
use surefoot::plan::footsteps::FootstepEnd;
use surefoot::stages::{CheckedSource, Spread};
use surefoot::systems::{FootstepJourney, FootstepJourneyError, FootstepJourneyed, JourneyEnd};
use surefoot::world::{Scene, ScenePose};
use surefoot_io::{embedded, strides_file};
use surefoot_view::footsteps::ShownFootsteps;
use surefoot_view::own_file::OwnFile;

/// Strides of a body.
pub(crate) struct Stepper {
    pub(crate) strides: Strides,
    /// Whose body it is, if they were brought onto one.
    pub(crate) body: Option<Body>,
    /// What they are called.
    pub(crate) name: String,
    /// Milliseconds to cut them.
    pub(crate) ms: f64,
}

impl Stepper {
    /// The strides of a `clips.toml`, or the embedded ones; on a body, if there is one.
    pub(crate) fn load(clips: Option<&Path>, body: Option<Body>) -> Result<Self, Failure> {
        let start = Instant::now();
        let unusable = |path: &Path, error| Failure::unusable(format!("--clips {}: {error}", path.display()));
        let mut takes = match clips {
            Some(path) => strides_file::load_stride_takes(path).map_err(|error| unusable(path, error))?,
            None => embedded::stride_takes(),
        };
        if let Some(body) = &body {
            takes = body.bring_strides(&takes)?;
        }
        let strides = takes.cut().map_err(|error| match clips {
            Some(path) => unusable(path, error),
            None => Failure::refused(error),
        })?;
        let name = clips.map_or("embedded strides".into(), |path| path.display().to_string());
        Ok(Self { strides, body, name, ms: 1e3 * start.elapsed().as_secs_f64() })
    }

    /// What its body brings along for a result.
    pub(crate) fn own(&self) -> Own<'_> {
        self.body.as_ref().map(Body::own).unwrap_or_default()
    }

    /// Its body's own file, as pages must know it.
    pub(crate) fn own_file(&self) -> Option<OwnFile> {
        Some(page::own_file(self.own().document?, &self.strides.rig.skeleton))
    }
}

/// A walk that was planned and made.
pub(crate) struct Stepped {
    /// The scene with the start and goal that were taken.
    pub(crate) scene: Scene,
    pub(crate) done: FootstepJourneyed,
    /// The motion, with a name.
    pub(crate) clip: Clip,
    /// How far feet stray while they stand.
    pub(crate) drift: Spread,
    /// Milliseconds that making the motion took.
    pub(crate) motion_ms: f64,
}

/// An end of a journey, on the ground of a scene.
pub(crate) fn footstep_end(end: JourneyEnd, own: ScenePose) -> FootstepEnd {
    let y = end.height.unwrap_or(own.place.y);
    let place = surefoot::glam::Vec3::new(end.place.x, y, end.place.y);
    FootstepEnd { place, heading: end.heading, ..own.into() }
}

impl Stepped {
    /// Plans the footsteps and makes the motion.
    pub(crate) fn make(
        stepper: &Stepper,
        mut scene: Scene,
        ends: [FootstepEnd; 2],
        journey: &FootstepJourney,
    ) -> Result<Self, FootstepJourneyError> {
        let done = journey.run(&scene, &stepper.strides, ends, None)?;
        let [start, goal] = ends.map(|end| ScenePose { place: end.place, heading: end.heading });
        (scene.start, scene.goal) = (start, goal);
        let name = if scene.name.is_empty() { "footsteps".to_owned() } else { scene.name.clone() };
        let clip = done.made.take.clip.clone().named(name);
        let motion_ms = 1e3 * done.made.report.times.total().as_secs_f64();
        let drift = done.report.ground.feet.drift;
        Ok(Self { scene, done, clip, drift, motion_ms })
    }

    /// The bytes of a file of it, looked at as the file gives it back; and what is wrong with it.
    pub(crate) fn encode(
        &mut self,
        stepper: &Stepper,
        format: &Format,
        kind: Kind,
    ) -> Result<(Vec<u8>, Vec<Fault>), Failure> {
        let rig = &stepper.strides.rig;
        let skeleton = &rig.skeleton;
        let new = new_walk(&self.clip, rig, &self.done.made.take);
        let bytes = format.encode(kind, stepper.own(), skeleton, &new)?;
        let exported = check::exported(format.read_back(kind, stepper.own(), skeleton, &self.clip, &bytes));
        let ground = self.scene.world();
        let footing = Footing::Known(&ground);
        if let Some(exported) = &exported {
            self.clip = exported.shown_in(skeleton, &self.clip, |frame| frame);
            self.done.made.take.clip = self.clip.clone();
            self.drift = measure_feet(rig, &self.done.made.take, footing).drift;
        }
        let motion = Checked { rig, skin: None, take: &self.done.made.take, planned: true, footing, part: None };
        let faults = CheckMotion::default().run(motion, &CheckedSource::default());
        Ok((bytes, faults))
    }

    /// As it is shown; `stepper` made it.
    pub(crate) fn shown<'a>(&'a self, stepper: &'a Stepper) -> ShownFootsteps<'a> {
        let strides = &self.done.plan.strides;
        ShownFootsteps {
            rig: &stepper.strides.rig,
            strides: &stepper.name,
            scene: &self.scene,
            done: &self.done.made,
            clip: &self.clip,
            changes_of_stride: strides.windows(2).filter(|pair| pair[0].stride != pair[1].stride).count(),
        }
    }

    /// Writes its page; `glb` is the file that was written, if it is one.
    pub(crate) fn write_page(
        &self,
        stepper: &Stepper,
        path: &Path,
        glb: Option<&[u8]>,
        own_mesh: bool,
    ) -> Result<(), Failure> {
        let made;
        let glb = match glb {
            Some(glb) => glb,
            None => {
                made = page::glb(&stepper.strides.rig.skeleton, &self.clip, stepper.own())?;
                &made
            }
        };
        let file = stepper.own_file().filter(|_| own_mesh);
        output::write(path, self.shown(stepper).page(file.as_ref()).html(glb).as_bytes())
    }
}
