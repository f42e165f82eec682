//! Moments as Grafana and its like write them: seconds, milliseconds or nanoseconds since the epoch, or RFC 3339.

use clew_model::Time;

/// Seconds until here; a larger number is of a smaller unit.
const MOST_SECONDS: f64 = 1e11;
const MOST_MILLIS: f64 = 1e14;
const MOST_MICROS: f64 = 1e17;

/// The moment; none inside for zero, which means that none was given; none outside if the text is no moment.
#[allow(clippy::option_option, reason = "no moment, none given and one given are three answers")]
pub(crate) fn unix(text: &str) -> Option<Option<Time>> {
    if let Ok(whole) = text.parse::<i64>() {
        return (whole >= 0).then(|| (whole > 0).then(|| Time::from_nanos(whole.saturating_mul(unit(whole)))));
    }
    match text.parse::<f64>() {
        // Fractions are of seconds, and exact to the microsecond.
        #[allow(clippy::cast_possible_truncation, reason = "checked to be a number of seconds that fits")]
        Ok(seconds) if (0.0..9e9).contains(&seconds) => Some(Some(Time::from_nanos((seconds * 1e6) as i64 * 1000))),
        Ok(_) => None,
        Err(_) => text.parse().ok().map(Some),
    }
}

#[allow(clippy::cast_precision_loss, reason = "only the magnitude is looked at")]
fn unit(whole: i64) -> i64 {
    match whole as f64 {
        size if size < MOST_SECONDS => 1_000_000_000,
        size if size < MOST_MILLIS => 1_000_000,
        size if size < MOST_MICROS => 1_000,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_unit_gives_the_same_moment() {
        let expected = Time::from_nanos(1_767_323_045_000_000_000);
        for text in [
            "1767323045",
            "1767323045.0",
            "1767323045000",
            "1767323045000000",
            "1767323045000000000",
            "2026-01-02T03:04:05Z",
        ] {
            assert_eq!(unix(text), Some(Some(expected)), "{text}");
        }
        assert_eq!(unix("0"), Some(None));
        for wrong in ["", "-5", "now", "1e40", "NaN"] {
            assert_eq!(unix(wrong), None, "{wrong}");
        }
    }
}
