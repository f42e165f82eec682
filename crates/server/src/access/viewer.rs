//! Whoever looks, during one request.

use std::collections::HashSet;
use std::sync::Arc;

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use clew_collect::live::access::{Question, User};
use clew_model::TraceId;
use clew_store::{Right, Rights, StoreError};

use super::users::Users;
use crate::error::ApiError;
use crate::live::{About, Event};

/// When to come back, if the cluster did not answer.
const RETRY_SECONDS: u64 = 5;
/// How many journeys a stream remembers to have shown.
const SHOWN: usize = 4096;

/// Whoever looks.
#[derive(Debug, Clone)]
pub(crate) enum Viewer {
    /// Clew's own token, or nobody else can reach it: everything is shown.
    Own,
    /// A user of the cluster.
    Guest(Arc<Guest>),
}

/// A user of the cluster, with what they may read.
#[derive(Debug)]
pub(crate) struct Guest {
    pub(super) users: Users,
    pub(super) token: Secret,
    pub(super) user: Arc<User>,
    pub(super) rights: Arc<Rights>,
}

/// A token, for as long as a stream must ask whether it is still somebody's. Never shown.
#[derive(Clone)]
pub(super) struct Secret(Box<str>);

impl From<&str> for Secret {
    fn from(token: &str) -> Self {
        Self(token.into())
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("(a token)")
    }
}

/// Why somebody is not let in.
#[derive(Debug)]
pub(crate) enum Refused {
    /// The cluster does not say who they are, or what they may read.
    Unanswered(String),
    /// The store does not say what there is to ask for.
    Store(StoreError),
}

impl Guest {
    /// What they may read.
    pub(crate) fn rights(&self) -> &Arc<Rights> {
        &self.rights
    }

    /// Whether they may see how clew is: those who may read metrics in the cluster.
    pub(crate) async fn may_see_system(&self) -> Result<bool, Refused> {
        self.users.may(&self.user, Question::Metrics).await
    }

    /// Whether an event of the live stream is for them: those that are not are as if they had not happened. None if they
    /// are nobody any more, or the cluster does not say: then the stream ends.
    pub(crate) async fn may_hear(&self, event: &Event, shown: &mut HashSet<TraceId>) -> Option<Heard> {
        let about = match event {
            Event::Journey(_, about) | Event::Left(about) => about,
            Event::Retired(id) => return Some(if shown.remove(id) { Heard::Yes } else { Heard::No }),
            Event::Resync => return Some(Heard::Yes),
        };
        let hash = *blake3::hash(self.token.0.as_bytes()).as_bytes();
        self.users.who(&self.token.0, hash).await.ok()??;
        if self.may_see(about).await.ok()? {
            if shown.len() >= SHOWN {
                shown.clear();
            }
            shown.insert(about.journey);
            return Some(Heard::Yes);
        }
        Some(if shown.remove(&about.journey) { Heard::Left } else { Heard::No })
    }

    async fn may_see(&self, about: &About) -> Result<bool, Refused> {
        if about.cluster != self.rights.cluster || about.needs.is_empty() {
            return Ok(false);
        }
        if self.users.may(&self.user, Question::Everything).await? {
            return Ok(true);
        }
        for right in &about.needs {
            let everywhere = Right { namespace: "".into(), kind: right.kind.clone() };
            let may = self.users.may(&self.user, Question::Read(everywhere)).await?
                || !right.namespace.is_empty() && self.users.may(&self.user, Question::Read(right.clone())).await?;
            if !may {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// What becomes of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Heard {
    /// They are told.
    Yes,
    /// They are told that the journey left: it went where they may not look.
    Left,
    /// They are not told.
    No,
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        let reason = match self {
            Self::Unanswered(reason) => reason,
            Self::Store(error) => return ApiError::from(error).into_response(),
        };
        let message = format!("cannot tell what you may see, so nothing is shown: {reason}");
        ApiError::new(StatusCode::SERVICE_UNAVAILABLE, message).retry_after(RETRY_SECONDS).into_response()
    }
}
