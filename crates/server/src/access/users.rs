//! The users of a cluster: whose token it is, and what they may read, remembered for a while.

use std::collections::{BTreeSet, HashSet};
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clew_collect::CollectError;
use clew_collect::live::access::{Authority, Question, User};
use clew_store::{Right, Rights, Store};
use clew_weave::Upserts;
use compact_str::CompactString;
use futures_util::future;
use futures_util::stream::{self, StreamExt, TryStreamExt};
use tokio::sync::Semaphore;
use tokio::time::timeout;

use super::cache::Cache;
use super::counts::{AccessCounts, add, count};
use super::known::Known;
use super::viewer::{Guest, Refused};

/// How many users are remembered, and for how long.
const USERS: (usize, Duration) = (1024, Duration::from_mins(1));
/// How many tokens are remembered to be nobody's: apart, so that who guesses drives out nobody.
const NOBODY: (usize, Duration) = (1024, Duration::from_secs(10));
/// How many answers about rights are remembered: a few hundred for each user.
const ANSWERS: (usize, Duration) = (131_072, Duration::from_mins(1));
/// Questions to the cluster under way at once, for everybody together.
const AT_ONCE: usize = 32;
/// How long all questions of one request may take.
const PATIENCE: Duration = Duration::from_secs(15);
/// No token is longer; a longer one is nobody's.
const MAX_TOKEN: usize = 16 << 10;

/// The hash of a token: the token itself is not kept.
pub(super) type TokenHash = [u8; 32];

/// The users of a cluster. Cheap to clone.
#[derive(Clone)]
pub struct Users(Arc<Inner>);

struct Inner {
    authority: Arc<dyn Authority>,
    store: Arc<dyn Store>,
    users: Cache<TokenHash, Arc<User>>,
    nobody: Cache<TokenHash, ()>,
    answers: Cache<(Arc<User>, Question), bool>,
    known: Known,
    room: Semaphore,
    counts: AccessCounts,
}

impl Users {
    /// Users that the authority knows; the store says which rights are worth asking for.
    pub fn new(authority: Arc<dyn Authority>, store: Arc<dyn Store>) -> Self {
        Self(Arc::new(Inner {
            authority,
            store,
            users: Cache::new(USERS.0, USERS.1),
            nobody: Cache::new(NOBODY.0, NOBODY.1),
            answers: Cache::new(ANSWERS.0, ANSWERS.1),
            known: Known::default(),
            room: Semaphore::new(AT_ONCE),
            counts: AccessCounts::default(),
        }))
    }

    /// Learns which rights new journeys need, so that they are shown without delay.
    pub fn learn(&self, cluster: &str, upserts: &Upserts) {
        if cluster == self.0.authority.cluster() {
            self.0.known.learn(upserts.journeys.iter().flat_map(Right::needed));
        }
    }

    pub(crate) fn counts(&self) -> &AccessCounts {
        &self.0.counts
    }

    /// Who brings this token, with what they may read; none if it is nobody's.
    pub(crate) async fn admit(&self, token: &str) -> Result<Option<Guest>, Refused> {
        let hash = *blake3::hash(token.as_bytes()).as_bytes();
        let Some(user) = self.who(token, hash).await? else { return Ok(None) };
        let rights = timeout(PATIENCE, self.rights(&user)).await.map_err(|_| self.late())??;
        Ok(Some(Guest { users: self.clone(), token: token.into(), user, rights: Arc::new(rights) }))
    }

