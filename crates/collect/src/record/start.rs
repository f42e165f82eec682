//! Starting the sources of a recording, each on its own.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;

use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use super::counts::Counts;
use super::file::CaptureFile;
use super::plan::{AuditFrom, OtlpFrom, Plan, WatchFrom};
use super::queue::{LineQueue, Writers};
use super::summary::{NotRecorded, Notice, Notify};
use crate::capture::Source;
use crate::redact::{Marks, Redactor};
use crate::{CollectError, audit, otlp, receive, watch};

/// What a running source works with.
#[derive(Clone)]
pub(crate) struct Context {
    pub(crate) source: Source,
    pub(crate) queue: LineQueue,
    pub(crate) redactor: Redactor,
    pub(crate) notify: Notify,
}

impl Context {
    /// Tells the person who records.
    pub(crate) fn notice(&self, text: String) {
        (self.notify)(&Notice { source: self.source, text });
    }
}

/// The sources that run so far.
pub(super) struct Starting<'a> {
    plan: &'a Plan,
    counts: Arc<Counts>,
    notify: Notify,
    pub(super) tasks: JoinSet<()>,
    pub(super) writers: Writers,
    pub(super) close: tokio::sync::watch::Sender<bool>,
    pub(super) not_recorded: Vec<NotRecorded>,
    /// Shared, so that the watch tells the audit which objects are marked.
    marks: Arc<Marks>,
}

impl<'a> Starting<'a> {
    /// Refuses a folder that holds a capture already.
    pub(super) fn new(plan: &'a Plan, counts: Arc<Counts>, notify: Notify) -> Result<Self, CollectError> {
        for source in Source::ALL {
            let name = source.file_name();
            for path in [plan.out.join(name), plan.out.join(format!("{name}.zst"))] {
                if path.exists() {
                    return Err(CollectError::Exists { path });
                }
            }
        }
        let close = tokio::sync::watch::Sender::new(false);
        Ok(Self {
            plan,
            counts,
            notify,
            tasks: JoinSet::new(),
            writers: Writers::new(),
            close,
            not_recorded: Vec::new(),
            marks: Arc::default(),
        })
    }

    pub(super) async fn audit(&mut self, from: Option<&AuditFrom>) -> Result<(), CollectError> {
        match from {
            None => Ok(()),
            Some(AuditFrom::Log(path)) => self.audit_log(path),
            Some(AuditFrom::Webhook(address)) => self.audit_webhook(*address).await,
        }
    }

    fn audit_log(&mut self, path: &Path) -> Result<(), CollectError> {
        if path.is_dir() {
            self.give_up(Source::Audit, format!("{} is a folder, not a log file", path.display()));
            return Ok(());
        }
        let context = self.begin(Source::Audit)?;
        let path = path.to_owned();
        self.tasks.spawn(async move { audit::follow(&path, &context).await });
        Ok(())
    }

    async fn audit_webhook(&mut self, address: SocketAddr) -> Result<(), CollectError> {
        match listen(address).await {
            Ok(listener) => {
                let context = self.begin(Source::Audit)?;
                context.notice(format!("webhook at http://{}/audit/CLUSTER", bound(&listener, address)));
                self.tasks.spawn(audit::serve(listener, context));
            }
            Err(error) => self.give_up(Source::Audit, error.to_string()),
        }
        Ok(())
    }

    pub(super) async fn watch(&mut self, from: Option<&WatchFrom>) -> Result<(), CollectError> {
        let Some(from) = from else { return Ok(()) };
        match watch::client(from.kubeconfig.as_deref(), from.context.as_deref()).await {
            Ok(client) => {
                let context = self.begin(Source::Watch)?;
                let output = watch::Recorded(Arc::new(context));
                self.tasks.spawn(watch::run(client, from.selection.clone().into(), output));
            }
            Err(error) => self.give_up(Source::Watch, error.to_string()),
        }
        Ok(())
    }

    pub(super) async fn otlp(&mut self, from: Option<OtlpFrom>) -> Result<(), CollectError> {
        let Some(from) = from else { return Ok(()) };
        let (grpc, http) = (listen(from.grpc).await, listen(from.http).await);
        if let (Err(grpc), Err(http)) = (&grpc, &http) {
            self.give_up(Source::Otlp, format!("{grpc}; {http}"));
            return Ok(());
        }
        let context = self.begin(Source::Otlp)?;
        let limits = receive::Limits::default();
        let service = receive::Service::new(Arc::new(otlp::Recorded(context.clone())), limits, &[]);
        let room = Arc::new(Semaphore::new(limits.connections));
        let serve = |listener| {
            let (service, room) = (Arc::clone(&service), Arc::clone(&room));
            receive::serve(listener, None, service, room, self.close.subscribe())
        };
        match grpc {
            Ok(listener) => {
                context.notice(format!("gRPC at {}", bound(&listener, from.grpc)));
                self.tasks.spawn(serve(listener));
            }
            Err(error) => context.notice(format!("no gRPC: {error}")),
        }
        match http {
            Ok(listener) => {
                context.notice(format!("HTTP at http://{}/v1/traces", bound(&listener, from.http)));
                self.tasks.spawn(serve(listener));
            }
            Err(error) => context.notice(format!("no HTTP: {error}")),
        }
        Ok(())
    }

    fn begin(&mut self, source: Source) -> Result<Context, CollectError> {
        let file = CaptureFile::create(&self.plan.out, source)?;
        let queue = LineQueue::start(file, Arc::clone(&self.counts), self.close.subscribe(), &mut self.writers);
        let redactor = Redactor::new(self.plan.key).remembering(Arc::clone(&self.marks));
        Ok(Context { source, queue, redactor, notify: Arc::clone(&self.notify) })
    }

    fn give_up(&mut self, source: Source, reason: String) {
        (self.notify)(&Notice { source, text: format!("not recorded: {reason}") });
        self.not_recorded.push(NotRecorded { source, reason });
    }
}

async fn listen(address: SocketAddr) -> Result<TcpListener, CollectError> {
    TcpListener::bind(address).await.map_err(|source| CollectError::Listen { address, source })
}

/// The address that a listener got, which differs from the one asked for if that had port 0.
fn bound(listener: &TcpListener, asked: SocketAddr) -> SocketAddr {
    listener.local_addr().unwrap_or(asked)
}
