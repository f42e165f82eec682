//! Of several replicas one forwards, and another goes on without a gap.

use std::time::Duration;

use clew_collect::forward::{Forwarder, Settings};
use clew_collect::replica::{Leader, Leadership};
use clew_testkit::otlp::Sink;
use tonic::Code;

use crate::cluster::{Cluster, arrived, settings, wait_until};

const LONG: Duration = Duration::from_mins(10);

/// A forwarder that leads when it is told to.
fn replica(cluster: &Cluster, folder: &std::path::Path, sink: &Sink) -> (Forwarder, Leader) {
    let (leader, leadership) = Leadership::decided();
    let settings = Settings { leadership: Some(leadership), ..settings(folder, &[&sink.endpoint()]) };
    (cluster.forwarder(&settings), leader)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_replica_that_takes_over_sends_what_was_not_delivered_and_nothing_else() {
    let (some, all) = (Cluster::with(3), Cluster::with(6));
    let sink = Sink::start().expect("sink");
    let folders = [tempfile::tempdir().expect("folder"), tempfile::tempdir().expect("folder")];
    let (first, leads) = replica(&some, folders[0].path(), &sink);
    let (second, leads_next) = replica(&all, folders[1].path(), &sink);
    all.tell(&second);
    wait_until(&second, |counts| counts.held == 6).await;
    leads.lead_for(LONG);
    some.tell(&first);
    arrived(&sink, some.spans()).await;
    wait_until(&first, |counts| counts.endpoints[0].waiting_spans == 0).await;
    // As the log brings them.
    let learn = second.learner();
    some.store.notes().into_iter().for_each(&learn);
    wait_until(&second, |counts| counts.held == 3).await;
    leads.lead_for(Duration::ZERO);
    leads_next.lead_for(LONG);
    arrived(&sink, all.spans()).await;
    // Told again, as after a restart: nothing is news.
    all.tell(&second);
    wait_until(&second, |counts| counts.waiting == 0 && counts.held == 0).await;
    arrived(&sink, all.spans()).await;
    second.shut_down(Duration::from_secs(1)).await;
    let (third, leads_again) = replica(&all, folders[1].path(), &sink);
    leads_again.lead_for(LONG);
    all.tell(&third);
    wait_until(&third, |counts| counts.waiting == 0 && counts.held == 0).await;
    arrived(&sink, all.spans()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_waits_in_one_that_leads_no_longer_goes_out_from_another() {
    let all = Cluster::with(4);
    let sink = Sink::start().expect("sink");
    sink.refuse(Some(Code::Unavailable));
    let folders = [tempfile::tempdir().expect("folder"), tempfile::tempdir().expect("folder")];
    let (first, leads) = replica(&all, folders[0].path(), &sink);
    let (second, leads_next) = replica(&all, folders[1].path(), &sink);
    leads.lead_for(LONG);
    all.tell(&first);
    all.tell(&second);
    wait_until(&first, |counts| counts.journeys == 4 && counts.endpoints[0].retries > 0).await;
    leads.lead_for(Duration::ZERO);
    wait_until(&first, |counts| counts.held == 4 && counts.endpoints[0].waiting_spans == 0).await;
    leads_next.lead_for(LONG);
    sink.refuse(None);
    arrived(&sink, all.spans()).await;
    // And back again: the first one knows from the notes, once it has them.
    let notes = wait_until(&second, |counts| counts.endpoints[0].waiting_spans == 0).await;
    assert_eq!(notes.endpoints[0].sent, all.spans() as u64);
    all.store.notes().into_iter().for_each(first.learner());
    leads_next.lead_for(Duration::ZERO);
    leads.lead_for(LONG);
    wait_until(&first, |counts| counts.waiting == 0 && counts.held == 0).await;
    arrived(&sink, all.spans()).await;
}
