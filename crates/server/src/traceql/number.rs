//! Numbers and durations as people write them: `3`, `.99`, `1e3`, `1.5s`, `1h30m`.

use super::ast::Static;

const UNITS: [(&str, f64); 9] = [
    ("ns", 1.0),
    ("us", 1e3),
    ("µs", 1e3),
    ("μs", 1e3),
    ("ms", 1e6),
    ("s", 1e9),
    ("m", 6e10),
    ("h", 3.6e12),
    ("d", 8.64e13),
];

/// The number that the text begins with, and its length in bytes; none if it begins with no number that can be held.
pub(super) fn number(text: &str) -> Option<(Static, usize)> {
    let length = digits(text);
    let plain = &text[..length];
    if unit(&text[length..]).is_some() {
        return duration(text).map(|(nanos, length)| (Static::Duration(nanos), length));
    }
    let value = match plain.parse::<i64>() {
        Ok(whole) => Static::Int(whole),
        Err(_) => Static::Float(plain.parse::<f64>().ok().filter(|number| number.is_finite())?),
    };
    Some((value, length))
}

/// The nanoseconds of a duration such as `1.5s`, `100ms` or `1h30m`.
pub fn duration_nanos(text: &str) -> Option<i64> {
    let (nanos, length) = duration(text)?;
    (length == text.len()).then_some(nanos)
}

fn duration(text: &str) -> Option<(i64, usize)> {
    let (mut sum, mut at) = (Nanos::default(), 0);
    loop {
        let rest = &text[at..];
        let length = digits(rest);
        let Some((name, factor)) = unit(&rest[length..]).filter(|_| length > 0) else { break };
        sum.add(&rest[..length], factor)?;
        at += length + name.len();
    }
    if at == 0 { None } else { Some((sum.0, at)) }
}

/// A sum of nanoseconds that stays exact where whole numbers were written.
#[derive(Default)]
struct Nanos(i64);

impl Nanos {
    #[allow(clippy::cast_possible_truncation, reason = "the float is checked to lie inside the range first")]
    fn add(&mut self, digits: &str, factor: f64) -> Option<()> {
        let more = if let Ok(whole) = digits.parse::<i64>() {
            whole.checked_mul(factor as i64)?
        } else {
            let nanos = (digits.parse::<f64>().ok()? * factor).round();
            (0.0..9.2e18).contains(&nanos).then_some(nanos as i64)?
        };
        self.0 = self.0.checked_add(more)?;
        Some(())
    }
}

/// How many bytes at the beginning are a number without a unit.
fn digits(text: &str) -> usize {
    let bytes = text.as_bytes();
    let run = |from: usize| bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut length = run(0);
    if bytes.get(length) == Some(&b'.') && bytes.get(length + 1).is_some_and(u8::is_ascii_digit) {
        length += 1 + run(length + 1);
    }
    let sign = usize::from(matches!(bytes.get(length + 1), Some(b'+' | b'-')));
    let exponent =
        matches!(bytes.get(length), Some(b'e' | b'E')) && bytes.get(length + 1 + sign).is_some_and(u8::is_ascii_digit);
    if exponent {
        length += 1 + sign;
        length += run(length);
    }
    length
}

/// The unit that the text begins with.
fn unit(text: &str) -> Option<(&'static str, f64)> {
    let length = text.find(|c: char| !c.is_alphabetic()).unwrap_or(text.len());
    UNITS.into_iter().find(|(name, _)| *name == &text[..length])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_read_as_go_writes_them() {
        assert_eq!(duration_nanos("1.5s"), Some(1_500_000_000));
        assert_eq!(duration_nanos("1h30m"), Some(5_400_000_000_000));
        assert_eq!(duration_nanos("2µs"), Some(2_000));
        assert_eq!(duration_nanos("9223372036854775807ns"), Some(i64::MAX));
        for wrong in ["", "5", "s", "1.5", "1x", "1s ", "9223372036854775807s", "1e300h"] {
            assert_eq!(duration_nanos(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn numbers_are_whole_where_they_can_be() {
        assert_eq!(number("12)"), Some((Static::Int(12), 2)));
        assert_eq!(number(".99,"), Some((Static::Float(0.99), 3)));
        assert_eq!(number("1e3 "), Some((Static::Float(1000.0), 3)));
        assert_eq!(number("10ms}"), Some((Static::Duration(10_000_000), 4)));
        assert_eq!(number("1e999"), None);
    }
}
