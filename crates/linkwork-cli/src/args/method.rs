//! Options of the time-stepping method, for comparisons with the papers.

use super::{not_negative, positive};
use clap::{Args as ClapArgs, ValueEnum};
use linkwork::{RestitutionRule, Settings};
use linkwork_solve::OperatorChoice;

/// How a step is made; defaults are those of the scene.
#[derive(Clone, Debug, Default, ClapArgs)]
#[command(next_help_heading = "Method")]
pub struct MethodArgs {
    /// Close joints nonlinearly at the end of each step; if off, α feeds their error back
    #[arg(long)]
    pub closure: Option<Switch>,
    /// Largest joint error after closure, m or rad
    #[arg(long, value_name = "R", allow_negative_numbers = true, value_parser = positive)]
    pub closure_tolerance: Option<f64>,
    /// Largest number of closure passes
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub closure_passes: Option<u16>,
    /// Share of the kinetic energy that ideal joints may add or remove in a step before it is substepped
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true, value_parser = positive)]
    pub closure_energy: Option<f64>,
    /// α: share of a joint error that a step corrects, 0 to 1; needs --closure off
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true, value_parser = not_negative)]
    pub alpha: Option<f64>,
    /// β: share of a limit violation that a step corrects, 0 to 1
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true, value_parser = not_negative)]
    pub beta: Option<f64>,
    /// γ: share of a penetration that a step corrects, 0 to 1
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true, value_parser = not_negative)]
    pub gamma: Option<f64>,
    /// Penetration that is not corrected, m
    #[arg(long, value_name = "M", allow_negative_numbers = true, value_parser = not_negative)]
    pub slop: Option<f64>,
    /// How restitution and penetration correction combine at a contact
    #[arg(long, value_name = "RULE")]
    pub restitution: Option<Restitution>,
    /// Start solves from the impulses of the last step
    #[arg(long)]
    pub warm_start: Option<Switch>,
    /// Factorisation used by solvers that factor D: direct, admm-*, newton, hybrid and the printed ADMMs
    #[arg(long)]
    pub operator: Option<OperatorArg>,
}

/// On or off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Switch {
    /// Yes
    On,
    /// No
    Off,
}

/// How restitution and penetration correction combine.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Restitution {
    /// The larger separation speed of the two
    Stronger,
    /// Their sum, as in Tsounis' eq. 94
    Sum,
}

/// A factorisation.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum OperatorArg {
    /// On bodies where they are known, else sparse
    Auto,
    /// Dense Cholesky of D
    Dense,
    /// Block Cholesky on the graph of bodies
    BodyGraph,
    /// Sparse Cholesky of D, where only D is known
    Sparse,
}

impl From<OperatorArg> for OperatorChoice {
    fn from(operator: OperatorArg) -> Self {
        match operator {
            OperatorArg::Auto => OperatorChoice::Auto,
            OperatorArg::Dense => OperatorChoice::Dense,
            OperatorArg::BodyGraph => OperatorChoice::BodyGraph,
            OperatorArg::Sparse => OperatorChoice::Sparse,
        }
    }
}

impl MethodArgs {
    /// Changes the given settings; an error if one would have no effect.
    pub fn apply(&self, settings: &mut Settings) -> Result<(), String> {
        let closure = &mut settings.closure;
        closure.enabled = self.closure.map_or(closure.enabled, |s| s == Switch::On);
        let needs_closure = self.closure_tolerance.is_some()
            || self.closure_passes.is_some()
            || self.closure_energy.is_some();
        if needs_closure && !closure.enabled {
            let text = "--closure-tolerance, --closure-passes and --closure-energy have no effect with --closure off; leave them out";
            return Err(text.to_owned());
        }
        if self.alpha.is_some() && closure.enabled {
            let text =
                "--alpha has no effect where joints are closed nonlinearly; add --closure off";
            return Err(text.to_owned());
        }
        closure.tolerance = self.closure_tolerance.unwrap_or(closure.tolerance);
        closure.energy = self.closure_energy.unwrap_or(closure.energy);
        closure.max_passes = self.closure_passes.map_or(closure.max_passes, usize::from);
        let s = &mut settings.stabilization;
        s.joints = self.alpha.unwrap_or(s.joints);
        s.limits = self.beta.unwrap_or(s.limits);
        s.contacts = self.gamma.unwrap_or(s.contacts);
        s.slop = self.slop.unwrap_or(s.slop);
        if let Some(rule) = self.restitution {
            settings.contact.restitution = match rule {
                Restitution::Stronger => RestitutionRule::Stronger,
                Restitution::Sum => RestitutionRule::Sum,
            };
        }
        settings.warm_start = (self.warm_start).map_or(settings.warm_start, |s| s == Switch::On);
        let solver = settings.solver.as_str();
        let factors = ["direct", "newton", "hybrid"].contains(&solver) || solver.contains("admm");
        if self.operator.is_some() && !factors {
            return Err(format!(
                "--operator has no effect with solver {solver}, which does not factor D; leave it out"
            ));
        }
        settings.operator = self.operator.map_or(settings.operator, Into::into);
        Ok(())
    }

    /// The first of these options that was given.
    pub fn given(&self) -> Option<&'static str> {
        let all = [
            (self.closure.is_some(), "--closure"),
            (self.closure_tolerance.is_some(), "--closure-tolerance"),
            (self.closure_passes.is_some(), "--closure-passes"),
            (self.closure_energy.is_some(), "--closure-energy"),
            (self.alpha.is_some(), "--alpha"),
            (self.beta.is_some(), "--beta"),
            (self.gamma.is_some(), "--gamma"),
            (self.slop.is_some(), "--slop"),
            (self.restitution.is_some(), "--restitution"),
            (self.warm_start.is_some(), "--warm-start"),
            (self.operator.is_some(), "--operator"),
        ];
        super::first(&all)
    }
}
