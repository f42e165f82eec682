//! How long a store keeps what is in it.

use std::str::FromStr;
use std::time::Duration;

use clew_store::lake::Retention;
use serde::Deserialize;

const DAY: Duration = Duration::from_hours(24);

/// How long each kind of data is kept, and how much of all.
#[derive(Debug, Clone, Copy, Default, clap::Args, Deserialize)]
#[serde(default)]
pub(crate) struct Keep {
    /// How long journeys and runs are kept: days, such as 30d, or forever [default: 90d].
    #[arg(long = "keep-journeys", id = "keep-journeys", value_name = "AGE", env = "CLEW_KEEP_JOURNEYS")]
    #[serde(rename = "keep-journeys")]
    journeys: Option<Age>,
    /// How long spans are kept that others sent and that belong to a journey [default: 30d].
    #[arg(long = "keep-segments", id = "keep-segments", value_name = "AGE", env = "CLEW_KEEP_SEGMENTS")]
    #[serde(rename = "keep-segments")]
    segments: Option<Age>,
    /// How long spans are kept that belong to no journey [default: 2d].
    #[arg(long = "keep-background", id = "keep-background", value_name = "AGE", env = "CLEW_KEEP_BACKGROUND")]
    #[serde(rename = "keep-background")]
    background: Option<Age>,
    /// How large the tables may grow together, such as 50GiB: beyond it the oldest days go, of spans without a journey
    /// first [default: as large as there is room].
    #[arg(long = "keep-size", id = "keep-size", value_name = "SIZE", env = "CLEW_KEEP_SIZE")]
    #[serde(rename = "keep-size")]
    size: Option<Size>,
}

impl Keep {
    /// What the flags leave open is taken from the file.
    pub(super) fn or(self, file: Self) -> Self {
        Self {
            journeys: self.journeys.or(file.journeys),
            segments: self.segments.or(file.segments),
            background: self.background.or(file.background),
            size: self.size.or(file.size),
        }
    }

    /// What is left open is as the store has it.
    pub(super) fn retention(self) -> Retention {
        let usual = Retention::default();
        let age = |given: Option<Age>, usual| given.map_or(usual, |Age(age)| age);
        Retention {
            journeys: age(self.journeys, usual.journeys),
            segments: age(self.segments, usual.segments),
            background: age(self.background, usual.background),
            bytes: self.size.map(|Size(bytes)| bytes).or(usual.bytes),
        }
    }
}

/// How old data gets, in days; none for as old as it gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
struct Age(Option<Duration>);

impl FromStr for Age {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "forever" {
            return Ok(Self(None));
        }
        let days = text.strip_suffix('d').and_then(|days| days.parse::<u16>().ok());
        let days = days.ok_or_else(|| format!("{text:?} is no age: write days, such as 30d, or forever"))?;
        Ok(Self(Some(DAY * u32::from(days))))
    }
}

impl TryFrom<String> for Age {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

/// A number of bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
struct Size(u64);

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        // Kubernetes writes 10Gi for what others write as 10GiB.
        let units = [("Mi", 20), ("Gi", 30), ("Ti", 40)];
        let short = text.strip_suffix('B').unwrap_or(text);
        let parsed = units.iter().find_map(|(unit, bits)| {
            let number: u64 = short.strip_suffix(unit)?.parse().ok()?;
            number.checked_mul(1 << bits)
        });
        let bytes = parsed.filter(|bytes| *bytes > 0);
        bytes.map(Self).ok_or_else(|| format!("{text:?} is no size: write it with MiB, GiB or TiB, such as 50GiB"))
    }
}

impl TryFrom<String> for Size {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_age_is_days_or_forever() {
        assert_eq!("30d".parse(), Ok(Age(Some(DAY * 30))));
        assert_eq!("0d".parse(), Ok(Age(Some(Duration::ZERO))));
        assert_eq!("forever".parse(), Ok(Age(None)));
        for wrong in ["", "d", "30", "30h", "-1d", "1.5d", "70000d"] {
            let error = wrong.parse::<Age>().expect_err(wrong);
            assert!(error.contains("30d, or forever"), "{error}");
        }
    }

    #[test]
    fn a_size_has_a_unit() {
        assert_eq!("512MiB".parse(), Ok(Size(512 << 20)));
        assert_eq!("10Gi".parse(), Ok(Size(10 << 30)));
        assert_eq!("1TiB".parse(), Ok(Size(1 << 40)));
        for wrong in ["", "GiB", "50", "50GB", "0GiB", "-1GiB", "99999999999TiB"] {
            assert!(wrong.parse::<Size>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn what_nobody_says_is_as_the_store_has_it() {
        let usual = Retention::default();
        let kept = Keep { background: Some(Age(None)), ..Keep::default() }.retention();
        assert_eq!((kept.journeys, kept.segments, kept.bytes), (usual.journeys, usual.segments, usual.bytes));
        assert_eq!(kept.background, None);
    }
}