    /// Whose token it is.
    pub(super) async fn who(&self, token: &str, hash: TokenHash) -> Result<Option<Arc<User>>, Refused> {
        let Inner { users, nobody, counts, .. } = &*self.0;
        let now = Instant::now();
        if let Some(user) = users.get(&hash, now) {
            count(&counts.tokens_known);
            return Ok(Some(user));
        }
        if token.is_empty() || token.len() > MAX_TOKEN || nobody.get(&hash, now).is_some() {
            count(&counts.tokens_refused);
            return Ok(None);
        }
        let Some(user) = self.ask(self.0.authority.who(token)).await? else {
            count(&counts.tokens_refused);
            nobody.insert(hash, (), now);
            return Ok(None);
        };
        count(&counts.tokens_asked);
        let user = Arc::new(user);
        add(&counts.forgotten, users.insert(hash, Arc::clone(&user), now));
        Ok(Some(user))
    }

    /// All that a user may read of what journeys need: a kind everywhere if they may, else one namespace after the other.
    async fn rights(&self, user: &Arc<User>) -> Result<Rights, Refused> {
        let cluster = self.0.authority.cluster();
        let none = Rights { cluster: cluster.into(), ..Rights::default() };
        if self.may(user, Question::Everything).await? {
            return Ok(Rights { everything: true, ..none });
        }
        let (known, over) = self.0.known.all(&*self.0.store, cluster).await.map_err(Refused::Store)?;
        add(&self.0.counts.untold, over);
        let kinds: BTreeSet<&CompactString> = known.iter().map(|right| &right.kind).collect();
        let everywhere = |kind: &CompactString| Right { namespace: "".into(), kind: kind.clone() };
        let everywhere = self.those_held(user, kinds.into_iter().map(everywhere).collect()).await?;
        let everywhere: HashSet<CompactString> = everywhere.into_iter().map(|right| right.kind).collect();
        let (all, some): (Vec<&Right>, Vec<&Right>) = known.iter().partition(|right| everywhere.contains(&right.kind));
        let some = some.into_iter().filter(|right| !right.namespace.is_empty()).cloned().collect();
        let some = self.those_held(user, some).await?;
        let held = all.into_iter().chain(&some).map(|right| CompactString::from(right.to_string()));
        Ok(Rights { held: held.collect(), ..none })
    }

    /// Those of these rights that a user has.
    async fn those_held(&self, user: &Arc<User>, rights: Vec<Right>) -> Result<Vec<Right>, Refused> {
        let asked = rights.into_iter().map(|right| {
            let (users, user) = (self.clone(), Arc::clone(user));
            async move { Ok(users.may(&user, Question::Read(right.clone())).await?.then_some(right)) }
        });
        let asked: Vec<_> = asked.collect();
        stream::iter(asked).buffer_unordered(AT_ONCE).try_filter_map(future::ok).try_collect().await
    }

    /// Whether a user may, as far as it was asked in the last minute.
    pub(super) async fn may(&self, user: &Arc<User>, question: Question) -> Result<bool, Refused> {
        let Inner { answers, counts, .. } = &*self.0;
        let (now, key) = (Instant::now(), (Arc::clone(user), question));
        if let Some(answer) = answers.get(&key, now) {
            count(&counts.rights_known);
            return Ok(answer);
        }
        let answer = self.ask(self.0.authority.may(user, &key.1)).await?;
        count(&counts.rights_asked);
        add(&counts.forgotten, answers.insert(key, answer, now));
        Ok(answer)
    }

    /// Asks the cluster, of which only so much may be asked at once.
    async fn ask<T>(&self, question: impl Future<Output = Result<T, CollectError>>) -> Result<T, Refused> {
        let asked = async {
            let _turn = self.0.room.acquire().await.ok()?;
            Some(question.await)
        };
        let Ok(Some(answer)) = timeout(PATIENCE, asked).await else { return Err(self.late()) };
        answer.map_err(|error| {
            count(&self.0.counts.unanswered);
            Refused::Unanswered(error.to_string())
        })
    }

    fn late(&self) -> Refused {
        count(&self.0.counts.unanswered);
        Refused::Unanswered(format!("the cluster does not answer within {} s", PATIENCE.as_secs()))
    }
}

impl fmt::Debug for Users {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Users").field("cluster", &self.0.authority.cluster()).finish_non_exhaustive()
    }
}
