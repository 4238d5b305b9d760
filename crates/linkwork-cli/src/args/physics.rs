//! Options for how a scene or model file is simulated.

use super::method::MethodArgs;
use super::{positive, solver};
use clap::{Args as ClapArgs, ValueEnum};
use linkwork::{Adaptive, FailurePolicy, Impacts, Integrator, Settings};

/// Solvers that get problems without joints anyway.
const WITHOUT_JOINTS: [&str; 3] = ["condensed", "condensed-ccp", "direct"];

/// Settings that override those of the scene or file.
#[derive(Clone, Debug, Default, ClapArgs)]
#[command(next_help_heading = "Simulation")]
pub struct PhysicsArgs {
    /// Step size, s [default: the scene's]
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = positive)]
    pub dt: Option<f64>,
    /// Integrator: semi-implicit-euler, moreau, midpoint, symplectic, implicit, explicit, or theta=T,TVQ [default: the scene's]
    #[arg(long, value_name = "NAME")]
    pub integrator: Option<Integrator>,
    /// Adaptive substeps: largest estimated error per second of simulated time, m/s [default: the scene's; off in most]
    #[arg(long, value_name = "E", allow_negative_numbers = true, value_parser = positive)]
    pub adaptive: Option<f64>,
    /// Solver; `linkwork solvers` lists them [default: the scene's]
    #[arg(long, value_name = "NAME", value_parser = solver)]
    pub solver: Option<String>,
    /// Give the solver the problem with the joints eliminated
    #[arg(long)]
    pub reduced: bool,
    /// Residual at which a solve ends, N s and m/s [default: the scene's]
    #[arg(long, value_name = "R", allow_negative_numbers = true, value_parser = positive)]
    pub tolerance: Option<f64>,
    /// Largest number of iterations per solve [default: the scene's]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..))]
    pub max_iterations: Option<u32>,
    /// Threads; the result does not depend on them [default: the scene's]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// What happens if a solve does not converge [default: the scene's]
    #[arg(long)]
    pub policy: Option<Policy>,
    /// Order of the impacts of one step [default: the scene's]
    #[arg(long, value_name = "ORDER")]
    pub impacts: Option<Order>,
    #[command(flatten)]
    pub method: MethodArgs,
}

impl PhysicsArgs {
    /// The scene's settings with those of the command line; an error where one would have no effect.
    pub fn apply(&self, mut settings: Settings) -> Result<Settings, String> {
        settings.dt = self.dt.unwrap_or(settings.dt);
        settings.integrator = self.integrator.unwrap_or(settings.integrator);
        if let Some(tolerance) = self.adaptive {
            settings.adaptive = Some(Adaptive::new(tolerance));
        }
        if let Some(solver) = &self.solver {
            settings.solver.clone_from(solver);
        }
        if self.reduced && WITHOUT_JOINTS.contains(&settings.solver.as_str()) {
            return Err(format!(
                "--reduced has no effect with solver {}; choose another with --solver, or leave it out",
                settings.solver
            ));
        }
        settings.reduced |= self.reduced;
        let solve = &mut settings.solve;
        solve.tolerance = self.tolerance.unwrap_or(solve.tolerance);
        if let Some(n) = self.max_iterations {
            solve.max_iterations = n as usize;
        }
        settings.threads = self.threads.map_or(settings.threads, usize::from);
        settings.failure = self.policy.map_or(settings.failure, Into::into);
        let impacts = &mut settings.contact.impacts;
        *impacts = self.impacts.map_or(*impacts, Into::into);
        self.method.apply(&mut settings)?;
        Ok(settings)
    }

    /// The first of these options that was given.
    pub fn given(&self) -> Option<&'static str> {
        let all = [
            (self.dt.is_some(), "--dt"),
            (self.integrator.is_some(), "--integrator"),
            (self.adaptive.is_some(), "--adaptive"),
            (self.solver.is_some(), "--solver"),
            (self.reduced, "--reduced"),
            (self.tolerance.is_some(), "--tolerance"),
            (self.max_iterations.is_some(), "--max-iterations"),
            (self.threads.is_some(), "--threads"),
            (self.policy.is_some(), "--policy"),
            (self.impacts.is_some(), "--impacts"),
        ];
        super::first(&all).or_else(|| self.method.given())
    }
}

/// What happens if a solve does not converge.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Policy {
    /// Apply the last iterate and count the failure
    Accept,
    /// Repeat the step as two half steps, up to twelve levels deep
    Substep,
    /// Keep poses and velocities, advance the time
    Hold,
    /// Stop with exit code 1
    Error,
}

impl From<Policy> for FailurePolicy {
    fn from(policy: Policy) -> Self {
        match policy {
            Policy::Accept => FailurePolicy::Accept,
            Policy::Substep => FailurePolicy::Substep { depth: 12 },
            Policy::Hold => FailurePolicy::Hold,
            Policy::Error => FailurePolicy::Error,
        }
    }
}

/// Order of the impacts of one step.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Order {
    /// All contacts at the same time
    AtOnce,
    /// One after the other, as in Newton's cradle
    Sequential,
}

impl From<Order> for Impacts {
    fn from(order: Order) -> Self {
        match order {
            Order::AtOnce => Impacts::AtOnce,
            Order::Sequential => Impacts::Sequential,
        }
    }
}
