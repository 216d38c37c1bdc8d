//! Random floors that geometry stumbles over, and the navigation mesh against exact shortest paths on all of them.
#![cfg(feature = "navmesh")]

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use surefoot::glam::Vec2;
use surefoot::math::FloorPose;
use surefoot::plan::PathOutcome;
use surefoot::random::{Rng, Seed};
use surefoot::stages::{NavMesh, VisibilityGraph};
use surefoot::world::{FloorMap, GrownMap, Obstacle};

/// A floor, a radius, and what is asked of it.
struct Scene {
    map: FloorMap,
    radius: f32,
    questions: Vec<[Vec2; 2]>,
    /// Whether numbers tell places apart well enough for answers to be right; all others need only be given.
    judged: bool,
}

/// One of several.
fn one_of<T: Copy>(rng: &mut Rng, of: &[T]) -> T {
    of[rng.below(of.len())]
}

/// A multiple of `step` in [low, high].
fn on_grid(rng: &mut Rng, low: f32, high: f32, step: f32) -> f32 {
    low + step * rng.below(((high - low) / step).round() as usize + 1) as f32
}

fn point(rng: &mut Rng, low: f32, high: f32) -> Vec2 {
    Vec2::new(rng.range(low, high), rng.range(low, high))
}

fn rectangle(low: Vec2, high: Vec2) -> Vec<Vec2> {
    vec![low, Vec2::new(high.x, low.y), high, Vec2::new(low.x, high.y)]
}

/// Boxes on a grid: touching, overlapping, in line, a step apart.
fn boxes_on_a_grid(rng: &mut Rng, size: f32) -> Vec<Vec<Vec2>> {
    let step = one_of(rng, &[0.1, 0.25, 0.5, 1.0]);
    let count = 1 + rng.below(14);
    let place = |rng: &mut Rng| Vec2::new(on_grid(rng, 0.0, size, step), on_grid(rng, 0.0, size, step));
    let side = |rng: &mut Rng| step * (1 + rng.below((0.5 * size / step) as usize)) as f32;
    let boxes = (0..count).map(|_| {
        let low = place(rng);
        rectangle(low, low + Vec2::new(side(rng), side(rng)))
    });
    boxes.collect()
}

/// Walls as a grid map has them: every cell its own box, neighbours share their sides.
fn cells(rng: &mut Rng, size: f32) -> Vec<Vec<Vec2>> {
    let count = 3 + rng.below(5);
    let cell = size / count as f32;
    let mut all = Vec::new();
    for i in 0..count * count {
        if rng.below(10) < 3 {
            let low = cell * Vec2::new((i % count) as f32, (i / count) as f32);
            all.push(rectangle(low, low + cell));
        }
    }
    all
}

/// Boxes a tenth of a metre apart, in rows.
fn rows(rng: &mut Rng, size: f32) -> Vec<Vec<Vec2>> {
    let gap = one_of(rng, &[0.0, 0.1, 0.2, 0.4, 0.6, 0.61, 0.599_99]);
    let side = one_of(rng, &[0.1, 0.3, 0.7, 1.0]);
    let from = point(rng, 0.0, 0.5 * size);
    let (wide, deep) = (1 + rng.below(5), 1 + rng.below(3));
    let at = |i: usize| from + (side + gap) * Vec2::new((i % wide) as f32, (i / wide) as f32);
    (0..wide * deep).map(|i| rectangle(at(i), at(i) + side)).collect()
}

/// Boxes at any heading.
fn turned_boxes(rng: &mut Rng, size: f32) -> Vec<Vec<Vec2>> {
    let count = 1 + rng.below(16);
    let headings = [0.0, std::f32::consts::FRAC_PI_2, std::f32::consts::FRAC_PI_4, 0.1];
    let boxes = (0..count).map(|_| {
        let heading = if rng.below(2) == 0 { one_of(rng, &headings) } else { rng.range(-3.2, 3.2) };
        let extent = Vec2::new(rng.range(0.01, 0.5 * size), rng.range(0.01, 0.2 * size));
        Obstacle::rectangle("", FloorPose::new(point(rng, 0.0, size), heading), extent).corners().to_vec()
    });
    boxes.collect()
}

