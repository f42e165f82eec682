//! One resource of the cluster, listed and then watched for as long as it is there.

use std::time::{Duration, SystemTime};

use http_body_util::BodyExt;
use kube::Client;
use kube::client::Body;
use percent_encoding::{NON_ALPHANUMERIC, PercentEncode, utf8_percent_encode};
use tokio::sync::{Notify, Semaphore};
use tokio::time::{Instant, sleep, timeout_at};

use super::answer::{self, Change, Page};
use super::api;
use super::output::{Ended, OutputOfOne, Seen};
use super::resource::Resource;
use super::step::{Outcome, State, Step};
use crate::lines::{LineBuffer, MAX_LINE};

/// Objects asked for at once.
const PAGE: u32 = 250;
/// How long the server keeps a watch open; then it is resumed.
const WATCH_FOR: Duration = Duration::from_secs(290);
/// A server that is silent for longer than that is gone.
const GRACE: Duration = Duration::from_secs(20);
/// A stream that lasted that long was a good one, also if nothing came.
const QUIET: Duration = Duration::from_secs(5);

/// What a watch works with.
pub(super) struct Watcher<'a, O> {
    pub(super) client: &'a Client,
    pub(super) resource: &'a Resource,
    pub(super) output: O,
    /// Told when resources may have come or gone.
    pub(super) others: &'a Notify,
    /// How many lists may be in memory at once.
    pub(super) lists: &'a Semaphore,
}

impl<O: OutputOfOne> Watcher<'_, O> {
    /// Runs until the resource is no more, or nobody takes what it sees; `settled` is called after the first list,
    /// whatever came of it.
    pub(super) async fn run(mut self, settled: impl FnOnce()) -> Result<(), Ended> {
        let mut settled = Some(settled);
        let mut step = match self.output.resume().await {
            Some(version) => Step::resume(version),
            None => Step::first(),
        };
        if matches!(step.state, State::Watch { .. }) {
            settled.take().into_iter().for_each(|settled| settled());
        }
        while step.state != State::Over {
            sleep(jittered(step.wait)).await;
            let outcome = self.ask(&step.state).await?;
            self.output.outcome(&outcome);
            step = step.next(outcome);
            if !matches!(step.state, State::NextPage { .. }) {
                settled.take().into_iter().for_each(|settled| settled());
            }
        }
        Ok(())
    }

    async fn ask(&mut self, state: &State) -> Result<Outcome, Ended> {
        let (path, fields) = (&self.resource.path, self.resource.field_selector());
        match state {
            State::List => {
                let uri = format!("{path}?limit={PAGE}{fields}");
                self.output.list_begins().await?;
                self.list(&uri).await
            }
            State::NextPage { token } => {
                let uri = format!("{path}?limit={PAGE}{fields}&continue={}", escaped(token));
                self.list(&uri).await
            }
            State::Watch { version } => self.watch(version, &fields).await,
            State::Over => Ok(Outcome::NotFound),
        }
    }

    async fn list(&mut self, uri: &str) -> Result<Outcome, Ended> {
        let _room = self.lists.acquire().await.map_err(|_| Ended)?;
        let accept = self.resource.accepts(false);
        let Ok((code, body)) = api::get_whole(self.client, uri, accept).await else {
            return Ok(Outcome::Failed);
        };
        if code != 200 {
            return Ok(answer::outcome_of(code));
        }
        let observed = SystemTime::now();
        let Ok(page) = serde_json::from_slice::<Page<'_>>(&body) else {
            return Ok(Outcome::Failed);
        };
        for item in page.items.iter().flatten() {
            self.keep(Seen { observed, kind: "LISTED", object: item.get() }).await?;
        }
        let outcome = page.outcome();
        if let Outcome::Page { version, next: None } = &outcome {
            self.output.reached(version, true).await?;
        }
        Ok(outcome)
    }

    async fn watch(&mut self, version: &str, fields: &str) -> Result<Outcome, Ended> {
        let path = &self.resource.path;
        let (from, seconds) = (escaped(version), WATCH_FOR.as_secs());
        let begin = Instant::now();
        let end = begin + WATCH_FOR + GRACE;
        let uri = format!(
            "{path}?watch=true&allowWatchBookmarks=true&resourceVersion={from}&timeoutSeconds={seconds}{fields}"
        );
        match timeout_at(end, api::get(self.client, &uri, self.resource.accepts(true))).await {
            Ok(Ok((200, body))) => {
                self.output.outcome(&Outcome::Opened);
                self.changes(body, version, begin, end).await
            }
            Ok(Ok((code, _))) => Ok(answer::outcome_of(code)),
            Ok(Err(_)) | Err(_) => Ok(Outcome::Failed),
        }
    }

    async fn changes(&mut self, mut body: Body, version: &str, begin: Instant, end: Instant) -> Result<Outcome, Ended> {
        let mut buffer = LineBuffer::new(MAX_LINE);
        let mut version = version.to_owned();
        let mut progress = false;
        while let Ok(Some(Ok(frame))) = timeout_at(end, body.frame()).await {
            let Ok(chunk) = frame.into_data() else { continue };
            let observed = SystemTime::now();
            let completed = buffer.push(&chunk);
            self.output.count_bad(completed.bad);
            for text in completed.lines {
                let Ok(change) = serde_json::from_str::<Change<'_>>(&text) else {
                    self.output.count_bad(1);
                    continue;
                };
                if !change.is_known() {
                    return Ok(change.refusal());
                }
                self.keep(Seen { observed, kind: &change.kind, object: change.object.get() }).await?;
                if let Some(reached) = change.version() {
                    self.output.reached(&reached, false).await?;
                    version = reached;
                }
                progress = true;
            }
        }
        // A quiet resource is no failing one.
        let progress = progress || begin.elapsed() > QUIET;
        Ok(Outcome::Ended { version, progress })
    }

    async fn keep(&mut self, seen: Seen<'_>) -> Result<(), Ended> {
        self.output.keep(seen).await?;
        if self.resource.brings_others() && seen.kind != "BOOKMARK" {
            self.others.notify_one();
        }
        Ok(())
    }
}

/// Between half of a wait and all of it, so that watches that failed together do not come back together.
fn jittered(wait: Duration) -> Duration {
    wait.mul_f64(0.5 + fastrand::f64() / 2.0)
}

/// What the server gave as opaque goes back as it was.
fn escaped(opaque: &str) -> PercentEncode<'_> {
    utf8_percent_encode(opaque, NON_ALPHANUMERIC)
}
