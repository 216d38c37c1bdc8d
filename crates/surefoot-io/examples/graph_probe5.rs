//! probe: full matrix on N frames
use std::time::Instant;
use surefoot::analyse::find_rig;
use surefoot::library::graph::*;
fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let n: usize = args[0].parse().unwrap();
    let imports: Vec<_> =
        args[1..].iter().map(|f| surefoot_io::load(std::path::Path::new(f), &Default::default()).unwrap()).collect();
    let sk = imports[0].skeleton.clone();
    let rig = find_rig(&sk, &imports.iter().map(|i| &i.clips[0]).collect::<Vec<_>>()).unwrap();
    let pts = BodyPoints::by_bone_length(&rig.skeleton);
    let mut clouds = vec![];
    let mut total = 0;
    let mut k = 0;
    'o: loop {
        for i in &imports {
            let mut c = i.clips[0].clone();
            c.extract_root(&sk);
            let rate = 30.0 * (0.9 + 0.02 * (k % 11) as f32);
            let c = c.resampled(rate);
            total += c.frames();
            clouds.push(Cloud::new(&sk, &pts, 2, &c));
            if total > n {
                break 'o;
            }
        }
        k += 1;
    }
    println!("{} clouds {} frames {} points", clouds.len(), total, pts.len());
    let cols: Vec<_> = clouds.iter().map(Columns::new).collect();
    let t0 = Instant::now();
    let mut out = vec![0.0; 1_000_000];
    let mut under = 0usize;
    let mut pairs = 0usize;
    for a in 0..clouds.len() {
        for b in a..clouds.len() {
            let len = clouds[a].windows() * clouds[b].windows();
            cols[b].squared(&clouds[a], 0..clouds[a].windows(), &mut out[..len]);
            pairs += len;
            under += out[..len].iter().filter(|d| **d < 0.0009).count();
        }
    }
    let dt = t0.elapsed().as_secs_f64();
    println!("{pairs} pairs {dt:.3} s, {:.2} ns a pair, under 3 cm {under}", dt / pairs as f64 * 1e9);
    let mut worst: (f64, f64) = (0.0, 0.0);
    cols[1].squared(&clouds[0], 0..clouds[0].windows(), &mut out[..clouds[0].windows() * clouds[1].windows()]);
    for i in (0..clouds[0].windows()).step_by(3) {
        for j in (0..clouds[1].windows()).step_by(3) {
            let e = clouds[0].align(i, &clouds[1], j).squared;
            let d = f64::from(out[i * clouds[1].windows() + j]);
            worst.0 = worst.0.max((d - e).abs());
            worst.1 = worst.1.max((d - e).abs() / e);
        }
    }
    println!("worst abs {:e} rel {:e}", worst.0, worst.1);
}
