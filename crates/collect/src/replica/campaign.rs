//! Competing for the Lease on a real API server.

use std::str::FromStr;
use std::time::Duration;

use k8s_openapi::api::coordination::v1::{Lease, LeaseSpec};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{MicroTime, ObjectMeta};
use k8s_openapi::jiff::Timestamp;
use kube::api::{Api, PostParams};
use tokio::sync::{oneshot, watch};

use super::leadership::{Leader, Leadership, now};
use super::lease::{Candidate, Terms, Turn, Written};
use crate::live::{Connection, SourceHandle, SourceKind, Sources};

/// How long one request may take: two must fit into the time that a holder has.
const ATTEMPT: Duration = Duration::from_secs(2);

/// Which Lease.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeaseName {
    /// Its namespace.
    pub namespace: String,
    /// Its name.
    pub name: String,
}

impl FromStr for LeaseName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once('/') {
            Some((namespace, name)) if !namespace.is_empty() && !name.is_empty() && !name.contains('/') => {
                Ok(Self { namespace: namespace.to_owned(), name: name.to_owned() })
            }
            _ => Err(format!("{text:?} names no Lease: write NAMESPACE/NAME")),
        }
    }
}

/// Competes for a Lease until it is given up.
pub struct Campaign {
    stop: oneshot::Sender<()>,
    resigned: watch::Sender<bool>,
    task: tokio::task::JoinHandle<()>,
}

impl Campaign {
    /// Begins to compete, under a name that no other replica has.
    pub fn start(connection: &Connection, lease: &LeaseName, me: String, sources: &Sources) -> (Self, Leadership) {
        let (leader, leadership) = Leadership::decided();
        let (stop, stopped) = oneshot::channel();
        let (resigned, resigning) = watch::channel(false);
        let terms = Terms::default();
        let shown = format!("{}/{}", lease.namespace, lease.name);
        let campaigner = Campaigner {
            api: Api::namespaced(connection.client.clone(), &lease.namespace),
            name: lease.name.clone(),
            candidate: Candidate::new(me.clone(), terms),
            me,
            terms,
            leader,
            resigning,
            source: sources.of(&connection.cluster, SourceKind::Lease, &shown),
        };
        (Self { stop, resigned, task: tokio::spawn(campaigner.run(stopped)) }, leadership)
    }

    /// Acts outward no longer, but keeps the Lease, so that what was done can be told before another begins.
    pub fn resign(&self) {
        self.resigned.send_replace(true);
    }

    /// Gives the Lease back, so that another may have it at once.
    pub async fn give_back(self) {
        drop(self.stop);
        let _ = self.task.await;
    }
}

struct Campaigner {
    api: Api<Lease>,
    name: String,
    me: String,
    candidate: Candidate,
    terms: Terms,
    leader: Leader,
    resigning: watch::Receiver<bool>,
    source: SourceHandle,
}

impl Campaigner {
    async fn run(mut self, mut stopped: oneshot::Receiver<()>) {
        loop {
            // A failure changes nothing: whoever leads does so until its time is over.
            let failure = self.attempt().await.err();
            self.tell(failure.as_deref());
            tokio::select! {
                () = tokio::time::sleep(self.terms.retry) => {}
                _ = self.resigning.changed() => self.leader.tell(None),
                _ = &mut stopped => break,
            }
        }
        self.leader.tell(None);
        if self.candidate.until().is_some() {
            let _ = self.give_back().await;
        }
    }

    /// Looks at the Lease, and takes or renews it if that is its turn.
    async fn attempt(&mut self) -> Result<(), String> {
        let found = in_time(self.api.get_opt(&self.name)).await.map_err(|error| told(&error))?;
        let written = found.as_ref().map(|lease| written(lease.spec.as_ref()));
        let turn = self.candidate.look(written, now());
        let Turn::Take { anew } = turn else { return Ok(()) };
        let began = now();
        let spec = found.as_ref().and_then(|lease| lease.spec.as_ref());
        let spec = self.spec(spec, anew);
        let write = self.write(found, spec).await;
        match write {
            Ok(()) => {
                self.candidate.took(began);
                Ok(())
            }
            Err(error) if is_conflict(&error) => {
                self.candidate.lost();
                Ok(())
            }
            Err(error) => Err(told(&error)),
        }
    }

