//! What the viewers of a live simulation get.

use super::overlay::shown_targets;
use super::{FRAME_TIME, Live, STATUS_TIME, UNSEEN_TIME};
use crate::frame::{Stamp, encode};
use linkwork_record::StepRecord;
use serde_json::json;
use std::time::Instant;
use tungstenite::Bytes;

impl Live {
    /// Shows the latest state, at most 60 times per second; if nobody watches, keeps it from time to time for later
    /// viewers.
    pub(super) fn show(&mut self) {
        let pause = if self.hub.viewers() > 0 {
            FRAME_TIME
        } else {
            UNSEEN_TIME
        };
        if !self.fresh || self.shown.elapsed() < pause {
            return;
        }
        let moment = self.run.moment(self.step, self.report.as_ref());
        let mut record = match &self.desk {
            Some(desk) => {
                let mut record = StepRecord::with(&moment, &*desk.signals);
                desk.show_controls(&mut record.signals);
                record
            }
            None => StepRecord::of(&moment),
        };
        let model = self.run.simulator().model();
        record.targets = shown_targets(model, self.run.control());
        let state = self.run.simulator().state();
        let pull = self.overlay.lock().grab.as_ref().map(|g| g.wrench(state));
        let stamp = Stamp {
            index: u32::try_from(self.step).unwrap_or(u32::MAX),
            paused: !self.running(),
            jumped: self.jumped,
            pull: pull.map(|wrench| wrench.force),
        };
        let frame = Bytes::from(encode(model, &record, stamp));
        if self.jumped {
            self.history.clear();
        }
        self.history.push(frame.clone());
        self.hub.show(frame, self.jumped);
        self.shown = Instant::now();
        self.jumped = false;
        self.fresh = false;
    }

    /// Sends the state of the view to viewers, after a change and twice per second.
    pub(super) fn tell(&mut self) {
        if !self.changed && self.told.elapsed() < STATUS_TIME {
            return;
        }
        let factor = self.speedometer.read(self.run.simulator().state().time);
        self.changed = false;
        self.told = Instant::now();
        if self.hub.viewers() == 0 {
            return;
        }
        let settings = self.run.simulator().settings();
        let grab = self.overlay.lock().grab.as_ref().map(|g| g.body.index());
        let status = json!({
            "type": "status",
            "paused": !self.running(),
            "speed": self.pace.speed(),
            "real_time_factor": if self.running() { factor } else { 0.0 },
            "solver": settings.solver,
            "tolerance": settings.solve.tolerance,
            "viewers": self.hub.viewers(),
            "dropped": self.hub.dropped(),
            "grab": grab,
            "stopped": self.stopped,
        });
        self.hub.tell(status.to_string());
    }
}
