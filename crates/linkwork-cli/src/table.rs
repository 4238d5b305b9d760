//! Aligned text with units.

use std::io::{IsTerminal, Write};

/// Width of the column of labels.
const LABEL: usize = 20;

/// A heading with lines below it.
pub fn heading(out: &mut dyn Write, title: &str) -> std::io::Result<()> {
    writeln!(out, "\n{title}")
}

/// A labelled line.
pub fn line(out: &mut dyn Write, label: &str, text: &str) -> std::io::Result<()> {
    writeln!(out, "  {label:<LABEL$}{text}")
}

/// Whether standard output takes colours: a terminal, and the user has not set `NO_COLOR`.
pub fn has_colour() -> bool {
    std::io::stdout().is_terminal()
        && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// A line in red where there is `colour`.
pub fn alarm(out: &mut dyn Write, text: &str, colour: bool) -> std::io::Result<()> {
    match colour {
        true => writeln!(out, "\x1b[31m{text}\x1b[0m"),
        false => writeln!(out, "{text}"),
    }
}

/// [`line`] in red where there is `colour`.
pub fn alarm_line(
    out: &mut dyn Write,
    label: &str,
    text: &str,
    colour: bool,
) -> std::io::Result<()> {
    alarm(out, &format!("  {label:<LABEL$}{text}"), colour)
}

/// A number with four significant digits: plain where that is readable, else with an exponent.
pub fn number(x: f64) -> String {
    let size = x.abs();
    if x == 0.0 {
        return "0".to_owned();
    }
    if !(1e-3..1e5).contains(&size) {
        return format!("{x:.2e}").replacen(".00e", "e", 1);
    }
    let decimals = (3 - size.log10().floor() as i32).max(0) as usize;
    let text = format!("{x:.decimals$}");
    if text.contains('.') {
        return text.trim_end_matches('0').trim_end_matches('.').to_owned();
    }
    text
}

/// A number with its unit.
pub fn with_unit(x: f64, unit: &str) -> String {
    format!("{} {unit}", number(x))
}

/// A time, s, with the unit that makes it readable.
pub fn duration(seconds: f64) -> String {
    let (factor, unit) = match seconds.abs() {
        s if s >= 1.0 || s == 0.0 => (1.0, "s"),
        s if s >= 1e-3 => (1e3, "ms"),
        s if s >= 1e-6 => (1e6, "µs"),
        _ => (1e9, "ns"),
    };
    with_unit(factor * seconds, unit)
}

/// A size with the unit that makes it readable.
pub fn bytes(n: f64) -> String {
    let (factor, unit) = match n {
        n if n >= 1e9 => (1e-9, "GB"),
        n if n >= 1e6 => (1e-6, "MB"),
        n if n >= 1e3 => (1e-3, "kB"),
        _ => (1.0, "bytes"),
    };
    with_unit(factor * n, unit)
}

/// A count with its thousands apart and its noun in the plural if need be.
pub fn count(n: u64, noun: &str) -> String {
    let plural = match noun {
        _ if n == 1 => noun.to_owned(),
        "body" => "bodies".to_owned(),
        _ => format!("{noun}s"),
    };
    format!("{} {plural}", thousands(n))
}

/// A count with its thousands apart.
pub fn thousands(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alarms_are_red_only_where_there_is_colour() {
        let shown = |colour| {
            let mut out = Vec::new();
            alarm_line(&mut out, "unaccounted", "5 J", colour).unwrap();
            String::from_utf8(out).unwrap()
        };
        assert_eq!(shown(false), "  unaccounted         5 J\n");
        assert_eq!(shown(true), "\x1b[31m  unaccounted         5 J\x1b[0m\n");
    }

    #[test]
    fn numbers_read_well() {
        assert_eq!(number(0.0), "0");
        assert_eq!(number(9.81), "9.81");
        assert_eq!(number(-0.5), "-0.5");
        assert_eq!(number(12345.6), "12346");
        assert_eq!(number(1.234e-9), "1.23e-9");
        assert_eq!(number(1e-8), "1e-8");
        assert_eq!(number(f64::NAN), "NaN");
        assert_eq!(duration(0.00025), "250 µs");
        assert_eq!(thousands(1234567), "1 234 567");
        assert_eq!(thousands(12), "12");
        assert_eq!(bytes(1234567.0), "1.235 MB");
        assert_eq!(count(1, "body"), "1 body");
        assert_eq!(count(2000, "body"), "2 000 bodies");
    }
}
