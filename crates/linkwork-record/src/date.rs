//! The present time as text.

use std::time::{SystemTime, UNIX_EPOCH};

/// Now in UTC, ISO 8601 to the second.
pub(crate) fn now() -> String {
    // A clock before 1970 is not worth an error.
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    text(since.map_or(0, |s| s.as_secs()))
}

fn text(seconds: u64) -> String {
    let (year, month, day) = civil(seconds / 86_400);
    let (hour, minute) = (seconds / 3600 % 24, seconds / 60 % 60);
    let second = seconds % 60;
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// Year, month and day of a day counted from 1 January 1970. Years begin in March here, so that the
/// day that comes and goes is the last of them; month lengths then follow (153 m + 2)/5
/// [Hinnant, "chrono-compatible low-level date algorithms"].
fn civil(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let leaps = day_of_era / 1460 - day_of_era / 36_524 + day_of_era / 146_096;
    let year_of_era = (day_of_era - leaps) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = 400 * era + year_of_era + u64::from(month <= 2);
    (year, month, day)
}

#[cfg(test)]
mod tests {
    use super::text;

    #[test]
    fn known_days() {
        assert_eq!(text(0), "1970-01-01T00:00:00Z");
        assert_eq!(text(951_827_696), "2000-02-29T12:34:56Z");
        assert_eq!(text(1_767_225_599), "2025-12-31T23:59:59Z");
        assert_eq!(text(1_767_225_600), "2026-01-01T00:00:00Z");
        assert_eq!(text(4_107_542_400), "2100-03-01T00:00:00Z");
    }
}