/// Triangles: large ones on top of each other, slivers, tiny ones, ones that share corners.
fn triangles(rng: &mut Rng, size: f32) -> Vec<Vec<Vec2>> {
    let shared: Vec<Vec2> = (0..5).map(|_| point(rng, 0.0, size)).collect();
    let triangle = |rng: &mut Rng| {
        let a = point(rng, -0.2 * size, 1.2 * size);
        match rng.below(5) {
            0 => {
                let along = point(rng, -size, size);
                vec![a, a + along, a + 0.5 * along + point(rng, -1e-3, 1e-3)]
            }
            1 => {
                let tiny = one_of(rng, &[1e-5, 1e-4, 1e-3, 1e-2]);
                vec![a, a + point(rng, -tiny, tiny), a + point(rng, -tiny, tiny)]
            }
            2 => (0..3).map(|_| one_of(rng, &shared)).collect(),
            _ => vec![a, point(rng, 0.0, size), point(rng, 0.0, size)],
        }
    };
    (0..1 + rng.below(10)).map(|_| triangle(rng)).collect()
}

/// Frames within frames, closed or with a gap of about twice the radius; some around a point that is asked about.
fn frames(rng: &mut Rng, size: f32, radius: f32) -> Vec<Vec<Vec2>> {
    let middle = one_of(rng, &[Vec2::splat(0.5 * size), Vec2::new(0.3 * size, 0.6 * size)]);
    let mut all = Vec::new();
    let mut half = 0.1 * size;
    for _ in 0..1 + rng.below(3) {
        let thick = one_of(rng, &[0.05, 0.1, 0.3]);
        let gap = match rng.below(4) {
            0 => 0.0,
            1 => 2.0 * radius,
            2 => 2.0 * radius + one_of(rng, &[-1e-2, -2e-3, -1e-4, 1e-5, 1e-4, 2e-3, 1e-2]),
            _ => 3.0 * radius,
        };
        let (low, high) = (middle - half, middle + half);
        all.push(rectangle(low, Vec2::new(high.x, low.y + thick)));
        all.push(rectangle(low, Vec2::new(low.x + thick, high.y)));
        all.push(rectangle(Vec2::new(high.x - thick, low.y), high));
        all.push(rectangle(Vec2::new(low.x, high.y - thick), Vec2::new(high.x - thick - gap, high.y)));
        half += one_of(rng, &[0.0, 0.05, 0.1, 0.2]) * size + thick;
    }
    all
}

/// Polygons with many corners: stars, combs, and boxes with corners along their straight edges.
fn many_corners(rng: &mut Rng, size: f32) -> Vec<Vec<Vec2>> {
    let star = |rng: &mut Rng| {
        let (middle, count) = (point(rng, 0.0, size), 3 + rng.below(14));
        let reach = rng.range(0.05, 0.4) * size;
        let at = |i: usize| i as f32 / count as f32 * std::f32::consts::TAU;
        (0..count).map(|i| middle + Vec2::from_angle(at(i)) * reach * rng.range(0.2, 1.0)).collect()
    };
    let comb = |rng: &mut Rng| {
        let (low, teeth, pitch) = (point(rng, 0.0, 0.5 * size), 2 + rng.below(4), one_of(rng, &[0.2, 0.7, 1.3]));
        let deep = rng.range(0.2, 0.4 * size);
        let mut corners = vec![low, low + Vec2::new(pitch * (2 * teeth - 1) as f32, 0.0)];
        for tooth in (0..teeth).rev() {
            let (left, right) = (pitch * (2 * tooth) as f32, pitch * (2 * tooth + 1) as f32);
            corners.extend([low + Vec2::new(right, deep), low + Vec2::new(left, deep)]);
            if tooth > 0 {
                corners.extend([low + Vec2::new(left, 0.1), low + Vec2::new(left - pitch, 0.1)]);
            }
        }
        corners
    };
    let studded = |rng: &mut Rng| {
        let low = point(rng, 0.0, 0.7 * size);
        let ring = rectangle(low, low + point(rng, 0.1, 0.3 * size));
        let parts = 1 + rng.below(5);
        let along = |i: usize| {
            let (a, b) = (ring[i / parts], ring[(i / parts + 1) % 4]);
            a.lerp(b, (i % parts) as f32 / parts as f32)
        };
        (0..4 * parts).map(along).collect()
    };
    let any = |rng: &mut Rng| match rng.below(3) {
        0 => star(rng),
        1 => comb(rng),
        _ => studded(rng),
    };
    (0..1 + rng.below(4)).map(|_| any(rng)).collect()
}

