//! The text of a slow span's table, in the form and by the rules of Kubernetes' `utiltrace`.

use super::go_time;
use super::table::{Fields, Row, Table, Threshold};
use std::fmt::Write as _;
use std::time::{Duration, Instant};

/// The texts to log when the outermost span has ended: one for each slowest span that is over its threshold.
pub(super) fn texts(table: &Table, verbose: bool, number: impl Fn() -> u32) -> Vec<String> {
    let mut texts = Vec::new();
    collect(table, 0, verbose, &number, &mut texts);
    texts
}

fn collect(table: &Table, index: u32, verbose: bool, number: &impl Fn() -> u32, texts: &mut Vec<String>) {
    let Some(row) = table.rows.get(index as usize) else { return };
    if let Some(total) = over_threshold(row) {
        texts.push(one(table, index, row, total, verbose, number()));
        return;
    }
    for (below, row) in table.below(index) {
        if row.span.is_some() {
            collect(table, below, verbose, number, texts);
        }
    }
}

fn one(table: &Table, index: u32, row: &Row, total: Duration, verbose: bool, number: u32) -> String {
    let mut text = format!("Trace[{number}]: {:?} ", row.name);
    push_fields(&mut text, &row.fields);
    let began = go_time::date_clock(table.wall(row.at));
    let _ = write!(text, "({began}) (total time: {}ms):", total.as_millis());
    let prefix = format!("\nTrace[{number}]: ");
    let writer = Writer { table, verbose };
    writer.steps(&mut text, &prefix, index, row, step_threshold(table, index, row));
    if table.left_out > 0 {
        let _ = write!(text, "{prefix}--- {} more steps were left out", table.left_out);
    }
    let shown = go_time::duration(total);
    let _ = write!(text, "{prefix}[{shown}] [{shown}] END");
    text
}

struct Writer<'a> {
    table: &'a Table,
    verbose: bool,
}

impl Writer<'_> {
    fn steps(&self, text: &mut String, prefix: &str, index: u32, row: &Row, threshold: Option<Duration>) {
        let mut last = row.at;
        for (below, item) in self.table.below(index) {
            if let Some(span) = &item.span {
                self.nested(text, prefix, below, item, threshold);
                // A span that has not ended gives no time to measure the next step from.
                last = span.end.unwrap_or(item.at);
            } else {
                self.step(text, prefix, item, last, threshold);
                last = item.at;
            }
        }
    }

    fn step(&self, text: &mut String, prefix: &str, row: &Row, last: Instant, threshold: Option<Duration>) {
        let took = row.at.saturating_duration_since(last);
        let shown = threshold.is_none_or(|threshold| threshold.is_zero() || took >= threshold) || self.verbose;
        if !shown {
            return;
        }
        let _ = write!(text, "{prefix}---");
        self.summary(text, row, took);
    }

    fn nested(&self, text: &mut String, prefix: &str, index: u32, row: &Row, threshold: Option<Duration>) {
        let over = over_threshold(row);
        if over.is_none() && !self.verbose {
            for (below, item) in self.table.below(index) {
                if item.span.is_some() {
                    self.nested(text, prefix, below, item, threshold);
                }
            }
            return;
        }
        let _ = write!(text, "{prefix}[");
        self.summary(text, row, over.unwrap_or_else(|| row.at.elapsed()));
        let own = step_threshold(self.table, index, row).or(threshold);
        self.steps(text, &format!("{prefix} "), index, row, own);
        text.push(']');
    }

    fn summary(&self, text: &mut String, row: &Row, took: Duration) {
        let _ = write!(text, "{:?} ", row.name);
        push_fields(text, &row.fields);
        let _ = write!(text, "{}ms ({})", took.as_millis(), go_time::clock(self.table.wall(row.at)));
    }
}

fn push_fields(text: &mut String, fields: &Fields) {
    for (index, field) in fields.iter().enumerate() {
        let separator = if index == 0 { "" } else { "," };
        let _ = write!(text, "{separator}{}:{}", field.key, field.value);
    }
    if !fields.is_empty() {
        text.push(' ');
    }
}

/// How long an ended span took, if that is worth logging.
fn over_threshold(row: &Row) -> Option<Duration> {
    let span = row.span.as_ref()?;
    let took = span.end?.saturating_duration_since(row.at);
    match span.threshold {
        Threshold::AtLeast(threshold) if took >= threshold => Some(took),
        _ => None,
    }
}

