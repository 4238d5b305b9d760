//! Scripts: a line for each actuator, evaluated before every step.
//!
//! ```text
//! let error = 0.5 - knee.angle          # a variable
//! "left-knee" = 80 * error - 5 * knee.angle.rate
//! ```

use super::channel::{channels, find};
use super::expression::{Expression, Parser, word};
use super::names::{self, Number};
use linkwork::State;
use linkwork::model::Model;

/// What a line sets.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Target {
    Channel(usize),
    Variable(usize),
}

/// A script that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    lines: Vec<Line>,
    variables: usize,
}

/// A line of a script.
#[derive(Clone, Debug, PartialEq)]
struct Line {
    /// From 1.
    number: usize,
    /// The name that it sets.
    name: String,
    target: Target,
    expression: Expression<Number>,
}

impl Program {
    /// Read a script for a mechanism; an error begins with the line.
    pub fn parse(text: &str, model: &Model) -> Result<Self, String> {
        let (known, channels) = (names::all(model), channels(model));
        let mut variables: Vec<String> = Vec::new();
        let mut lines: Vec<Line> = Vec::new();
        for (i, line) in text.lines().enumerate() {
            let line = without_comment(line).trim();
            if line.is_empty() {
                continue;
            }
            let at = |e: String| format!("line {}: {e}", i + 1);
            let (is_variable, name, expression) = halves(line).map_err(at)?;
            let resolve = |name: &str| names::find(&known, &variables, model, name);
            let expression = Parser::parse(expression, &resolve).map_err(at)?;
            let target = if is_variable {
                match variables.iter().position(|v| v == name) {
                    Some(i) => Target::Variable(i),
                    None => {
                        variables.push(name.to_owned());
                        Target::Variable(variables.len() - 1)
                    }
                }
            } else {
                let found = find(&channels, name);
                let remedy = |e| format!("{e} (variables begin with 'let')");
                Target::Channel(found.map_err(remedy).map_err(at)?)
            };
            if !is_variable && lines.iter().any(|l| l.target == target) {
                return Err(at(format!("actuator '{name}' is set twice")));
            }
            lines.push(Line {
                number: i + 1,
                name: name.to_owned(),
                target,
                expression,
            });
        }
        Ok(Self {
            lines,
            variables: variables.len(),
        })
    }

    /// The channels it sets.
    pub fn channels(&self) -> impl Iterator<Item = usize> {
        self.lines.iter().filter_map(|line| match line.target {
            Target::Channel(i) => Some(i),
            Target::Variable(_) => None,
        })
    }

    /// Sets the controls of a state. An error names the first line whose value is not finite; its control is then NaN,
    /// which the step refuses.
    pub fn set(&self, model: &Model, state: &State, controls: &mut [f64]) -> Result<(), String> {
        let mut bad = None;
        let mut variables = vec![0.0; self.variables];
        // Sensors in scripts never need a step.
        let mut sensor = |i: usize| {
            let sensor = &model.sensors()[i];
            let nothing = || vec![f64::NAN; sensor.components().len()];
            model.read(sensor, state, None).unwrap_or_else(nothing)
        };
        for line in &self.lines {
            let mut of = |n: &Number| n.value(model, state, &mut sensor, &variables);
            let value = line.expression.value(&mut of);
            if !value.is_finite() && bad.is_none() {
                bad = Some((line, value));
            }
            match line.target {
                // Clamping to the range of a control would hide an infinite value.
                Target::Channel(i) => {
                    controls[i] = if value.is_finite() { value } else { f64::NAN }
                }
                Target::Variable(i) => variables[i] = value,
            }
        }
        let Some((line, value)) = bad else {
            return Ok(());
        };
        let (number, name, time) = (line.number, &line.name, state.time);
        Err(format!(
            "script, line {number}: '{name}' is {value} at {time} s; it must be finite"
        ))
    }
}

/// A line up to its comment; `#` within quotes begins none.
fn without_comment(line: &str) -> &str {
    let mut quote = None;
    for (i, c) in line.char_indices() {
        match (quote, c) {
            (None, '#') => return &line[..i],
            (None, '"' | '\'') => quote = Some(c),
            (Some(open), _) if open == c => quote = None,
            _ => {}
        }
    }
    line
}

/// Whether a variable is set, the name that is set, and the expression.
fn halves(line: &str) -> Result<(bool, &str, &str), String> {
    let (is_variable, rest) = match line.strip_prefix("let ") {
        Some(rest) => (true, rest.trim_start()),
        None => (false, line),
    };
    let wrong = || format!("'{line}' is not NAME = EXPRESSION; quote names with '-' or spaces");
    let (name, rest, _) = word(rest)?.ok_or_else(wrong)?;
    let expression = rest.trim_start().strip_prefix('=').ok_or_else(wrong)?;
    Ok((is_variable, name, expression))
}