/// Obstacles of one kind or of two, some of them twice.
fn obstacles(rng: &mut Rng, size: f32, radius: f32) -> Vec<Vec<Vec2>> {
    let mut all = Vec::new();
    for _ in 0..1 + rng.below(2) {
        all.extend(match rng.below(7) {
            0 => boxes_on_a_grid(rng, size),
            1 => cells(rng, size),
            2 => rows(rng, size),
            3 => turned_boxes(rng, size),
            4 => triangles(rng, size),
            5 => frames(rng, size, radius),
            _ => many_corners(rng, size),
        });
    }
    if rng.below(4) == 0 && !all.is_empty() {
        for _ in 0..3 {
            let again = all[rng.below(all.len())].clone();
            // The same once more, or off by as little as numbers can tell.
            let off = one_of(rng, &[0.0, 0.0, 1e-6, 1e-5, 1e-4, 1e-3]);
            all.push(again.iter().map(|corner| corner + Vec2::new(off, -off)).collect());
        }
    }
    all
}

fn floor(rng: &mut Rng, size: f32) -> Vec<Vec2> {
    let at = |x: f32, z: f32| size * Vec2::new(x, z);
    match rng.below(6) {
        0 => [(0.0, 0.0), (1.0, 0.0), (1.0, 0.6), (0.6, 0.6), (0.6, 1.0), (0.0, 1.0)].map(|(x, z)| at(x, z)).to_vec(),
        1 => [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.55, 1.0), (0.5, 0.4), (0.45, 1.0), (0.0, 1.0)]
            .map(|(x, z)| at(x, z))
            .to_vec(),
        2 => [(0.0, 0.0), (0.5, 0.0), (1.0, 0.0), (1.0, 0.5), (1.0, 1.0), (0.0, 1.0), (0.0, 0.3)]
            .map(|(x, z)| at(x, z))
            .to_vec(),
        _ => rectangle(Vec2::ZERO, Vec2::splat(size)),
    }
}

/// The floor of a number; the same for the same number. `None` where no floor is left of it, so far out it lies.
fn scene(number: u64) -> Option<Scene> {
    let rng = &mut Rng::new(Seed(number)).stream("odd floors");
    let radius = match rng.below(3) {
        0 => one_of(rng, &[0.05, 0.1, 0.2, 0.25, 0.3, 0.5]),
        1 => rng.range(0.02, 0.6),
        _ => 0.3,
    };
    let size = one_of(rng, &[4.0, 10.0, 10.0, 20.0]);
    // Off the origin, and small or large as a whole: numbers then tell less than they should, or nothing.
    let far = rng.below(20) == 0;
    let offset = match rng.below(8) {
        _ if far => one_of(rng, &[0.0, 0.0, 1e4, 1e5, 1e6, 1e30]) * point(rng, -1.0, 1.0),
        0 => point(rng, -1000.0, 1000.0),
        1 => Vec2::new(-500.0, 300.0),
        _ => Vec2::ZERO,
    };
    let scale = match rng.below(8) {
        _ if far => one_of(rng, &[1e-20, 1e-9, 1e-4, 0.02, 1.0, 50.0, 1e4, 1e5, 1e30]),
        0 => one_of(rng, &[0.02, 0.1, 10.0, 50.0]),
        _ => 1.0,
    };
    let placed = |corners: Vec<Vec2>| corners.iter().map(|corner| offset + scale * *corner).collect::<Vec<_>>();
    let mut map = FloorMap::polygon(placed(floor(rng, size))).ok()?;
    for corners in obstacles(rng, size, radius) {
        // Those that cover nothing, cross themselves or lie beside the floor are refused at the door.
        map.add(Obstacle::polygon("", placed(corners))).ok();
    }
    let radius = (scale * radius).max(2e-3);
    let questions = questions(rng, &map, radius);
    Some(Scene { map, radius, questions, judged: !far })
}

/// Free places and such as touch: on edges and corners of what is grown, in the middle, on a grid.
fn questions(rng: &mut Rng, map: &FloorMap, radius: f32) -> Vec<[Vec2; 2]> {
    let grown = GrownMap::new(map.clone(), radius).unwrap();
    let [low, high] = map.bounds();
    let edges: Vec<Vec2> = grown.pieces().flat_map(|piece| piece.corners().to_vec()).collect();
    let mut place = || {
        let mut p = (low + high) * 0.5;
        for _ in 0..30 {
            let unit = Vec2::new(rng.unit(), rng.unit());
            p = match rng.below(6) {
                0 => one_of(rng, &edges),
                1 => {
                    let i = rng.below(edges.len());
                    edges[i].lerp(edges[(i + 1) % edges.len()], 0.5)
                }
                2 => low + (high - low) * (unit * 10.0).round() / 10.0,
                _ => low + (high - low) * unit,
            };
            if grown.is_free(p) {
                break;
            }
        }
        p
    };
    (0..3).map(|_| [place(), place()]).collect()
}

