//! Debug.
use surefoot::analyse::find_skinned_rig;
use surefoot_io::{ImportSettings, load};
fn main() {
    for path in std::env::args().skip(1) {
        let i = load(path.as_ref(), &ImportSettings::default()).unwrap();
        println!("== {path}");
        let clips: Vec<_> = i.clips.iter().collect();
        match find_skinned_rig(&i.skeleton, i.skin.as_ref(), &clips) {
            Err(e) => println!("{e}"),
            Ok(rig) => {
                let rest = surefoot::rig::ModelPose::new(&rig.skeleton);
                for l in &rig.legs {
                    let n: Vec<&str> = l.chain.iter().map(|j| i.skeleton.name(*j)).collect();
                    let a = rest[l.ankle()];
                    let (h, b) = (a.transform_point(l.foot.heel), a.transform_point(l.foot.ball));
                    println!(
                        "  {:?} {n:?} toe {:?} len {:.2} heel {:.2} ball {:.2} foot {:.2}x{:.2} point {} shin {:?}",
                        l.side,
                        l.toe.map(|t| i.skeleton.name(t)),
                        l.length(&rig.skeleton),
                        h,
                        b,
                        l.foot.length,
                        l.foot.width,
                        l.foot.is_point(),
                        l.shin.is_some()
                    );
                }
            }
        }
    }
}
