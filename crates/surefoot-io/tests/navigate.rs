//! Walks through scenes: everyone arrives, nobody bumps into anything, and minds can be changed.

use std::path::{Path as FilePath, PathBuf};
use std::sync::OnceLock;
use surefoot::glam::Vec2;
use surefoot::library::graph::MotionGraph;
use surefoot::math::{FloorPose, quat, wrap_angle};
use surefoot::metrics::{Footing, measure_facing};
use surefoot::motion::{Clip, stance};
use surefoot::plan::walk::{Driven, Goal, Start, Steer, Surroundings, Wish};
use surefoot::plan::{MovingObstacle, Path, PathChoices};
use surefoot::random::{Rng, Seed};
use surefoot::stages::{Errand, FindWalk, FollowSubgoals, FootTrack, NoWalk, Wanted, measure_way, slides};
use surefoot::systems::{Navigate, NavigateError, Navigated, Trip, WalkGraph};
use surefoot::world::{FloorMap, Obstacle};
use surefoot_io::{embedded, scene};

fn walker() -> &'static MotionGraph {
    static WALKER: OnceLock<MotionGraph> = OnceLock::new();
    WALKER.get_or_init(embedded::graph)
}

/// Floors of scenarios in which nothing moves.
fn floors() -> Vec<(String, PathChoices)> {
    let folder = FilePath::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| scene::is_scene(file) && !file.to_string_lossy().contains("mesh-"));
    files.sort();
    let load = |file: &PathBuf| {
        let scene = scene::load(file).unwrap();
        let floor = scene.floor.filter(|_| scene.obstacles.is_empty() && scene.platforms.is_empty())?;
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        Some((name, PathChoices::new(floor, scene.body.radius, 0.08).unwrap()))
    };
    files.iter().filter_map(load).collect()
}

fn room(side: f32) -> FloorMap {
    FloorMap::rectangle(Vec2::ZERO, Vec2::splat(side)).unwrap()
}

fn walk(ways: &PathChoices, start: FloorPose, goal: Goal) -> Result<Navigated, NavigateError> {
    let shortest = ways.shortest(start.position, goal.place).path().map_or(0.0, Path::length);
    let paths = ways.to_try(start.position, goal.place);
    let trip = Trip::on_floor(Surroundings::still(ways.map()), paths, Start::Standing(start), goal);
    Navigate::default().run(walker(), &Trip { shortest, ..trip })
}

/// The greatest change from frame to frame of where the pelvis is (metres) and of a joint's rotation (radians).
fn jumps(clip: &Clip, frames: std::ops::Range<usize>) -> (f32, f32) {
    let skeleton = &walker().rig.skeleton;
    frames.skip(1).fold((0.0, 0.0), |(far, turned): (f32, f32), frame| {
        let [a, b] = [frame - 1, frame].map(|frame| clip.body(skeleton, frame).translation);
        let pairs = clip.frame(frame - 1).iter().zip(clip.frame(frame));
        let most = pairs.map(|(a, b)| quat::angle_between(a.rotation, b.rotation)).fold(0.0, f32::max);
        (far.max(a.distance(b)), turned.max(most))
    })
}

