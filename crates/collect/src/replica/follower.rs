//! Following one replica's log: ask, make durable, weave, move on.

use std::time::{Duration, Instant};

use clew_model::Time;
use clew_store::StoreError;
use tokio::time::sleep;

use super::client::{Client, Piece};
use super::follow::Peers;
use super::place::Place;
use super::standing::Standing;
use crate::live::SourceHandle;
use crate::weaving::Clock;

/// The pauses after failures.
const FIRST_PAUSE: Duration = Duration::from_millis(250);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);
/// When to look again at one with which this replica does not agree.
const DISAGREE_PAUSE: Duration = Duration::from_secs(30);
/// How often the place is kept: a crash makes this much to be taken over again, and nothing to be there twice.
const SAVE_EVERY: Duration = Duration::from_secs(1);

/// Follows one replica.
pub(super) struct Follower {
    pub(super) url: String,
    pub(super) client: Client,
    pub(super) source: SourceHandle,
    pub(super) peers: Peers,
    pub(super) standing: Standing,
}

/// Why following ended for now.
enum Ended {
    /// The store is closed, or this is the replica itself.
    Forever,
    /// To be tried again.
    For(Duration),
}

impl Follower {
    /// Runs until the store is closed.
    pub(super) async fn run(mut self) {
        let mut pause = FIRST_PAUSE;
        loop {
            let began = Instant::now();
            match self.once().await {
                Ended::Forever => return,
                Ended::For(least) => {
                    // It went well for a while: the next failure is a first one.
                    if began.elapsed() > LONGEST_PAUSE {
                        pause = FIRST_PAUSE;
                    }
                    sleep(pause.max(least).mul_f64(0.5 + 0.5 * fastrand::f64())).await;
                    pause = (pause * 2).min(LONGEST_PAUSE);
                }
            }
        }
    }

    /// Follows until something fails.
    async fn once(&mut self) -> Ended {
        let theirs = match self.client.hello().await {
            Ok(theirs) => theirs,
            Err(why) => return self.away(&why),
        };
        let mine = &self.peers.agreement;
        if theirs.store == mine.store {
            self.standing.forget(&self.url);
            self.source.up_with("this is the replica itself");
            return Ended::Forever;
        }
        if let Some(why) = mine.differs(&theirs) {
            self.source.failed(format!("not followed: {why}"));
            return Ended::For(DISAGREE_PAUSE);
        }
        let mut place = Place::read(&self.peers.folder, &theirs.store);
        let mut kept = (place, Instant::now());
        loop {
            let piece = self.client.log(&theirs.store, &self.peers.agreement.store, clew_store::Position(place.after));
            let piece = match piece.await {
                Ok(piece) => piece,
                Err(why) => {
                    self.keep(&theirs.store, &place);
                    return self.away(&why);
                }
            };
            let former = place;
            place.move_on(piece.first, piece.last, Clock::wall().as_nanos());
            if let Err(ended) = self.take(piece, &place, place.lacks - former.lacks).await {
                return ended;
            }
            if kept.0 != place && (kept.1.elapsed() >= SAVE_EVERY || place.lacks != former.lacks) {
                self.keep(&theirs.store, &place);
                kept = (place, Instant::now());
            }
        }
    }

    /// Makes a piece durable, however long that takes: the other keeps it meanwhile.
    async fn take(&self, piece: Piece, place: &Place, lacking: u64) -> Result<(), Ended> {
        self.standing.update(&self.url, |peer| {
            peer.is_there = true;
            peer.behind = piece.behind;
            peer.lacking += lacking;
            peer.since = peer.since.or_else(|| (piece.behind > 0).then(Instant::now));
        });
        self.source.dropped(lacking);
        let over = loop {
            match self.peers.intake.take_over(piece.frames.clone()).await {
                Ok(over) => break over,
                Err(StoreError::Closed) => return Err(Ended::Forever),
                Err(error) => {
                    self.source.waiting(format!("nothing is lost, but nothing is taken over either: {error}"));
                    sleep(FIRST_PAUSE).await;
                }
            }
        };
        for note in over.delivered {
            (self.peers.delivered)(note);
        }
        self.source.dropped(over.unreadable);
        if over.records > 0 {
            self.source.seen(over.records);
        }
        self.standing.update(&self.url, |peer| {
            peer.records += over.records;
            peer.lacking += over.unreadable;
            if peer.behind == 0 {
                peer.since = None;
                peer.filled = true;
            }
        });
        self.source.up_with(words(piece.behind, place));
        Ok(())
    }

    fn away(&self, why: &str) -> Ended {
        self.standing.update(&self.url, |peer| {
            peer.is_there = false;
            peer.since = peer.since.or_else(|| Some(Instant::now()));
        });
        self.source.waiting(format!("does not answer, trying on: {why}"));
        Ended::For(Duration::ZERO)
    }

    fn keep(&self, store: &str, place: &Place) {
        if let Err(error) = place.write(&self.peers.folder, store) {
            self.source.waiting(format!("cannot keep how far it is, a restart takes over again: {error}"));
        }
    }
}

fn words(behind: u64, place: &Place) -> String {
    let progress = match behind {
        0 => "has everything of it".to_owned(),
        behind => format!("{behind} records to go"),
    };
    if place.lacks == 0 {
        return progress;
    }
    let (lacks, at) = (place.lacks, Time::from_nanos(place.lacked_at));
    format!("{progress}; lacks {lacks} records that it no longer had at {at}: journeys from before are there only")
}
