//! Any number in any option: every command is run with option values that no one should give, and ends in good order.
//!
//! `SUREFOOT_LINES=1000` runs that many lines of every command; a few are run in the tests.

#![cfg(unix)]

mod running;

use running::{asset, file};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use surefoot::random::{Rng, Seed};

/// What is put in the place of numbers.
const NUMBERS: [&str; 28] = [
    "nan",
    "inf",
    "-inf",
    "1e30",
    "-1e30",
    "1e-30",
    "-1e-30",
    "0",
    "-0",
    "-1",
    "1",
    "2",
    "0.5",
    "3.7",
    "1e-45",
    "1e9",
    "1e5",
    "16777217",
    "4294967296",
    "18446744073709551615",
    "99999999999999999999",
    "-9223372036854775808",
    "",
    " ",
    "a",
    "1.5.2",
    "0x10",
    "1e999",
];

/// Words that some option knows, so that lines get past the first check.
const WORDS: [&str; 38] = [
    "y",
    "z",
    "-z",
    "m",
    "cm",
    "cmu",
    "yes",
    "no",
    "auto",
    "kept",
    "root",
    "hips",
    "none",
    "replace",
    "add",
    "navmesh",
    "visibility",
    "prm",
    "rrt",
    "flat",
    "stairs:0.1,0.3",
    "stairs:nan,0",
    "slope:89.999",
    "slope:1e30",
    "rubble:1e30,1e-30",
    "rubble:0.1,nan",
    "walk",
    "trot",
    "16_15",
    "LeftHand=0.1,1,0.2",
    "0:1 1:0.5 2:1.6",
    "0:nan 1:0.5",
    "1,0.5,2 1e30,1,1e31",
    "froude",
    "graph",
    "16_15:16_15",
    "walk,run",
    "*",
];

/// How long one line may take: nothing here is long work.
const PATIENCE: Duration = Duration::from_secs(20);

/// The most memory that a line may ask for, KB: 2 GB, and what threads and libraries map without using it.
const MEMORY: usize = 3 << 20;

/// Lines that work, to which options are added.
fn good_lines() -> Vec<Vec<String>> {
    let line = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let fox = asset("characters/m2m_fox.glb");
    let walk = asset("cmu/16_15.bvh");
    let scene = |name: &str| asset(&format!("../scenarios/{name}.scene.toml"));
    let out = |name: &str| file(name).to_str().unwrap().to_owned();
    let knight = asset("characters/kaykit_Knight.glb");
    let short = asset("cmu/16_39.bvh");
    let graph = out("options-base.graph");
    let built = Command::new(env!("CARGO_BIN_EXE_surefoot"))
        .args(["graph", "build", &asset("cmu/16_41.bvh"), "-o", &graph])
        .output();
    assert!(built.unwrap().status.success(), "a graph to add to");
    vec![
        line(&format!("inspect {walk}")),
        line(&format!("doctor {walk}")),
        line(&format!("analyse {walk}")),
        line(&format!("measure {walk}")),
        line(&format!("clean {walk} -o {} --force", out("options-clean.bvh"))),
        line(&format!("retarget {short} --to {knight} -o {} --force", out("options-retarget.glb"))),
        line(&format!("convert {walk} {} --force", out("options-convert.glb"))),
        line(&format!("picture {walk} -o {} --force", out("options.svg"))),
        line(&format!("page {walk} -o {} --force", out("options.html"))),
        line(&format!("path --world {}", scene("3-gap"))),
        line("reach --effector LeftHand=0.2,1.2,0.4"),
        line(&format!("navigate --world {} -o {} --force", scene("1-empty"), out("options-navigate.glb"))),
        line(&format!("follow --path 0,0;0,2 -o {} --force", out("options-follow.glb"))),
        line(&format!("follow {short} --path 0,0;0,2 -o {} --force", out("options-follow-clip.glb"))),
        line(&format!("footsteps --world {} -o {} --force", scene("stepping-stones"), out("options-footsteps.glb"))),
        line(&format!("creature --character {fox} -o {} --force", out("options-creature.glb"))),
        line("creature --character legs:6"),
        line(&format!("drive --character {fox} -o {} --force", out("options-drive.glb"))),
        line("drive --character legs:6 --world rubble:0.1,0.3"),
        line(&format!("graph build {walk} -o {} --force", out("options.graph"))),
        line(&format!("graph add {graph} {short} -o {} --force", out("options-add.graph"))),
        line(&format!("graph check {graph}")),
        line(&format!("graph walk embedded -o {} --force", out("options-walk.bvh"))),
        line("graph report embedded"),
    ]
}

