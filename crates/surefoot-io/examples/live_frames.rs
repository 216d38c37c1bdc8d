//! A walk as a component of a game: planned once, looked at in every frame, wound back at will; nothing is allocated.
//! `cargo run --release -p surefoot-io --example live_frames`.

use surefoot::prelude::*;
use surefoot_io::prelude::*;

/// What an actor of a game keeps. It owns all it needs, so that it can be a component, be cloned and be sent elsewhere.
struct Walker {
    motion: CreatureMotion,
    frame: CreatureFrame,
    /// Seconds since it set out.
    time: f32,
}

impl Walker {
    fn new(motion: CreatureMotion) -> Self {
        let frame = CreatureFrame::new(&motion.character.rig);
        Self { motion, frame, time: 0.0 }
    }

    /// Goes on by so many seconds, or back if below 0. The pose depends on plan and time only, so any order will do.
    fn advance(&mut self, dt: f32) -> &CreatureFrame {
        self.time = (self.time + dt).clamp(0.0, self.motion.seconds());
        self.motion.pose_at(self.time, &mut self.frame);
        &self.frame
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/characters/m2m_fox.glb");
    let fox = load_character(file)?;
    let ground = Terrain::Rubble { height: 0.1, size: 0.4 };
    let path = Path::new(vec![Vec3::ZERO, Vec3::new(0.0, 0.0, 4.0)]);
    let mut walker = Walker::new(Creature::default().plan(&fox.character, &path, None, &ground));

    let once = walker.advance(1.0).pose.clone();
    for k in 0..6 {
        let frame = walker.advance(1.0 / 60.0);
        // `frame.pose.root` places the character in the world, `frame.model` its joints in the character.
        let root = frame.pose.root.translation;
        let standing = frame.feet.iter().filter(|foot| foot.flight.is_none()).count();
        println!("frame {k}: at {:.3} {:.3} {:.3} m, {standing} feet stand", root.x, root.y, root.z);
    }
    // Back to the start, and to the same second.
    walker.advance(-100.0);
    let again = &walker.advance(1.0).pose;
    println!("wound back, it is {} it was", if *again == once { "exactly where" } else { "not where" });
    Ok(())
}
