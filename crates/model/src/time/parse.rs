//! RFC 3339 in, written by hand: an audit log has three times in each line, and a general parser costs more
//! than the rest of the line's scan.

use super::civil::{self, Date};
use crate::{Error, Result};

const NANOS: i128 = 1_000_000_000;
const DATE_AND_TIME: usize = "2026-01-02T03:04:05".len();

/// Nanoseconds since the Unix epoch of an RFC 3339 text; digits past the ninth of the fraction are cut off.
pub(super) fn rfc3339(text: &[u8]) -> Result<i64> {
    let Some((head, tail)) = text.split_at_checked(DATE_AND_TIME) else {
        return Err(Error::Time("it is too short"));
    };
    let seconds = date_and_time(head)?;
    let (nanos, zone) = fraction(tail)?;
    let offset = offset_seconds(zone)?;
    let total = i128::from(seconds - offset) * NANOS + i128::from(nanos);
    i64::try_from(total).map_err(|_| Error::Time("it is outside the years 1678 to 2261"))
}

fn date_and_time(text: &[u8]) -> Result<i64> {
    let separators = [text[4], text[7], text[13], text[16]];
    if separators != *b"--::" || !matches!(text[10], b'T' | b't' | b' ') {
        return Err(Error::Time("its separators are wrong"));
    }
    let year = two(text, 0)? * 100 + two(text, 2)?;
    let (month, day) = (two(text, 5)?, two(text, 8)?);
    let (hour, minute, second) = (two(text, 11)?, two(text, 14)?, two(text, 17)?);
    if day < 1 || day > civil::days_in_month(year, month) {
        return Err(Error::Time("there is no such day"));
    }
    // Second 60 is a leap second, which RFC 3339 allows.
    if hour > 23 || minute > 59 || second > 60 {
        return Err(Error::Time("there is no such time of day"));
    }
    let days = civil::days_from_date(&Date { year, month, day });
    Ok(days * 86_400 + hour * 3600 + minute * 60 + second)
}

fn two(text: &[u8], at: usize) -> Result<i64> {
    let (tens, ones) = (text[at].wrapping_sub(b'0'), text[at + 1].wrapping_sub(b'0'));
    if tens > 9 || ones > 9 {
        return Err(Error::Time("a digit is missing"));
    }
    Ok(i64::from(tens * 10 + ones))
}

/// The fraction in nanoseconds, and what follows it.
fn fraction(text: &[u8]) -> Result<(i64, &[u8])> {
    let Some(digits) = text.strip_prefix(b".") else {
        return Ok((0, text));
    };
    let mut nanos = 0;
    let mut unit = 100_000_000;
    let mut used = 0;
    for byte in digits {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            break;
        }
        nanos += i64::from(digit) * unit;
        unit /= 10;
        used += 1;
    }
    if used == 0 {
        return Err(Error::Time("its fraction has no digits"));
    }
    Ok((nanos, &digits[used..]))
}

fn offset_seconds(zone: &[u8]) -> Result<i64> {
    if zone == b"Z" || zone == b"z" {
        return Ok(0);
    }
    let (sign, rest) = match zone.split_first() {
        Some((b'+', rest)) => (1, rest),
        Some((b'-', rest)) => (-1, rest),
        _ => return Err(Error::Time("its zone is neither Z nor an offset")),
    };
    if rest.len() != 5 || rest[2] != b':' {
        return Err(Error::Time("its offset is not hours:minutes"));
    }
    let (hours, minutes) = (two(rest, 0)?, two(rest, 3)?);
    if hours > 23 || minutes > 59 {
        return Err(Error::Time("there is no such offset"));
    }
    Ok(sign * (hours * 3600 + minutes * 60))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_kubernetes_and_others_write_is_read() {
        let cases = [
            ("1970-01-01T00:00:00Z", 0),
            ("1970-01-01T00:00:00.5Z", 500_000_000),
            ("2026-07-14T12:34:56Z", 1_784_032_496_000_000_000),
            ("2026-07-14T12:34:56.789012Z", 1_784_032_496_789_012_000),
            ("2026-07-14T14:34:56.789012345+02:00", 1_784_032_496_789_012_345),
            ("2026-07-14T12:34:56.78901234567890123456789Z", 1_784_032_496_789_012_345),
            ("2026-07-14t12:34:56z", 1_784_032_496_000_000_000),
            ("2026-07-14 12:34:56-00:00", 1_784_032_496_000_000_000),
            ("2016-12-31T23:59:60Z", 1_483_228_800_000_000_000),
            ("1677-09-21T00:12:43.145224192Z", i64::MIN),
            ("2262-04-11T23:47:16.854775807Z", i64::MAX),
        ];
        for (text, nanos) in cases {
            assert_eq!(rfc3339(text.as_bytes()), Ok(nanos), "{text}");
        }
    }

    #[test]
    fn what_is_no_time_is_refused() {
        let cases = [
            "",
            "2026-07-14",
            "2026-07-14T12:34:56",
            "2026-07-14T12:34:56.Z",
            "2026-07-14T12:34:56ZZ",
            "2026-07-14T12:34:56+2:00",
            "2026-07-14T12:34:56+0200",
            "2026-07-14T12:34:56+24:00",
            "2026-02-29T12:34:56Z",
            "2026-13-01T12:34:56Z",
            "2026-00-01T12:34:56Z",
            "2026-07-00T12:34:56Z",
            "2026-07-14T24:00:00Z",
            "2026-07-14T12:60:00Z",
            "2026-07-14T12:34:61Z",
            "2026/07/14T12:34:56Z",
            "+026-07-14T12:34:56Z",
            "0001-01-01T00:00:00Z",
            "9999-12-31T23:59:59Z",
            "2262-04-11T23:47:16.854775808Z",
        ];
        for text in cases {
            assert!(rfc3339(text.as_bytes()).is_err(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
            let _ = rfc3339(&bytes);
        }

        #[test]
        fn any_near_miss_is_read_or_refused(text in "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]{0,30})?(Z|[+-][0-9]{2}:[0-9]{2}|é)?") {
            let _ = rfc3339(text.as_bytes());
        }
    }
}