#[test]
fn everyone_arrives_between_random_places_of_every_floor() {
    let graph = walker();
    let mut rng = Rng::new(Seed(3)).stream("pairs");
    let mut qualities = Vec::new();
    for (name, ways) in floors() {
        let [low, high] = ways.map().map().bounds();
        let mut place = || Vec2::new(rng.range(low.x, high.x), rng.range(low.y, high.y));
        let (from, to) = loop {
            let (from, to) = (place(), place());
            let length = ways.shortest(from, to).path().map_or(0.0, Path::length);
            if (3.0..60.0).contains(&length) {
                break (from, to);
            }
        };
        let (facing, end) = (rng.range(-3.0, 3.0), rng.range(-3.0, 3.0));
        let goal = Goal { place: to, heading: Some(end), stop: true };
        let done = walk(&ways, FloorPose::new(from, facing), goal).unwrap_or_else(|error| panic!("{name}: {error}"));
        let figures = done.walked.measure(graph, Footing::default());
        // Counted here again, not taken from the figures.
        let clip = &done.walked.take.clip;
        let places = (0..clip.frames()).map(|frame| clip.body(&graph.rig.skeleton, frame).translation);
        let hits = places.filter(|p| !ways.map().map().is_free(Vec2::new(p.x, p.z), 0.2999)).count();
        assert_eq!((hits, done.report.way.collisions), (0, 0), "{name}");
        assert!(
            done.report.way.missed < 0.01 && done.report.way.askew < 1.0_f32.to_radians(),
            "{name}: {:?}",
            done.report.way
        );
        assert!(figures.after.drift.p95 < 1e-3, "{name}: {:?}", figures.after.drift);
        // Fingers like all others: what shakes in a capture is calmed before it is blended.
        assert!(figures.joints.speed.ratio < 1.2, "{name}: {:?}", figures.joints);
        let (step, turn) = (done.report.arrival.step_shift, done.report.arrival.step_turn);
        assert!(step < 0.041 && turn < 4.1_f32.to_radians(), "{name}: {:?}", done.report.arrival);
        let first = done.walked.take.clip.body(&graph.rig.skeleton, 0);
        let starts = FloorPose::below(first).unwrap();
        assert!(starts.position.distance(from) < 0.03 && wrap_angle(starts.heading - facing).abs() < 0.05, "{name}");
        let seconds = done.walked.take.clip.duration();
        assert!(done.walked.seams.len() as f32 <= 2.0 * seconds, "{name}");
        qualities.push(done.report.way.quality);
    }
    qualities.sort_by(f32::total_cmp);
    assert!(qualities.len() >= 12 && qualities[qualities.len() / 2] < 1.15, "{qualities:?}");
}

#[test]
fn goals_near_by_and_turns_on_the_spot_take_no_age() {
    let ways = PathChoices::new(room(10.0), 0.3, 0.08).unwrap();
    let start = FloorPose::new(Vec2::splat(5.0), 0.0);
    for (dx, dz, heading) in [(0.0, 0.3, 0.0), (0.0, 1.0, 0.0), (0.3, 0.0, 2.0), (0.0, 0.0, 3.1), (-1.0, -0.5, 1.0)] {
        let place = start.position + Vec2::new(dx, dz);
        let mut paths = ways.to_try(start.position, place);
        if paths.is_empty() {
            paths.push(Path::on_floor(&[start.position]));
        }
        let goal = Goal { place, heading: Some(heading), stop: true };
        let trip = Trip::on_floor(Surroundings::still(ways.map()), paths, Start::Standing(start), goal);
        let done = Navigate::default().run(walker(), &Trip { shortest: 1.0, ..trip });
        let done = done.unwrap_or_else(|error| panic!("{dx} {dz} {heading}: {error}"));
        assert!(done.report.way.missed < 0.01 && done.report.way.askew < 0.0175, "{:?}", done.report.way);
        let seconds = done.walked.take.clip.duration();
        assert!(seconds < 25.0, "{dx} {dz} {heading}: {seconds} s");
    }
}

#[test]
fn goals_a_step_away_are_stepped_to() {
    let (_, ways) = floors().into_iter().find(|(name, _)| name.starts_with("1-empty")).unwrap();
    let from = Vec2::new(10.0, 10.0);
    for (dx, dz, facing, end) in [
        (0.45, 0.1, 0.3, 2.0),
        (-0.9, 0.2, 0.0, -1.5),
        (0.0, 0.6, 3.0, 3.0),
        (0.1, -0.3, 1.0, 1.0),
        // Were walked to in an arc of 1.83 times their distance, and stepped to 48° aside.
        (-1.28, 0.94, 0.93, 2.81),
        (0.3, 0.92, -0.94, 1.2),
    ] {
        let goal = Goal { place: from + Vec2::new(dx, dz), heading: Some(end), stop: true };
        let done = walk(&ways, FloorPose::new(from, facing), goal).unwrap_or_else(|error| panic!("{dx} {dz}: {error}"));
        let (way, arrival) = (done.report.way, done.report.arrival);
        assert!(way.quality < 1.4 && way.missed < 0.01 && way.askew < 0.02, "{dx} {dz}: {way:?}");
        // Steps to a place that is faced are those of a slow walk, one foot past the other.
        assert!(arrival.step_shift < 0.23 && arrival.step_turn < 0.8, "{arrival:?}");
        let aside = aside(walker(), &done.take().clip, 0.3);
        assert!(aside < 0.6, "{dx} {dz}: {aside} rad");
        let figures = done.walked.measure(walker(), Footing::default());
        assert!(figures.after.drift.p95 < 1e-3 && figures.after.penetration.max < 2e-3, "{:?}", figures.after);
    }
}

