//! A journey drawn in the terminal: a line a span, a bar where it lies in time.

use std::collections::HashMap;
use std::io::Write;

use anstyle::{AnsiColor, Style};
use clew_model::{Span, SpanId, StatusCode, Time};
use clew_weave::Journey;

use crate::table;

/// How a journey is drawn.
pub(crate) struct Look {
    /// How deep.
    pub(crate) depth: usize,
    /// Whether to say why each span hangs where it hangs.
    pub(crate) evidence: bool,
    /// How many columns there are.
    pub(crate) width: usize,
}

/// Prints the answer first, then the waterfall.
pub(crate) fn draw(journey: &Journey, spans: &[Span], look: &Look, out: &mut impl Write) -> std::io::Result<()> {
    header(journey, out)?;
    let mut children: HashMap<SpanId, Vec<&Span>> = HashMap::new();
    for span in spans {
        if let Some(parent) = span.parent {
            children.entry(parent).or_default().push(span);
        }
    }
    for below in children.values_mut() {
        below.sort_by_key(|span| (span.start, span.end, span.span_id));
    }
    let last = spans.iter().filter_map(|span| span.end).max().unwrap_or(journey.end);
    let drawing = Drawing { look, children, from: journey.start, to: last.max(journey.end) };
    for root in spans.iter().filter(|span| span.parent.is_none()) {
        drawing.span(root, 0, out)?;
    }
    Ok(())
}

/// Prints what decided the journey's duration.
pub(crate) fn critical(journey: &Journey, out: &mut impl Write) -> std::io::Result<()> {
    header(journey, out)?;
    let total: f64 = journey.critical_path.iter().map(|part| part.ms).sum();
    for part in &journey.critical_path {
        let share = if total > 0.0 { part.ms / total * 100.0 } else { 0.0 };
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of forty columns")]
        let bar = "█".repeat((share / 2.5).round() as usize);
        writeln!(out, "{:>10.1} ms {share:>5.1} %  {:<50} {bar}", part.ms, part.name)?;
    }
    Ok(())
}

fn header(journey: &Journey, out: &mut impl Write) -> std::io::Result<()> {
    let style = table::style(journey.state);
    let took = table::duration(journey.end.since(journey.start));
    writeln!(out, "{style}{}{style:#} after {took}  {}", table::word(journey.state), journey.journey)?;
    if let Some(waiting) = &journey.waiting_on {
        writeln!(out, "  waits on {}", waiting.message)?;
    }
    for field in &journey.diff {
        writeln!(out, "  {field}")?;
    }
    for finding in &journey.findings {
        writeln!(out, "  {}: {}", finding.kind, finding.message)?;
    }
    Ok(())
}

struct Drawing<'a> {
    look: &'a Look,
    children: HashMap<SpanId, Vec<&'a Span>>,
    from: Time,
    to: Time,
}

impl Drawing<'_> {
    fn span(&self, span: &Span, depth: usize, out: &mut impl Write) -> std::io::Result<()> {
        if depth > self.look.depth {
            return Ok(());
        }
        let names = self.look.width * 2 / 5;
        let bars = self.look.width - names - 12;
        let evidence = self.evidence(span);
        let left = names.saturating_sub(evidence.chars().count());
        let name = fit(&format!("{}{}", "  ".repeat(depth), span.name), left) + &evidence;
        let took = span.end.map_or_else(|| "…".to_owned(), |end| table::duration(end.since(span.start)));
        let style = style(span);
        writeln!(out, "{style}{name}{style:#} {} {took:>9}", self.bar(span, bars))?;
        if span.status.code == StatusCode::Error && !span.status.message.is_empty() {
            let red = Style::new().fg_color(Some(AnsiColor::Red.into()));
            writeln!(out, "{red}{}! {}{red:#}", "  ".repeat(depth), span.status.message)?;
        }
        for child in self.children.get(&span.span_id).into_iter().flatten() {
            self.span(child, depth + 1, out)?;
        }
        Ok(())
    }

    /// Why the span hangs where it hangs, if that was asked for: a long name is cut, never its evidence.
    fn evidence(&self, span: &Span) -> String {
        let evidence = span.attributes.get_str("clew.evidence").filter(|_| self.look.evidence);
        evidence.map_or_else(String::new, |evidence| format!(" [{evidence}]"))
    }

    /// Where the span lies: gaps are dotted, what goes on has no end.
    fn bar(&self, span: &Span, columns: usize) -> String {
        let total = self.to.since(self.from).max(1);
        let column = |time: Time| {
            let offset = time.since(self.from).clamp(0, total);
            let columns = i64::try_from(columns).unwrap_or(1);
            usize::try_from(i128::from(offset) * i128::from(columns) / i128::from(total)).unwrap_or(0)
        };
        let start = column(span.start).min(columns.saturating_sub(1));
        let end = column(span.end.unwrap_or(self.to)).clamp(start + 1, columns.max(start + 1));
        let ink = match span.attributes.get_str("clew.kind") {
            Some("gap") => "░",
            Some("phase") => "▒",
            _ if span.end.is_some() && end == start + 1 => "▏",
            _ => "█",
        };
        format!("{}{}{}", " ".repeat(start), ink.repeat(end - start), " ".repeat(columns.saturating_sub(end)))
    }
}

fn style(span: &Span) -> Style {
    let colour = |colour: AnsiColor| Style::new().fg_color(Some(colour.into()));
    if span.status.code == StatusCode::Error {
        return colour(AnsiColor::Red);
    }
    match span.attributes.get_str("clew.kind") {
        Some("journey") => Style::new().bold(),
        Some("object") => colour(AnsiColor::Cyan),
        Some("gap") => Style::new().dimmed(),
        Some("phase") => colour(AnsiColor::Green),
        _ => Style::new(),
    }
}

/// The text in exactly so many columns.
fn fit(text: &str, columns: usize) -> String {
    if text.chars().count() <= columns {
        return format!("{text:<columns$}");
    }
    let kept: String = text.chars().take(columns.saturating_sub(1)).collect();
    format!("{kept}…")
}
