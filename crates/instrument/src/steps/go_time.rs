//! Durations and times in the forms that Go prints, so that the tables read like Kubernetes' own.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// A duration as Go's `%v` prints it: `1.5s`, `2m0.25s`, `312.5ms`.
pub(super) fn duration(duration: Duration) -> String {
    let nanos = duration.as_nanos();
    if nanos == 0 {
        return "0s".to_owned();
    }
    if nanos < 1_000_000_000 {
        let (unit, name) = match nanos {
            n if n < 1_000 => (1, "ns"),
            n if n < 1_000_000 => (1_000, "µs"),
            _ => (1_000_000, "ms"),
        };
        return format!("{}{name}", decimal(nanos, unit));
    }
    let seconds = nanos / 1_000_000_000;
    let rest = decimal(nanos - seconds / 60 * 60_000_000_000, 1_000_000_000);
    match (seconds / 3600, seconds / 60 % 60) {
        (0, 0) => format!("{rest}s"),
        (0, minutes) => format!("{minutes}m{rest}s"),
        (hours, minutes) => format!("{hours}h{minutes}m{rest}s"),
    }
}

fn decimal(value: u128, unit: u128) -> String {
    let whole = value / unit;
    let fraction = value % unit;
    if fraction == 0 {
        return whole.to_string();
    }
    let digits = unit.ilog10() as usize;
    let fraction = format!("{fraction:0digits$}");
    format!("{whole}.{}", fraction.trim_end_matches('0'))
}

/// The time of day, UTC: `15:04:05.000`.
pub(super) fn clock(time: SystemTime) -> String {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    let seconds = since.as_secs();
    format!("{:02}:{:02}:{:02}.{:03}", seconds / 3600 % 24, seconds / 60 % 60, seconds % 60, since.subsec_millis())
}

/// The date and time, UTC: `02-Jan-2006 15:04:05.000`.
pub(super) fn date_clock(time: SystemTime) -> String {
    let days = time.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs() / 86_400;
    let (year, month, day) = civil(days);
    let month = MONTHS.get(month).copied().unwrap_or_default();
    format!("{day:02}-{month}-{year:04} {}", clock(time))
}

/// Year, month (from 0) and day of a day since 1970: days are counted from March, so that a leap day ends its year.
fn civil(days: u64) -> (u64, usize, u64) {
    let days = days + 719_468;
    let era = days / 146_097;
    let day_of_era = days % 146_097;
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = (month_from_march + 2) % 12;
    let year = year_of_era + era * 400 + u64::from(month < 2);
    (year, usize::try_from(month).unwrap_or_default(), day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_read_as_in_go() {
        let cases = [
            (0, "0s"),
            (7, "7ns"),
            (1_500, "1.5µs"),
            (312_500_000, "312.5ms"),
            (1_000_000_000, "1s"),
            (1_003_000_000, "1.003s"),
            (120_250_000_000, "2m0.25s"),
            (3_661_000_000_000, "1h1m1s"),
        ];
        for (nanos, text) in cases {
            assert_eq!(duration(Duration::from_nanos(nanos)), text);
        }
    }

    #[test]
    fn dates_read_as_in_go() {
        let at = |seconds: u64| date_clock(UNIX_EPOCH + Duration::from_millis(seconds * 1000 + 42));
        assert_eq!(at(0), "01-Jan-1970 00:00:00.042");
        assert_eq!(at(951_782_400), "29-Feb-2000 00:00:00.042");
        assert_eq!(at(1_792_065_599), "15-Oct-2026 11:59:59.042");
        assert_eq!(at(1_735_603_200), "31-Dec-2024 00:00:00.042");
    }
}
