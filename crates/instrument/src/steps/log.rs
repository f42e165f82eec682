//! The text of a slow span's table, in the form and by the rules of Kubernetes' `utiltrace`.

use super::go_time;
use super::tree::{Item, Node};
use std::fmt::Write as _;
use std::time::{Duration, SystemTime};

/// The texts to log when the outermost span has ended: one for each slowest span that is over its threshold.
pub(super) fn texts(root: &Node, left_out: u32, verbose: bool, number: impl Fn() -> u32) -> Vec<String> {
    let mut texts = Vec::new();
    collect(root, left_out, verbose, &number, &mut texts);
    texts
}

fn collect(node: &Node, left_out: u32, verbose: bool, number: &impl Fn() -> u32, texts: &mut Vec<String>) {
    if let Some(total) = node.over_threshold() {
        texts.push(one(node, total, left_out, verbose, number()));
        return;
    }
    for item in &node.below {
        if let Item::Span(nested) = item {
            collect(nested, left_out, verbose, number, texts);
        }
    }
}

fn one(node: &Node, total: Duration, left_out: u32, verbose: bool, number: u32) -> String {
    let mut text = format!("Trace[{number}]: {:?} ", node.name);
    push_fields(&mut text, &node.fields);
    let began = go_time::date_clock(node.start);
    let _ = write!(text, "({began}) (total time: {}ms):", total.as_millis());
    let prefix = format!("\nTrace[{number}]: ");
    steps(&mut text, &prefix, node, step_threshold(node), verbose);
    if left_out > 0 {
        let _ = write!(text, "{prefix}--- {left_out} more steps were left out");
    }
    let shown = go_time::duration(total);
    let _ = write!(text, "{prefix}[{shown}] [{shown}] END");
    text
}

fn steps(text: &mut String, prefix: &str, node: &Node, threshold: Option<Duration>, verbose: bool) {
    let mut last = node.start;
    for item in &node.below {
        match item {
            Item::Span(below) => {
                nested(text, prefix, below, threshold, verbose);
                // A span that has not ended gives no time to measure the next step from.
                last = below.end.unwrap_or(below.start);
            }
            Item::Step { name, fields, at } => {
                let took = at.duration_since(last).unwrap_or_default();
                let shown = threshold.is_none_or(|threshold| threshold.is_zero() || took >= threshold);
                if shown || verbose {
                    let _ = write!(text, "{prefix}---");
                    summary(text, name, fields, took, *at);
                }
                last = *at;
            }
        }
    }
}

fn nested(text: &mut String, prefix: &str, node: &Node, threshold: Option<Duration>, verbose: bool) {
    let over = node.over_threshold();
    if over.is_none() && !verbose {
        for item in &node.below {
            if let Item::Span(below) = item {
                nested(text, prefix, below, threshold, verbose);
            }
        }
        return;
    }
    let _ = write!(text, "{prefix}[");
    let took = over.unwrap_or_else(|| node.end.and_then(|end| end.duration_since(node.start).ok()).unwrap_or_default());
    summary(text, &node.name, &node.fields, took, node.start);
    steps(text, &format!("{prefix} "), node, step_threshold(node).or(threshold), verbose);
    text.push(']');
}

fn summary(text: &mut String, name: &str, fields: &str, took: Duration, at: SystemTime) {
    let _ = write!(text, "{name:?} ");
    push_fields(text, fields);
    let _ = write!(text, "{}ms ({})", took.as_millis(), go_time::clock(at));
}

fn push_fields(text: &mut String, fields: &str) {
    if !fields.is_empty() {
        text.push_str(fields);
        text.push(' ');
    }
}

/// A step's share of its span's threshold, after the nested spans have taken theirs.
fn step_threshold(node: &Node) -> Option<Duration> {
    let own = node.threshold?;
    let all = u32::try_from(node.below.len()).unwrap_or(u32::MAX).saturating_add(1);
    let mut shares = all;
    let mut left = own;
    for item in &node.below {
        let Item::Span(Node { threshold: Some(nested), .. }) = item else { continue };
        left = left.saturating_sub(*nested);
        shares = shares.saturating_sub(1);
    }
    // Close to zero every step would be logged: utiltrace then falls back to a quarter over all steps.
    if left < own / 4 {
        left = own / 4;
        shares = all;
    }
    Some(left / shares.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::UNIX_EPOCH;

    fn at(ms: u64) -> SystemTime {
        UNIX_EPOCH + Duration::from_millis(ms)
    }

    fn span(name: &str, from: u64, to: u64, threshold: u64, below: Vec<Item>) -> Node {
        let threshold = Some(Duration::from_millis(threshold));
        Node { name: name.into(), fields: String::new(), start: at(from), end: Some(at(to)), threshold, below }
    }

    fn step(name: &str, ms: u64) -> Item {
        Item::Step { name: name.into(), fields: "count:3,who:me".into(), at: at(ms) }
    }

    fn logged(root: &Node) -> Vec<String> {
        texts(root, 0, false, || 7)
    }

    #[test]
    fn a_slow_span_prints_its_slow_steps() {
        let below = vec![step("About to store object in database", 5), step("Object stored in database", 590)];
        let expected = [
            "Trace[7]: \"Create\" (01-Jan-1970 00:00:00.000) (total time: 600ms):",
            "Trace[7]: ---\"Object stored in database\" count:3,who:me 585ms (00:00:00.590)",
            "Trace[7]: [600ms] [600ms] END",
        ];
        assert_eq!(logged(&span("Create", 0, 600, 500, below)), [expected.join("\n")]);
    }

    #[test]
    fn a_nested_span_is_indented_within_its_parent() {
        let etcd = span("List(recursive=true) etcd3", 10, 800, 500, vec![step("Listed", 790)]);
        let root = span("List", 0, 900, 500, vec![Item::Span(etcd), step("Writing done", 900)]);
        let expected = [
            "Trace[7]: \"List\" (01-Jan-1970 00:00:00.000) (total time: 900ms):",
            "Trace[7]: [\"List(recursive=true) etcd3\" 790ms (00:00:00.010)",
            "Trace[7]:  ---\"Listed\" count:3,who:me 780ms (00:00:00.790)]",
            "Trace[7]: ---\"Writing done\" count:3,who:me 100ms (00:00:00.900)",
            "Trace[7]: [900ms] [900ms] END",
        ];
        assert_eq!(logged(&root), [expected.join("\n")]);
    }

    #[test]
    fn a_fast_span_still_prints_a_slow_one_below_it() {
        let root = span("Outer", 0, 100, 500, vec![Item::Span(span("Inner", 0, 90, 50, Vec::new()))]);
        let texts = logged(&root);
        assert_eq!(texts.len(), 1);
        assert!(texts[0].starts_with("Trace[7]: \"Inner\" "), "{}", texts[0]);
    }

    #[test]
    fn nothing_slow_prints_nothing() {
        assert!(logged(&span("Get", 0, 100, 500, vec![step("a", 50)])).is_empty());
    }
}
