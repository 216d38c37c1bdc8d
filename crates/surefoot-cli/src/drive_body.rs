//! Who is driven and by what: clips by style, actions, layers, looks and corrections.

use crate::clip_choice::choose;
use crate::drive_wish::{StyleSpan, Timed};
use crate::failure::Failure;
use std::path::Path;
use surefoot::glam::Vec3;
use surefoot::library::locomotion::LocomotionClips;
use surefoot::motion::Clip;
use surefoot::stages::LocomotionClip;
use surefoot::systems::{
    Action, ActionFeet, Creature, Intent, JointMask, Layer, Locomotor, MOST_LAYERS, PrepareClips, TargetLimb, Targets,
};
use surefoot_io::input_file::RecordedInput;
use surefoot_io::{LoadedCharacter, field_file};

/// What was typed of a character.
pub(crate) struct DriveBody<'a> {
    pub(crate) file: &'a Path,
    pub(crate) subject: &'a LoadedCharacter,
    pub(crate) clips: &'a [String],
    pub(crate) styles: &'a [StyleSpan],
    pub(crate) actions: &'a [Timed],
    pub(crate) layers: &'a [Timed],
    pub(crate) look: Option<Vec3>,
    pub(crate) field: Option<&'a Path>,
    pub(crate) input: Option<&'a RecordedInput>,
}

/// A character that can be driven, and what it does when.
pub(crate) struct Driven {
    pub(crate) locomotor: Locomotor,
    styles: Vec<StyleSpan>,
    /// By action: its name, what feet do in it, and how long it takes, seconds.
    actions: Vec<(String, Action, f32)>,
    timed: Vec<Timed>,
    layers: Vec<Timed>,
    look: Option<Vec3>,
}

