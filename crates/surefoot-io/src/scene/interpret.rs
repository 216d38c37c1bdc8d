//! From what a scene file says to what the engine takes.

use super::Beside;
use super::blocks::Blocks;
use super::check::Text;
use super::file::{self, Block, File};
use crate::ImportError;
use crate::names::readable;
use crate::world::read_map;
use surefoot::glam::{DVec3, Vec2, Vec3};
use surefoot::math::FloorPose;
use surefoot::random::Seed;
use surefoot::world::{
    Area, Body, FloorMap, FloorMapError, Mover, Obstacle, Outline, Repeat, Scene, SceneMesh, ScenePose, Survey, Track,
    TriangleSoup,
};
use toml::Spanned;

pub(super) fn scene(text: &Text<'_>, file: File, beside: &dyn Beside) -> Result<Scene, ImportError> {
    debug_assert_eq!(*file.version.get_ref(), super::VERSION, "asked before");
    let body = body(text, &file.body)?;
    let mesh = ground_mesh(text, &file, body, beside)?;
    let mut floor = match (&file.floor, &mesh) {
        (Some(entry), Some(_)) => return Err(text.fail(entry, "a scene has a floor or a mesh to walk on, not both")),
        (Some(entry), None) => Some(floor(text, entry, beside)?),
        (None, Some(_)) => None,
        (None, None) => {
            return Err(ImportError::new(
                "there is nothing to walk on: give [floor] with `size`, [mesh] with `file`, or [[platform]] with `corners`",
            ));
        }
    };
    let offset = mesh.as_ref().map_or(DVec3::ZERO, |mesh| mesh.offset);
    let mut obstacles = Vec::new();
    for (i, entry) in file.obstacle.iter().enumerate() {
        let what = Named { kind: "obstacle", number: i + 1, text, entry };
        match &mut floor {
            Some(map) if entry.get_ref().path.is_none() => {
                map.add(what.fixed()?).map_err(|error| match error {
                    FloorMapError::Obstacle { fault, .. } => what.fail(&fault.to_string()),
                    other => text.fail(entry, other.to_string()),
                })?;
            }
            _ => obstacles.push(what.mover(offset, body.height)?),
        }
    }
    let platform = |(i, entry)| Named { kind: "platform", number: i + 1, text, entry }.mover(offset, 0.2);
    let movers = file.platform.iter().enumerate().filter(|(_, entry)| entry.get_ref().corners.is_none());
    let platforms = movers.map(platform).collect::<Result<_, _>>()?;
    let areas = file.area.iter().map(|entry| area(text, entry.get_ref(), offset)).collect::<Result<_, _>>()?;
    let seed = match &file.seed {
        None => 0,
        Some(seed) => u64::try_from(*seed.get_ref())
            .map_err(|_| text.fail(seed, format!("seed is {}; it must not be negative", seed.get_ref())))?,
    };
    Ok(Scene {
        name: readable(&file.name.unwrap_or_default()).into_owned(),
        seed: Seed(seed),
        body,
        start: pose(text, "start", file.start.get_ref(), offset)?,
        goal: pose(text, "goal", file.goal.get_ref(), offset)?,
        floor,
        mesh,
        platforms,
        obstacles,
        areas,
    })
}

fn body(text: &Text<'_>, entry: &file::Body) -> Result<Body, ImportError> {
    let usual = Body::default();
    let radius = entry.radius.as_ref().map(|radius| text.number("radius", radius, 0.01..=10.0, "m")).transpose()?;
    let height = entry.height.as_ref().map(|height| text.number("height", height, 0.02..=50.0, "m")).transpose()?;
    let radius = radius.unwrap_or(usual.radius);
    let height_or_usual = height.unwrap_or(usual.height.max(2.0 * radius));
    match &entry.height {
        Some(entry) if height_or_usual < 2.0 * radius => {
            let what =
                format!("height is {height_or_usual}; a body is at least as tall as it is wide, {}", 2.0 * radius);
            Err(text.fail(entry, what))
        }
        _ => Ok(Body { radius, height: height_or_usual }),
    }
}

fn pose(text: &Text<'_>, name: &str, entry: &file::Pose, offset: DVec3) -> Result<ScenePose, ImportError> {
    let place = text.place(&format!("{name}'s `at`"), &entry.at)? - offset;
    let heading = entry.facing_deg.as_ref().map(|facing| degrees(text, "facing_deg", facing)).transpose()?;
    Ok(ScenePose { place: place.as_vec3(), heading })
}

fn degrees(text: &Text<'_>, name: &str, entry: &Spanned<f64>) -> Result<f32, ImportError> {
    Ok(text.number(name, entry, -3600.0..=3600.0, "degrees")?.to_radians())
}

