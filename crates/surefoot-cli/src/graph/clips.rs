//! From what was typed to takes of one body, with a word on everything that was done to them.

use crate::doctor::SEEN_DRIFT;
use crate::failure::Failure;
use crate::input::{ImportArgs, StudyArgs, no_legs};
use crate::inspect::expand;
use crate::progress;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use surefoot::adapt::Build;
use surefoot::library::graph::BuildGraph;
use surefoot::motion::{Clip, Take};
use surefoot::rig::Rig;
use surefoot::stages::Gathered;
use surefoot::stages::Repair;
use surefoot::systems::{Gather, GatherError};
use surefoot_io::{Import, embedded, load_many};
use surefoot_view::report::counted;

/// Which clips, and how they are read.
#[derive(clap::Args)]
pub(crate) struct ClipArgs {
    /// Motion files, or folders of them; the word `embedded` stands for one person's walks that are compiled in. All clips of
    /// a file are taken, unless --clip names one
    #[arg(value_name = "CLIP")]
    clips: Vec<PathBuf>,
    /// Also use the walks that are compiled in
    #[arg(long)]
    embedded: bool,
    /// Add a mirrored copy of every clip too, with `mirrored` after its name
    #[arg(long)]
    mirror: bool,
    #[command(flatten)]
    study: StudyArgs,
    #[command(flatten)]
    import: ImportArgs,
}

/// Takes of one body, and what there is to say of them.
pub(crate) struct Gathering {
    pub(crate) rig: Rig,
    pub(crate) takes: Vec<Take>,
    /// A line each.
    pub(crate) notes: Vec<String>,
}

/// What was done to clips.
#[derive(Default)]
struct Told {
    notes: Vec<String>,
    repairs: usize,
    repaired: usize,
    cycles: Vec<String>,
    carried: Vec<String>,
    sliding: Vec<String>,
}

impl Told {
    fn lines(self) -> Vec<String> {
        let mut lines = self.notes;
        if self.repairs > 0 {
            let (places, clips) = (self.repairs, self.repaired);
            lines.push(format!(
                "repaired: {} in {} (surefoot analyse tells which)",
                counted(places, "place"),
                counted(clips, "clip")
            ));
        }
        for (what, clips) in [
            ("cycles, played over and over", self.cycles),
            ("from other bodies", self.carried),
            ("feet slide, surefoot clean holds them", self.sliding),
        ] {
            if !clips.is_empty() {
                lines.push(format!("{what}: {}", clips.join(", ")));
            }
        }
        lines
    }
}

/// A file's body and the clips that are wanted of it.
struct Source {
    title: String,
    import: Import,
    /// With the names they get.
    wanted: Vec<(String, usize)>,
}

impl Source {
    fn clips(&self) -> Vec<&Clip> {
        self.wanted.iter().map(|(_, index)| &self.import.clips[*index]).collect()
    }
}

impl ClipArgs {
    /// Whether there are any.
    pub(crate) fn are_given(&self) -> bool {
        self.embedded || !self.clips.is_empty()
    }

    /// Reads, studies and carries over; `onto` is the body of a graph that is there, else the one that most of the clips' time was recorded on. Names of
    /// `there` must not come again.
    pub(crate) fn gather(
        &self,
        settings: &BuildGraph,
        onto: Option<&Rig>,
        there: &[String],
    ) -> Result<Gathering, Failure> {
        if !self.are_given() {
            return Err(Failure::unusable("give clips: motion files, folders of them, or the word embedded"));
        }
        let sources = self.read()?;
        check_names(&sources, there)?;
        let mut gather = Gather { study: self.study.study() };
        let Repair { least_turn, least_shake, .. } = Gather::default().study.repair;
        gather.study.repair = Repair { least_turn, least_shake, ..gather.study.repair };
        let mut told = Told::default();
        for source in &sources {
            told.notes
                .extend(source.import.warnings.iter().map(|warning| format!("warning: {}: {warning}", source.title)));
        }
        let rig = match onto {
            Some(rig) => rig.clone(),
            None => self.rig(&gather, &sources)?,
        };
        if self.mirror && rig.mirror.as_ref().is_none_or(|mirror| mirror.paired() == 0) {
            let why = "left and right of the body cannot be told apart or do not match joint by joint";
            return Err(Failure::refused(format!("--mirror: {why}")));
        }
        let body = sources.iter().find(|source| source.import.skeleton.key() == rig.skeleton.key());
        let onto = Build::new(rig.clone(), body.and_then(|source| source.import.skin.as_ref()));
        let bar = progress::bar("studying clips", sources.iter().map(|source| source.wanted.len()).sum());
        let mut takes = Vec::new();
        for source in &sources {
            let refused = |error: &dyn std::fmt::Display| Failure::refused(format!("{}: {error}", source.title));
            let skeleton = &source.import.skeleton;
            let own = if skeleton.key() == rig.skeleton.key() {
                rig.clone()
            } else {
                match self.study.rig_for(skeleton, source.import.skin.as_ref(), &source.clips())? {
                    Some(own) => own,
                    None => gather
                        .rig(skeleton, source.import.skin.as_ref(), &source.clips())
                        .map_err(|error| refused(&error))?,
                }
            };
            let built = Build::new(own, source.import.skin.as_ref());
            for (name, index) in &source.wanted {
                bar.inc(1);
                match gather.run_onto(&built, &source.import.clips[*index], &onto) {
                    Ok(gathered) => self.add(settings, &rig, name, gathered, &mut takes, &mut told),
                    Err(error @ GatherError::Still) => told.notes.push(format!("passed over: {name}: {error}")),
                    Err(error) => return Err(refused(&error)),
                }
            }
        }
        bar.finish_and_clear();
        let notes = told.lines();
        if takes.is_empty() {
            let mut failure = Failure::refused("no clip can be used");
            failure.said = notes.iter().map(|note| format!("{note}\n")).collect();
            return Err(failure);
        }
        Ok(Gathering { rig, takes, notes })
    }