#[test]
fn a_corner_that_is_near_is_stepped_round() {
    for (floor, [from, to], steps_first) in [
        // A goal 1.1 m away behind a tree: 1.54 times the shortest way was walked.
        ("5-forest", [[14.80, 3.58, -82.0], [14.28, 4.49, -51.0_f32]], false),
        // Beside a wall, with a door behind a corner half a metre away: 1.63 times the shortest way, out into the room and back.
        ("6-rooms", [[14.34, 5.12, -179.0], [16.47, 8.97, -86.0]], true),
    ] {
        let (_, ways) = floors().into_iter().find(|(name, _)| name.starts_with(floor)).unwrap();
        let [from, to] = [from, to].map(|[x, z, degrees]| FloorPose::new(Vec2::new(x, z), degrees.to_radians()));
        let done = walk(&ways, from, Goal { place: to.position, heading: Some(to.heading), stop: true }).unwrap();
        let (way, clip) = (done.report.way, &done.take().clip);
        assert!(way.quality < 1.25 && way.missed < 0.01 && way.askew < 0.02 && way.collisions == 0, "{floor}: {way:?}");
        assert_eq!([done.plan.round.is_some(), done.plan.first_steps.is_some()], [!steps_first, steps_first]);
        let first = FloorPose::below(clip.body(&walker().rig.skeleton, 0)).unwrap();
        assert!(first.position.distance(from.position) < 0.03, "{floor}: begins at {first:?}");
        assert!(wrap_angle(first.heading - from.heading).abs() < 0.1, "{floor}: begins at {first:?}");
        let aside = aside(walker(), clip, 0.3);
        assert!(aside < 0.6, "{floor}: {aside} rad");
        let figures = done.walked.measure(walker(), Footing::default());
        assert!(figures.after.drift.p95 < 1e-3 && figures.after.penetration.max < 2e-3, "{:?}", figures.after);
    }
}

#[test]
fn who_turns_sharply_looks_where_he_goes() {
    for (floor, [from, to], looked) in [
        // Round the end of a wall, which was walked in one sharp turn; and past a tree near by.
        ("3-gap", [[15.39, 9.42, 119.0], [16.00, 7.87, 62.0_f32]], 29.6),
        ("5-forest", [[4.14, 8.30, -90.0], [2.69, 6.94, -165.0]], 25.9),
    ] {
        let (_, ways) = floors().into_iter().find(|(name, _)| name.starts_with(floor)).unwrap();
        let [from, to] = [from, to].map(|[x, z, degrees]| FloorPose::new(Vec2::new(x, z), degrees.to_radians()));
        let done = walk(&ways, from, Goal { place: to.position, heading: Some(to.heading), stop: true }).unwrap();
        let way = done.report.way;
        assert!(way.quality < 1.4 && way.missed < 0.01 && way.askew < 0.02 && way.collisions == 0, "{floor}: {way:?}");
        // The graph's clips look 17.4° aside in 95 % of the time.
        let looks = measure_facing(&walker().rig, &done.take().clip).unwrap().p95.to_degrees();
        assert!(looks < 22.4 && looks < looked, "{floor}: {looks}° aside");
    }
}

/// Frames of a walk, but for its start and end, from which on it comes nowhere in two seconds: enough for a turn on the spot.
fn rests(done: &Navigated) -> usize {
    let clip = &done.walked.take.clip;
    let body = |frame| clip.body(&walker().rig.skeleton, frame).translation;
    let middle = 90..clip.frames().saturating_sub(150);
    middle.filter(|frame| body(*frame).distance(body(frame + 60)) < 0.5).count()
}

#[test]
fn nobody_turns_about_on_one_spot_before_a_door() {
    let (_, ways) = floors().into_iter().find(|(name, _)| name.starts_with("grid-room")).unwrap();
    let goal = Goal { place: Vec2::new(30.508_47, 21.884_539), heading: Some(0.785), stop: true };
    let start = FloorPose::new(Vec2::new(27.410_477, 7.501_182_6), -0.114_568_95);
    // Searches that do not go back from there turn about for 46 seconds.
    let done = walk(&ways, start, goal).unwrap();
    assert!(rests(&done) < 30 && done.report.way.quality < 1.1, "{} frames, {}", rests(&done), done.report.way.quality);
}