fn floor(text: &Text<'_>, entry: &Spanned<file::Floor>, beside: &dyn Beside) -> Result<FloorMap, ImportError> {
    let floor = entry.get_ref();
    let cell = floor.cell.as_ref().map(|cell| text.number("cell", cell, 0.01..=1000.0, "m")).transpose()?;
    match (&floor.size, &floor.outline, &floor.map) {
        (Some(size), None, None) => {
            let corner = text.size("size", size)?;
            FloorMap::rectangle(Vec2::ZERO, corner).map_err(|error| text.fail(size, error.to_string()))
        }
        (None, Some(outline), None) => {
            let corners = text.corners("outline", outline)?;
            FloorMap::polygon(corners).map_err(|error| text.fail(outline, error.to_string()))
        }
        (None, None, Some(map)) => {
            let bytes = beside.map(map.get_ref()).map_err(|why| not_read(text, map, &why))?;
            let tiles = read_map(&bytes).map_err(|error| text.fail(map, format!("{:?}: {error}", map.get_ref())))?;
            tiles.floor(cell.unwrap_or(1.0)).map_err(|error| text.fail(map, error.to_string()))
        }
        _ => Err(text.fail(entry, "a floor has one of `size`, `outline` and `map`")),
    }
}

fn not_read(text: &Text<'_>, file: &Spanned<String>, why: &str) -> ImportError {
    text.fail(file, format!("{:?} cannot be read: {why}", file.get_ref()))
}

/// The mesh that is the ground: a file's, with the platforms that stay on it; `None` if there is neither.
fn ground_mesh(
    text: &Text<'_>,
    file: &File,
    body: Body,
    beside: &dyn Beside,
) -> Result<Option<SceneMesh>, ImportError> {
    let still = || file.platform.iter().enumerate().filter(|(_, entry)| entry.get_ref().corners.is_some());
    let Some(entry) = file.mesh.as_ref().or_else(|| still().next().map(|_| &file::Mesh::NONE)) else { return Ok(None) };
    let mut mesh = mesh(text, entry, body, beside)?;
    let mut blocks = Blocks::default();
    for (i, entry) in still() {
        let named = Named { kind: "platform", number: i + 1, text, entry };
        blocks.add(&named.top()?, named.thickness()?, mesh.offset);
    }
    if let (Some(floor), false) = (&file.floor, blocks.triangles.is_empty()) {
        return Err(text.fail(floor, "platforms with `corners` are the ground themselves: leave out the floor"));
    }
    if blocks.triangles.is_empty() && mesh.file.is_empty() {
        return Err(ImportError::new("[mesh] has no `file`, and there is no [[platform]] with `corners` instead"));
    }
    mesh.soup = blocks.onto(&mesh.soup).map_err(|error| ImportError::new(error.to_string()))?;
    Ok(Some(mesh))
}

fn mesh(text: &Text<'_>, entry: &file::Mesh, body: Body, beside: &dyn Beside) -> Result<SceneMesh, ImportError> {
    let usual = Survey { head_room: body.height, ..Survey::default() };
    let slope = entry.max_slope_deg.as_ref().map(|slope| text.number("max_slope_deg", slope, 0.0..=89.0, "degrees"));
    let step = entry.step_height.as_ref().map(|step| text.number("step_height", step, 0.0..=10.0, "m"));
    let survey = Survey {
        max_slope: slope.transpose()?.map_or(usual.max_slope, f32::to_radians),
        step_height: step.transpose()?.unwrap_or(usual.step_height),
        ..usual
    };
    let Some(file) = &entry.file else {
        return Ok(SceneMesh { file: String::new(), soup: TriangleSoup::default(), offset: DVec3::ZERO, survey });
    };
    let world = beside.mesh(file.get_ref()).map_err(|why| not_read(text, file, &why))?;
    Ok(SceneMesh { file: file.get_ref().clone(), soup: world.mesh, offset: world.offset, survey })
}

fn area(text: &Text<'_>, entry: &file::Area, offset: DVec3) -> Result<Area, ImportError> {
    let off = offset.as_vec3();
    let corners = entry.corners.as_ref().map(|corners| text.corners("area's `corners`", corners)).transpose()?;
    let outline = corners.unwrap_or_default().into_iter().map(|corner| corner - Vec2::new(off.x, off.z)).collect();
    let cost = entry.cost.as_ref().map(|cost| text.number("cost", cost, 1.0..=1000.0, "times")).transpose()?;
    let name = readable(entry.name.as_deref().unwrap_or_default()).into_owned();
    Ok(Area { name, outline, running: entry.running.unwrap_or(true), cost: cost.unwrap_or(1.0) })
}

/// An obstacle or a platform and how it is called in errors.
struct Named<'a> {
    kind: &'static str,
    number: usize,
    text: &'a Text<'a>,
    entry: &'a Spanned<Block>,
}

