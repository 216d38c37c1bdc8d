//! Paths that are followed on legs of any length, on one captured walk and its mirror image.

use std::sync::LazyLock;
use surefoot::analyse::Study;
use surefoot::glam::Vec2;
use surefoot::library::graph::{BuildGraph, MotionGraph};
use surefoot::math::floor;
use surefoot::motion::{AsTheClip, Froude, Pullens, ScalePlan, SpeedLaw, Take};
use surefoot::plan::Path;
use surefoot::stages::{
    BranchAndBound, FollowPath, LegWays, NoPathWalk, PathSearch, ProveBound, ScaleClock, ScaleLegs, WalkOnLegs,
};
use surefoot::systems::{Follow, FollowError, FollowedPath, Gather, PathToFollow};
use surefoot_io::{ImportSettings, embedded, glb, gltf};

/// 47_01 and its mirror image.
static GRAPH: LazyLock<MotionGraph> = LazyLock::new(|| {
    let import = embedded::find("47_01").unwrap().import();
    let gather = Gather::default();
    let rig = gather.rig(&import.skeleton, None, &[&import.clips[0]]).unwrap();
    let take: Take = gather.run(&rig, &import.clips[0], &rig).unwrap().take;
    let mirrored = take.mirrored(&rig).unwrap();
    BuildGraph::default().run(&rig, &[take, mirrored]).unwrap()
});

static WAYS: LazyLock<LegWays> = LazyLock::new(|| LegWays::new(&GRAPH));

fn bends() -> Path {
    let text = include_str!("../../../scenarios/bends.path");
    let point = |line: &str| {
        let (x, z) = line.split_once(',')?;
        Some(Vec2::new(x.trim().parse().ok()?, z.trim().parse().ok()?))
    };
    Path::on_floor(&text.lines().filter_map(point).collect::<Vec<_>>())
}

fn follow(path: &Path, plan: &str, law: &dyn SpeedLaw) -> FollowedPath {
    let plan: ScalePlan = plan.parse().unwrap();
    Follow::default().run(&GRAPH, &PathToFollow { path, plan: &plan, law }).unwrap()
}

#[test]
fn the_path_is_as_long_as_the_published_one() {
    assert!((bends().length() - 19.85).abs() < 0.005, "{}", bends().length());
}

#[test]
fn feet_stand_and_speeds_fit_at_every_scale_and_while_it_changes() {
    let path = bends();
    for plan in ["0.5", "0.75", "1", "1.5", "2", "0:1 5:0.5 9:1.6", "0:0.5 12:2", "0:2 3:0.5 6:2 9:0.5 12:2"] {
        let done = follow(&path, plan, &Pullens::default());
        let report = &done.report;
        assert!(report.after.drift.max < 0.001, "{plan}: held feet stray by {} m", report.after.drift.max);
        assert!(report.missed < 0.001, "{plan}: held feet miss their places by {} m", report.missed);
        let (above, sunk) = (report.after.float.p95, report.after.penetration.p95);
        assert!(above < 0.005 && sunk < 0.005, "{plan}: feet {above} m above and {sunk} m in the ground");
        let fit = report.speed;
        // Legs that become four times as long within three seconds push the body along, and feet have to catch up.
        let (near, margin) = if plan.starts_with("0:2 3:0.5") { (0.08, 2.0) } else { (0.05, 0.5) };
        assert!(fit.straight > 1.0 && (fit.worst - 1.0).abs() < near, "{plan}: {fit:?}");
        assert!(report.distance < 0.15, "{plan}: {} m off the path", report.distance);
        // A fifth faster, and what a frame in thirty makes of noise.
        let joint = report.joint;
        assert!(joint.after < 1.2 * joint.before + margin, "{plan}: {joint:?}");
        // The walk is where the search has it.
        let end = floor::of_point(done.take.clip.roots()[done.take.clip.frames() - 1].translation);
        assert!(end.distance(floor::of_point(path.end().into())) < 0.3, "{plan}: ends at {end}");
    }
}

