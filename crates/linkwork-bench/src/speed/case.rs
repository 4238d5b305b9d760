//! What is run, and for how long.

use crate::error::BenchError;
use linkwork::Scene;
use linkwork::{Run, Settings};
use linkwork_scenes::scene;
use std::collections::BTreeMap;

/// A scene or model to measure.
pub struct SpeedCase {
    /// Scene and parameters that are set, or name of the file.
    pub name: String,
    /// The scene, or the file.
    pub scene: String,
    /// Parameters that are set.
    pub parameters: BTreeMap<String, f64>,
    /// Time to simulate, s.
    pub time_s: f64,
    /// Arguments that select it for `linkwork`.
    pub arguments: Arguments,
    /// Builds it again.
    pub build: Box<dyn Fn() -> Result<Scene, BenchError> + Send + Sync>,
}

/// Arguments of a command line that name a scene or file.
pub type Arguments = Vec<String>;

/// Time for scenes that the table does not have, s.
const OTHER_TIME: f64 = 2.0;

/// A scene, parameters that are set, and the time to simulate, s.
type Row = (&'static str, &'static [(&'static str, f64)], f64);

/// The table: joints, then contacts. Times are such that what falls comes to rest.
const TABLE: [Row; 14] = [
    ("fourbar_fixed", &[], 5.0),
    ("coupled_fourbars", &[("n", 16.0)], 2.0),
    ("humanoid20", &[], 3.0),
    ("walker31", &[], 3.0),
    ("stack", &[("n", 10.0)], 2.0),
    ("clutter", &[("n", 8.0)], 6.0),
    ("clutter", &[("n", 40.0)], 6.0),
    ("heap", &[("n", 40.0)], 6.0),
    ("heap", &[("n", 80.0)], 6.0),
    ("heap", &[("n", 160.0)], 6.0),
    ("wall", &[], 2.0),
    ("dominoes", &[("n", 100.0)], 4.0),
    ("pyramid", &[("rows", 15.0)], 3.0),
    ("bowl", &[("n", 60.0)], 6.0),
];

/// The cases of the default table with these scenes, in its order; all if none is named. Other scenes run with their
/// own settings for 2 s.
pub fn cases_named(names: &[String]) -> Result<Vec<SpeedCase>, BenchError> {
    let wanted = |scene: &str| names.is_empty() || names.iter().any(|n| n == scene);
    let rows = TABLE.iter().filter(|(scene, ..)| wanted(scene));
    let mut cases: Vec<SpeedCase> = rows
        .map(|(scene, set, time)| SpeedCase::of_scene(scene, set, *time))
        .collect::<Result<_, _>>()?;
    for name in names {
        if !TABLE.iter().any(|(scene, ..)| scene == name) {
            cases.push(SpeedCase::of_scene(name, &[], OTHER_TIME)?);
        }
    }
    Ok(cases)
}

/// A scene at several sizes: its parameter `n`. Time as in the table.
pub fn sizes(name: &str, sizes: &[f64]) -> Result<Vec<SpeedCase>, BenchError> {
    let row = TABLE.iter().find(|(scene, ..)| *scene == name);
    let time = row.map_or(OTHER_TIME, |(_, _, time)| *time);
    let case = |n: &f64| SpeedCase::of_scene(name, &[("n", *n)], time);
    sizes.iter().map(case).collect()
}

impl SpeedCase {
    /// A built-in scene. A name or parameter that is not known is refused here.
    pub fn of_scene(name: &str, set: &[(&str, f64)], time_s: f64) -> Result<Self, BenchError> {
        scene(name, set)?;
        let parameters: BTreeMap<String, f64> =
            set.iter().map(|(n, v)| ((*n).to_owned(), *v)).collect();
        let mut title = name.to_owned();
        let mut arguments = vec![name.to_owned()];
        for (parameter, value) in &parameters {
            title += &format!(" {parameter}={value}");
            arguments.extend(["--set".to_owned(), format!("{parameter}={value}")]);
        }
        let (scene_name, values) = (name.to_owned(), parameters.clone());
        let build = move || {
            let set: Vec<(&str, f64)> = values.iter().map(|(n, v)| (n.as_str(), *v)).collect();
            Ok(scene(&scene_name, &set)?)
        };
        Ok(Self {
            name: title,
            scene: name.to_owned(),
            parameters,
            time_s,
            arguments,
            build: Box::new(build),
        })
    }

    /// The same with other settings, on top of which the scene's own are changed.
    pub fn with(self, change: impl Fn(&mut Settings) + Send + Sync + 'static) -> Self {
        let build = self.build;
        Self {
            build: Box::new(move || {
                let mut scene = build()?;
                change(&mut scene.settings);
                Ok(scene)
            }),
            ..self
        }
    }

    /// The run, on one thread.
    pub(super) fn run(&self) -> Result<Run, BenchError> {
        let mut scene = (self.build)()?;
        scene.settings.threads = 1;
        Ok(Run::of(scene)?)
    }
}