#[test]
fn nobody_turns_about_before_arriving() {
    let (_, ways) = floors().into_iter().find(|(name, _)| name.starts_with("grid-room")).unwrap();
    let goal = Goal { place: Vec2::new(15.024_939, 5.592_622_8), heading: Some(0.785), stop: true };
    let start = FloorPose::new(Vec2::new(1.968_210_2, 21.879_23), -0.184_114_93);
    // Searches that do not go back near the goal turn about there for two minutes.
    let done = walk(&ways, start, goal).unwrap();
    assert!(
        rests(&done) < 100 && done.report.way.quality < 1.15,
        "{} frames, {}",
        rests(&done),
        done.report.way.quality
    );
}

#[test]
fn nobody_stands_about_between_rooms() {
    let (_, ways) = floors().into_iter().find(|(name, _)| name.starts_with("grid-room")).unwrap();
    let mut rng = Rng::new(Seed(7)).stream("doors");
    let [low, high] = ways.map().map().bounds();
    let mut idle = 0;
    for _ in 0..60 {
        let mut place = || Vec2::new(rng.range(low.x, high.x), rng.range(low.y, high.y));
        let (from, to) = loop {
            let (from, to) = (place(), place());
            let length = ways.shortest(from, to).path().map_or(0.0, Path::length);
            if (8.0..40.0).contains(&length) {
                break (from, to);
            }
        };
        let goal = Goal { place: to, heading: Some(0.785), stop: true };
        let done = walk(&ways, FloorPose::new(from, rng.range(-3.0, 3.0)), goal).unwrap();
        idle += usize::from(rests(&done) > 150);
    }
    // Of searches that do not go back and are not made again, 26 do; of those that do not go back near the goal, eight.
    assert!(idle == 0, "{idle} of 60 stand about for more than five seconds");
}

/// The greatest angle between where a body faces and where it goes over a second, radians, while it walks.
fn sideways(graph: &MotionGraph, clip: &Clip) -> f32 {
    aside(graph, clip, 0.6)
}

/// The same while it goes farther than so many metres in that second: averaged over 0.3 s, since hips turn with every step.
fn aside(graph: &MotionGraph, clip: &Clip, least: f32) -> f32 {
    let body = |frame: usize| FloorPose::below(clip.body(&graph.rig.skeleton, frame)).unwrap();
    let frames = 15..clip.frames().saturating_sub(15);
    let mut off: Vec<f32> = Vec::new();
    for frame in frames {
        let way = body(frame + 15).position - body(frame - 15).position;
        if way.length() > least {
            let goes = way.x.atan2(way.y);
            let turned: f32 = (frame - 5..=frame + 5).map(|f| wrap_angle(body(f).heading - goes)).sum();
            off.push((turned / 11.0).abs());
        }
    }
    off.into_iter().fold(0.0, f32::max)
}

#[test]
fn feet_do_not_jump_from_heel_to_ball() {
    // Whose toes jumped aside by 27 mm within a frame, where a foot that is never flat goes over from its heel to its ball.
    for (floor, ends) in [("6-rooms", [[2.94, 15.66, 160.0], [5.10, 4.72, -136.0_f32]])] {
        let (_, ways) = floors().into_iter().find(|(name, _)| name.starts_with(floor)).unwrap();
        let [from, to] = ends.map(|[x, z, degrees]| FloorPose::new(Vec2::new(x, z), degrees.to_radians()));
        let goal = Goal { place: to.position, heading: Some(to.heading), stop: true };
        let done = walk(&ways, from, goal).unwrap();
        let clip = &done.take().clip;
        let tracks = FootTrack::of_all(&walker().rig, clip);
        for track in &tracks {
            let step = |f: usize| track.balls[f + 1] - track.balls[f];
            let jump = |f: &usize| {
                let [before, now, after] = [f - 1, *f, f + 1].map(step);
                now.length() > 0.02 && before.length() < 0.005 && after.length() < 0.005
            };
            let found = (1..clip.frames() - 2).find(jump);
            assert_eq!(found, None, "a ball jumps at a frame");
        }
    }
}

#[test]
fn nobody_walks_sideways_to_a_goal() {
    let ways = PathChoices::new(room(12.0), 0.3, 0.08).unwrap();
    let mut worst: Vec<f32> = Vec::new();
    for k in 0..24 {
        let angle = k as f32 * 0.77;
        let goal = Goal { place: Vec2::new(6.0, 9.5), heading: Some(wrap_angle(angle)), stop: true };
        let start = FloorPose::new(Vec2::new(6.0, 2.0), wrap_angle(1.9 * angle));
        let done = walk(&ways, start, goal).unwrap();
        assert!(done.report.way.missed < 0.01 && done.report.way.askew < 0.0175, "{:?}", done.report.way);
        worst.push(sideways(walker(), &done.take().clip));
    }
    worst.sort_by(f32::total_cmp);
    // Bodies that are turned about themselves to face as they should at the end walk at up to 1.3 rad there.
    assert!(worst[worst.len() - 1] < 0.7 && worst[worst.len() / 2] < 0.35, "{worst:?}");
}

