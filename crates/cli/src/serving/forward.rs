//! Journeys on to other tools, with the settings of `clew up`.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use bytes::Bytes;
use clew_collect::forward::{Endpoint, Forwarder, Settings as ForwardSettings};
use clew_collect::replica::Leadership;
use clew_store::{Store, Woven};

use crate::commands::up::Settings;

/// What goes on to others, if anything does.
pub(super) struct Forwarding(Option<Forwarder>);

/// Starts to forward to every endpoint that the settings name.
pub(super) fn start(
    settings: &Settings,
    store: Arc<dyn Store>,
    leadership: Option<Leadership>,
) -> anyhow::Result<Forwarding> {
    if settings.forward.is_empty() {
        return Ok(Forwarding(None));
    }
    let headers = headers(&settings.forward_header)?;
    let endpoint = |url: &String| Endpoint {
        url: url.clone(),
        headers: headers.clone(),
        gzip: true,
        authorities: settings.forward_ca.clone(),
    };
    let endpoints = settings.forward.iter().map(endpoint).collect();
    let forward = ForwardSettings::new(endpoints, settings.data()?.join("forward"));
    let forward = ForwardSettings { leadership, ..forward };
    Ok(Forwarding(Some(Forwarder::start(&forward, store).context("cannot forward journeys")?)))
}

impl Forwarding {
    /// What is to be told of everything that is woven.
    pub(super) fn listener(&self) -> impl Fn(&Woven) + Send + use<> {
        let listener = self.0.as_ref().map(Forwarder::listener);
        move |woven| {
            if let Some(listener) = &listener {
                listener(woven);
            }
        }
    }

    /// What is to be told of everything that another replica delivered.
    pub(super) fn learner(&self) -> impl Fn(Bytes) + Send + Sync + use<> {
        let learner = self.0.as_ref().map(Forwarder::learner);
        move |note| {
            if let Some(learner) = &learner {
                learner(note);
            }
        }
    }

    /// Waits until nothing is under way.
    pub(super) async fn pause(&self, within: Duration) {
        if let Some(forwarder) = &self.0 {
            forwarder.pause(within).await;
        }
    }

    /// Sends what can be sent in this time; the rest waits on the disk.
    pub(super) async fn stop(self, within: Duration) {
        if let Some(forwarder) = self.0 {
            forwarder.shut_down(within).await;
        }
    }
}

fn headers(given: &[String]) -> anyhow::Result<Vec<(String, String)>> {
    let pair = |text: &String| {
        let (name, value) =
            text.split_once('=').with_context(|| format!("--forward-header {text}: write NAME=VALUE"))?;
        Ok((name.trim().to_ascii_lowercase(), value.trim().to_owned()))
    };
    given.iter().map(pair).collect()
}
