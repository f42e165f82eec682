//! Whether this replica may act outward, now.

use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use tokio::sync::watch;

/// The beginning of this process's own time.
static BEGAN: LazyLock<Instant> = LazyLock::new(Instant::now);

/// The time since this process began, on a clock that no one sets.
pub(super) fn now() -> Duration {
    BEGAN.elapsed()
}

/// Says whether this replica may act outward. Clones are the same.
#[derive(Debug, Clone)]
pub struct Leadership {
    until: watch::Receiver<Option<Duration>>,
    /// Kept alive for the one that leads always.
    _always: Option<Arc<watch::Sender<Option<Duration>>>>,
}

/// The other end: who decides.
#[derive(Debug)]
pub struct Leader(watch::Sender<Option<Duration>>);

impl Leadership {
    /// One replica alone: it always leads.
    pub fn always() -> Self {
        let (sender, until) = watch::channel(Some(Duration::MAX));
        Self { until, _always: Some(Arc::new(sender)) }
    }

    /// One that leads when it is told to.
    pub fn decided() -> (Leader, Self) {
        let (sender, until) = watch::channel(None);
        (Leader(sender), Self { until, _always: None })
    }

    /// Whether it leads at this moment, whatever it was told before it was stopped or cut off.
    pub fn is_leading(&self) -> bool {
        !self.remaining().is_zero()
    }

    /// How long it leads for certain: what goes out must have ended by then.
    pub fn remaining(&self) -> Duration {
        let until = *self.until.borrow();
        until.map_or(Duration::ZERO, |until| until.saturating_sub(now()))
    }

    /// Returns when it leads.
    pub async fn begins(&mut self) {
        while !self.is_leading() {
            if self.until.changed().await.is_err() {
                std::future::pending::<()>().await;
            }
        }
    }

    /// Returns when it leads no longer.
    pub async fn ends(&mut self) {
        while self.is_leading() {
            // Far away is as good as never, and a timer has its limits.
            let remaining = self.remaining().min(Duration::from_hours(1));
            tokio::select! {
                () = tokio::time::sleep(remaining) => {}
                changed = self.until.changed() => if changed.is_err() {
                    tokio::time::sleep(self.remaining().min(Duration::from_hours(1))).await;
                },
            }
        }
    }
}

impl Leader {
    /// It leads for so long from now on, and not at all for no time.
    pub fn lead_for(&self, time: Duration) {
        self.tell((!time.is_zero()).then(|| now().saturating_add(time)));
    }

    /// It leads until this time of the process; none if it does not.
    pub(super) fn tell(&self, until: Option<Duration>) {
        self.0.send_replace(until);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn leadership_ends_with_its_time_though_nobody_says_so() {
        assert!(Leadership::always().is_leading());
        let (leader, mut leadership) = Leadership::decided();
        assert!(!leadership.is_leading());
        leader.lead_for(Duration::from_millis(50));
        leadership.begins().await;
        assert!(leadership.remaining() <= Duration::from_millis(50));
        tokio::time::timeout(Duration::from_secs(5), leadership.ends()).await.expect("its time is over");
        assert!(!leadership.is_leading());
        leader.lead_for(Duration::from_mins(1));
        assert!(leadership.is_leading());
        leader.lead_for(Duration::ZERO);
        assert!(!leadership.is_leading());
    }
}