#[test]
fn whoever_stands_can_turn_where_no_clip_does() {
    let (_, ways) = floors().into_iter().find(|(name, _)| name.starts_with("8-labyrinth")).unwrap();
    let graph = walker().clone();
    let turns = |graph: &MotionGraph| graph.takes.iter().position(|take| take.clip.name().starts_with("69_17"));
    let mut graph = graph;
    while let Some(take) = turns(&graph) {
        graph = graph.without(take);
    }
    let mut rng = Rng::new(Seed(21)).stream("walls");
    let [low, high] = ways.map().map().bounds();
    for _ in 0..12 {
        let mut place = || Vec2::new(rng.range(low.x, high.x), rng.range(low.y, high.y));
        let (from, to) = loop {
            let (from, to) = (place(), place());
            let length = ways.shortest(from, to).path().map_or(0.0, Path::length);
            if (3.0..40.0).contains(&length) {
                break (from, to);
            }
        };
        let paths = ways.to_try(from, to);
        // Away from the way: into the next wall.
        let facing = wrap_angle(paths[0].heading(0.0) + 2.8);
        let goal = Goal { place: to, heading: Some(rng.range(-3.0, 3.0)), stop: true };
        let start = Start::Standing(FloorPose::new(from, facing));
        let trip = Trip::on_floor(Surroundings::still(ways.map()), paths, start, goal);
        let done = Navigate::default().run(&graph, &trip).unwrap_or_else(|error| panic!("{from} {to}: {error}"));
        let figures = done.walked.measure(&graph, Footing::default());
        assert!(figures.after.drift.p95 < 1e-3, "{:?}", figures.after.drift);
        let first = FloorPose::below(done.take().clip.body(&graph.rig.skeleton, 0)).unwrap();
        assert!(first.position.distance(from) < 0.03 && wrap_angle(first.heading - facing).abs() < 0.05, "{first:?}");
        assert!(done.report.way.missed < 0.01 && done.report.way.askew < 0.0175, "{:?}", done.report.way);
    }
}

#[test]
fn a_body_in_a_wall_is_counted() {
    let ways = PathChoices::new(room(10.0), 0.3, 0.08).unwrap();
    let done = walk(&ways, FloorPose::new(Vec2::splat(2.0), 0.5), Goal::at(Vec2::new(5.0, 8.0))).unwrap();
    let is_free = |p: Vec2, _: usize| p.y < 6.0;
    let wanted = Wanted { is_free: &is_free, shortest: 3.0, place: Vec2::splat(1.0), heading: Some(1.0) };
    let way = measure_way(&walker().rig, done.take(), &wanted);
    assert!(way.collisions > 30 && way.quality > 2.0 && way.missed > 7.0, "{way:?}");
}

#[test]
fn walking_through_does_not_stop() {
    let ways = PathChoices::new(room(16.0), 0.3, 0.08).unwrap();
    let goal = Goal { place: Vec2::new(8.0, 12.0), heading: Some(0.4), stop: false };
    let done = walk(&ways, FloorPose::new(Vec2::new(7.0, 2.0), 0.0), goal).unwrap();
    assert!(done.report.way.missed < 0.01 && done.report.way.askew < 0.0175, "{:?}", done.report.way);
    let clip = &done.walked.take.clip;
    let body = |frame| clip.body(&walker().rig.skeleton, frame).translation;
    let last = clip.frames() - 1;
    let speed = body(last).distance(body(last - 15)) * 2.0;
    assert!(speed > 0.5, "still at {speed} m/s");
}

