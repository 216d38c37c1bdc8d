//! A labyrinth, its roadmap and paths through it as a picture: `cargo run --release -p surefoot-view --example paths -- OUT.svg`.

use surefoot::glam::Vec2;
use surefoot::stages::{Labyrinth, Prm, RrtConnect, VisibilityGraph};
use surefoot::world::GrownMap;
use surefoot_view::map_picture::MapPicture;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let out = std::env::args().nth(1).ok_or("where to?")?;
    let map = GrownMap::new(Labyrinth::default().build(), 0.3)?;
    let (start, goal) = (Vec2::new(2.5, 2.5), Vec2::new(37.5, 37.5));
    let roadmap = Prm::default().build(&map);
    let found = [
        ("roadmap, as found", roadmap.path(&map, start, goal)),
        ("RRT-Connect, shortcut", RrtConnect::default().path(&map, start, goal).shortcut(&map)),
        ("roadmap, shortcut", roadmap.path(&map, start, goal).shortcut(&map)),
        ("shortest", VisibilityGraph::new(&map).path(&map, start, goal)),
    ];
    let paths: Vec<_> = found.iter().filter_map(|(name, outcome)| Some((*name, outcome.path()?))).collect();
    let picture = MapPicture { map: &map, roadmap: Some(&roadmap), paths: &paths, size: 900.0 };
    std::fs::write(out, picture.draw().finish())?;
    Ok(())
}
