//! The proleptic Gregorian calendar: days to dates and back.
//!
//! The algorithms are Howard Hinnant's (`days_from_civil`, `civil_from_days`): years begin in March, so that the
//! leap day is the last of its year.

const DAYS_TO_EPOCH: i64 = 719_468;
const DAYS_PER_ERA: i64 = 146_097;

/// A date as people write it.
pub(super) struct Date {
    pub(super) year: i64,
    pub(super) month: i64,
    pub(super) day: i64,
}

/// Days since 1970-01-01 of a date that [`days_in_month`] allows.
pub(super) fn days_from_date(date: &Date) -> i64 {
    let year = if date.month <= 2 { date.year - 1 } else { date.year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let month_from_march = (date.month + 9) % 12;
    let day_of_year = (153 * month_from_march + 2) / 5 + date.day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * DAYS_PER_ERA + day_of_era - DAYS_TO_EPOCH
}

/// The date that lies so many days after 1970-01-01.
pub(super) fn date_from_days(days: i64) -> Date {
    let days = days + DAYS_TO_EPOCH;
    let era = days.div_euclid(DAYS_PER_ERA);
    let day_of_era = days.rem_euclid(DAYS_PER_ERA);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    Date { year, month, day }
}

/// How many days the month has; zero for a month that does not exist.
pub(super) fn days_in_month(year: i64, month: i64) -> i64 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if is_leap(year) => 29,
        2 => 28,
        1..=12 => 31,
        _ => 0,
    }
}

fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_day_of_the_range_survives_the_calendar() {
        let mut last = (0, 0, 0);
        for days in -106_752..=106_752 {
            let date = date_from_days(days);
            assert_eq!(days_from_date(&date), days);
            assert!(date.day >= 1 && date.day <= days_in_month(date.year, date.month));
            let this = (date.year, date.month, date.day);
            assert!(this > last);
            last = this;
        }
    }

    #[test]
    fn centuries_are_leap_years_only_by_four_hundred() {
        assert_eq!(days_in_month(2000, 2), 29);
        assert_eq!(days_in_month(1900, 2), 28);
        assert_eq!(days_in_month(2024, 2), 29);
        assert_eq!(days_in_month(2024, 13), 0);
    }
}