#[test]
fn a_body_that_does_not_fit_is_told_where_it_is_stuck() {
    // A corridor that a body can be pushed through, but no walk of people who sway.
    let mut floor = room(10.0);
    for (x, width) in [(2.35, 4.7), (7.65, 4.7)] {
        floor.add(Obstacle::rectangle("wall", FloorPose::new(Vec2::new(x, 5.0), 0.0), Vec2::new(width, 3.0))).unwrap();
    }
    let ways = PathChoices::new(floor, 0.2995, 0.08).unwrap();
    let goal = Goal::at(Vec2::new(5.0, 9.0));
    let error = walk(&ways, FloorPose::new(Vec2::new(5.0, 1.0), 0.0), goal).unwrap_err();
    let NavigateError::Walk(NoWalk::Stuck { reached, left }) = error else { panic!("{error}") };
    assert!(reached.y < 5.5 && left > 3.0 && left < 8.5, "{reached} {left}");
    // And one that leads nowhere at all gives no path to try.
    assert!(ways.to_try(Vec2::new(5.0, 1.0), Vec2::new(2.0, 5.0)).is_empty());
}

#[test]
fn the_search_of_the_thesis_comes_near_the_goal() {
    let graph = walker();
    let ways = PathChoices::new(embedded::labyrinth().floor.unwrap(), 0.3, 0.08).unwrap();
    let (from, to) = (Vec2::new(0.85, 0.9), Vec2::new(4.2, 0.9));
    let path = ways.to_try(from, to).remove(0);
    let start = Start::Standing(FloorPose::new(from, path.heading(0.0)));
    let around = Surroundings::still(ways.map());
    let subgoals = FollowSubgoals::default();
    let trip = Trip::on_floor(around, vec![path], start, Goal::at(to));
    let done = Navigate::default().run_reference(&subgoals, graph, &trip).unwrap();
    assert!(done.report.way.missed < subgoals.reached + 0.05, "{:?}", done.report.way);
    assert!(done.report.way.collisions == 0 && done.walked.measure(graph, Footing::default()).after.drift.p95 < 1e-3);
}

#[test]
fn a_wall_that_drops_into_the_way_is_walked_round() {
    let graph = walker();
    let mut ways = PathChoices::new(room(16.0), 0.3, 0.08).unwrap();
    let goal = Goal { place: Vec2::new(8.0, 14.0), heading: Some(0.0), stop: true };
    let old = walk(&ways, FloorPose::new(Vec2::new(8.0, 2.0), 0.0), goal).unwrap();
    let now = 120;
    let wall = Obstacle::rectangle("wall", FloorPose::new(Vec2::new(8.0, 9.5), 0.0), Vec2::new(6.0, 0.4));
    ways.add(wall).unwrap();
    let around = Surroundings::still(ways.map());
    let clip = &old.walked.take.clip;
    let hits = |clip: &Clip| {
        let places = (0..clip.frames()).map(|frame| clip.body(&graph.rig.skeleton, frame).translation);
        places.filter(|p| !ways.map().map().is_free(Vec2::new(p.x, p.z), 0.2999)).count()
    };
    assert!(hits(clip) > 0, "the wall is in the way");
    let resume = old.resume_after(graph, now).unwrap();
    assert!(resume.frame > now && resume.frame < now + 15, "{resume:?}");
    let from = resume.start.pose().position;
    let paths = ways.to_try(from, goal.place);
    let shortest = ways.shortest(from, goal.place).path().map_or(0.0, Path::length);
    let trip = Trip { shortest, ..Trip::on_floor(around, paths, resume.start, goal) };
    let new = Navigate::default().replan(graph, &trip, &old, now, resume).unwrap();
    let repaired = &new.walked.take.clip;
    assert!(new.report.way.missed < 0.01 && new.report.way.askew < 0.0175, "{:?}", new.report.way);
    assert_eq!(hits(repaired), 0);
    for frame in 0..=now {
        assert_eq!(
            (repaired.roots()[frame], repaired.frame(frame)),
            (clip.roots()[frame], clip.frame(frame)),
            "{frame}"
        );
    }
    // No faster anywhere after than before, in place and in pose.
    let (far, turned) = jumps(clip, 0..clip.frames());
    let (far_now, turned_now) = jumps(repaired, now - 1..repaired.frames());
    assert!(far_now < 1.6 * far && turned_now < 1.6 * turned, "{far_now} {far} m, {turned_now} {turned} rad a frame");
    let figures = new.walked.measure(graph, Footing::default());
    assert!(figures.after.drift.p95 < 1e-3, "{:?}", figures.after.drift);
}

