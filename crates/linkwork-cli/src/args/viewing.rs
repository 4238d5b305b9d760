//! Command line of `view`, `export`, `shot`, `film` and the viewing options of `run --view`.

use super::{
    ControlArgs, FileArgs, PhysicsArgs, assignment, html_file, in_folder, not_negative, png_file,
    positive,
};
use clap::{Args as ClapArgs, ValueEnum};
use linkwork_view::film::Format;
use std::path::PathBuf;

/// How something is shown in the browser.
#[derive(Clone, Debug, Default, ClapArgs)]
#[command(next_help_heading = "Viewing")]
pub struct ViewingArgs {
    /// Address to listen on; everyone who can reach it can watch, and control with the token [default: 127.0.0.1]
    #[arg(long, value_name = "ADDRESS")]
    pub bind: Option<String>,
    /// Port to listen on [default: any free one]
    #[arg(long, value_name = "N")]
    pub port: Option<u16>,
    /// Open the page in the desktop's browser
    #[arg(long)]
    pub open: bool,
    /// Speed as a multiple of real time; 0: as fast as possible [default: 1]
    #[arg(long, value_name = "X", allow_negative_numbers = true, value_parser = not_negative)]
    pub speed: Option<f64>,
    /// Start paused
    #[arg(long)]
    pub paused: bool,
}

impl ViewingArgs {
    /// The first of these options that was given.
    pub fn given(&self) -> Option<&'static str> {
        let all = [
            (self.bind.is_some(), "--bind"),
            (self.port.is_some(), "--port"),
            (self.open, "--open"),
            (self.speed.is_some(), "--speed"),
            (self.paused, "--paused"),
        ];
        super::first(&all)
    }
}

/// What to show.
#[derive(Clone, Debug, ClapArgs)]
pub struct TargetArgs {
    /// A recording, a model file, or the name of a scene; `linkwork scenes` lists them
    #[arg(value_name = "FILE|SCENE", index = 1)]
    pub target: String,
    /// Set a parameter of the scene; may be repeated
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = assignment)]
    pub set: Vec<(String, f64)>,
    #[command(flatten)]
    pub file: FileArgs,
    #[command(flatten)]
    pub controls: ControlArgs,
    #[command(flatten)]
    pub physics: PhysicsArgs,
}

impl TargetArgs {
    /// The first option that applies only to a simulation.
    pub fn given(&self) -> Option<&'static str> {
        let set = (!self.set.is_empty()).then_some("--set");
        set.or_else(|| self.file.given())
            .or_else(|| self.controls.given())
            .or_else(|| self.physics.given())
    }
}

/// `linkwork view`.
#[derive(Debug, ClapArgs)]
pub struct ViewArgs {
    #[command(flatten)]
    pub target: TargetArgs,
    #[command(flatten)]
    pub viewing: ViewingArgs,
}

/// `linkwork export`.
#[derive(Debug, ClapArgs)]
pub struct ExportArgs {
    /// The page to write
    #[arg(long, value_name = "FILE.html", value_parser = html_file)]
    pub html: PathBuf,
    /// Frames per second of simulated time
    #[arg(long, value_name = "N", default_value = "30", allow_negative_numbers = true, value_parser = positive)]
    pub fps: f64,
    /// Begin at this time, s
    #[arg(long, value_name = "S", default_value = "0", allow_negative_numbers = true, value_parser = not_negative)]
    pub from: f64,
    /// End at this time, s [default: the end of the recording; of a scene 10]
    #[arg(long, visible_alias = "time", value_name = "S", allow_negative_numbers = true, value_parser = positive)]
    pub to: Option<f64>,
    /// Refuse to write a larger page
    #[arg(long, value_name = "MB", default_value = "50", allow_negative_numbers = true, value_parser = positive)]
    pub max_mb: f64,
    #[command(flatten)]
    pub target: TargetArgs,
}

/// `linkwork shot`.
#[derive(Debug, ClapArgs)]
pub struct ShotArgs {
    /// The moment, s
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = not_negative)]
    pub at: f64,
    /// The picture to write
    #[arg(long, value_name = "FILE.png", value_parser = png_file)]
    pub out: PathBuf,
    #[command(flatten)]
    pub target: TargetArgs,
    #[command(flatten)]
    pub look: LookArgs,
}

/// `linkwork film`.
#[derive(Debug, ClapArgs)]
pub struct FilmArgs {
    /// The film to write: .webm (VP9), .png (animated, without loss), .mp4 (needs the program ffmpeg), or a folder, by a
    /// name without ending, for one PNG file per picture
    #[arg(long, value_name = "FILE|FOLDER", value_parser = film_file)]
    pub out: PathBuf,
    /// Begin at this time, s
    #[arg(long, value_name = "S", default_value = "0", allow_negative_numbers = true, value_parser = not_negative)]
    pub from: f64,
    /// End at this time, s [default: the end of the recording; of a scene 10]
    #[arg(long, visible_alias = "time", value_name = "S", allow_negative_numbers = true, value_parser = positive)]
    pub to: Option<f64>,
    /// Pictures per second of the film
    #[arg(long, value_name = "N", default_value = "30", allow_negative_numbers = true, value_parser = film_rate)]
    pub fps: f64,
    /// Multiple of real time: 0.1 is slow motion
    #[arg(long, value_name = "X", default_value = "1", allow_negative_numbers = true, value_parser = positive)]
    pub speed: f64,
    #[command(flatten)]
    pub target: TargetArgs,
    #[command(flatten)]
    pub look: LookArgs,
}

