//! Everything that is served, under one router.

use std::sync::Arc;

use axum::Router;
use axum::middleware::from_fn_with_state;
use clew_model::Time;
use clew_store::Store;

use crate::guard::{Access, Turns, guarded, take_turn};
use crate::live::Live;
use crate::metrics::{Requests, count_requests};
use crate::report::{Report, Reporter};
use crate::usual::UsualDurations;
use crate::{api, clock, page, tools};

/// What every handler may use. Cheap to clone.
#[derive(Clone)]
pub struct App {
    /// Where the answers come from.
    pub store: Arc<dyn Store>,
    /// Where the pipeline publishes what changed.
    pub live: Live,
    pub(crate) reporter: Reporter,
    pub(crate) access: Arc<Access>,
    pub(crate) usual: UsualDurations,
    pub(crate) requests: Requests,
    pub(crate) started: Time,
}

impl App {
    /// An app over a store, with nothing to report and open to whoever reaches it.
    pub fn new(store: Arc<dyn Store>) -> Self {
        let usual = UsualDurations::default();
        Self {
            store,
            live: Live::knowing(usual.clone()),
            reporter: Arc::new(Report::default),
            access: Arc::default(),
            usual,
            requests: Requests::default(),
            started: clock::now(),
        }
    }

    /// Lets status and metrics show what this tells.
    pub fn reporting(self, reporter: Reporter) -> Self {
        Self { reporter, ..self }
    }

    /// Lets in only who may come in.
    pub fn access(self, access: Access) -> Self {
        Self { access: Arc::new(access), ..self }
    }
}

/// All routes.
pub fn router(app: App) -> Router {
    let access = Arc::clone(&app.access);
    let counted = from_fn_with_state(app.requests.clone(), count_requests);
    let routes = Router::new().merge(api::router()).merge(tools::router());
    let turns = from_fn_with_state(Turns::default(), take_turn);
    guarded(routes.fallback(page::fallback).layer(turns).layer(counted).with_state(app), access)
}