#[test]
fn a_mind_is_changed_shortly_before_arriving_without_a_sliding_foot() {
    let graph = walker();
    let ways = PathChoices::new(room(16.0), 0.3, 0.08).unwrap();
    let around = Surroundings::still(ways.map());
    let rig = &graph.rig;
    let (mut slid, mut left, mut jumped) = (Vec::new(), Vec::new(), Vec::new());
    let mut change = |old: &Navigated, now: usize, goal: Goal| {
        let clip = &old.walked.take.clip;
        let resume = old.resume_after(graph, now).unwrap();
        let paths = ways.to_try(resume.start.pose().position, goal.place);
        let trip = Trip { shortest: 1.0, ..Trip::on_floor(around, paths, resume.start, goal) };
        let new = Navigate::default().replan(graph, &trip, old, now, resume).unwrap();
        let repaired = &new.walked.take.clip;
        assert!((0..=now).all(|frame| repaired.frame(frame) == clip.frame(frame)), "{now}");
        // The frame after goes on as the old walk did.
        let [a, b] = [repaired, clip].map(|clip| clip.body(&rig.skeleton, now + 1).translation);
        jumped.push(a.distance(b));
        // Every stance counts, those that are cut too.
        let mut take = new.take().clone();
        take.stances.iter_mut().for_each(|stance| stance.open = false);
        slid.push(slides(rig, &take, Footing::default())[0].drift);
        // A foot that is held now stays there as long as it is held, whatever was found before.
        let tracks = FootTrack::of_all(rig, repaired);
        let held = old.take().stances.iter().map(|stance| (stance.leg(), stance.frames(clip)));
        for (leg, then) in held.filter(|(_, frames)| frames.held().contains(&now)) {
            let track = &tracks[leg.index()];
            let mut own = stance::of_leg(&take.stances, leg).map(|on| on.frames(repaired));
            let on = own.find(|on| on.whole.contains(&now));
            let on = on.unwrap_or_else(|| panic!("{now}: a foot that stands is lifted"));
            for (points, then, on) in [(&track.heels, &then.heel, &on.heel), (&track.balls, &then.ball, &on.ball)] {
                if then.contains(&now) {
                    left.extend((now..on.end).map(|frame| points[frame].distance(points[now])));
                }
            }
        }
        new
    };
    // Walks whose last steps are led to the goal; what is left of them when they turn on the spot cannot be led elsewhere.
    for (x, z, heading) in [(8.0, 9.0, 1.5), (6.5, 6.5, -1.2), (8.0, 7.0, 0.0), (12.64, 10.31, -0.41)] {
        let goal = Goal { place: Vec2::new(x, z), heading: Some(heading), stop: true };
        let old = walk(&ways, FloorPose::new(Vec2::new(8.0, 2.0), 0.0), goal).unwrap();
        for other in [Vec2::new(8.0, 14.0), Vec2::new(3.0, 8.0), Vec2::new(13.0, 4.0)] {
            let walks = |now: &usize| old.resume_after(graph, *now).is_some();
            for now in (60..old.walked.take.clip.frames() - 30).step_by(7).take_while(walks) {
                let new = change(&old, now, Goal::at(other));
                // And again, a moment later.
                change(&new, now + 10, Goal::at(Vec2::new(14.0, 13.0)));
            }
        }
    }
    let of = |values: &mut Vec<f32>| {
        values.sort_by(f32::total_cmp);
        [values[values.len() * 19 / 20], values[values.len() * 99 / 100], values[values.len() - 1]]
    };
    let (slid, left, jumped) = (of(&mut slid), of(&mut left), of(&mut jumped));
    // 95 in 100, 99 and the worst. With prints found anew the first and the last were 89 and 119 mm here, 32 and 135 mm below.
    assert!(slid[0] < 5e-4 && slid[1] < 1e-3 && slid[2] < 5e-3, "{slid:?} m");
    assert!(left[0] < 5e-4 && left[1] < 1e-3 && left[2] < 5e-3, "{left:?} m");
    assert!(jumped[2] < 2e-3, "{jumped:?} m");
}