/// How far a body may be off in radius for an answer to count as grazing, metres. Numbers tell 0.06 mm apart at a
/// kilometre, pieces have [`SLACK`](surefoot::world::SLACK) of 0.1 mm on either side, and both planners round in their own way.
const GRAZING: f32 = 1e-3;

/// What the comparison came to.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
struct Counts {
    scenes: usize,
    found: usize,
    none: usize,
    refused: usize,
    /// Answers of floors that are so far out, so large or so small that they are only asked.
    unjudged: usize,
    /// Answers that differ, and that a millimetre of radius decides.
    grazing: usize,
    panics: usize,
    wrong: usize,
    /// How much longer, and how much shorter, a way was than the exact one where they agree, metres.
    longer: f32,
    shorter: f32,
}

/// Whether two answers agree: both a way of the same length, or neither.
fn agree(shortest: Option<f32>, found: Option<f32>) -> bool {
    match (shortest, found) {
        // Turns are at the same corners, but for such as rounding takes for one: 0.1 mm apart at most, on either side.
        (Some(shortest), Some(found)) => (found - shortest).abs() < 5e-4 + 1e-5 * shortest,
        (None, None) => true,
        _ => false,
    }
}

fn length(outcome: &PathOutcome) -> Option<f32> {
    match outcome {
        PathOutcome::StartIsGoal => Some(0.0),
        other => other.path().map(|path| path.length()),
    }
}

/// The exact answer for a radius that is off by `more`, between the nearest places where that body fits.
fn exact_length(scene: &Scene, more: f32, [start, goal]: [Vec2; 2]) -> Option<f32> {
    let map = GrownMap::new(scene.map.clone(), scene.radius + more).unwrap();
    // A body that is larger by a hair fits a hair aside; further off it is another question.
    let near = |p: Vec2| map.nearest_free(p).filter(|q| q.distance(p) < 4.0 * more.abs());
    length(&VisibilityGraph::new(&map).path(&map, near(start)?, near(goal)?))
}

/// What is wrong with the navigation mesh's answers on a scene, one line each.
fn compare(scene: &Scene, counts: &mut Counts) -> Vec<String> {
    let map = GrownMap::new(scene.map.clone(), scene.radius).unwrap();
    let (exact, mesh) = (VisibilityGraph::new(&map), NavMesh::new(&map));
    let mut faults = Vec::new();
    for [start, goal] in scene.questions.iter().copied() {
        let (shortest, outcome) = (exact.path(&map, start, goal), mesh.path(&map, start, goal));
        if !scene.judged {
            counts.unjudged += 1;
            continue;
        }
        match &outcome {
            PathOutcome::Found(_) | PathOutcome::StartIsGoal => counts.found += 1,
            PathOutcome::NoRoute { .. } => counts.none += 1,
            _ => counts.refused += 1,
        }
        if let Some(path) = outcome.path()
            && !path.is_free(&map)
        {
            faults.push(format!("{start} to {goal}: not free: {:?}", path.points()));
        }
        let (wanted, found) = (length(&shortest), length(&outcome));
        if agree(wanted, found) {
            let more = found.unwrap_or(0.0) - wanted.unwrap_or(0.0);
            counts.longer = counts.longer.max(more);
            counts.shorter = counts.shorter.max(-more);
            continue;
        }
        // No way for a body that is a hair thicker, or a longer one: what lies between the two is right.
        let grazing = GRAZING.min(0.25 * scene.radius);
        let [thinner, thicker] =
            [-grazing, grazing].map(|by| exact_length(scene, by, [start, goal]).unwrap_or(f32::INFINITY));
        let at = found.unwrap_or(f32::INFINITY);
        let slack = 1e-3 + 1e-4 * if at.is_finite() { at } else { 0.0 } + 4.0 * grazing;
        if thinner - slack <= at && at <= thicker + slack {
            counts.grazing += 1;
        } else {
            faults.push(format!(
                "{start} to {goal}: exact {wanted:?}, navmesh {found:?}, a millimetre less {thinner}, more {thicker}"
            ));
        }
    }
    faults
}