impl DriveBody<'_> {
    fn refused(&self, why: &dyn std::fmt::Display) -> Failure {
        Failure::refused(format!("{}: {why}", self.file.display()))
    }

    fn clip(&self, option: &str, name: &str) -> Result<&Clip, Failure> {
        let index =
            choose(&self.subject.clips, Some(name)).map_err(|why| Failure::unusable(format!("{option}: {why}")))?;
        Ok(&self.subject.clips[index])
    }

    fn cycles(&self, option: &str, names: &[String]) -> Result<Vec<LocomotionClip>, Failure> {
        let (prepare, character) = (PrepareClips::default(), &self.subject.character);
        let mut ready = vec![prepare.stands(character, &self.subject.clips, self.subject.idle)];
        for name in names {
            let clip = prepare.cycle(character, self.clip(option, name)?).map_err(|why| self.refused(&why))?;
            // A clip of a style that stands is the one that it stands by.
            if clip.moves() { ready.push(clip) } else { ready[0] = clip }
        }
        Ok(ready)
    }

    /// What it moves by usually.
    fn usual(&self) -> Result<Vec<LocomotionClip>, Failure> {
        if !self.clips.is_empty() {
            return self.cycles("--clips", self.clips);
        }
        let (prepare, character) = (PrepareClips::default(), &self.subject.character);
        let (mut moving, refused) = prepare.moving(character, &self.subject.clips);
        if moving.is_empty() {
            // From almost nothing: the idle pose makes a walk of its own.
            let own = Creature::default().cycle(character, "walk from the idle pose");
            moving.push(prepare.cycle(character, &own).map_err(|why| self.refused(&why))?);
        } else {
            refused.iter().for_each(|why| eprintln!("warning: {why}"));
        }
        moving.insert(0, prepare.stands(character, &self.subject.clips, self.subject.idle));
        Ok(moving)
    }

    /// Makes all ready.
    pub(crate) fn build(&self) -> Result<Driven, Failure> {
        let (prepare, character) = (PrepareClips::default(), &self.subject.character);
        let mut styles = vec![("usual".to_owned(), self.usual()?)];
        for style in self.styles {
            styles.push((style.name.clone(), self.cycles("--style", &style.clips)?));
        }
        let clips = LocomotionClips::of_styles(styles).map_err(|why| self.refused(&why))?;
        let mut wanted: Vec<&str> = self.actions.iter().map(|action| action.name.as_str()).collect();
        for row in self.input.iter().flat_map(|input| input.rows()) {
            if let Some(style) = row.style.as_ref().filter(|style| !self.styles.iter().any(|own| own.name == **style)) {
                let why = format!("--input: style {style:?} is not known: --style {style}=CLIPS tells its clips");
                return Err(Failure::unusable(why));
            }
            wanted.extend(row.action.as_deref());
        }
        wanted.sort_unstable();
        wanted.dedup();
        let (mut ready, mut actions) = (Vec::new(), Vec::new());
        for name in wanted {
            let clip = prepare.standing(character, self.clip("--action", name)?);
            let feet = if clip.flies(character) { ActionFeet::Free } else { ActionFeet::Stay };
            actions.push((name.to_owned(), Action { action: ready.len(), feet }, clip.seconds));
            ready.push(clip);
        }
        let mut locomotor = Locomotor::new(character, clips, ready);
        if self.layers.len() > MOST_LAYERS {
            return Err(Failure::unusable(format!("--layer: give at most {MOST_LAYERS}")));
        }
        let mask = JointMask::upper_body(character);
        let layer =
            |layer: &Timed| Ok(Layer::over(prepare.standing(character, self.clip("--layer", &layer.name)?), &mask));
        let layers: Result<Vec<Layer>, Failure> = self.layers.iter().map(layer).collect();
        locomotor = locomotor.with_layers(layers?);
        if self.look.is_some() {
            let head =
                TargetLimb::head(character).ok_or_else(|| self.refused(&"--look: it has no head that was found"))?;
            locomotor = locomotor.with_targets(Targets::new(character, vec![head]));
        }
        if let Some(file) = self.field {
            let unusable = |error: &dyn std::fmt::Display| Failure::unusable(format!("{}: {error}", file.display()));
            let text = std::fs::read_to_string(file).map_err(|error| unusable(&format!("cannot read: {error}")))?;
            let field = field_file::read(&text, &character.rig).map_err(|error| unusable(&error))?;
            locomotor = locomotor.with_field(field);
        }
        Ok(Driven {
            locomotor,
            styles: self.styles.to_vec(),
            actions,
            timed: self.actions.to_vec(),
            layers: self.layers.to_vec(),
            look: self.look,
        })
    }
}

impl Driven {
    /// What recorded input wants at a time.
    pub(crate) fn recorded(&self, input: &RecordedInput, time: f32) -> Intent {
        let row = input.at(time);
        let style = row.style.as_ref().and_then(|name| self.styles.iter().position(|own| own.name == *name));
        let action = row.action.as_ref().and_then(|name| self.actions.iter().find(|(own, ..)| own == name));
        Intent {
            velocity: row.velocity,
            facing: row.facing,
            style: style.map_or(0, |style| style + 1),
            action: action.map(|(_, action, _)| *action),
            ..Intent::default()
        }
    }

    /// What is wanted by the clock, on top of an intent.
    pub(crate) fn timed(&self, time: f32, intent: &mut Intent) {
        if let Some(style) = self.styles.iter().position(|style| style.time.contains(&time)) {
            // Recorded input tells its own manners.
            intent.style = if intent.style == 0 { style + 1 } else { intent.style };
        }
        for wanted in &self.timed {
            let Some((_, action, seconds)) = self.actions.iter().find(|(name, ..)| *name == wanted.name) else {
                continue;
            };
            let end = if wanted.time.end.is_finite() { wanted.time.end } else { wanted.time.start + seconds };
            if (wanted.time.start..end).contains(&time) {
                intent.action = Some(*action);
            }
        }
        for (weight, layer) in intent.layers.iter_mut().zip(&self.layers) {
            *weight = if layer.time.contains(&time) { 1.0 } else { 0.0 };
        }
        intent.targets[0] = self.look;
    }
}