    fn add(
        &self,
        settings: &BuildGraph,
        rig: &Rig,
        name: &str,
        gathered: Gathered,
        takes: &mut Vec<Take>,
        told: &mut Told,
    ) {
        let Gathered { mut take, notes: repairs, doubts, drift, rounds, carried, .. } = gathered;
        let frames = (take.clip.duration() * settings.rate).floor() as usize + 1;
        if settings.usable(&[frames]) == 0 {
            let seconds = take.clip.duration();
            told.notes.push(format!("passed over: {name}: {seconds:.2} s are too short to blend into and out of"));
            return;
        }
        told.notes.extend(doubts.iter().map(|doubt| format!("doubtful: {name}: {doubt} (--source-fps)")));
        if drift > SEEN_DRIFT {
            told.sliding.push(format!("{name} ({:.0} mm)", 1e3 * drift));
        }
        told.repairs += repairs.len();
        told.repaired += usize::from(!repairs.is_empty());
        if rounds > 1 {
            told.cycles.push(format!("{name} ({rounds} times)"));
        }
        if let Some(scale) = carried {
            told.carried.push(format!("{name} (legs {scale:.2} times as long)"));
        }
        take.clip = take.clip.named(name);
        let mirrored = self.mirror.then(|| take.mirrored(rig)).flatten();
        takes.push(take);
        // Each beside its own, so that adding later gives the same order as building at once.
        takes.extend(mirrored.map(|mut take| {
            take.clip = take.clip.named(format!("{name} mirrored"));
            take
        }));
    }

    fn rig(&self, gather: &Gather, sources: &[Source]) -> Result<Rig, Failure> {
        let all: Vec<&Clip> = sources.iter().flat_map(Source::clips).collect();
        let body = Gather::body(&all);
        let first = sources.iter().find(|source| Some(source.import.skeleton.key()) == body).unwrap_or(&sources[0]);
        let (skeleton, skin) = (&first.import.skeleton, first.import.skin.as_ref());
        let same = sources.iter().filter(|source| source.import.skeleton.key() == skeleton.key());
        let clips: Vec<&Clip> = same.flat_map(Source::clips).collect();
        if let Some(rig) = self.study.rig_for(skeleton, skin, &clips)? {
            return Ok(rig);
        }
        gather.rig(skeleton, skin, &clips).map_err(|error| no_legs(Path::new(&first.title), &error, "--rig"))
    }

    fn read(&self) -> Result<Vec<Source>, Failure> {
        let (words, files): (Vec<&PathBuf>, Vec<&PathBuf>) =
            self.clips.iter().partition(|path| path.as_os_str() == "embedded" && !path.exists());
        let mut sources = Vec::new();
        if self.embedded || !words.is_empty() {
            for clip in embedded::CLIPS.iter().filter(|clip| clip.name.starts_with("16_")) {
                let wanted = vec![(clip.name.to_owned(), 0)];
                sources.push(Source { title: clip.name.into(), import: clip.import(), wanted });
            }
        }
        let paths = expand(&files.into_iter().cloned().collect::<Vec<_>>())?;
        let bar = progress::bar("reading files", paths.len());
        let imports = load_many(&paths, &self.import.settings(), || bar.inc(1));
        bar.finish_and_clear();
        for (path, import) in paths.iter().zip(imports) {
            let import = import.map_err(Failure::unusable)?;
            let title = path.display().to_string();
            let wanted = self.import.choose_all(&import.clips);
            let wanted = wanted.map_err(|why| Failure::unusable(format!("{title}: {why}")))?;
            let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
            // BVH clips are called as their file is; others have names of their own, which repeat from file to file.
            let named = |index: usize| match import.clips[index].name() {
                name if name == stem || name.is_empty() => stem.clone(),
                name => format!("{stem}/{name}"),
            };
            let wanted = wanted.into_iter().map(|index| (named(index), index)).collect();
            sources.push(Source { title, import, wanted });
        }
        Ok(sources)
    }
}

/// Refuses names that come twice: clips are removed and paired by name.
fn check_names(sources: &[Source], there: &[String]) -> Result<(), Failure> {
    let mut seen: BTreeSet<&str> = there.iter().map(String::as_str).collect();
    for source in sources {
        for (name, _) in &source.wanted {
            if there.contains(name) {
                let what = format!("{}: a clip {name:?} is in the graph already; remove it first", source.title);
                return Err(Failure::refused(what));
            }
            if !seen.insert(name) {
                return Err(Failure::refused(format!("{}: two clips are called {name:?}", source.title)));
            }
        }
    }
    Ok(())
}