/// Compares scenes first..first + count; says what goes wrong, and ends the program where one takes longer than 20 s.
fn run(first: u64, count: u64) -> Counts {
    static AT: AtomicU64 = AtomicU64::new(u64::MAX);
    let patience = Duration::from_secs(20);
    std::thread::spawn(move || {
        let mut seen = (u64::MAX, Instant::now());
        while AT.load(Ordering::Relaxed) != u64::MAX - 1 {
            std::thread::sleep(Duration::from_millis(200));
            let at = AT.load(Ordering::Relaxed);
            if at != seen.0 {
                seen = (at, Instant::now());
            } else if at < u64::MAX - 1 && seen.1.elapsed() > patience {
                println!("scene {at}: takes longer than 20 s");
                std::process::exit(3);
            }
        }
    });
    let mut counts = Counts::default();
    for number in first..first + count {
        AT.store(number, Ordering::Relaxed);
        counts.scenes += 1;
        let mut own = counts;
        match catch_unwind(AssertUnwindSafe(|| scene(number).map_or(Vec::new(), |scene| compare(&scene, &mut own)))) {
            Ok(faults) => {
                own.wrong += faults.len();
                counts = own;
                faults.iter().for_each(|fault| println!("scene {number}: {fault}"));
            }
            Err(_) => {
                counts.panics += 1;
                println!("scene {number}: panics");
            }
        }
    }
    AT.store(u64::MAX - 1, Ordering::Relaxed);
    println!("{counts:?}");
    counts
}

#[test]
fn the_navigation_mesh_answers_as_exact_paths_do_on_odd_floors() {
    let number =
        |name: &str, otherwise: u64| std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(otherwise);
    let counts = run(number("SUREFOOT_FIRST_FLOOR", 0), number("SUREFOOT_FLOORS", 2000));
    assert_eq!((counts.panics, counts.wrong), (0, 0), "{counts:?}");
}

/// Among pillars on a grid there are more shortest ways than can be followed one by one: 60 by 60 took 14 s, and each pillar more
/// twice as long.
#[test]
fn ways_of_one_length_are_followed_once() {
    const COUNT: usize = 90;
    let mut map = FloorMap::rectangle(Vec2::ZERO, Vec2::splat(2.0 * COUNT as f32 + 1.0)).unwrap();
    for i in 0..COUNT * COUNT {
        let low = 1.0 + 2.0 * Vec2::new((i % COUNT) as f32, (i / COUNT) as f32);
        map.add(Obstacle::polygon("", rectangle(low, low + 1.0))).unwrap();
    }
    let map = GrownMap::new(map, 0.3).unwrap();
    let (start, goal) = (Vec2::splat(0.5), Vec2::splat(2.0 * COUNT as f32 + 0.5));
    let path = NavMesh::new(&map).path(&map, start, goal).into_path().unwrap();
    // From pillar to pillar as in a field of four.
    assert!(path.is_free(&map) && (path.length() / start.distance(goal) - 1.1).abs() < 0.05, "{}", path.length());
}

/// A square floor with these obstacles, for a body.
fn small_floor(size: f32, radius: f32, obstacles: &[&[[f32; 2]]]) -> GrownMap {
    let mut map = FloorMap::rectangle(Vec2::ZERO, Vec2::splat(size)).unwrap();
    for corners in obstacles {
        map.add(Obstacle::polygon("", corners.iter().map(|corner| Vec2::from(*corner)).collect())).unwrap();
    }
    GrownMap::new(map, radius).unwrap()
}

#[test]
fn floors_that_failed() {
    // The same triangle twice, 10 µm aside: adding its edges one by one panicked.
    let one = [[1.034_194_7, 3.499_320_7], [0.145_681_38, 0.789_634], [0.697_024_1, 3.726_090_7]];
    let two = [[1.034_204_7, 3.499_310_7], [0.145_691_38, 0.789_624], [0.697_034_1, 3.726_080_7]];
    let map = small_floor(4.0, 0.5, &[&one, &two, &one, &two]);
    assert!(NavMesh::new(&map).path(&map, Vec2::new(3.0, 0.7), Vec2::new(2.0, 3.4)).path().is_some());
    // Two boxes with a gap as wide as the body: there seemed to be no way.
    let boxes =
        [rectangle(Vec2::new(0.3, 0.7), Vec2::new(1.1, 2.5)), rectangle(Vec2::new(1.2, 0.0), Vec2::new(2.1, 0.1))];
    let boxes = boxes.map(|corners| corners.iter().map(Vec2::to_array).collect::<Vec<_>>());
    let map = small_floor(6.0, 0.3, &[&boxes[0], &boxes[1]]);
    let [exact, found] = [
        VisibilityGraph::new(&map).path(&map, Vec2::splat(0.35), Vec2::splat(5.65)),
        NavMesh::new(&map).path(&map, Vec2::splat(0.35), Vec2::splat(5.65)),
    ];
    assert!(length(&found).is_some() && agree(length(&exact), length(&found)), "{exact:?} {found:?}");
}
