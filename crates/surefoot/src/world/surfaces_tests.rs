//! Meshes as ground, against brute force and by hand.

use super::*;
use proptest::prelude::*;

fn soup(points: Vec<Vec3>, triangles: Vec<[u32; 3]>) -> TriangleSoup {
    TriangleSoup::new(points, triangles, vec![]).unwrap()
}

/// A horizontal rectangle of two triangles.
fn floor(low: Vec3, high: Vec3) -> ([Vec3; 4], [[u32; 3]; 2]) {
    let corner = |x, z| Vec3::new(x, low.y, z);
    let corners = [corner(low.x, low.z), corner(low.x, high.z), corner(high.x, high.z), corner(high.x, low.z)];
    (corners, [[0, 1, 2], [0, 2, 3]])
}

fn floors(parts: &[(Vec3, Vec3)]) -> TriangleSoup {
    let (mut points, mut triangles) = (Vec::new(), Vec::new());
    for (low, high) in parts {
        let (corners, two) = floor(*low, *high);
        triangles.extend(two.map(|triangle| triangle.map(|corner| corner + points.len() as u32)));
        points.extend(corners);
    }
    soup(points, triangles)
}

fn any_soup() -> impl Strategy<Value = TriangleSoup> {
    let triangle = || (prop::array::uniform3(-5.0_f32..5.0), prop::array::uniform6(-1.5_f32..1.5));
    prop::collection::vec(triangle(), 1..60).prop_map(|triangles| {
        let corners = |(at, d): &([f32; 3], [f32; 6])| {
            let a = Vec3::from(*at);
            [a, a + Vec3::new(d[0], d[1], d[2]), a + Vec3::new(d[3], d[4], d[5])]
        };
        let points: Vec<Vec3> = triangles.iter().flat_map(corners).collect();
        let indices = (0..triangles.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        soup(points, indices)
    })
}

/// The nearest point of a triangle by its definition: the plane's foot if inside, else the nearest on an edge.
fn nearest_on([a, b, c]: [Vec3; 3], p: Vec3) -> Vec3 {
    let n = (b - a).cross(c - a);
    let foot = p - n * (p - a).dot(n) / n.length_squared();
    let inside = [(a, b), (b, c), (c, a)].iter().all(|(u, v)| (*v - *u).cross(foot - *u).dot(n) >= 0.0);
    let on_edge = |u: Vec3, v: Vec3| u + (v - u) * ((p - u).dot(v - u) / (v - u).length_squared()).clamp(0.0, 1.0);
    let mut all = vec![on_edge(a, b), on_edge(b, c), on_edge(c, a)];
    if inside {
        all.push(foot);
    }
    all.into_iter().min_by(|u, v| u.distance(p).total_cmp(&v.distance(p))).unwrap()
}

/// Where a ray meets a triangle, as a distance: the plane first, then inside or not. None near an edge counts as met.
fn ray_meets([a, b, c]: [Vec3; 3], origin: Vec3, direction: Vec3) -> Option<(f32, f32)> {
    let n = (b - a).cross(c - a).normalize();
    let speed = direction.dot(n);
    let distance = (a - origin).dot(n) / speed;
    let at = origin + distance * direction;
    let margin = [(a, b), (b, c), (c, a)].map(|(u, v)| (v - u).normalize().cross(at - u).dot(n)).into_iter();
    (speed.abs() > 1e-3 && distance >= 0.0).then_some((distance, margin.fold(f32::MAX, f32::min)))
}

proptest! {
    #[test]
    fn looks_down_and_rays_meet_what_brute_force_meets(
        soup in any_soup(), at in prop::array::uniform3(-5.0_f32..5.0), d in prop::array::uniform3(-1.0_f32..1.0),
    ) {
        let ground = Survey::default().run(&soup);
        prop_assume!(ground.dropped() == 0);
        let origin = Vec3::from(at);
        for direction in [Vec3::NEG_Y, Vec3::from(d).normalize_or(Vec3::X)] {
            let all: Vec<(f32, f32)> =
                (0..ground.len()).filter_map(|i| ray_meets(ground.triangle(i), origin, direction)).collect();
            // Hits that no rounding can undo, and those that some may bring about.
            let sure = all.iter().filter(|(_, margin)| *margin > 1e-4).map(|(t, _)| *t).fold(f32::INFINITY, f32::min);
            let maybe = all.iter().filter(|(_, margin)| *margin > -1e-4).map(|(t, _)| *t).fold(f32::INFINITY, f32::min);
            let found = if direction == Vec3::NEG_Y {
                ground.below(origin, 100.0, 0.0).map(|hit| origin.y - hit.point.y)
            } else {
                ground.cast_ray(origin, direction, 100.0).map(|hit| hit.distance)
            };
            let found = found.unwrap_or(f32::INFINITY);
            prop_assert!(found <= sure + 1e-3 && found >= maybe - 1e-3, "{found} not in {maybe}..{sure}");
        }
    }

    #[test]
    fn the_nearest_place_is_that_of_brute_force(soup in any_soup(), at in prop::array::uniform3(-6.0_f32..6.0)) {
        let ground = Survey::default().run(&soup);
        prop_assume!(ground.dropped() == 0);
        let p = Vec3::from(at);
        let wanted = (0..ground.len()).map(|i| nearest_on(ground.triangle(i), p).distance(p)).fold(f32::MAX, f32::min);
        let found = ground.nearest(p, 100.0).unwrap();
        prop_assert!((found.distance - wanted).abs() < 1e-3, "{} {wanted}", found.distance);
        // It lies on the triangle named, as far off as said. Places beside each other are equally near to a point metres
        // away as far as numbers of 32 bits can tell, so which of them it is cannot be asked.
        prop_assert!(nearest_on(ground.triangle(found.triangle), found.point).distance(found.point) < 1e-4);
        prop_assert!((found.point.distance(p) - found.distance).abs() < 1e-4);
        prop_assert_eq!(ground.nearest(p, 0.9 * wanted), None);
    }

    #[test]
    fn a_swept_body_stops_where_it_first_touches(
        soup in any_soup(), at in prop::array::uniform3(-5.0_f32..5.0), motion in prop::array::uniform3(-3.0_f32..3.0),
    ) {
        let ground = Survey::default().run(&soup);
        let body = Body { radius: 0.3, height: 1.7 };
        let (foot, motion) = (Vec3::from(at), Vec3::from(motion));
        prop_assume!(ground.is_free(body, foot) && motion.length() > 0.5);
        let x = ground.sweep(body, foot, motion);
        // The distance of the capsule's inner line from all triangles, by samples of it.
        let gap = |x: f32| {
            let at = foot + x * motion;
            let along = (0..=60).map(|i| at + Vec3::Y * (0.3 + 1.1 * i as f32 / 60.0));
            along.map(|p| ground.nearest(p, 100.0).map_or(100.0, |near| near.distance)).fold(f32::MAX, f32::min) - 0.3
        };
        // Until then it is free, and there it touches; samples of the line are 2 cm apart.
        for i in 0..20 {
            prop_assert!(gap(x * i as f32 / 20.0) > -2e-3, "it goes through at {}", x * i as f32 / 20.0);
        }
        if x < 1.0 {
            prop_assert!(gap(x) < 0.01, "it stops {} m short", gap(x));
        }
    }

    #[test]
    fn nothing_falls_through_the_seams_of_a_terrain(
        heights in prop::collection::vec(-1.0_f32..1.0, 49), on in 0.0_f32..6.0, across in 0_usize..7, which in 0_usize..3,
        shift in -4000.0_f32..4000.0,
    ) {
        let points = (0..49).map(|i| Vec3::new((i % 7) as f32 * 0.7 + shift, heights[i], (i / 7) as f32 * 0.7)).collect();
        let cells = (0..36_u32).map(|i| i % 6 + 7 * (i / 6));
        let triangles = cells.flat_map(|i| [[i, i + 7, i + 1], [i + 1, i + 7, i + 8]]).collect();
        let ground = Survey::default().run(&soup(points, triangles));
        // Along rows, columns and diagonals of the grid.
        let (u, v) = match which { 0 => (on, across as f32), 1 => (across as f32, on), _ => (on, 6.0 - on) };
        let (low, high) = (ground.triangle(0)[0].x, ground.triangle(71)[2].x);
        let x = (u * 0.7 + shift).clamp(low, high);
        prop_assert!(ground.below(Vec3::new(x, 5.0, (v * 0.7).min(4.2)), 20.0, 0.0).is_some());
    }
}

#[test]
fn slopes_up_to_the_limit_are_surfaces() {
    let ramp = |degrees: f32| {
        let (sin, cos) = single::sin_cos(degrees.to_radians());
        let top = Vec3::new(0.0, 3.0 * sin, 3.0 * cos);
        Survey::default().run(&soup(vec![Vec3::ZERO, Vec3::X, top], vec![[0, 2, 1]])).surface(0)
    };
    assert_eq!(ramp(44.9), SurfaceId(0));
    assert_eq!(ramp(45.1), SurfaceId::NONE);
    // The underside of a floor is none: blocks are hollow.
    assert_eq!(ramp(180.0), SurfaceId::NONE);
}

#[test]
fn steps_join_surfaces_and_ledges_do_not() {
    let flight = |rise: f32| {
        let step = |i: f32| (Vec3::new(0.0, i * rise, i), Vec3::new(2.0, i * rise, i + 1.0));
        Survey::default().run(&floors(&[step(0.0), step(1.0), step(2.0)])).surfaces()
    };
    assert_eq!(flight(0.0), 1);
    assert_eq!(flight(0.39), 1);
    assert_eq!(flight(0.41), 3);
}

#[test]
fn there_is_no_footing_under_a_low_ceiling() {
    let plan = |ceiling: f32| {
        let low = (Vec3::ZERO, Vec3::new(10.0, 0.0, 10.0));
        let over = (Vec3::new(0.0, ceiling, 0.0), Vec3::new(5.0, ceiling, 10.0));
        Survey::default().run(&floors(&[low, over]))
    };
    let y = |ground: &MeshGround, x: f32| ground.footing(Vec3::new(x, 1.0, 5.0), 2.0).map(|hit| hit.point.y);
    assert_eq!(y(&plan(1.79), 2.0), None);
    assert_eq!(y(&plan(1.81), 2.0), Some(0.0));
    assert_eq!(y(&plan(1.79), 7.0), Some(0.0));
    // From above, one stands on the ceiling.
    assert_eq!(plan(1.79).footing(Vec3::new(2.0, 9.0, 5.0), 20.0).unwrap().point.y, 1.79);
    // A floor laid on a floor takes no head room.
    assert_eq!(plan(0.02).footing(Vec3::new(2.0, 9.0, 5.0), 20.0).unwrap().point.y, 0.02);
}

#[test]
fn degenerate_triangles_are_dropped_and_counted() {
    let points = vec![Vec3::ZERO, Vec3::X, Vec3::Z, 2.0 * Vec3::X, Vec3::ZERO];
    let ground = Survey::default().run(&soup(points, vec![[0, 1, 2], [0, 1, 3], [0, 4, 2], [1, 1, 1]]));
    assert_eq!((ground.len(), ground.dropped()), (1, 3));
    let empty = Survey::default().run(&TriangleSoup::default());
    assert_eq!((empty.len(), empty.below(Vec3::Y, 9.0, 0.0), empty.nearest(Vec3::Y, 9.0)), (0, None, None));
    assert_eq!(empty.sweep(Body { radius: 0.3, height: 1.7 }, Vec3::ZERO, Vec3::X), 1.0);
}

#[test]
fn what_is_no_number_meets_nothing() {
    let ground = Survey::default().run(&floors(&[(Vec3::ZERO, Vec3::new(1.0, 0.0, 1.0))]));
    let nan = Vec3::new(f32::NAN, 1.0, 0.5);
    assert_eq!(ground.below(nan, 9.0, 0.0), None);
    assert_eq!(ground.below(Vec3::splat(0.5), f32::NAN, 0.0), None);
    assert_eq!(ground.below(Vec3::splat(0.5), 9.0, f32::NAN), None);
    assert_eq!(ground.footing(nan, 9.0), None);
    assert_eq!(ground.cast_ray(nan, Vec3::NEG_Y, 9.0), None);
    assert_eq!(ground.nearest(nan, 9.0), None);
    assert!(ground.below(Vec3::splat(0.5), f32::INFINITY, 0.0).is_some(), "endless reach is fine");
}