    fn spec(&self, former: Option<&LeaseSpec>, anew: bool) -> LeaseSpec {
        let time = Some(MicroTime(Timestamp::now()));
        let former = former.cloned().unwrap_or_default();
        let transitions = former.lease_transitions.unwrap_or(0);
        LeaseSpec {
            holder_identity: Some(self.me.clone()),
            lease_duration_seconds: i32::try_from(self.terms.duration.as_secs()).ok(),
            acquire_time: if anew { time.clone() } else { former.acquire_time.clone() },
            renew_time: time,
            lease_transitions: Some(if anew { transitions.saturating_add(1) } else { transitions }),
            ..former
        }
    }

    async fn write(&self, found: Option<Lease>, spec: LeaseSpec) -> Result<(), kube::Error> {
        let parameters = PostParams::default();
        if let Some(lease) = found {
            // With the version that was seen: who writes second is refused.
            let lease = Lease { spec: Some(spec), ..lease };
            return in_time(self.api.replace(&self.name, &parameters, &lease)).await.map(drop);
        }
        let metadata = ObjectMeta { name: Some(self.name.clone()), ..ObjectMeta::default() };
        in_time(self.api.create(&parameters, &Lease { metadata, spec: Some(spec) })).await.map(drop)
    }

    async fn give_back(&self) -> Result<(), kube::Error> {
        let Some(lease) = in_time(self.api.get_opt(&self.name)).await? else { return Ok(()) };
        let former = lease.spec.clone().unwrap_or_default();
        if former.holder_identity.as_deref() != Some(&self.me) {
            return Ok(());
        }
        let spec = LeaseSpec { holder_identity: Some(String::new()), lease_duration_seconds: Some(1), ..former };
        self.write(Some(lease), spec).await
    }

    fn tell(&self, failure: Option<&str>) {
        let until = self.candidate.until().filter(|until| *until > now());
        self.leader.tell(until.filter(|_| !*self.resigning.borrow()));
        match (until, failure) {
            (Some(_), None) => self.source.up_with(format!("{} leads: this replica", self.me)),
            (Some(_), Some(why)) => self.source.up_with(format!("this replica leads, but cannot renew: {why}")),
            (None, None) => self.source.waiting(format!("{} leads, this replica is ready", self.candidate.holder())),
            (None, Some(why)) => self.source.failed(format!("cannot compete, trying on: {why}")),
        }
    }
}

fn written(spec: Option<&LeaseSpec>) -> Written {
    let Some(spec) = spec else { return Written::default() };
    let seconds = u64::try_from(spec.lease_duration_seconds.unwrap_or(0)).unwrap_or(0);
    Written {
        holder: spec.holder_identity.clone().unwrap_or_default(),
        duration: Duration::from_secs(seconds),
        renewed: spec.renew_time.as_ref().map_or(0, |time| time.0.as_nanosecond()),
    }
}

fn is_conflict(error: &kube::Error) -> bool {
    matches!(error, kube::Error::Api(status) if status.code == 409)
}

async fn in_time<T>(asked: impl Future<Output = Result<T, kube::Error>>) -> Result<T, kube::Error> {
    let late = || Err(kube::Error::Service(format!("no answer within {} s", ATTEMPT.as_secs()).into()));
    tokio::time::timeout(ATTEMPT, asked).await.unwrap_or_else(|_| late())
}

fn told(error: &kube::Error) -> String {
    match error {
        kube::Error::Api(status) if status.code == 403 => {
            format!("{}: grant get, create and update on leases.coordination.k8s.io", status.message)
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lease_is_named_by_its_namespace_and_name() {
        let name: LeaseName = "clew/clew".parse().expect("a name");
        assert_eq!((name.namespace.as_str(), name.name.as_str()), ("clew", "clew"));
        for wrong in ["clew", "/clew", "clew/", "a/b/c", ""] {
            assert!(wrong.parse::<LeaseName>().is_err(), "{wrong}");
        }
    }
}
