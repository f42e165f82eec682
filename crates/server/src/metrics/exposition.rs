//! The text format: families with their help and type, then their samples.

use std::fmt::Write;

/// The text, being written.
#[derive(Debug, Default)]
pub(super) struct Exposition(String);

impl Exposition {
    /// Begins a family; all its samples follow.
    pub(super) fn family(&mut self, name: &str, kind: &str, help: &str) {
        let _ = writeln!(self.0, "# HELP clew_{name} {help}\n# TYPE clew_{name} {kind}");
    }

    /// One sample of the family that was begun.
    pub(super) fn sample(&mut self, name: &str, labels: &[(&str, &str)], value: f64) {
        let _ = write!(self.0, "clew_{name}");
        for (place, (label, text)) in labels.iter().enumerate() {
            let open = if place == 0 { '{' } else { ',' };
            let _ = write!(self.0, "{open}{label}=\"{}\"", escape(text));
        }
        let close = if labels.is_empty() { "" } else { "}" };
        let _ = writeln!(self.0, "{close} {value}");
    }

    pub(super) fn finish(self) -> String {
        self.0
    }
}

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_escaped() {
        let mut text = Exposition::default();
        text.family("drops_total", "counter", "What was not kept.");
        text.sample("drops_total", &[("stage", "a\"b\\c\nd"), ("reason", "x")], 3.0);
        text.sample("up", &[], 0.5);
        let wanted = "# HELP clew_drops_total What was not kept.\n# TYPE clew_drops_total counter\n\
                      clew_drops_total{stage=\"a\\\"b\\\\c\\nd\",reason=\"x\"} 3\nclew_up 0.5\n";
        assert_eq!(text.finish(), wanted);
    }
}