#[test]
fn what_crosses_the_way_is_not_met() {
    let graph = walker();
    let ways = PathChoices::new(room(14.0), 0.3, 0.08).unwrap();
    let (from, to) = (Vec2::new(7.0, 1.5), Vec2::new(7.0, 12.5));
    // It comes to the middle of the way when the walker does.
    let cart = MovingObstacle {
        radius: 0.6,
        track: vec![(0.0, Vec2::new(0.0, 6.5)), (5.0, Vec2::new(7.0, 6.5)), (10.0, Vec2::new(14.0, 6.5))],
    };
    let paths = ways.to_try(from, to);
    let still = Surroundings::still(ways.map());
    let shortest = paths[0].length();
    let trip =
        Trip { shortest, ..Trip::on_floor(still, paths, Start::Standing(FloorPose::new(from, 0.0)), Goal::at(to)) };
    let plain = Navigate::default().run(graph, &trip).unwrap();
    let distance = |done: &Navigated| {
        let clip = &done.walked.take.clip;
        let gap = |frame: usize| {
            let p = clip.body(&graph.rig.skeleton, frame).translation;
            cart.at(frame as f32 / clip.rate()).distance(Vec2::new(p.x, p.z))
        };
        (0..clip.frames()).map(gap).fold(f32::MAX, f32::min)
    };
    assert!(distance(&plain) < 0.9, "they would not meet anyway");
    let around = Surroundings { moving: std::slice::from_ref(&cart), ..still };
    let done = Navigate::default().run(graph, &Trip { around, ..trip }).unwrap();
    assert!(distance(&done) >= 0.9 - 1e-3 && done.report.way.collisions == 0, "{}", distance(&done));
    assert!(done.report.way.missed < 0.01);
}

#[test]
fn a_driven_character_goes_where_it_is_steered() {
    let graph = walker();
    let start = FloorPose::new(Vec2::ZERO, 0.0);
    let mut driven = Driven::new(graph, Start::Standing(start));
    let mut edges = Vec::new();
    let steer = Steer::default();
    let drive = |driven: &mut Driven, edges: &mut Vec<_>, wish: Wish, seconds: f32| {
        let until = driven.time + seconds;
        let from = driven.pose;
        while driven.time < until {
            let decided = steer.run(graph, None, driven, &wish);
            assert!(!decided.edges.is_empty() && decided.looked < 5000, "{decided:?}");
            edges.extend(decided.edges);
        }
        driven.pose.position - from.position
    };
    let go = |x: f32, z: f32| Wish { velocity: Vec2::new(x, z), heading: None };
    let ahead = drive(&mut driven, &mut edges, go(0.0, 1.2), 6.0);
    assert!(ahead.y > 4.0 && ahead.x.abs() < 1.5, "{ahead}");
    let left = drive(&mut driven, &mut edges, go(1.2, 0.0), 6.0);
    assert!(left.x > 3.5, "{left}");
    assert!(wrap_angle(driven.pose.heading - std::f32::consts::FRAC_PI_2).abs() < 0.6, "{:?}", driven.pose);
    drive(&mut driven, &mut edges, go(0.0, 0.0), 3.0);
    let stood = drive(&mut driven, &mut edges, go(0.0, 0.0), 3.0);
    assert!(stood.length() < 0.3, "{stood}");
    // What was driven is a walk of the graph: no pops.
    let walked = WalkGraph::default().run(graph, start, &edges);
    let figures = walked.measure(graph, Footing::default());
    assert!(figures.joints.speed.ratio < 1.2 && figures.after.drift.p95 < 1e-3, "{figures:?}");
}

#[test]
fn the_same_errand_gives_the_same_bits() {
    let (_, ways) = &floors()[4];
    let start = FloorPose::new(Vec2::new(2.0, 2.0), 0.3);
    let goal = Goal::at(Vec2::new(9.0, 3.0));
    let one = walk(ways, start, goal).unwrap();
    let other = walk(ways, start, goal).unwrap();
    assert_eq!(one.walked.take.clip.digest(), other.walked.take.clip.digest());
    let graph = embedded::graph();
    assert_eq!(graph.transitions, walker().transitions);
}

#[test]
fn a_graph_that_holds_nothing_together_says_so() {
    let graph = walker();
    // A walk that ends standing cannot be gone on with alone.
    let others = (0..graph.takes.len()).rev().filter(|take| graph.takes[*take].clip.name() != "16_33");
    let alone = others.fold(graph.clone(), MotionGraph::without);
    assert_eq!(alone.takes.len(), 1);
    let ways = PathChoices::new(room(10.0), 0.3, 0.08).unwrap();
    let paths = ways.to_try(Vec2::splat(2.0), Vec2::splat(8.0));
    let start = Start::Standing(FloorPose::new(Vec2::splat(2.0), 0.0));
    let errand = Errand { start, goal: Goal::at(Vec2::splat(8.0)) };
    let around = Surroundings::still(ways.map());
    let found = FindWalk::default().run(&alone, around, &paths[0], errand);
    assert_eq!(found, Err(NoWalk::NothingToWalk));
}
