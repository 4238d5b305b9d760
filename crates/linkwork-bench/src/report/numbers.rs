//! Numbers for people: few digits, units, dates.

/// A number in three significant digits; powers of ten where it is far from one.
pub fn short(x: f64) -> String {
    if !x.is_finite() {
        return "not finite".to_owned();
    }
    let size = x.abs();
    if size < f64::MIN_POSITIVE {
        return "0".to_owned();
    }
    if !(1e-3..1e5).contains(&size) {
        let text = format!("{x:.1e}");
        let (digits, power) = text.split_once('e').unwrap_or((&text, "0"));
        return minus(&format!("{}e{power}", trimmed(digits)));
    }
    let decimals = (2 - size.log10().floor() as i32).max(0) as usize;
    minus(trimmed(&format!("{x:.decimals$}")))
}

/// A number on a linear axis whose ticks are `step` apart: neighbours read differently.
pub fn tick(x: f64, step: f64) -> String {
    let power = |v: f64| v.abs().log10().floor() as i32;
    if x.abs() < 1e-9 * step {
        return "0".to_owned();
    }
    if (1e-3..1e5).contains(&x.abs()) {
        let decimals = (-power(step * 1.001)).clamp(0, 9) as usize;
        return minus(trimmed(&format!("{x:.decimals$}")));
    }
    let digits = (power(x) - power(step * 1.001)).clamp(0, 9) as usize;
    minus(&format!("{x:.digits$e}"))
}

/// A wall time with its unit.
pub fn seconds(s: f64) -> String {
    let (scale, unit) = match s.abs() {
        size if size < 1e-3 => (1e6, "µs"),
        size if size < 1.0 => (1e3, "ms"),
        _ => (1.0, "s"),
    };
    if s.is_finite() {
        format!("{} {unit}", short(s * scale))
    } else {
        "–".to_owned()
    }
}

/// A share as a percentage. 100 % and 0 % appear only for all and none.
pub fn percent(part: usize, whole: usize) -> String {
    if whole == 0 {
        return "–".to_owned();
    }
    let share = 100.0 * part as f64 / whole as f64;
    let shown = match part {
        0 => 0.0,
        _ if part == whole => 100.0,
        _ => share.round().clamp(1.0, 99.0),
    };
    format!("{shown:.0} %")
}

/// A ratio, e.g. "1.4 ×".
pub fn times(ratio: Option<f64>) -> String {
    ratio.map_or_else(|| "–".to_owned(), |r| format!("{} ×", short(r)))
}

/// A power of ten for an axis.
pub fn power_of_ten(exponent: i32) -> String {
    match exponent {
        -2..=3 => short(10f64.powi(exponent)),
        _ => format!("10{}", superscript(exponent)),
    }
}

/// Seconds since 1970 as a date and time, UTC.
pub fn date(unix_s: u64) -> String {
    let (day, second) = (unix_s / 86_400, unix_s % 86_400);
    let (hour, minute) = (second / 3600, second / 60 % 60);
    let (year, month, day) = civil(day);
    const MONTHS: [&str; 12] = [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ];
    let month = MONTHS[month as usize - 1];
    format!("{day} {month} {year}, {hour:02}:{minute:02} UTC")
}

/// Year, month (1 … 12) and day of the month of a day since 1970, in the Gregorian calendar: eras of 400
/// years that begin in March, so that the leap day is the last [Hinnant, *chrono-compatible low-level date
/// algorithms*].
fn civil(days: u64) -> (u64, u64, u64) {
    let z = days + 719_468;
    let (era, doe) = (z / 146_097, z % 146_097);
    let yoe = (doe - doe / 1460 + doe / 36_524 - doe / 146_096) / 365;
    let doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    let mp = (5 * doy + 2) / 153;
    let month = if mp < 10 { mp + 3 } else { mp - 9 };
    let year = yoe + 400 * era + u64::from(month <= 2);
    (year, month, doy - (153 * mp + 2) / 5 + 1)
}

fn superscript(n: i32) -> String {
    let raised = |c| match c {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        digit => char::from_u32('⁰' as u32 + digit as u32 - '0' as u32).unwrap_or(digit),
    };
    n.to_string().chars().map(raised).collect()
}

fn trimmed(digits: &str) -> &str {
    if digits.contains('.') {
        digits.trim_end_matches('0').trim_end_matches('.')
    } else {
        digits
    }
}

/// A minus sign rather than a hyphen, except in exponents, which are to be copied.
fn minus(text: &str) -> String {
    text.strip_prefix('-')
        .map_or_else(|| text.to_owned(), |rest| format!("−{rest}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let shown = [0.0, 1.0, -0.25, 1.234e-9, 3.0e7, 12.56, 9_999.6, f64::NAN].map(short);
        let wanted = [
            "0",
            "1",
            "−0.25",
            "1.2e-9",
            "3e7",
            "12.6",
            "10000",
            "not finite",
        ];
        assert_eq!(shown, wanted);
    }

    #[test]
    fn neighbouring_ticks_read_differently() {
        let row = |from: f64, step: f64| [0.0, 1.0, 2.0].map(|i| tick(from + i * step, step));
        assert_eq!(row(20.4, 5e-4), ["20.4", "20.4005", "20.401"]);
        assert_eq!(row(-0.2, 0.2), ["−0.2", "0", "0.2"]);
        assert_eq!(row(2e-9, 5e-10), ["2.0e-9", "2.5e-9", "3.0e-9"]);
        assert_eq!(row(0.0, 50.0), ["0", "50", "100"]);
    }

    #[test]
    fn times_have_units() {
        let shown = [2.5e-6, 0.0123, 3.0, 0.0, f64::NAN].map(seconds);
        assert_eq!(shown, ["2.5 µs", "12.3 ms", "3 s", "0 µs", "–"]);
    }

    #[test]
    fn nearly_all_is_not_all() {
        let shown = [(0, 900), (1, 900), (899, 900), (900, 900), (0, 0)];
        let shown = shown.map(|(a, b)| percent(a, b));
        assert_eq!(shown, ["0 %", "1 %", "99 %", "100 %", "–"]);
    }

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(date(0), "1 January 1970, 00:00 UTC");
        assert_eq!(date(951_782_400), "29 February 2000, 00:00 UTC");
        assert_eq!(date(1_794_813_496), "16 November 2026, 07:18 UTC");
    }

    #[test]
    fn powers_are_raised() {
        let shown = [-12, -2, 0, 3, 4, 10].map(power_of_ten);
        assert_eq!(shown, ["10⁻¹²", "0.01", "1", "1000", "10⁴", "10¹⁰"]);
    }
}
