//! Everything that is served, under one router.

use std::sync::Arc;

use axum::Router;
use axum::middleware::from_fn_with_state;
use clew_model::Time;
use clew_store::Store;

use crate::access::{Restricted, Viewer};
use crate::guard::{Access, Turns, guarded, take_turn};
use crate::live::Live;
use crate::metrics::{Requests, count_requests};
use crate::report::{Report, Reporter};
use crate::usual::{UsualDurations, UsualTable};
use crate::viewed::Everything;
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
    /// Who asks.
    pub(crate) viewer: Viewer,
    /// What everybody's questions together are answered from.
    whole: Arc<dyn Store>,
    usual: UsualDurations,
    pub(crate) requests: Requests,
    pub(crate) started: Time,
}

impl App {
    /// An app over a store, with nothing to report and open to whoever reaches it.
    pub fn new(store: Arc<dyn Store>) -> Self {
        let usual = UsualDurations::default();
        Self {
            store: Arc::clone(&store),
            whole: store,
            viewer: Viewer::Own,
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

    /// The app as somebody may see it.
    pub(crate) fn seen_by(&self, viewer: Viewer) -> Self {
        let Viewer::Guest(guest) = &viewer else { return self.clone() };
        let store = Restricted { store: Arc::clone(&self.whole), rights: Arc::clone(guest.rights()) };
        // How the pipeline is, with the names of what failed, is for those who may see it all.
        Self { store: Arc::new(store), reporter: Arc::new(Report::default), viewer, ..self.clone() }
    }

    /// How long journeys of the same cluster, namespace, kind and verb usually take, by all of them: whoever sees one may
    /// read that kind there.
    pub(crate) async fn usual(&self) -> UsualTable {
        self.usual.table(&*self.whole).await
    }
}

/// All routes.
pub fn router(app: App) -> Router {
    let access = Arc::clone(&app.access);
    let counted = from_fn_with_state(app.requests.clone(), count_requests);
    let routes = Router::new().merge(api::router()).merge(tools::router());
    let turns = from_fn_with_state(Turns::default(), take_turn);
    guarded(routes.fallback(page::fallback).layer(turns).layer(counted).with_state(Everything::new(app)), access)
}
