//! `/linkwork/report`: how the step went.

use super::{Channel, MessageError, StepChannel};
use crate::cdr::{Decoder, Encoder};
use crate::step::StepRecord;
use linkwork::{Outcome, StepReport, Timings, Work};
use linkwork_solve::{Residuals, Status};

pub(super) const CHANNEL: StepChannel = StepChannel {
    channel: Channel::ros2("/linkwork/report", "linkwork_msgs/msg/Report", SCHEMA),
    encode,
};

const SCHEMA: &str = "\
# How a step went. At the start of a run no step was taken: status is 255 and all but energy is NaN or 0.
uint64 step                    # steps since the start of the run
float64 time                   # s
float64 energy                 # J: kinetic, gravity and joint springs
uint8 status                   # 0 converged, 1 iteration limit, 2 stalled, 3 numerical failure, 4 interrupted, 5 ray termination, 6 blocked, 255 no step
uint32 outcome                 # 0 applied, 1 held, n >= 2 repeated as n smaller steps
uint64 iterations              # of the solver, all passes
uint64 factorizations          # all passes
uint64 closure_passes
uint64 rows                    # constraint rows
uint64 contacts                # contact points
float64 residual_unit          # natural map with unit step; mixes units
float64 residual               # scaled natural map, N s
float64 residual_velocity      # the same as a velocity, m/s
float64 residual_dual          # m/s
float64 complementarity        # J
float64 residual_momentum      # N s
float64 closure_linear         # largest translational joint residual, m
float64 closure_angular        # largest rotational joint or coupling residual, rad
float64 limit_violation        # m or rad
float64 penetration            # deepest overlap at the start of the step, m
float64 work_joints            # J, during the step
float64 work_limits            # J
float64 work_friction          # J, of joints
float64 work_drives            # J, with springs, dampers and armatures
float64 work_contacts          # J
float64 work_applied           # J
float64 time_collision         # s of wall time
float64 time_rows              # s
float64 time_solve             # s
float64 time_closure           # s
float64 time_integrate         # s
";

/// Status of a moment before the first step.
const NO_STEP: u8 = 255;

fn encode(record: &StepRecord, out: &mut Vec<u8>) {
    let mut e = Encoder::new(out);
    e.u64(record.step);
    e.f64(record.state.time);
    e.f64(record.energy);
    let Some(r) = &record.report else {
        e.u8(NO_STEP);
        e.u32(0);
        (0..5).for_each(|_| e.u64(0));
        (0..21).for_each(|_| e.f64(f64::NAN));
        return;
    };
    e.u8(r.status.number());
    e.u32(r.outcome.number());
    let counts = [
        r.iterations,
        r.factorizations,
        r.closure_passes,
        r.rows,
        r.contacts,
    ];
    counts.iter().for_each(|&n| e.u64(n as u64));
    let (s, w, t) = (&r.residuals, &r.work, &r.timings);
    let numbers = [
        s.natural_unit,
        s.natural_scaled,
        s.natural_velocity,
        s.dual,
        s.complementarity,
        s.momentum,
        r.closure_linear,
        r.closure_angular,
        r.limit_violation,
        r.penetration,
        w.joints,
        w.limits,
        w.friction,
        w.drives,
        w.contacts,
        w.applied,
        t.collision,
        t.rows,
        t.solve,
        t.closure,
        t.integrate,
    ];
    numbers.iter().for_each(|&x| e.f64(x));
}

pub(super) fn decode(message: &[u8]) -> Result<(f64, Option<StepReport>), MessageError> {
    let mut d = Decoder::new(message)?;
    let (_step, _time, energy) = (d.u64()?, d.f64()?, d.f64()?);
    let (status, outcome) = (d.u8()?, d.u32()?);
    let mut counts = [0; 5];
    for n in &mut counts {
        *n = d.u64()? as usize;
    }
    let mut x = [0.0; 21];
    for x in &mut x {
        *x = d.f64()?;
    }
    if status == NO_STEP {
        return Ok((energy, None));
    }
    let Some(&status) = Status::ALL.get(usize::from(status)) else {
        let (what, value) = ("status", u64::from(status));
        return Err(MessageError::Meaning { what, value });
    };
    Ok((energy, Some(report(status, outcome, counts, x))))
}

/// A report from its fields, in the order of the message.
fn report(status: Status, outcome: u32, counts: [usize; 5], x: [f64; 21]) -> StepReport {
    StepReport {
        status,
        outcome: Outcome::numbered(outcome),
        iterations: counts[0],
        factorizations: counts[1],
        closure_passes: counts[2],
        rows: counts[3],
        contacts: counts[4],
        residuals: Residuals {
            natural_unit: x[0],
            natural_scaled: x[1],
            natural_velocity: x[2],
            dual: x[3],
            complementarity: x[4],
            momentum: x[5],
        },
        closure_linear: x[6],
        closure_angular: x[7],
        limit_violation: x[8],
        penetration: x[9],
        // Not recorded.
        local_error: 0.0,
        work: Work {
            joints: x[10],
            limits: x[11],
            friction: x[12],
            drives: x[13],
            contacts: x[14],
            applied: x[15],
        },
        timings: Timings {
            collision: x[16],
            rows: x[17],
            solve: x[18],
            closure: x[19],
            integrate: x[20],
        },
    }
}