#[test]
fn a_file_tells_how_high_the_soles_of_scaled_legs_are() {
    let done = follow(&bends(), "1.5", &Pullens::default());
    let bytes = glb::write(&done.rig.skeleton, std::slice::from_ref(&done.take.clip));
    let import =
        gltf::read(&bytes, "walk", &|_| Err(std::io::ErrorKind::NotFound.into()), &ImportSettings::default()).unwrap();
    let studied = Study::default().run(&import.skeleton, &import.clips[0]).unwrap();
    for (own, read) in done.rig.legs.iter().zip(&studied.rig.legs) {
        // 17 mm lower for longer legs, if nothing told it.
        assert!((own.foot.ball - read.foot.ball).length() < 1e-3, "{:?} {:?}", own.foot, read.foot);
    }
    assert!(studied.figures.drift.max < 1e-3, "{:?}", studied.figures.drift);
}

#[test]
fn longer_legs_take_the_time_that_the_law_says() {
    let path = Path::on_floor(&[Vec2::ZERO, Vec2::new(0.0, 6.0)]);
    let laws: [(&dyn SpeedLaw, f32); 3] =
        [(&Pullens::default(), 0.7), (&Froude::default(), 0.5), (&AsTheClip { speed: 1.2, leg: 0.85 }, 1.0)];
    for (law, power) in laws {
        let speed = |plan: &str| {
            let done = follow(&path, plan, law);
            (done.report.speed, done.take.clip.duration())
        };
        let (fit, seconds) = speed("1.5");
        let own = speed("1").1;
        assert!((fit.median - 1.0).abs() < 0.03, "power {power}: {fit:?}");
        assert!((own / seconds / 1.5_f32.powf(power) - 1.0).abs() < 0.15, "power {power}: {own} s and {seconds} s");
    }
}

#[test]
fn at_its_own_length_a_walk_is_played_as_it_is() {
    let path = Path::on_floor(&[Vec2::ZERO, Vec2::new(1.0, 4.0)]);
    let done = follow(&path, "1", &Pullens::default());
    let mut played = GRAPH.play(done.walk.start, &done.walk.edges);
    played.trim(done.walk.frames);
    let clock = ScaleClock::new(&ScalePlan::default(), &Pullens::default(), GRAPH.rig.leg_length());
    let (rig, clip, standing) = (&GRAPH.rig, &played.clip, played.standing.as_slice());
    let walk = WalkOnLegs { rig, clip, standing, graph: None, clock: &clock };
    let scaled = ScaleLegs::default().run(&walk).unwrap();
    assert_eq!((scaled.clip.frames(), &scaled.standing), (clip.frames(), &played.standing));
    for frame in 0..clip.frames() {
        assert_eq!(scaled.clip.frame(frame), clip.frame(frame), "frame {frame}");
        let moved = scaled.clip.roots()[frame].translation - clip.roots()[frame].translation;
        assert!(moved.length() < 1e-4, "frame {frame} by {moved}");
    }
}

#[test]
fn bodies_and_single_legs_grow_too() {
    let path = Path::on_floor(&[Vec2::ZERO, Vec2::new(0.0, 4.0)]);
    let (plan, law) = ("1.5".parse().unwrap(), Pullens::default());
    let wanted = PathToFollow { path: &path, plan: &plan, law: &law };
    let legs = ScaleLegs { body: 1.0, each: vec![1.0, 0.97] };
    let done = Follow { legs, ..Follow::default() }.run(&GRAPH, &wanted).unwrap();
    let of = |rig: &surefoot::rig::Rig, leg: usize| rig.legs[leg].length(&rig.skeleton);
    assert!((of(&done.rig, 0) / of(&GRAPH.rig, 0) - 1.5).abs() < 1e-3);
    assert!((of(&done.rig, 1) / of(&GRAPH.rig, 1) - 1.5 * 0.97).abs() < 1e-3);
    assert!(done.rig.skeleton.height() > 1.4 * GRAPH.rig.skeleton.height(), "{}", done.rig.skeleton.height());
    assert!(done.report.after.drift.max < 0.001, "{}", done.report.after.drift.max);
    let bad = ScaleLegs { body: 2.0, each: Vec::new() };
    let refused = Follow { legs: bad, ..Follow::default() }.run(&GRAPH, &wanted);
    assert!(matches!(refused, Err(FollowError::Legs(_))));
}

