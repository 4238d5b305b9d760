//! `linkwork view`, and `linkwork run --view`: simulations in the browser.

use crate::args::{PhysicsArgs, ViewArgs, ViewingArgs};
use crate::desk::desk;
use crate::failure::{Failure, usage};
use crate::footage::Footage;
use crate::instruments::Instruments;
use crate::recorder::RunRecorder;
use crate::replay::Keeper;
use crate::scene::{self, Built, Subject};
use linkwork::Script;
use linkwork::{Moment, Simulator};
use linkwork_record::{RecordError, Recording, Signals, Source};
use linkwork_view::live::{Desk, Live, LiveOptions, Overrides, Witness};
use linkwork_view::page;
use linkwork_view::replay::Replay;
use linkwork_view::server::{Hub, Listen, Server};
use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::Arc;

/// A simulation to be watched.
pub struct Watched {
    /// Name for the viewers.
    title: String,
    /// Its source.
    pub source: Source,
    /// At its start.
    pub simulator: Simulator,
    /// Its script.
    script: Option<Script>,
    /// Actuators and stored states of a model file.
    desk: Option<Desk>,
    /// What is read along it.
    pub signals: Arc<dyn Signals>,
    /// Time to simulate, s; no end if `None`.
    pub time: Option<f64>,
    /// Records it.
    pub recorder: Option<RunRecorder>,
    /// Keeps the first step that fails.
    pub keeper: Keeper,
}

impl Watched {
    /// A simulation without end that is not recorded.
    pub fn new(title: String, built: Built, physics: &PhysicsArgs) -> Result<Self, Failure> {
        let source = built.source;
        let overrides = Overrides::default();
        let (scene, robot) = match built.subject {
            Subject::Scene(scene) => (*scene, None),
            Subject::File(robot) => (robot.scene(Some(overrides.clone()))?, Some(robot)),
        };
        let signals = Instruments::of(&scene.model);
        let settings = physics.apply(scene.settings).map_err(usage)?;
        Ok(Self {
            title,
            simulator: Simulator::new(scene.model, settings).map_err(usage)?,
            script: scene.script,
            desk: robot.map(|robot| desk(*robot, overrides, signals.clone())),
            signals,
            time: None,
            recorder: None,
            keeper: Keeper::new(None, &source, 0),
            source,
        })
    }
}

/// Show a recording, or a scene, standing still at its start.
pub fn view(out: &mut dyn Write, args: &ViewArgs) -> Result<(), Failure> {
    let target = &args.target;
    let scene = match Footage::find(target)? {
        Footage::Recording(recording, name) => {
            let (speed, paused) = (args.viewing.speed.is_some(), args.viewing.paused);
            if speed || paused {
                let option = if speed { "--speed" } else { "--paused" };
                return Err(usage(format!(
                    "{option} is for simulations; a recording is played with the buttons of the page"
                )));
            }
            return replay(out, *recording, &name, &args.viewing);
        }
        Footage::Scene(scene) => scene,
    };
    let built = scene::build(&scene, &target.controls, true)?;
    let watched = Watched::new(target.target.clone(), built, &target.physics)?;
    let viewing = ViewingArgs {
        paused: true,
        ..args.viewing.clone()
    };
    live(out, watched, &viewing)
}

/// Runs a simulation for viewers until the program is ended.
pub fn live(out: &mut dyn Write, watched: Watched, viewing: &ViewingArgs) -> Result<(), Failure> {
    let page = page().map_err(usage)?;
    let options = LiveOptions {
        title: watched.title,
        speed: viewing.speed.unwrap_or(1.0),
        paused: viewing.paused,
        time: watched.time,
    };
    let hub = Arc::new(Hub::default());
    let (simulator, script) = (watched.simulator, watched.script);
    let witness = watched.recorder.map(|r| Box::new(r) as Box<dyn Witness>);
    let (live, backend) = Live::with_desk(
        simulator,
        script,
        &options,
        hub.clone(),
        witness,
        watched.desk,
    );
    let server = Server::start(&listen(viewing), page, hub, backend).map_err(usage)?;
    announce(out, &options.title, &server, viewing)?;
    live.keep_failures(Box::new(watched.keeper)).run();
    Ok(())
}

impl Witness for RunRecorder {
    fn moment(&mut self, moment: &Moment) -> Result<(), String> {
        self.step(moment).map_err(recording_failed)
    }

    fn end(self: Box<Self>, moment: &Moment) -> Result<String, String> {
        let end = moment.simulator.checkpoint(moment.control);
        let recorded = self.finish(moment.step, &end).map_err(recording_failed)?;
        let (steps, file) = (recorded.steps, recorded.file.display());
        Ok(format!("{steps} steps are in '{file}'"))
    }
}

fn recording_failed(error: RecordError) -> String {
    format!("the run is no longer recorded: {error}")
}

/// Show a recording until the program is ended.
fn replay(
    out: &mut dyn Write,
    recording: Recording,
    title: &str,
    viewing: &ViewingArgs,
) -> Result<(), Failure> {
    let page = page().map_err(usage)?;
    let replay = Replay::new(recording, title);
    let server = Server::start(&listen(viewing), page, Arc::default(), replay).map_err(usage)?;
    announce(out, title, &server, viewing)?;
    loop {
        std::thread::park();
    }
}

fn listen(viewing: &ViewingArgs) -> Listen {
    Listen {
        bind: viewing.bind.clone().unwrap_or("127.0.0.1".to_owned()),
        port: viewing.port.unwrap_or(0),
    }
}

fn announce(
    out: &mut dyn Write,
    title: &str,
    server: &Server,
    viewing: &ViewingArgs,
) -> Result<(), Failure> {
    let url = server.url();
    writeln!(
        out,
        "{title} is shown at\n\n    {url}\n\nEnd it with Ctrl-C."
    )?;
    out.flush()?;
    if viewing.open
        && let Err(error) = open(&url)
    {
        let _ = writeln!(std::io::stderr(), "could not open a browser: {error}");
    }
    Ok(())
}

/// Ask the desktop to open the page.
fn open(url: &str) -> std::io::Result<()> {
    let program = if cfg!(target_os = "macos") {
        "open"
    } else {
        "xdg-open"
    };
    let mut command = Command::new(program);
    command
        .arg(url)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let mut child = command.spawn()?;
    // It may live as long as the browser; its exit status must be collected anyway.
    std::thread::spawn(move || child.wait());
    Ok(())
}
