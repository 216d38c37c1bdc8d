//! Who goes on a journey, and its ends as they are typed.

use crate::body::Body;
use crate::failure::Failure;
use crate::format::Own;
use crate::graph;
use crate::number::{FARTHEST, Place};
use crate::page;
use std::path::Path as FilePath;
use std::str::FromStr;
use std::time::Instant;
use surefoot::glam::{DVec2, DVec3};
use surefoot::library::graph::MotionGraph;
use surefoot::math::floor;
use surefoot::metrics::{CheckMotion, Fault, Footing, measure_feet};
use surefoot::motion::Clip;
use surefoot::systems::{Journey, JourneyEnd, JourneyEnds, JourneyError, Journeyed};
use surefoot::world::{Ground, Scene};
use surefoot_io::exported::Exported;
use surefoot_io::world::FileFrame;
use surefoot_view::journey::ShownJourney;
use surefoot_view::own_file::OwnFile;

/// Who walks: a motion graph, laid out for searching.
pub(crate) struct Walker {
    pub(crate) graph: MotionGraph,
    /// Whose body it is, if it was brought onto one.
    pub(crate) body: Option<Body>,
    /// What the graph is called.
    pub(crate) name: String,
    /// Milliseconds to load the graph and to lay it out.
    pub(crate) times: [f64; 2],
}

impl Walker {
    /// The graph of a file, or the embedded one; on a body, if there is one.
    pub(crate) fn load(path: Option<&FilePath>, body: Option<Body>) -> Result<Self, Failure> {
        let start = Instant::now();
        let mut graph = path.map_or_else(|| Ok(surefoot_io::embedded::graph()), graph::load)?;
        if let Some(body) = &body {
            graph = body.bring(&graph)?.graph;
        }
        let loaded = milliseconds(start);
        let start = Instant::now();
        graph.lay_out();
        let name = path.map_or("embedded walks".into(), |path| path.display().to_string());
        Ok(Self { graph, body, name, times: [loaded, milliseconds(start)] })
    }

    /// What its body brings along for a result.
    pub(crate) fn own(&self) -> Own<'_> {
        self.body.as_ref().map(Body::own).unwrap_or_default()
    }

    /// Its body's own file, as pages must know it.
    pub(crate) fn own_file(&self) -> Option<OwnFile> {
        let document = self.own().document?;
        Some(page::own_file(document, &self.graph.rig.skeleton))
    }
}

fn milliseconds(since: Instant) -> f64 {
    1e3 * since.elapsed().as_secs_f64()
}

/// An end of a journey as it is typed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct TypedEnd {
    place: Place,
    heading: Option<f32>,
}

impl TypedEnd {
    /// The end in a scene.
    pub(crate) fn end(&self, frame: &FileFrame) -> JourneyEnd {
        let here = self.place.here(frame).as_vec3();
        let height = matches!(self.place, Place::Whole(_)).then_some(here.y);
        JourneyEnd { place: floor::of_point(here.into()), height, heading: self.heading }
    }
}

impl FromStr for TypedEnd {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers: Result<Vec<f64>, _> = text.split(',').map(|part| part.trim().parse::<f64>()).collect();
        let end =
            |place, degrees: Option<f64>| Ok(Self { place, heading: degrees.map(|deg| (deg as f32).to_radians()) });
        let on_floor = |x: f64, z: f64| Place::Floor(DVec2::new(x, z));
        match numbers.as_deref() {
            Ok(all) if !all.iter().all(|number| number.abs() <= FARTHEST) => {
                Err(format!("numbers are finite and go up to {FARTHEST}"))
            }
            Ok([x, z]) => end(on_floor(*x, *z), None),
            Ok([x, z, deg]) => end(on_floor(*x, *z), Some(*deg)),
            Ok([x, y, z, deg]) => end(Place::Whole(DVec3::new(*x, *y, *z)), Some(*deg)),
            _ => Err("two numbers x,z in metres, three with the facing in degrees, or four x,y,z with it".into()),
        }
    }
}

/// A journey that was made through a scene.
pub(crate) struct Trip {
    /// The scene with the start and goal that were taken, and their headings.
    pub(crate) scene: Scene,
    pub(crate) done: Journeyed,
    /// The motion, with a name.
    pub(crate) clip: Clip,
    /// Whether it should stand at the goal and does not.
    pub(crate) goes_on: bool,
}

impl Trip {
    /// Goes from one end to the other; else says why that cannot be done.
    pub(crate) fn make(
        walker: &Walker,
        mut scene: Scene,
        ends: &JourneyEnds,
        journey: &Journey,
    ) -> Result<Self, JourneyError> {
        let done = journey.run(&scene, &walker.graph, ends)?;
        (scene.start, scene.goal) = (done.report.start, done.report.goal);
        let name = if scene.name.is_empty() { "walk".to_owned() } else { scene.name.clone() };
        let clip = done.take().clip.clone().named(name);
        let goes_on = ends.stop && journey.reference.is_none() && !done.walk.plan.stops;
        Ok(Self { scene, done, clip, goes_on })
    }

    /// Looks at the walk on its ground, as a file gives it back if that is known: figures are of that from then on.
    pub(crate) fn look(&mut self, walker: &Walker, exported: Option<&Exported>, ground: &dyn Ground) -> Vec<Fault> {
        let (graph, footing) = (&walker.graph, Footing::Known(ground));
        if let Some(exported) = exported {
            let clip = exported.shown_in(&graph.rig.skeleton, &self.clip, |frame| frame);
            self.done.walk.walked.take.clip = clip.clone();
            self.done.report.figures.after = measure_feet(&graph.rig, self.done.take(), footing);
            self.clip = clip;
        }
        self.done.walk.check(&CheckMotion::default(), graph, footing)
    }

    /// As it is shown; `walker` made it.
    pub(crate) fn shown<'a>(&'a self, walker: &'a Walker) -> ShownJourney<'a> {
        let (rig, graph) = (&walker.graph.rig, walker.name.as_str());
        ShownJourney { rig, graph, scene: &self.scene, done: &self.done, clip: &self.clip }
    }
}