impl Named<'_> {
    fn called(&self, key: &str) -> String {
        format!("{} {}'s `{key}`", self.kind, self.number)
    }

    fn fail(&self, what: &str) -> ImportError {
        self.text.fail(self.entry, format!("{} {} {what}", self.kind, self.number))
    }

    /// An obstacle that stays where it is.
    fn fixed(&self) -> Result<Obstacle, ImportError> {
        let block = self.entry.get_ref();
        let name = readable(block.name.as_deref().unwrap_or_default()).into_owned();
        if block.repeat.is_some() || block.spin_deg.is_some() {
            return Err(self.fail("has no `path`, so `repeat` and `spin_deg` mean nothing"));
        }
        if let Some(corners) = &block.corners {
            if block.at.is_some() || block.size.is_some() || block.radius.is_some() || block.facing_deg.is_some() {
                return Err(self.fail("has `corners`, so `at`, `size`, `radius` and `facing_deg` mean nothing"));
            }
            return Ok(Obstacle::polygon(name, self.text.corners(&self.called("corners"), corners)?));
        }
        let mover = self.mover(DVec3::ZERO, 2.0)?;
        let middle = mover.track.position(0.0);
        match mover.outline {
            Outline::Disc { .. } => Ok(Obstacle::polygon(name, mover.corners(0.0))),
            Outline::Rectangle { half } => {
                let at = FloorPose::new(Vec2::new(middle.x, middle.z), mover.heading);
                Ok(Obstacle::rectangle(name, at, 2.0 * half))
            }
        }
    }

    /// The corners of the top of a platform that stays, counter-clockwise as seen from above, metres.
    fn top(&self) -> Result<Vec<DVec3>, ImportError> {
        let block = self.entry.get_ref();
        let others = [block.at.is_some(), block.size.is_some(), block.radius.is_some(), block.facing_deg.is_some()];
        let moves = [block.path.is_some(), block.repeat.is_some(), block.spin_deg.is_some()];
        if others.into_iter().chain(moves).any(|there| there) {
            return Err(self.fail("has `corners` and stays where it is: only `name` and `height` go with them"));
        }
        let Some(entry) = &block.corners else { return Ok(Vec::new()) };
        let mut corners = self.text.places(&self.called("corners"), entry)?;
        let cross = |k: usize| {
            let [a, b, c] = [0, 1, 2].map(|i| corners[(k + i) % corners.len()]);
            // The Y component: positive where the corner turns left.
            (b.z - a.z) * (c.x - b.x) - (b.x - a.x) * (c.z - b.z)
        };
        let turns: Vec<f64> = (0..corners.len()).map(cross).collect();
        let [left, right] = [turns.iter().all(|turn| *turn > 1e-9), turns.iter().all(|turn| *turn < -1e-9)];
        if corners.len() < 3 || !(left || right) {
            return Err(self.fail("must be convex seen from above, with at least three corners, none of them straight: make it of several"));
        }
        if right {
            corners.reverse();
        }
        Ok(corners)
    }

    /// How far it goes down from its top, metres.
    fn thickness(&self) -> Result<f32, ImportError> {
        let height = self.entry.get_ref().height.as_ref();
        let height = height.map(|height| self.text.number(&self.called("height"), height, 0.001..=1e4, "m"));
        Ok(height.transpose()?.unwrap_or(0.2))
    }

    /// A box or a disc where it is at every time.
    fn mover(&self, offset: DVec3, usual_height: f32) -> Result<Mover, ImportError> {
        let (text, block) = (self.text, self.entry.get_ref());
        if block.corners.is_some() {
            return Err(self.fail(
                "has `corners`, which only an obstacle that stays on a floor and a platform that stays can have",
            ));
        }
        let outline = match (&block.size, &block.radius) {
            (Some(size), None) => Outline::Rectangle { half: 0.5 * text.size(&self.called("size"), size)? },
            (None, Some(radius)) => {
                Outline::Disc { radius: text.number(&self.called("radius"), radius, 1e-3..=1e4, "m")? }
            }
            _ => return Err(self.fail("needs one of `size = [x, z]` and `radius`")),
        };
        let repeat = match block.repeat {
            None | Some(file::Repeat::Hold) => Repeat::Hold,
            Some(file::Repeat::Loop) => Repeat::Loop,
            Some(file::Repeat::BackAndForth) => Repeat::BackAndForth,
        };
        let track = match (&block.at, &block.path) {
            (Some(at), None) => Track::still((text.place(&self.called("at"), at)? - offset).as_vec3()),
            (None, Some(path)) => {
                let keys = text.keys(&self.called("path"), path)?;
                let keys: Vec<(f32, Vec3)> = keys.iter().map(|(t, p)| (*t as f32, (*p - offset).as_vec3())).collect();
                let track = Track::new(&keys, repeat);
                track.map_err(|error| text.fail(path, format!("{}: {error}", self.called("path"))))?
            }
            _ => return Err(self.fail("needs one of `at = [x, z]` and `path = [[seconds, x, z], …]`")),
        };
        let angle = |key: &str, entry: &Option<Spanned<f64>>| {
            entry.as_ref().map(|entry| degrees(text, &self.called(key), entry)).transpose()
        };
        let height = block.height.as_ref().map(|height| text.number(&self.called("height"), height, 0.0..=1e4, "m"));
        Ok(Mover {
            outline,
            height: height.transpose()?.unwrap_or(usual_height),
            track,
            heading: angle("facing_deg", &block.facing_deg)?.unwrap_or(0.0),
            spin: angle("spin_deg", &block.spin_deg)?.unwrap_or(0.0),
        })
    }
}
