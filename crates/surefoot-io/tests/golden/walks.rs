//! Scenes that are walked through: path → plan → played → stances → arrived → laid → held → figures.

use super::{Bits, Staged, project};
use std::path::PathBuf;
use surefoot::glam::{Vec2, Vec3};
use surefoot::library::graph::MotionGraph;
use surefoot::math::{FloorPose, floor};
use surefoot::metrics::Footing;
use surefoot::motion::Take;
use surefoot::plan::walk::{Goal, Start, Surroundings};
use surefoot::plan::{MovingObstacle, Path, PathChoices};
use surefoot::stages::{Chart, GroundAlong, Laid, Lay, Prm, StandingRoom, TimedSearch, Tube};
use surefoot::systems::{Journey, JourneyEnds, JourneyError, Navigate, Navigated, Trip};
use surefoot::world::{GrownMap, Scene};
use surefoot_io::scene;

/// Every scenario, by a graph.
pub fn run(graph: &MotionGraph) -> Vec<Staged> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(project("scenarios"))
        .expect("scenarios")
        .map(|entry| entry.expect("a file").path())
        .collect();
    files.retain(|file| scene::is_scene(file));
    files.sort();
    let name = |file: &PathBuf| file.file_name().expect("a name").to_string_lossy().replace(".scene.toml", "");
    let mut all: Vec<Staged> = files.iter().map(|file| through(graph, &name(file))).collect();
    all.push(another_mind(graph));
    all
}

/// A walk through a scenario.
pub fn through(graph: &MotionGraph, name: &str) -> Staged {
    let scene = scene::load(&project(&format!("scenarios/{name}.scene.toml"))).unwrap_or_else(|e| panic!("{e}"));
    let mut staged = Staged::new(format!("walk/{name}"));
    let (ends, journey) = (JourneyEnds::of(&scene), Journey::default());
    let done = match journey.run(&scene, graph, &ends) {
        Ok(done) => done,
        Err(JourneyError::Platforms) => {
            by_platforms(&mut staged, &scene);
            return staged;
        }
        Err(error) => {
            println!("{} is refused: {error}", staged.scenario);
            staged.stage("refused", |bits| bits.text(&error.to_string()));
            return staged;
        }
    };
    staged.stage("path", |bits| {
        bits.path(&done.report.path);
        bits.number(done.report.shortest);
    });
    let goal = done.report.goal;
    let goal = Goal { place: Vec2::new(goal.place.x, goal.place.z), heading: goal.heading, stop: ends.stop };
    stages(&mut staged, (graph, &journey.navigate), &done.walk, (&scene, goal));
    staged.stage("figures", |bits| {
        let figures = &done.report.figures;
        bits.feet(&figures.before);
        bits.feet(&figures.after);
        for worst in [&figures.joints.speed, &figures.joints.acceleration] {
            bits.number(worst.ratio);
            bits.count(worst.joint.index());
            bits.count(worst.frame);
        }
        report(bits, &done.walk);
    });
    staged
}

/// The stages of a walk, gone through again one by one, and what the pipeline itself has kept.
fn stages(
    staged: &mut Staged,
    (graph, navigate): (&MotionGraph, &Navigate),
    walk: &Navigated,
    (scene, goal): (&Scene, Goal),
) {
    let plan = &walk.plan;
    planned(staged, walk);
    let mut played = graph.play(plan.start, &plan.edges);
    played.trim(plan.frames);
    staged.stage("played", |bits| {
        bits.clip(&played.clip);
        for seam in &played.seams {
            bits.count(seam.frame);
            bits.count(seam.transition as usize);
        }
    });
    let stances = navigate.walk.stances.run_in(&graph.rig, &played.clip, &graph.known_standing(&played));
    staged.stage("stances", |bits| bits.stances(&stances));
    if plan.turns_first != 0.0 || plan.turns_last != 0.0 || plan.first_steps.is_some() {
        // How much a body sways when it turns depends on the room it has: the pipeline's own is looked at.
        staged.stage("turned", |bits| {
            bits.rigids(walk.walked.played.clip.roots());
            bits.stances(&walk.walked.played.stances);
            bits.numbers(&[plan.turns_first, plan.turns_last]);
        });
        held(staged, walk);
        return;
    }
    let mut take = Take { clip: played.clip, stances, ground: 0.0, sources: played.sources };
    let end = FloorPose { position: goal.place, heading: goal.heading.unwrap_or(plan.end.heading) };
    let arrival = navigate.arrive.run(&mut take, end, 0);
    staged.stage("arrived", |bits| {
        bits.rigids(take.clip.roots());
        bits.stances(&take.stances);
        bits.numbers(&[arrival.shift.x, arrival.shift.y, arrival.turn, arrival.step_shift, arrival.step_turn]);
    });
    if scene.mesh.is_some() {
        let laid = lay(&navigate.lay, graph, scene, &mut take);
        staged.stage("laid", |bits| {
            bits.rigids(take.clip.roots());
            bits.stances(&take.stances);
            laid.raised.iter().for_each(|raised| bits.numbers(raised));
        });
    }
    let kept = &walk.walked.played;
    let same = take.stances == kept.stances && take.clip.digest() == kept.clip.digest();
    assert!(same, "{}: this file goes through the stages in another way than the pipeline does", staged.scenario);
    held(staged, walk);
}