/// What a picture looks like.
#[derive(Clone, Debug, ClapArgs)]
#[command(next_help_heading = "Picture")]
pub struct LookArgs {
    /// Width and height in pixels
    #[arg(long, value_name = "WxH", default_value = "1280x800", value_parser = size)]
    pub size: (u32, u32),
    /// Colours
    #[arg(long, default_value = "light")]
    pub theme: Theme,
    /// Direction of the view
    #[arg(long, default_value = "iso")]
    pub view: ShotView,
    /// Without perspective
    #[arg(long)]
    pub orthographic: bool,
    /// Seen through this camera of the model, by its name
    #[arg(long, value_name = "NAME", conflicts_with_all = ["view", "orthographic"])]
    pub camera: Option<String>,
    /// Keep this body in the middle of the picture, by its name
    #[arg(long, value_name = "BODY", conflicts_with = "camera")]
    pub follow: Option<String>,
    /// With panels and plots, not only the mechanism
    #[arg(long)]
    pub panels: bool,
    /// What else to show, separated by commas: contacts, cones, forces, joints, reactions, trails, ...
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = switch)]
    pub show: Vec<String>,
    /// What not to show, separated by commas: grid, shadows, ...
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = switch)]
    pub hide: Vec<String>,
}

impl LookArgs {
    /// The page's parameters.
    pub fn parameters(&self) -> Vec<(String, String)> {
        let theme = match self.theme {
            Theme::Dark => "dark",
            Theme::Light => "light",
        };
        let view = match self.view {
            ShotView::Iso => "iso",
            ShotView::Front => "front",
            ShotView::Side => "side",
            ShotView::Top => "top",
        };
        let digit = |on: bool| if on { "1" } else { "0" };
        let fixed = [
            ("play", "0"),
            ("theme", theme),
            ("view", view),
            ("orthographic", digit(self.orthographic)),
            ("panels", digit(self.panels)),
        ];
        let shown = self.show.iter().map(|name| (name.as_str(), "1"));
        let hidden = self.hide.iter().map(|name| (name.as_str(), "0"));
        let camera = self.camera.iter().map(|name| ("camera", name.as_str()));
        let follow = self.follow.iter().map(|name| ("follow", name.as_str()));
        let named = camera.chain(follow).chain(shown).chain(hidden);
        let all = fixed.into_iter().chain(named);
        all.map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect()
    }
}

/// Colours of the page.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Theme {
    /// Light on dark
    Dark,
    /// Dark on light
    Light,
}

/// Where a picture is seen from.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum ShotView {
    /// From a corner
    Iso,
    /// Along y
    Front,
    /// Along x
    Side,
    /// From above
    Top,
}

/// Display switches of the page, as in viewer/src/types.ts.
const SWITCHES: [&str; 16] = [
    "grid",
    "shadows",
    "contacts",
    "cones",
    "forces",
    "joints",
    "limits",
    "reactions",
    "heat",
    "trails",
    "frames",
    "names",
    "wireframe",
    "collision",
    "inertia",
    "centres",
];

fn film_file(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    match Format::of(&path) {
        Some(_) => in_folder(path),
        None => Err(
            "its name must end in .webm, .png, .apng or .mp4, or have no ending for a folder of pictures"
                .to_owned(),
        ),
    }
}

/// Players take no more pictures per second than this.
const MAX_FPS: f64 = 240.0;

fn film_rate(text: &str) -> Result<f64, String> {
    match positive(text)? {
        rate if rate <= MAX_FPS => Ok(rate),
        _ => Err(format!("it must be at most {MAX_FPS}")),
    }
}

fn switch(text: &str) -> Result<String, String> {
    let name = text.trim();
    if SWITCHES.contains(&name) {
        return Ok(name.to_owned());
    }
    Err(format!("choose of: {}", SWITCHES.join(", ")))
}

/// Width and height of a picture, pixels: `1280x800`.
pub fn size(text: &str) -> Result<(u32, u32), String> {
    let parse = |n: &str| n.trim().parse().ok().filter(|n| (16..=8192).contains(n));
    let (width, height) = text.split_once(['x', 'X']).unwrap_or((text, ""));
    match (parse(width), parse(height)) {
        (Some(width), Some(height)) => Ok((width, height)),
        _ => Err("write it as WIDTHxHEIGHT, each 16 to 8192".to_owned()),
    }
}
