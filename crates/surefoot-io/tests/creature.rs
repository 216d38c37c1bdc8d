//! Characters of every kind walk over every kind of ground, from their idle pose alone and from a walk clip.

use std::path::{Path as FilePath, PathBuf};
use std::sync::Arc;
use surefoot::adapt::MotionField;
use surefoot::analyse::find_skinned_rig;
use surefoot::character::Character;
use surefoot::glam::{Vec3, Vec3A};
use surefoot::motion::{Clip, StanceFrames};
use surefoot::plan::Path;
use surefoot::random::{Rng, Seed};
use surefoot::rig::{LegId, ManyLegs, Pose};
use surefoot::stages::Stand;
use surefoot::stages::{Change, FieldSegment, FieldState, Slot, StateAxis};
use surefoot::systems::{Creature, CreatureFrame, stride_of};
use surefoot::world::{Ground, Terrain, World};
#[cfg(feature = "navmesh")]
use surefoot_io::scene;
use surefoot_io::{ImportSettings, field_file, load};

struct Subject {
    name: &'static str,
    character: Arc<Character>,
    clips: Vec<Clip>,
}

fn project(path: &str) -> PathBuf {
    FilePath::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

fn subject(name: &'static str, file: &str) -> Subject {
    let import = load(&project(&format!("assets/characters/{file}")), &ImportSettings::default()).unwrap();
    let clips: Vec<&Clip> = import.clips.iter().collect();
    let rig = find_skinned_rig(&import.skeleton, import.skin.as_ref(), &clips).unwrap();
    let idle = import.clips.iter().find(|clip| clip.name() == "Idle").unwrap();
    let mut pose = Pose::rest(&rig.skeleton);
    pose.locals.copy_from_slice(idle.frame(0));
    let character = Character::new(rig, pose, &clips).unwrap();
    Subject { name, character, clips: import.clips }
}

/// A made creature with six legs; its walk clip is how it walks over level ground of itself.
fn six_legs() -> Subject {
    let rig = ManyLegs::default().run();
    let idle = Pose::rest(&rig.skeleton);
    let character = Character::new(rig, idle, &[]).unwrap();
    let walk = Creature::default().cycle(&character, "Walk");
    Subject { name: "six legs", character, clips: vec![walk] }
}

/// One of every kind.
fn subjects() -> Vec<Subject> {
    vec![
        subject("knight", "kaykit_Knight.glb"),
        subject("fox", "m2m_fox.glb"),
        subject("horse", "m2m_horse.glb"),
        subject("spider", "m2m_spider.glb"),
        subject("bird", "m2m_bird.glb"),
        six_legs(),
    ]
}

/// As it walks from its idle pose alone, and by its walk clip.
fn both_ways(subject: &Subject) -> [(Creature, &'static str); 2] {
    let clip = subject.clips.iter().find(|clip| ["Walk", "Walking_A"].contains(&clip.name())).unwrap();
    let mut by_clip = Creature::default();
    by_clip.steps.stride = Some(stride_of(&subject.character, clip).expect(subject.name));
    [(Creature::default(), ""), (by_clip, " by clip")]
}

/// Grounds as rough as a creature of this size should take.
fn grounds(stand: &Stand) -> Vec<Terrain> {
    let leg = stand.legs.iter().map(|leg| leg.length).sum::<f32>() / stand.legs.len() as f32;
    let step = (0.2 * leg).min(0.4);
    let degrees = |angle: f32| Terrain::Slope { angle: angle.to_radians() };
    vec![
        Terrain::Flat,
        degrees(15.0),
        degrees(35.0),
        degrees(-35.0),
        Terrain::Stairs { rise: step, tread: 2.2 * step },
        Terrain::Rubble { height: step, size: 0.5 * leg },
    ]
}

fn assert_walks(subject: &Subject, settings: &Creature, path: &Path, ground: &dyn Ground, what: &str) {
    let Subject { character, name, .. } = subject;
    let motion = settings.plan(character, path, None, ground);
    let done = settings.take(&motion, "walk", ground);
    let figures = &done.report.figures;
    let what = format!("{name} on {what}: {figures:?}");
    assert!(figures.drift.max < 1e-3, "{what}");
    assert!(figures.penetration.max < 5e-3, "{what}");
    // Penetration is of feet that are held: as long as they stand.
    let held = |frames: StanceFrames| frames.held() == frames.whole;
    assert!(done.take.stances.iter().all(|stance| held(stance.frames(&done.take.clip))), "{what}");
    assert!(figures.grazing.max < 5e-3, "in the air, {what}");
    assert!(done.report.missed < 1e-3, "{:?}, {what}", done.report);
    assert!(motion.plan.legs.iter().all(|falls| falls.len() > 3), "every leg steps, {what}");
    // A clip is refused where a number is not finite, so all are. No jump: looks closer together see no faster joints.
    let (fast, faster) = (motion.fastest(2e-3).speed, motion.fastest(2e-4).speed);
    assert!(faster < 1.6 * fast + 0.5, "{fast} and {faster} m/s, {what}");
    let when = motion.fastest(2e-3);
    assert!(
        fast < 16.0 * settings.steps.course.fitted(&character.stand, settings.steps.stride.as_ref()).speed,
        "{when:?}, {what}"
    );
}

#[test]
fn every_kind_walks_over_every_ground() {
    for subject in subjects() {
        let long = 7.0 * subject.character.stand.hip;
        let path = Path::new(vec![Vec3::ZERO, Vec3::Z * long, Vec3::new(0.5 * long, 0.0, 1.5 * long)]);
        for (settings, how) in both_ways(&subject) {
            for ground in grounds(&subject.character.stand) {
                assert_walks(&subject, &settings, &path, &ground, &format!("{ground:?}{how}"));
            }
        }
    }
}

/// The undulating mesh, and a way up and down over slopes of 45°.
#[cfg(feature = "navmesh")]
fn hills() -> (World, Path) {
    use surefoot::stages::Chart;
    let scene = scene::load(&project("scenarios/mesh-recast-undulating.scene.toml")).unwrap();
    let mesh = scene.mesh.as_ref().unwrap();
    let charted = Chart { survey: mesh.survey, body: scene.body, ..Chart::default() }.run(&mesh.soup).unwrap();
    let route = Path::new(charted.route(scene.start.place, scene.goal.place).unwrap());
    (scene.world(), Path::new((0..=40).map(|i| route.at(20.0 + 0.5 * i as f32)).collect()))
}

#[cfg(feature = "navmesh")]
#[test]
fn every_kind_walks_over_hills() {
    let (ground, path) = hills();
    for subject in subjects() {
        for (settings, how) in both_ways(&subject) {
            assert_walks(&subject, &settings, &path, &ground, &format!("hills{how}"));
        }
    }
}

#[test]
fn a_body_moves_as_much_as_in_its_drawn_walk() {
    for subject in
        [subject("fox", "m2m_fox.glb"), subject("horse", "m2m_horse.glb"), subject("knight", "kaykit_Knight.glb")]
    {
        let [(idle, _), (by_clip, _)] = both_ways(&subject);
        let stride = by_clip.steps.stride.unwrap();
        let mut like = Creature { carry: idle.carry_like(&subject.character, &stride), ..idle.clone() };
        let mut usual = idle;
        let life = |clip: &Clip| {
            // Joints from the trunk on that no leg hangs from or is of: spines, necks, arms and tails.
            let rig = &subject.character.rig;
            let pelvis = rig.skeleton.pelvis();
            let of_leg = |joint: usize| rig.legs.iter().any(|leg| rig.skeleton.subtree(leg.hip()).contains(&joint));
            let joints = rig.skeleton.subtree(pelvis).filter(|joint| *joint != pelvis.index() && !of_leg(*joint));
            let (mut sum, mut seen) = (0.0, 0);
            for joint in joints {
                for f in 0..clip.frames() {
                    let [a, b] = [f, (f + 1) % clip.frames()].map(|f| clip.frame(f)[joint].rotation);
                    sum += (a.angle_between(b) * clip.rate()).powi(2);
                    seen += 1;
                }
            }
            (sum / seen as f32).sqrt()
        };
        for creature in [&mut like, &mut usual] {
            creature.steps.course.speed = Some(stride.speed);
        }
        let drawn = life(&stride.clip);
        let [like, usual] = [like, usual].map(|creature| life(&creature.cycle(&subject.character, "walk")) / drawn);
        assert!((0.8..1.6).contains(&like), "{}: {like} times as lively as drawn", subject.name);
        assert!(
            (like - 1.2).abs() < (usual - 1.2).abs() + 0.1,
            "{}: nearer to it than is usual, {usual}",
            subject.name
        );
    }
}

/// Its drawn feet trail on the tips of their toes, and its knees are drawn beyond straight.
#[test]
fn drawn_toes_do_not_pull_a_body_down_nor_drawn_knees_turn_over() {
    let file = project("assets/characters/khronos_CesiumMan.glb");
    let import = load(&file, &ImportSettings::default()).unwrap();
    let rig = find_skinned_rig(&import.skeleton, import.skin.as_ref(), &[&import.clips[0]]).unwrap();
    let rest = Pose::rest(&rig.skeleton);
    let character = Character::new(rig, rest, &[&import.clips[0]]).unwrap();
    let mut creature = Creature::default();
    creature.steps.stride = stride_of(&character, &import.clips[0]);
    let path = Path::new(vec![Vec3::ZERO, Vec3::Z * 4.0]);
    let motion = creature.plan(&character, &path, None, &Terrain::Flat);
    let mut frame = CreatureFrame::new(&character.rig);
    let hip = character.stand.legs[0].chain.joints[0];
    let mut height = |k: usize| {
        motion.pose_at(motion.seconds() * (0.3 + 0.004 * k as f32), &mut frame);
        frame.pose.root.transform_point(frame.model[hip].translation).y
    };
    let mut heights: Vec<f32> = (0..100).map(&mut height).collect();
    heights.sort_by(f32::total_cmp);
    // It went down to 0.55 of that, and a knee turned over at 9 m/s.
    assert!(heights[0] > 0.75 * heights[50], "{} of {} m", heights[0], heights[50]);
    let fastest = motion.fastest(2e-3);
    assert!(fastest.speed < 6.0, "{fastest:?}");
}

/// Its drawn hind feet go along with the body for a sixth of the cycle before they leave.
#[test]
fn drawn_feet_that_trail_do_not_pull_a_body_down() {
    let subject = subject("horse", "m2m_horse.glb");
    let [_, (creature, _)] = both_ways(&subject);
    let character = &subject.character;
    let path = Path::new(vec![Vec3::ZERO, Vec3::Z * 6.0]);
    let motion = creature.plan(character, &path, None, &Terrain::Flat);
    let mut frame = CreatureFrame::new(&character.rig);
    let hind = &character.stand.legs[1];
    let height = |k: usize, frame: &mut CreatureFrame| {
        motion.pose_at(motion.seconds() * (0.3 + 0.004 * k as f32), frame);
        frame.pose.root.transform_point(frame.model[hind.chain.joints[0]].translation).y
    };
    let mean = (0..100).map(|k| height(k, &mut frame)).sum::<f32>() / 100.0;
    // Drawn, they are at 0.94 of how it stands; they went down to 0.87.
    assert!(mean > 0.93 * hind.hip.y, "{mean} of {} m", hind.hip.y);
}

#[test]
fn feet_outside_their_legs_and_heels_over_high_toes_stay_out_of_the_ground() {
    // By clip at 35° the robot missed its places by 247 mm and was 21 mm in rubble; the kaiju's heels were 56 mm in what lay behind them.
    for (file, walk) in [("RobotExpressive.glb", "Walking"), ("m2m_kaiju.glb", "Walk")] {
        let subject = subject("", file);
        let leg = subject.character.leg_length;
        let clip = subject.clips.iter().find(|clip| clip.name() == walk).unwrap();
        let stride = stride_of(&subject.character, clip);
        let long = 7.0 * subject.character.stand.hip;
        let path = Path::new(vec![Vec3::ZERO, Vec3::Z * long, Vec3::new(0.5 * long, 0.0, 1.5 * long)]);
        let rubble = Terrain::Rubble { height: (0.2 * leg).min(0.4), size: 0.5 * leg };
        for ground in [Terrain::Slope { angle: 35_f32.to_radians() }, rubble] {
            for by in [None, stride.clone()] {
                let mut settings = Creature::default();
                settings.steps.stride = by;
                let motion = settings.plan(&subject.character, &path, None, &ground);
                let report = settings.take(&motion, "walk", &ground).report;
                let what = format!("{file} on {ground:?}: {report:?}");
                assert!(report.missed < 1e-3 && report.figures.grazing.max < 5e-3, "{what}");
            }
        }
    }
}

#[cfg(feature = "navmesh")]
#[test]
fn legs_fold_and_feet_roll_without_going_into_hills() {
    // A rat's hind foot, lifted out of the hill, was held so far off its hip that it was 102 mm in it; a kaiju that rolled over
    // its ball had it 3.2 mm in it while it stood.
    let (ground, path) = hills();
    for (file, walk) in [("quaternius_Rat.glb", None), ("m2m_kaiju.glb", Some("Walk"))] {
        let import = load(&project(&format!("assets/characters/{file}")), &ImportSettings::default()).unwrap();
        let clips: Vec<&Clip> = import.clips.iter().collect();
        let rig = find_skinned_rig(&import.skeleton, import.skin.as_ref(), &clips).unwrap();
        let idle = import.clips.iter().find(|clip| clip.name().ends_with("Idle")).unwrap();
        let mut pose = Pose::rest(&rig.skeleton);
        pose.locals.copy_from_slice(idle.frame(0));
        let character = Character::new(rig, pose, &clips).unwrap();
        let walk = import.clips.iter().find(|clip| Some(clip.name()) == walk);
        let mut settings = Creature::default();
        settings.steps.stride = walk.map(|walk| stride_of(&character, walk).unwrap());
        let motion = settings.plan(&character, &path, None, &ground);
        let report = settings.take(&motion, "walk", &ground).report;
        let allowed = 0.002 * character.leg_length;
        assert!(report.figures.grazing.max < allowed && report.missed < 1e-3, "{file}, {allowed} m: {report:?}");
    }
}

#[test]
fn rewinding_gives_the_same_bits() {
    let subjects = subjects();
    for (subject, (settings, how)) in subjects.iter().flat_map(|s| both_ways(s).map(|way| (s, way))) {
        let path = Path::new(vec![Vec3::ZERO, Vec3::Z * 2.0]);
        let ground = Terrain::Slope { angle: 0.3 };
        let motion = settings.plan(&subject.character, &path, None, &ground);
        let mut frame = CreatureFrame::new(&subject.character.rig);
        let times: Vec<f32> = (0..120).map(|i| motion.seconds() * i as f32 / 119.0).collect();
        let mut look = |t: f32| {
            motion.pose_at(t, &mut frame);
            (frame.pose.clone(), frame.model.clone())
        };
        let forward: Vec<_> = times.iter().map(|t| look(*t)).collect();
        for (t, pose) in times.iter().zip(&forward).rev() {
            assert_eq!(&look(*t), pose, "{}{how} at {t}", subject.name);
        }
    }
}

#[test]
fn a_motion_field_survives_its_file() {
    let fox = subject("fox", "m2m_fox.glb");
    let mut field = MotionField::default();
    let database = field.add_database("lift", 2, 2).unwrap();
    for leg in [0, 1] {
        let state = [FieldState::FootUp(LegId(leg)), FieldState::Speed];
        let axes = state.map(|state| StateAxis { state, range: 0.2 }).to_vec();
        let slots = vec![Slot::Joint(fox.character.rig.legs[usize::from(leg)].hip()), Slot::Goal(LegId(leg))];
        field.add_segment(FieldSegment { name: format!("leg {leg}"), axes, database, slots }).unwrap();
    }
    let changes = [Change::turn(Vec3::new(0.1, -0.2, 0.3)), Change { slide: Vec3A::Y * 0.05, ..Change::NONE }];
    field.insert(0, &[0.1, 1.0], &changes).unwrap();
    let text = field_file::write(&field, &fox.character.rig);
    let again = field_file::read(&text, &fox.character.rig).unwrap();
    let (a, b) = (&field.databases()[0].entries()[0], &again.databases()[0].entries()[0]);
    assert_eq!((field.segments(), &a.state), (again.segments(), &b.state));
    for (a, b) in a.changes.iter().zip(&b.changes) {
        assert!((a.turn - b.turn).length() < 1e-6 && a.slide == b.slide, "degrees and back: {a:?} {b:?}");
    }
    assert_eq!(field_file::write(&again, &fox.character.rig).lines().count(), text.lines().count());
    for (wrong, why) in [
        (text.replace("version = 1", "version = 9"), "version 9"),
        (text.replace("\"speed\"", "\"spede\""), "spede"),
        (text.replace("range = 0.2", "range = -1.0"), "range of -1"),
        (text.replacen("database = \"lift\"", "database = \"left\"", 1), "left"),
        (text.replace("cutoff", "cut"), "cut"),
    ] {
        let error = field_file::read(&wrong, &fox.character.rig).unwrap_err().to_string();
        assert!(error.contains(why), "{error}");
    }
}

#[test]
fn broken_motion_fields_give_a_field_or_an_error() {
    let rig = ManyLegs::default().run();
    let mut field = MotionField::default();
    let database = field.add_database("lift", 1, 2).unwrap();
    let axes = vec![StateAxis { state: FieldState::Phase, range: 0.2 }];
    let slots = vec![Slot::Joint(rig.legs[0].hip()), Slot::Goal(LegId(0))];
    field.add_segment(FieldSegment { name: "leg".into(), axes, database, slots }).unwrap();
    field.insert(0, &[0.1], &[Change::NONE, Change { slide: Vec3A::Y * 0.05, ..Change::NONE }]).unwrap();
    let whole = field_file::write(&field, &rig).into_bytes();
    let words: [&[u8]; 8] = [b"nan", b"inf", b"-1", b"1e39", b"[[", b"9999999999999", b"\"", b"\n"];
    let mut random = Rng::new(Seed(5));
    let (mut read, mut refused) = (0, 0);
    for _ in 0..20_000 {
        let mut bytes = whole.clone();
        for _ in 0..=random.below(3) {
            if bytes.is_empty() {
                break;
            }
            let at = random.below(bytes.len());
            let to = (at + random.below(8)).min(bytes.len());
            match random.below(4) {
                0 => drop(bytes.drain(at..to)),
                1 => bytes[at] = random.below(128) as u8,
                2 => drop(bytes.splice(at..to, words[random.below(words.len())].iter().copied())),
                _ => bytes.truncate(at.max(1)),
            }
        }
        let Ok(text) = String::from_utf8(bytes) else { continue };
        match field_file::read(&text, &rig) {
            Ok(field) => {
                read += 1;
                let again = field_file::read(&field_file::write(&field, &rig), &rig).expect("it was read before");
                assert_eq!(field.segments(), again.segments(), "{text}");
            }
            Err(error) => {
                refused += 1;
                assert!(!error.to_string().is_empty(), "{text}");
            }
        }
    }
    assert!(read > 500 && refused > 5_000, "{read} read, {refused} refused");
}
