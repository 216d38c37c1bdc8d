//! Every scenario from above, with a route where there is one:
//! `cargo run --release -p surefoot-view --features mesh,png --example scenarios -- FOLDER [SCENE...]`

use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::Instant;
use surefoot::glam::Vec3;
use surefoot::stages::Chart;
use surefoot_io::scene;
use surefoot_view::scene_picture::{self, Overlay};

fn main() -> Result<(), Box<dyn Error>> {
    let mut given = std::env::args_os().skip(1).map(PathBuf::from);
    let out = given.next().ok_or("usage: scenarios FOLDER [SCENE...]")?;
    let mut files: Vec<PathBuf> = given.collect();
    if files.is_empty() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios");
        files = std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<Result<_, std::io::Error>>()?;
        files.retain(|path| scene::is_scene(path));
    }
    files.sort();
    std::fs::create_dir_all(&out)?;
    println!("{:32} {:>9} {:>9} {:>10} {:>9}", "scenario", "polygons", "chart ms", "query µs", "route m");
    for file in files {
        let scene = scene::load(&file)?;
        let ground = (scene.mesh.as_ref().map(|mesh| mesh.soup.clone()))
            .or_else(|| scene.floor.as_ref().map(|floor| floor.to_triangles(3.0)));
        let Some(soup) = ground else { continue };
        let survey = scene.mesh.as_ref().map(|mesh| mesh.survey).unwrap_or_default();
        let started = Instant::now();
        let chart = Chart { body: scene.body, survey, ..Chart::default() };
        let mesh = chart.run(&soup)?;
        let charted = started.elapsed();
        let started = Instant::now();
        let route = mesh.route(scene.start.place, scene.goal.place);
        let asked = started.elapsed();
        let length = |points: &Vec<Vec3>| points.windows(2).map(|pair| pair[0].distance(pair[1])).sum::<f32>();
        let said = route.as_ref().map_or_else(ToString::to_string, |points| format!("{:.1}", length(points)));
        let name = file.file_name().unwrap_or_default().to_string_lossy().replace(".scene.toml", "");
        let (ms, us) = (charted.as_secs_f64() * 1e3, asked.as_secs_f64() * 1e6);
        println!("{name:32} {:9} {ms:9.1} {us:10.0} {said:>9}", mesh.len());
        let outlines = mesh.polygons().map(<[Vec3]>::to_vec).filter(|_| scene.mesh.is_some()).collect();
        let overlay = Overlay { routes: route.into_iter().collect(), outlines, walk: None };
        std::fs::write(out.join(format!("{name}.png")), scene_picture::draw(&scene, &overlay).png())?;
    }
    Ok(())
}
