//! Admissions as facts: told at once, kept beside the request, dropped rather than waited for.

use clew_collect::intake::Intake;
use clew_store::StoreError;
use clew_weave::fact::{Admission, Fact};
use compact_str::CompactString;
use tokio::sync::mpsc;

/// Admissions that may wait for the store.
const QUEUE: usize = 4096;
const BATCH: usize = 256;

/// Where admissions are told; cheap to clone.
#[derive(Clone)]
pub struct AdmissionFacts {
    queue: mpsc::Sender<Admission>,
}

impl AdmissionFacts {
    /// Starts to keep the admissions of one cluster, until the last clone is gone.
    pub fn start(cluster: CompactString, intake: Intake) -> Self {
        let (queue, told) = mpsc::channel(QUEUE);
        tokio::spawn(keep(cluster, intake, told));
        Self { queue }
    }

    /// False if there is no room: the request must not wait.
    pub(super) fn tell(&self, admission: Admission) -> bool {
        self.queue.try_send(admission).is_ok()
    }
}

async fn keep(cluster: CompactString, intake: Intake, mut told: mpsc::Receiver<Admission>) {
    let mut batch = Vec::with_capacity(BATCH);
    while told.recv_many(&mut batch, BATCH).await > 0 {
        let facts = batch.drain(..).map(|admission| Fact::Admission(Box::new(admission))).collect();
        // It only helps to join what a webhook did to the write that it admitted: not worth a queue behind the queue.
        if let Err(StoreError::Closed) = intake.facts(&cluster, facts).await {
            return;
        }
    }
}
