//! The rights that journeys need: what is worth asking for.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use clew_store::{Result, Right, Store};

/// How many are asked for; journeys that need others are shown to nobody but those who may read everything.
const MOST: usize = 16_384;
/// How old the list may be. What is woven here is added at once, so that only another replica's journeys wait for it.
const FRESH: Duration = Duration::from_secs(30);

/// The rights that the journeys of a cluster need.
#[derive(Debug, Default)]
pub(super) struct Known {
    list: Mutex<List>,
    asking: tokio::sync::Mutex<()>,
}

#[derive(Debug, Default)]
struct List {
    asked: Option<Instant>,
    rights: Arc<BTreeSet<Right>>,
    /// Those that came while the store was asked.
    learned: BTreeSet<Right>,
}

impl Known {
    /// All of them, and how many are too many.
    pub(super) async fn all(&self, store: &dyn Store, cluster: &str) -> Result<(Arc<BTreeSet<Right>>, usize)> {
        if let Some(rights) = self.fresh() {
            return Ok((rights, 0));
        }
        let _turn = self.asking.lock().await;
        if let Some(rights) = self.fresh() {
            return Ok((rights, 0));
        }
        self.list().learned.clear();
        let stored = store.rights(cluster, MOST + 1).await?;
        let over = stored.len().saturating_sub(MOST);
        let mut list = self.list();
        let mut rights: BTreeSet<Right> = stored.into_iter().take(MOST).collect();
        rights.append(&mut list.learned);
        *list = List { asked: Some(Instant::now()), rights: Arc::new(rights), learned: BTreeSet::new() };
        Ok((Arc::clone(&list.rights), over))
    }

    /// Adds what a journey needs that was just woven.
    pub(super) fn learn(&self, rights: impl IntoIterator<Item = Right>) {
        let mut list = self.list();
        // Before anybody has asked, the store will tell.
        if list.asked.is_none() && list.learned.len() >= MOST {
            return;
        }
        for right in rights {
            if !list.rights.contains(&right) && list.rights.len() < MOST {
                Arc::make_mut(&mut list.rights).insert(right.clone());
            }
            if list.learned.len() < MOST {
                list.learned.insert(right);
            }
        }
    }

    fn fresh(&self) -> Option<Arc<BTreeSet<Right>>> {
        let list = self.list();
        list.asked.is_some_and(|asked| asked.elapsed() < FRESH).then(|| Arc::clone(&list.rights))
    }

    fn list(&self) -> MutexGuard<'_, List> {
        self.list.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
