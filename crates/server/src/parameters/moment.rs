//! Durations and moments, as people write them: `500ms`, `1h30m`, `2026-01-02T03:04:05Z`.

use clew_model::Time;

use super::bad::{BadParameter, quote};

/// Units with their nanoseconds; a longer name stands before one that it begins with.
const UNITS: [(&str, f64); 9] = [
    ("ns", 1.0),
    ("us", 1e3),
    ("µs", 1e3),
    ("ms", 1e6),
    ("s", 1e9),
    ("m", 60e9),
    ("h", 3600e9),
    ("d", 86_400e9),
    ("w", 604_800e9),
];

/// Nanoseconds of a duration such as `500ms`, `1.5s` or `1h30m`.
pub(crate) fn duration(name: &str, text: &str) -> Result<i64, BadParameter> {
    read(text).ok_or_else(|| {
        BadParameter::new(name, format!("{} is no duration: write it as 500ms, 2m or 1h30m", quote(text)))
    })
}

/// A moment: in RFC 3339, or as a duration back from now.
pub(crate) fn moment(name: &str, text: &str, now: Time) -> Result<Time, BadParameter> {
    if text == "now" {
        return Ok(now);
    }
    if let Some(back) = read(text) {
        return Ok(now.saturating_sub(back));
    }
    text.parse().map_err(|_| {
        let problem = "is no time: write it as 2026-01-02T03:04:05Z, or as a duration back from now such as 15m";
        BadParameter::new(name, format!("{} {problem}", quote(text)))
    })
}

fn read(text: &str) -> Option<i64> {
    let mut rest = text;
    let mut nanos = 0.0;
    while !rest.is_empty() {
        let digits = rest.find(|letter: char| !letter.is_ascii_digit() && letter != '.')?;
        let number: f64 = rest[..digits].parse().ok()?;
        rest = &rest[digits..];
        let end = rest.find(|letter: char| letter.is_ascii_digit()).unwrap_or(rest.len());
        let (_, unit) = UNITS.iter().find(|(name, _)| *name == &rest[..end])?;
        nanos += number * unit;
        rest = &rest[end..];
    }
    // Larger ones lie beyond all time that clew can tell.
    let is_sane = !text.is_empty() && nanos.is_finite() && nanos <= 9e18;
    #[expect(clippy::cast_possible_truncation, reason = "checked against the limit above")]
    is_sane.then_some(nanos.round() as i64)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn durations_are_read_as_people_write_them() {
        let cases =
            [("500ms", 500_000_000), ("2m", 120_000_000_000), ("1h30m", 5_400_000_000_000), ("1.5s", 1_500_000_000)];
        for (text, nanos) in cases {
            assert_eq!(duration("x", text), Ok(nanos), "{text}");
        }
        assert_eq!(duration("x", "7d"), duration("x", "1w"));
        assert_eq!(duration("x", "3µs"), Ok(3000));
    }

    #[test]
    fn what_is_no_duration_is_refused_with_an_example() {
        for text in ["", "5", "m", "5x", "-5s", "1..2s", "5 s", "1e3s", "99999999999w"] {
            let error = duration("min_duration", text).unwrap_err();
            assert!(error.to_string().starts_with("parameter min_duration: "), "{text}: {error}");
        }
    }

    #[test]
    fn a_moment_is_a_time_or_a_way_back_from_now() {
        let now: Time = "2026-01-02T03:04:05Z".parse().unwrap();
        assert_eq!(moment("since", "5s", now).unwrap().to_string(), "2026-01-02T03:04:00Z");
        assert_eq!(moment("since", "2026-01-01T00:00:00Z", now).unwrap().to_string(), "2026-01-01T00:00:00Z");
        assert_eq!(moment("until", "now", now), Ok(now));
        assert!(moment("since", "yesterday", now).unwrap_err().to_string().contains("15m"));
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "\\PC{0,20}") {
            let _ = moment("since", &text, Time::from_nanos(5));
        }

        #[test]
        fn whole_units_are_exact(number in 0_i64..100_000) {
            prop_assert_eq!(duration("x", &format!("{number}ms")), Ok(number * 1_000_000));
        }
    }
}