/// Options of a command that take a value, as its help has them.
fn options(words: &[String]) -> Vec<String> {
    let command: Vec<&String> = words.iter().take_while(|word| word.chars().all(char::is_alphabetic)).collect();
    let command = if words[0] == "graph" { &command[..2] } else { &command[..1] };
    let help = Command::new(env!("CARGO_BIN_EXE_surefoot")).args(command).arg("--help").output().unwrap();
    let text = String::from_utf8(help.stdout).unwrap();
    let with_value = |line: &str| {
        let option = line.trim_start().trim_start_matches("-o, ").trim_start_matches("-h, ");
        let name = option.strip_prefix("--")?.split_whitespace().next()?;
        // Files are written where they are asked for: not by chance.
        let written = ["output", "picture", "page", "write-rig", "write-map", "stages"].contains(&name);
        let is_file = written || name.ends_with("-out");
        let name = format!("--{name}");
        (option.contains('<') && !is_file && !words.contains(&name)).then_some(name)
    };
    text.lines().filter_map(with_value).collect()
}

/// A value for an option.
fn value(rng: &mut Rng) -> String {
    let number = |rng: &mut Rng| NUMBERS[rng.below(NUMBERS.len())];
    match rng.below(8) {
        0 => WORDS[rng.below(WORDS.len())].to_owned(),
        1 => format!("{},{}", number(rng), number(rng)),
        2 => format!("{},{},{}", number(rng), number(rng), number(rng)),
        3 => format!("0,0 {},{}", number(rng), number(rng)),
        4 => format!("LeftHand={},{},{}", number(rng), number(rng), number(rng)),
        _ => number(rng).to_owned(),
    }
}

/// All that comes out of a pipe.
fn read(mut pipe: impl std::io::Read + Send + 'static) -> std::thread::JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        pipe.read_to_end(&mut bytes).unwrap();
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// Runs a line with little time and memory; `None` if it took too long.
fn run(words: &[String]) -> Option<(Option<i32>, String)> {
    let mut child = Command::new("sh")
        .args(["-c", &format!("ulimit -v {MEMORY}; exec \"$0\" \"$@\""), env!("CARGO_BIN_EXE_surefoot")])
        .args(words)
        // Values are names of files, too: what is written by them goes there.
        .current_dir(file("options-names"))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let [printed, errors] = [read(child.stdout.take().unwrap()), read(child.stderr.take().unwrap())];
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return Some((status.code(), printed.join().unwrap() + &errors.join().unwrap()));
        }
        if start.elapsed() > PATIENCE {
            child.kill().unwrap();
            child.wait().unwrap();
            return None;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn no_value_of_an_option_makes_a_command_panic_hang_or_run_away() {
    let lines: usize = std::env::var("SUREFOOT_LINES").map_or(8, |lines| lines.parse().unwrap());
    let only = std::env::var("SUREFOOT_COMMAND").ok();
    std::fs::create_dir_all(file("options-names")).unwrap();
    let mut wrong = Vec::new();
    for (i, good) in good_lines().iter().enumerate().filter(|(_, good)| only.as_ref().is_none_or(|c| good.contains(c)))
    {
        let done = run(good).expect("a line that works ends soon");
        assert_eq!(done.0, Some(0), "a line that works: {}\n{}", good.join(" "), done.1);
        let options = options(good);
        let mut rng = Rng::new(Seed(i as u64 + 1)).stream("options");
        for _ in 0..lines {
            let mut words = good.clone();
            let mut added = Vec::new();
            for _ in 0..=rng.below(2) {
                if let Some(option) = (!options.is_empty()).then(|| &options[rng.below(options.len())]) {
                    let value = value(&mut rng);
                    words.push(format!("{option}={value}"));
                    added.push((option, value));
                }
            }
            // What cannot be used is told by the name of its option, or is the name of a file or a clip that is told.
            let told = |said: &str| {
                let named = |value: &str| match value.trim().is_empty() {
                    true => said.contains("cannot read"),
                    false => value.split(',').any(|part| said.contains(part.trim())),
                };
                added.iter().any(|(option, value)| said.contains(option.as_str()) || named(value))
            };
            match run(&words) {
                Some((Some(2), said)) if !told(&said) => {
                    wrong.push(format!("no option is named: {}\n{said}", words.join(" ")));
                }
                Some((Some(1 | 2), said)) if !said.contains("panicked") => {}
                // What is done has numbers.
                Some((Some(0), said)) if !said.contains("NaN") && !said.contains(" inf") => {}
                Some((code, said)) => wrong.push(format!("exit {code:?}: {}\n{said}", words.join(" "))),
                None => wrong.push(format!("too long: {}", words.join(" "))),
            }
        }
    }
    assert!(wrong.is_empty(), "{} lines end badly:\n{}", wrong.len(), wrong.join("\n"));
}