/// Lays a walk on the scene's mesh, along the tube that a journey makes there.
fn lay(settings: &Lay, graph: &MotionGraph, scene: &Scene, take: &mut Take) -> Laid {
    let (mesh, blocked) = (scene.mesh.as_ref().expect("a mesh"), scene.blocked_mesh().expect("a mesh"));
    let charted =
        Chart { body: scene.body, survey: mesh.survey, ..Chart::default() }.run(&blocked).expect("a walk mesh");
    let (ground, room) = (mesh.survey.run(&mesh.soup), StandingRoom::new(&charted));
    let stand = |p: Vec3, climb: f32| {
        let rough = room.at(p, climb)?;
        Some(ground.footing(rough + 0.5 * Vec3::Y, 1.0).map_or(rough, |hit| hit.point))
    };
    let route = charted.route(scene.start.place, scene.goal.place).expect("a route");
    let tube = Tube::new(&route, stand).expect("a tube");
    let clip = &take.clip;
    let mut at = tube.start();
    let mut stations = Vec::with_capacity(clip.frames());
    for frame in 0..clip.frames() {
        at = tube.follow(floor::of_point(clip.body(&graph.rig.skeleton, frame).translation), at);
        stations.push(at);
    }
    let rate = clip.rate();
    let height = |p: Vec2, time: f32| tube.height(p, stations[((time * rate + 1e-3) as usize).min(stations.len() - 1)]);
    settings.run(&graph.rig, take, &GroundAlong { ground: &ground, height: &height })
}

fn planned(staged: &mut Staged, walk: &Navigated) {
    let plan = &walk.plan;
    staged.stage("plan", |bits| {
        plan.edges.iter().for_each(|edge| bits.count(edge.index()));
        bits.pose(plan.start);
        bits.pose(plan.end);
        bits.count(plan.frames);
        bits.number(plan.cost);
        bits.count(walk.report.moves);
    });
}

fn held(staged: &mut Staged, walk: &Navigated) {
    staged.stage("held", |bits| {
        bits.clip(&walk.take().clip);
        bits.stances(&walk.take().stances);
        bits.vectors(&walk.walked.pelvis);
        bits.numbers(&walk.walked.missed);
    });
}

fn report(bits: &mut Bits, walk: &Navigated) {
    let way = &walk.report.way;
    bits.count(way.collisions);
    bits.numbers(&[way.length, way.quality, way.missed, way.askew]);
    if let Some(fit) = &walk.report.ground {
        bits.feet(&fit.feet);
        bits.numbers(&[fit.missed.p95, fit.missed.max, fit.lowered, fit.climb, fit.steepest, fit.highest_step]);
        bits.count(fit.bare);
    }
}

/// What moves is ridden on: there is a schedule, and no walk yet.
fn by_platforms(staged: &mut Staged, scene: &Scene) {
    let map = GrownMap::new(scene.floor.clone().expect("a floor"), scene.body.radius).expect("a radius");
    let search = TimedSearch::default();
    let moving: Vec<MovingObstacle> =
        scene.obstacles.iter().flat_map(|mover| MovingObstacle::covering(mover, [0.0, search.horizon])).collect();
    let ends = [scene.start, scene.goal].map(|end| Vec2::new(end.place.x, end.place.z));
    let found = search.path_by_platforms(&map, &Prm::default().build(&map), &moving, &scene.platforms, ends, 0.0);
    staged.stage("schedule", |bits| {
        found.schedule.iter().for_each(|(time, at)| bits.numbers(&[*time, at.x, at.y]));
    });
}

/// A walk that is taken up again on its way and led elsewhere.
fn another_mind(graph: &MotionGraph) -> Staged {
    let navigate = Navigate::default();
    let mut staged = Staged::new("walk/another-mind");
    let scene = scene::load(&project("scenarios/2-pillars.scene.toml")).unwrap_or_else(|e| panic!("{e}"));
    let ways = PathChoices::new(scene.floor.expect("a floor"), scene.body.radius, 0.08).expect("a radius");
    let around = Surroundings::still(ways.map());
    let [start, goal] = [scene.start, scene.goal].map(|end| Vec2::new(end.place.x, end.place.z));
    let trip = |from: Start, goal: Goal| {
        let paths: Vec<Path> = ways.to_try(from.pose().position, goal.place);
        Trip::on_floor(around, paths, from, goal)
    };
    let standing = Start::Standing(FloorPose::new(start, 0.8));
    let first = trip(standing, Goal { place: goal, heading: Some(0.8), stop: true });
    let old = navigate.run(graph, &first).expect("a walk");
    staged.stage("before", |bits| bits.clip(&old.take().clip));
    let now = old.take().clip.frames() / 3;
    let resume = old.resume_after(graph, now).expect("it goes on");
    staged.stage("resumed", |bits| {
        bits.count(resume.frame);
        bits.pose(resume.start.pose());
    });
    let elsewhere = trip(resume.start, Goal { place: Vec2::new(17.0, 3.0), heading: None, stop: true });
    staged.stage("paths", |bits| elsewhere.paths.iter().for_each(|path| bits.path(path)));
    let new = navigate.replan(graph, &elsewhere, &old, now, resume).expect("another walk");
    planned(&mut staged, &new);
    staged.stage("arrived", |bits| {
        bits.clip(&new.walked.played.clip);
        bits.stances(&new.walked.played.stances);
    });
    held(&mut staged, &new);
    staged.stage("figures", |bits| {
        bits.feet(&new.walked.measure(graph, Footing::default()).after);
        report(bits, &new);
    });
    staged
}
