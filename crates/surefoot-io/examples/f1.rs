//! f1
use surefoot::analyse::*;
use surefoot_io::*;
fn main() {
    let base = std::path::PathBuf::from("assets");
    let text = std::fs::read_to_string("assets/labels/stances.toml").unwrap();
    let mut file = String::new();
    let mut total = (0.0, 0.0, 0.0);
    let mut tracks: Vec<(String, Found, f32, usize)> = vec![];
    for line in text.lines() {
        let line = line.split('#').next().unwrap().trim();
        if let Some(f) = line.strip_prefix("file = ") {
            file = f.trim_matches('"').to_owned();
            let i = load(&base.join(&file), &ImportSettings::default()).unwrap();
            let clip = Repair::default().run(&i.skeleton, &i.clips[0]).clip;
            let rig = find_rig(&i.skeleton, &[&clip]).unwrap();
            tracks.push((file.clone(), FindStances::default().run(&rig, &clip), clip.rate(), clip.frames()));
        }
        for (leg, key) in [(0u8, "left = "), (1, "right = ")] {
            if let Some(v) = line.strip_prefix(key) {
                let nums: Vec<f32> =
                    v.replace(['[', ']'], " ").split(',').filter_map(|x| x.trim().parse().ok()).collect();
                let (_, found, rate, frames) = tracks.last().unwrap();
                let lab = |f: usize| {
                    nums.chunks(2).any(|c| {
                        let t = f as f32 / rate;
                        t >= c[0] - 1e-3 && t <= c[1] + 1e-3
                    })
                };
                let det = |f: usize| found.stances.iter().any(|s| s.leg.0 == leg && s.frames.contains(&f));
                let (mut tp, mut fp, mut fnn) = (0.0, 0.0, 0.0);
                for f in 0..*frames {
                    match (lab(f), det(f)) {
                        (true, true) => tp += 1.0,
                        (false, true) => fp += 1.0,
                        (true, false) => fnn += 1.0,
                        _ => {}
                    }
                }
                total.0 += tp;
                total.1 += fp;
                total.2 += fnn;
                let spans: Vec<String> = found
                    .stances
                    .iter()
                    .filter(|s| s.leg.0 == leg)
                    .map(|s| format!("{:.2}-{:.2}", s.frames.start as f32 / rate, (s.frames.end - 1) as f32 / rate))
                    .collect();
                println!(
                    "{file} {key} F1 {:.3} fp {fp} fn {fnn}  n {} vs {}",
                    2.0 * tp / (2.0 * tp + fp + fnn),
                    spans.len(),
                    nums.len() / 2
                );
                if std::env::var("LONG").is_ok() {
                    println!("   det {}", spans.join(" "));
                    println!(
                        "   lab {}",
                        nums.chunks(2).map(|c| format!("{:.2}-{:.2}", c[0], c[1])).collect::<Vec<_>>().join(" ")
                    );
                }
            }
        }
    }
    println!("all F1 {:.4}", 2.0 * total.0 / (2.0 * total.0 + total.1 + total.2));
}