/// A step's share of its span's threshold, after the nested spans have taken theirs.
fn step_threshold(table: &Table, index: u32, row: &Row) -> Option<Duration> {
    let own = threshold_of(row)?;
    let all = u32::try_from(table.below(index).count()).unwrap_or(u32::MAX).saturating_add(1);
    let mut shares = all;
    let mut left = own;
    for nested in table.below(index).filter_map(|(_, row)| threshold_of(row)) {
        left = left.saturating_sub(nested);
        shares = shares.saturating_sub(1);
    }
    // Close to zero every step would be logged: utiltrace then falls back to a quarter over all steps.
    if left < own / 4 {
        left = own / 4;
        shares = all;
    }
    Some(left / shares.max(1))
}

fn threshold_of(row: &Row) -> Option<Duration> {
    match row.span.as_ref()?.threshold {
        Threshold::AtLeast(threshold) => Some(threshold),
        Threshold::Never => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attribute::attr;
    use crate::steps::table::SpanRow;
    use std::time::UNIX_EPOCH;

    struct Builder(Table);

    impl Builder {
        fn new() -> Self {
            let mut table = Table::new();
            table.began.1 = UNIX_EPOCH;
            Self(table)
        }

        fn at(&self, ms: u64) -> Instant {
            self.0.began.0 + Duration::from_millis(ms)
        }

        fn span(mut self, parent: Option<u32>, name: &'static str, from: u64, to: u64, threshold: u64) -> Self {
            let span =
                SpanRow { end: Some(self.at(to)), threshold: Threshold::AtLeast(Duration::from_millis(threshold)) };
            let row = Row { parent, name: name.into(), fields: Fields::new(), at: self.at(from), span: Some(span) };
            self.0.rows.push(row);
            self
        }

        fn step(mut self, parent: u32, name: &'static str, at: u64) -> Self {
            let fields = Fields::from_vec(vec![attr("count", 3_i64), attr("who", "me")]);
            let row = Row { parent: Some(parent), name: name.into(), fields, at: self.at(at), span: None };
            self.0.rows.push(row);
            self
        }

        fn texts(&self) -> Vec<String> {
            texts(&self.0, false, || 7)
        }
    }

    #[test]
    fn a_slow_span_prints_its_slow_steps() {
        let table = Builder::new()
            .span(None, "Create", 0, 600, 500)
            .step(0, "About to store object in database", 5)
            .step(0, "Object stored in database", 590);
        let expected = [
            "Trace[7]: \"Create\" (01-Jan-1970 00:00:00.000) (total time: 600ms):",
            "Trace[7]: ---\"Object stored in database\" count:3,who:me 585ms (00:00:00.590)",
            "Trace[7]: [600ms] [600ms] END",
        ];
        assert_eq!(table.texts(), [expected.join("\n")]);
    }

    #[test]
    fn a_nested_span_is_indented_within_its_parent() {
        let table = Builder::new()
            .span(None, "List", 0, 900, 500)
            .span(Some(0), "List(recursive=true) etcd3", 10, 800, 500)
            .step(1, "Listed", 790)
            .step(0, "Writing done", 900);
        let expected = [
            "Trace[7]: \"List\" (01-Jan-1970 00:00:00.000) (total time: 900ms):",
            "Trace[7]: [\"List(recursive=true) etcd3\" 790ms (00:00:00.010)",
            "Trace[7]:  ---\"Listed\" count:3,who:me 780ms (00:00:00.790)]",
            "Trace[7]: ---\"Writing done\" count:3,who:me 100ms (00:00:00.900)",
            "Trace[7]: [900ms] [900ms] END",
        ];
        assert_eq!(table.texts(), [expected.join("\n")]);
    }

    #[test]
    fn a_fast_span_still_prints_a_slow_one_below_it() {
        let table = Builder::new().span(None, "Outer", 0, 100, 500).span(Some(0), "Inner", 0, 90, 50);
        let texts = table.texts();
        assert_eq!(texts.len(), 1);
        assert!(texts[0].starts_with("Trace[7]: \"Inner\" "), "{}", texts[0]);
    }

    #[test]
    fn nothing_slow_prints_nothing() {
        assert!(Builder::new().span(None, "Get", 0, 100, 500).step(0, "a", 50).texts().is_empty());
    }
}