#[test]
fn the_search_is_as_good_as_one_that_looks_at_everything() {
    let path = Path::on_floor(&[Vec2::ZERO, Vec2::new(0.0, 0.8), Vec2::new(0.5, 1.2)]);
    for scale in [1.0, 1.5] {
        let plan = ScalePlan::constant(scale).unwrap();
        let clock = ScaleClock::new(&plan, &Pullens::default(), GRAPH.rig.leg_length());
        let search = PathSearch { graph: &GRAPH, ways: &WAYS, path: &path, clock: &clock };
        let best = BranchAndBound { iteration_length: 99.0, patience: usize::MAX, ..BranchAndBound::default() };
        let best = best.run(&search).unwrap();
        assert!(best.complete && best.bound == best.error, "{best:?}");
        let ours = FollowPath::default().run(&search).unwrap();
        assert!(ours.error >= best.error - 1e-6, "no walk is better than the best: {} {}", ours.error, best.error);
        assert!(ours.error <= 1.1 * best.error + 1e-3, "{} instead of {}", ours.error, best.error);
        let proved = ProveBound::default().run(&search);
        assert!(
            ours.bound.max(proved) <= best.error + 1e-6,
            "{} and {proved} are proved, {} is",
            ours.bound,
            best.error
        );
    }
}

#[test]
fn the_published_search_commits_piece_by_piece_and_is_no_better() {
    let (path, plan, law) = (bends(), ScalePlan::default(), Pullens::default());
    let clock = ScaleClock::new(&plan, &law, GRAPH.rig.leg_length());
    let search = PathSearch { graph: &GRAPH, ways: &WAYS, path: &path, clock: &clock };
    let ours = FollowPath::default().run(&search).unwrap();
    let pieces = BranchAndBound { iteration_length: 1.5, ..BranchAndBound::default() };
    let exact = pieces.run(&search).unwrap();
    let quick = BranchAndBound { iteration_threshold: 1e9, ..pieces }.run(&search).unwrap();
    assert!(ours.error <= exact.error, "{} {}", ours.error, exact.error);
    assert!(quick.moves < exact.moves, "{} {}", quick.moves, exact.moves);
    // Stopped at once it takes the first walk that comes.
    let stopped = pieces.run_while(&search, &mut || false).unwrap();
    assert!(!stopped.complete && stopped.moves < exact.moves);
}

#[test]
fn paths_that_are_none_are_refused() {
    let (plan, law) = (ScalePlan::default(), Pullens::default());
    for points in [vec![Vec2::ZERO], vec![Vec2::ZERO, Vec2::new(0.0, 0.05)], vec![Vec2::ONE; 5]] {
        let path = Path::on_floor(&points);
        let refused = Follow::default().run(&GRAPH, &PathToFollow { path: &path, plan: &plan, law: &law });
        assert!(matches!(refused, Err(FollowError::Walk(NoPathWalk::Short { .. }))), "{points:?}");
    }
    // To and fro is a path like any other.
    let path = Path::on_floor(&[Vec2::ZERO, Vec2::new(0.0, 3.0), Vec2::ZERO]);
    let done = Follow::default().run(&GRAPH, &PathToFollow { path: &path, plan: &plan, law: &law }).unwrap();
    assert!(done.report.distance < 1.0, "{}", done.report.distance);
    // A walk of another graph is none of this.
    let mut walk = done.walk.clone();
    walk.edges.swap(0, 3);
    let wanted = PathToFollow { path: &path, plan: &plan, law: &law };
    assert!(matches!(Follow::default().play(&GRAPH, walk, &wanted), Err(FollowError::OtherGraph { .. })));
}
