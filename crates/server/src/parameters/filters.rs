//! The filters that lists, statistics and the live stream share.

use clew_model::Time;
use clew_store::{Column, Comparison, Field, Filter, Operand, TimeRange};
use compact_str::CompactString;

use super::attribute;
use super::bad::{BadParameter, quote};
use super::moment::{duration, moment};
use super::query::Parameters;

/// The names of all filters.
pub const FILTERS: &[&str] = &[
    "cluster",
    "namespace",
    "kind",
    "name",
    "uid",
    "node",
    "user",
    "agent",
    "verb",
    "state",
    "reason",
    "command",
    "service",
    "span",
    "status",
    "min_duration",
    "max_duration",
    "since",
    "until",
    "q",
    "attr",
];

/// The filters that compare a column with one of some texts.
const COLUMNS: [(&str, Column); 15] = [
    ("cluster", Column::Cluster),
    ("namespace", Column::Namespace),
    ("kind", Column::Kind),
    ("name", Column::Name),
    ("uid", Column::Uid),
    ("node", Column::Node),
    ("user", Column::User),
    ("agent", Column::Agent),
    ("verb", Column::Verb),
    ("state", Column::State),
    ("reason", Column::Reason),
    ("command", Column::Command),
    ("service", Column::Service),
    ("span", Column::SpanName),
    ("status", Column::Status),
];

/// Which journeys or spans are meant, and of which time.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Selection {
    /// The conditions.
    pub filter: Filter,
    /// The time.
    pub range: TimeRange,
}

impl Selection {
    /// Reads the filters of a request; other parameters are left alone.
    pub fn read(parameters: &Parameters, now: Time) -> Result<Self, BadParameter> {
        let mut all = Vec::new();
        for (name, column) in COLUMNS {
            let values: Vec<&str> = parameters.all(name).collect();
            check_words(name, &values)?;
            all.extend(any_of(values.into_iter().map(|value| equal(column, value)).collect()));
        }
        all.extend(durations(parameters)?);
        all.extend(any_of(parameters.all("q").map(|text| Filter::Text(text.to_owned())).collect()));
        all.extend(attributes(parameters)?);
        Ok(Self { filter: all_of(all), range: range(parameters, now)? })
    }
}

/// The field that a filter's name or `attr:KEY` means, for grouping and for lists of values.
pub fn column(parameter: &str, name: &str) -> Result<Field, BadParameter> {
    if let Some(key) = name.strip_prefix("attr:") {
        return attribute::field(key).map_err(|error| BadParameter::new(parameter, error.problem));
    }
    let found = COLUMNS.iter().find(|(other, _)| *other == name);
    found.map(|(_, column)| Field::Column(*column)).ok_or_else(|| {
        let names: Vec<&str> = COLUMNS.iter().map(|(name, _)| *name).collect();
        BadParameter::new(parameter, format!("{} is no field; known are {}, attr:KEY", quote(name), names.join(", ")))
    })
}

fn equal(column: Column, value: &str) -> Filter {
    let value = if column == Column::Command { value.to_ascii_lowercase() } else { value.to_owned() };
    Filter::Compare(column.into(), Comparison::Equal, Operand::Text(CompactString::from(value)))
}

/// Refuses values that a column can never have.
fn check_words(name: &str, values: &[&str]) -> Result<(), BadParameter> {
    let words: &[&str] = match name {
        "state" => &["open", "converged", "failed", "stuck"],
        "status" => &["unset", "ok", "error"],
        _ => return Ok(()),
    };
    let Some(wrong) = values.iter().find(|value| !words.contains(value)) else { return Ok(()) };
    Err(BadParameter::new(name, format!("{} is none of {}", quote(wrong), words.join(", "))))
}

fn durations(parameters: &Parameters) -> Result<Vec<Filter>, BadParameter> {
    let mut filters = Vec::new();
    let bounds = [("min_duration", Comparison::GreaterOrEqual), ("max_duration", Comparison::LessOrEqual)];
    for (name, comparison) in bounds {
        if let Some(text) = parameters.one(name)? {
            let nanos = Operand::Int(duration(name, text)?);
            filters.push(Filter::Compare(Column::Duration.into(), comparison, nanos));
        }
    }
    Ok(filters)
}

