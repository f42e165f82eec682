//! A journey of a running clew, once or until it is over.

use std::io::{IsTerminal, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use clew_collect::decode::otlp;
use clew_model::Span;
use clew_weave::{Journey, State};

use super::Trace;
use super::kinds::Wanted;
use crate::args::{Global, Output};
use crate::client::Client;
use crate::commands::filters::Filters;
use crate::following::{EVERY, code, time_is_over};

/// The attribute of a span that a component made itself.
const ORIGINAL: &str = "clew.original_trace_id";

impl Trace {
    pub(super) async fn of_server(&self, client: &Client, global: &Global) -> anyhow::Result<ExitCode> {
        if self.watch {
            return self.follow(client, global.output).await;
        }
        let journey = self.ask(client).await?;
        let journey = journey.with_context(|| {
            format!(
                "no journey begins with {} at {}: see `clew journeys` for those there are",
                self.what,
                client.server()
            )
        })?;
        let spans = self.spans(client, &journey, global.output).await?;
        self.print(&journey, &spans, global.output, &mut anstream::AutoStream::auto(std::io::stdout().lock()))?;
        Ok(ExitCode::SUCCESS)
    }

    /// Draws the newest journey whenever it has changed, until it is over. A pipe gets the last drawing only.
    async fn follow(&self, client: &Client, output: Output) -> anyhow::Result<ExitCode> {
        let (began, limit) = (Instant::now(), Duration::from_secs(self.timeout));
        let live = std::io::stdout().is_terminal() && output == Output::Text;
        let (mut last, mut lines) = (None, 0);
        loop {
            let late = began.elapsed() >= limit;
            let journey = self.ask(client).await?;
            let over = journey.as_ref().is_some_and(|journey| journey.state != State::Open);
            if let Some(journey) = journey.as_ref().filter(|_| over || late || live) {
                if last.as_ref() != Some(journey) || over {
                    let spans = self.spans(client, journey, output).await?;
                    lines = self.draw_over(journey, &spans, output, (lines, over || late))?;
                }
                if over {
                    return Ok(code([journey]));
                }
            }
            if late {
                return Ok(time_is_over());
            }
            last = journey;
            tokio::time::sleep(EVERY).await;
        }
    }

    /// Draws in the place of the former drawing, no higher than the screen unless it is the last; says how many lines.
    fn draw_over(
        &self,
        journey: &Journey,
        spans: &[Span],
        output: Output,
        was: (usize, bool),
    ) -> anyhow::Result<usize> {
        let (lines, last) = was;
        let mut drawing = Vec::new();
        self.print(journey, spans, output, &mut drawing)?;
        let drawing = String::from_utf8(drawing).context("a drawing that is no text")?;
        let height = terminal_size::terminal_size().map_or(usize::MAX, |(_, height)| usize::from(height.0).max(2) - 1);
        let shown: Vec<&str> = drawing.lines().take(if last { usize::MAX } else { height }).collect();
        let mut out = anstream::AutoStream::auto(std::io::stdout().lock());
        if lines > 0 {
            write!(out, "\x1b[{lines}A\x1b[J")?;
        }
        writeln!(out, "{}", shown.join("\n"))?;
        out.flush()?;
        Ok(shown.len())
    }

    /// The journey that is meant, if there is one.
    async fn ask(&self, client: &Client) -> anyhow::Result<Option<Journey>> {
        let wanted = Wanted::read(&self.what, self.namespace.as_deref());
        let mut pages = Filters::default().pages(client).with("form", "weave");
        if let Wanted::Object { name, .. } = &wanted {
            pages = pages.with("name", name);
        }
        let mut found: Option<Journey> = None;
        while let Some(page) = pages.next().await? {
            for journey in page {
                let journey: Journey = serde_json::from_value(journey).context("a journey of another form")?;
                if !wanted.is(&journey) {
                    continue;
                }
                match (&wanted, found) {
                    // The newest come first.
                    (Wanted::Object { .. }, _) => return Ok(Some(journey)),
                    (Wanted::Id(id), Some(_)) => bail!("several journeys' ids begin with {id}: write more of it"),
                    (Wanted::Id(_), None) => found = Some(journey),
                }
            }
        }
        Ok(found)
    }

    /// The journey's spans, with the components' own only if they are wanted.
    async fn spans(&self, client: &Client, journey: &Journey, output: Output) -> anyhow::Result<Vec<Span>> {
        let request = client.bytes(&format!("/api/v1/journeys/{}/otlp", journey.journey), &[]).await?;
        let mut spans = otlp::spans(&request).context("spans that clew cannot read")?;
        if !self.wants_native(output) {
            spans.retain(|span| span.attributes.get_str(ORIGINAL).is_none());
        }
        Ok(spans)
    }
}
