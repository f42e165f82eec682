//! One resource of the cluster, listed and then watched for as long as it is there.

use std::time::{Duration, SystemTime};

use http_body_util::BodyExt;
use kube::Client;
use kube::client::Body;
use percent_encoding::{NON_ALPHANUMERIC, PercentEncode, utf8_percent_encode};
use tokio::sync::Notify;
use tokio::time::{Instant, sleep, timeout_at};

use super::answer::{self, Change, Page};
use super::api;
use super::begun::Begun;
use super::line::line;
use super::step::{Outcome, State, Step};
use crate::lines::{LineBuffer, MAX_LINE};
use crate::record::{Context, Stopped};

/// Objects asked for at once.
const PAGE: u32 = 250;
/// How long the server keeps a watch open; then it is resumed.
const WATCH_FOR: Duration = Duration::from_secs(290);
/// A server that is silent for longer than that is gone.
const GRACE: Duration = Duration::from_secs(20);

/// A stream that lasted that long was a good one, also if nothing came.
const QUIET: Duration = Duration::from_secs(5);

/// A resource in the version that is watched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Resource {
    pub(super) group: String,
    pub(super) plural: String,
    /// The path of all its objects, over all namespaces.
    pub(super) path: String,
}

impl Resource {
    pub(super) fn new(group: &str, version: &str, plural: &str) -> Self {
        let path = if group.is_empty() {
            format!("/api/{version}/{plural}")
        } else {
            format!("/apis/{group}/{version}/{plural}")
        };
        Self { group: group.to_owned(), plural: plural.to_owned(), path }
    }

    /// Whether a change of this resource can bring or take others.
    fn brings_others(&self) -> bool {
        self.plural == "customresourcedefinitions" || self.plural == "apiservices"
    }
}

/// Records one resource.
pub(super) struct Watcher<'a> {
    pub(super) client: &'a Client,
    pub(super) resource: &'a Resource,
    pub(super) context: &'a Context,
    /// Told when resources may have come or gone.
    pub(super) others: &'a Notify,
    /// Told once, when this one is watched; `None` for resources that came later.
    pub(super) begun: Option<&'a Begun>,
}

impl Watcher<'_> {
    /// Runs until the resource is no more, or the recording ends.
    pub(super) async fn run(&self) -> Result<(), Stopped> {
        let mut step = Step::first();
        let mut told = None;
        let mut begun = self.begun;
        while step.state != State::Over {
            sleep(step.wait).await;
            let outcome = self.ask(&step.state).await?;
            self.tell(&outcome, &mut told);
            step = step.next(outcome);
            if !matches!(step.state, State::NextPage { .. }) {
                self.settle(begun.take());
            }
        }
        Ok(())
    }

    /// Whatever came of the first list: the recording begins without those that cannot be watched.
    fn settle(&self, begun: Option<&Begun>) {
        if let Some(all) = begun.and_then(Begun::settle_one) {
            self.context.notice(format!("has listed all {all} resources, and sees every change from here on"));
        }
    }

    async fn ask(&self, state: &State) -> Result<Outcome, Stopped> {
        let path = &self.resource.path;
        match state {
            State::List => self.list(&format!("{path}?limit={PAGE}")).await,
            State::NextPage { token } => self.list(&format!("{path}?limit={PAGE}&continue={}", escaped(token))).await,
            State::Watch { version } => self.watch(version).await,
            State::Over => Ok(Outcome::NotFound),
        }
    }

    /// Tells what stands in the way, once until it changes.
    fn tell(&self, outcome: &Outcome, told: &mut Option<Outcome>) {
        let path = &self.resource.path;
        let text = match outcome {
            Outcome::Forbidden => format!("{path} is forbidden: it is left out until it is not"),
            Outcome::Failed => format!("{path} cannot be watched, trying on"),
            _ => {
                *told = None;
                return;
            }
        };
        if told.as_ref() != Some(outcome) {
            self.context.notice(text);
            *told = Some(outcome.clone());
        }
    }

    async fn list(&self, uri: &str) -> Result<Outcome, Stopped> {
        let Ok((code, body)) = api::get_whole(self.client, uri).await else {
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
            self.keep(observed, "LISTED", item.get()).await?;
        }
        Ok(page.outcome())
    }

    async fn watch(&self, version: &str) -> Result<Outcome, Stopped> {
        let path = &self.resource.path;
        let (from, seconds) = (escaped(version), WATCH_FOR.as_secs());
        let begin = Instant::now();
        let end = begin + WATCH_FOR + GRACE;
        let uri = format!("{path}?watch=true&allowWatchBookmarks=true&resourceVersion={from}&timeoutSeconds={seconds}");
        match timeout_at(end, api::get(self.client, &uri)).await {
            Ok(Ok((200, body))) => self.changes(body, version, begin, end).await,
            Ok(Ok((code, _))) => Ok(answer::outcome_of(code)),
            Ok(Err(_)) | Err(_) => Ok(Outcome::Failed),
        }
    }

    async fn changes(&self, mut body: Body, version: &str, begin: Instant, end: Instant) -> Result<Outcome, Stopped> {
        let mut buffer = LineBuffer::new(MAX_LINE);
        let mut version = version.to_owned();
        let mut progress = false;
        while let Ok(Some(Ok(frame))) = timeout_at(end, body.frame()).await {
            let Ok(chunk) = frame.into_data() else { continue };
            let observed = SystemTime::now();
            let completed = buffer.push(&chunk);
            self.context.queue.count_bad(completed.bad);
            for text in completed.lines {
                let Ok(change) = serde_json::from_str::<Change<'_>>(&text) else {
                    self.context.queue.count_bad(1);
                    continue;
                };
                if !change.is_known() {
                    return Ok(change.refusal());
                }
                self.keep(observed, &change.kind, change.object.get()).await?;
                version = change.version().unwrap_or(version);
                progress = true;
            }
        }
        // A quiet resource is no failing one.
        let progress = progress || begin.elapsed() > QUIET;
        Ok(Outcome::Ended { version, progress })
    }

    async fn keep(&self, observed: SystemTime, kind: &str, object: &str) -> Result<(), Stopped> {
        let Context { queue, redactor, .. } = self.context;
        match line(redactor, self.resource, observed, kind, object) {
            Ok(line) => queue.send(line).await?,
            Err(_) => queue.count_bad(1),
        }
        if self.resource.brings_others() && kind != "BOOKMARK" {
            self.others.notify_one();
        }
        Ok(())
    }
}

/// What the server gave as opaque goes back as it was.
fn escaped(opaque: &str) -> PercentEncode<'_> {
    utf8_percent_encode(opaque, NON_ALPHANUMERIC)
}