/// All conditions must hold; those that ask one key for equality are alternatives.
fn attributes(parameters: &Parameters) -> Result<Vec<Filter>, BadParameter> {
    let mut filters = Vec::new();
    let mut equalities: Vec<(String, Vec<Filter>)> = Vec::new();
    for text in parameters.all("attr") {
        let condition = attribute::condition(text)?;
        if !condition.is_equality {
            filters.push(condition.filter);
            continue;
        }
        match equalities.iter_mut().find(|(key, _)| *key == condition.key) {
            Some((_, alternatives)) => alternatives.push(condition.filter),
            None => equalities.push((condition.key, vec![condition.filter])),
        }
    }
    filters.extend(equalities.into_iter().filter_map(|(_, alternatives)| any_of(alternatives)));
    Ok(filters)
}

fn range(parameters: &Parameters, now: Time) -> Result<TimeRange, BadParameter> {
    let read = |name: &str| parameters.one(name)?.map(|text| moment(name, text, now)).transpose();
    let range = TimeRange { from: read("since")?, to: read("until")? };
    match (range.from, range.to) {
        (Some(from), Some(to)) if from >= to => Err(BadParameter::new("until", "is not after since")),
        _ => Ok(range),
    }
}

fn any_of(mut filters: Vec<Filter>) -> Option<Filter> {
    match filters.len() {
        0 => None,
        1 => filters.pop(),
        _ => Some(Filter::Or(filters)),
    }
}

fn all_of(mut filters: Vec<Filter>) -> Filter {
    match filters.len() {
        0 => Filter::All,
        1 => filters.remove(0),
        _ => Filter::And(filters),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(query: &str) -> Result<Selection, BadParameter> {
        let now = "2026-01-02T03:04:05Z".parse().unwrap();
        Selection::read(&Parameters::parse(query)?, now)
    }

    #[test]
    fn nothing_asked_means_everything() {
        assert_eq!(read(""), Ok(Selection::default()));
        assert_eq!(read("limit=5&namespace="), Ok(Selection::default()));
    }

    #[test]
    fn one_name_is_an_alternative_and_several_names_must_all_hold() {
        let selection = read("namespace=shop&namespace=store&state=stuck").unwrap();
        let shops = Filter::Or(vec![equal(Column::Namespace, "shop"), equal(Column::Namespace, "store")]);
        assert_eq!(selection.filter, Filter::And(vec![shops, equal(Column::State, "stuck")]));
    }

    #[test]
    fn durations_are_nanoseconds() {
        let least = Filter::Compare(Column::Duration.into(), Comparison::GreaterOrEqual, Operand::Int(500_000_000));
        assert_eq!(read("min_duration=500ms").unwrap().filter, least);
    }

    #[test]
    fn one_attribute_key_is_an_alternative_but_its_bounds_are_not() {
        let Filter::And(filters) = read("attr=n>1&attr=n<9&attr=k=a&attr=k=b").unwrap().filter else { panic!() };
        assert_eq!(filters.len(), 3);
        assert!(matches!(filters[2], Filter::Or(_)));
    }

    #[test]
    fn the_range_goes_back_from_now() {
        let range = read("since=5s&until=1s").unwrap().range;
        assert_eq!(range.from.unwrap().to_string(), "2026-01-02T03:04:00Z");
        assert_eq!(range.to.unwrap().to_string(), "2026-01-02T03:04:04Z");
    }

    #[test]
    fn what_is_wrong_is_named() {
        let problem = |query| read(query).unwrap_err().to_string();
        assert_eq!(problem("state=done"), "parameter state: \"done\" is none of open, converged, failed, stuck");
        assert_eq!(problem("since=1s&until=5s"), "parameter until: is not after since");
        assert!(problem("min_duration=x").starts_with("parameter min_duration: \"x\" is no duration"));
        assert!(column("by", "colour").unwrap_err().to_string().starts_with("parameter by: \"colour\" is no field"));
    }

    #[test]
    fn every_filter_name_is_read() {
        for name in FILTERS {
            let value = match *name {
                "state" => "open",
                "status" => "ok",
                "since" | "until" | "min_duration" | "max_duration" => "5m",
                _ => "x",
            };
            assert_ne!(read(&format!("{name}={value}")), Ok(Selection::default()), "{name} is not read");
        }
    }

    proptest! {
        #[test]
        fn no_value_of_any_filter_makes_it_panic(name in proptest::sample::select(FILTERS), value in "\\PC{0,40}") {
            let value = percent_encoding::utf8_percent_encode(&value, percent_encoding::NON_ALPHANUMERIC);
            let _ = read(&format!("{name}={value}"));
        }
    }
}
