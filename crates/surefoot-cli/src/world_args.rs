//! Worlds that are walked in, as the command line says.

use crate::failure::Failure;
use crate::input::said_unit;
use std::fmt::Write as _;
use std::path::Path;
use surefoot_io::scene::{self, LoadedScene};
use surefoot_io::world::WorldSettings;
use surefoot_io::{Axis, LoadErrorKind, Unit};
use surefoot_view::report::row;

/// What is known better of a mesh that is the world by itself.
#[derive(clap::Args)]
pub(crate) struct WorldArgs {
    /// Unit of length of a mesh that is the world by itself: m, dm, cm, mm, in, ft, or its length in metres; metres if not given
    #[arg(long, value_name = "UNIT")]
    world_unit: Option<Unit>,
    /// Axis that points up in such a mesh: x, y, z, -x, -y or -z; y if not given
    #[arg(long, value_name = "AXIS", allow_hyphen_values = true)]
    world_up: Option<Axis>,
}

impl WorldArgs {
    /// Loads a scene, or a mesh or a map that is one by itself.
    pub(crate) fn load(&self, path: &Path) -> Result<LoadedScene, Failure> {
        let settings = WorldSettings { unit: self.world_unit, up: self.world_up };
        if settings != WorldSettings::default() && !scene::is_bare_mesh(path) {
            let what = "--world-unit and --world-up are for a mesh by itself (.obj, .glb, .gltf)";
            return Err(Failure::unusable(format!("{}: {what}", path.display())));
        }
        scene::load_as(path, &settings).map_err(|error| match error.kind {
            LoadErrorKind::Import(_) if scene::is_bare_mesh(path) => {
                Failure::unusable(format!("{error} (--world-unit and --world-up say how the file's numbers are meant)"))
            }
            _ => Failure::unusable(error),
        })
    }
}

/// What was understood of a mesh by itself, and what was odd, for people; nothing for scenes.
pub(crate) fn said(loaded: &LoadedScene) -> String {
    let mut out = String::new();
    if let Some(world) = &loaded.mesh {
        let unit = said_unit(world.unit.value, &world.unit.reason);
        let more = "--world-unit and --world-up say otherwise";
        row(&mut out, "world", format!("unit: {unit}; up: {} ({}); {more}", world.up.value, world.up.reason));
        for warning in &world.warnings {
            // What it calls --up is the character's here.
            let _ = writeln!(out, "warning: {}", warning.to_string().replace("--up", "--world-up"));
        }
    }
    out
}
