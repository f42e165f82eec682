//! Large answers: JSON in pieces, written by several threads while the first of them are sent.

use std::sync::{Arc, Mutex, PoisonError};

use axum::body::{Body, Bytes};
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use futures_util::{StreamExt as _, stream};
use serde::Serialize;
use serde::ser::Error as _;
use serde_json::Result;
use tokio::sync::oneshot;

use crate::writer::Writer;

/// What is written into one piece, and about how many bytes each of them takes.
const TOGETHER: usize = 512;
const ONE: usize = 1024;

/// JSON in pieces: what it was made of need not outlive it.
#[derive(Debug, Default)]
pub(crate) struct Pieces(Vec<Piece>);

#[derive(Debug)]
enum Piece {
    Written(Bytes),
    /// Somebody writes it.
    Coming(oneshot::Receiver<Result<Vec<u8>>>),
}

/// What a piece is made of, and who waits for it.
type Work<T> = (Vec<T>, oneshot::Sender<Result<Vec<u8>>>);

impl Pieces {
    /// Writes what a list has, with commas between; what is many is written by several threads.
    pub(crate) fn list<T, W>(items: Vec<T>, write: W) -> Result<Self>
    where
        T: Send + 'static,
        W: for<'a> Fn(&'a T, &mut Writer<'a>) -> Result<()> + Send + Sync + 'static,
    {
        if items.len() <= TOGETHER {
            return Ok(Self::from(written(&items, &write)?));
        }
        let (mut work, mut pieces) = (Vec::new(), Self::default());
        let mut items = items.into_iter();
        while items.len() > 0 {
            let (done, coming) = oneshot::channel();
            work.push((items.by_ref().take(TOGETHER).collect(), done));
            pieces.0.extend((work.len() > 1).then_some(Piece::Written(Bytes::from_static(b","))));
            pieces.0.push(Piece::Coming(coming));
        }
        begin(work, write);
        Ok(pieces)
    }

    /// Puts others behind these.
    pub(crate) fn append(&mut self, mut others: Self) {
        self.0.append(&mut others.0);
    }

    /// The JSON of something whose first field is an empty list, with these pieces in that list.
    pub(crate) fn within(self, around: &impl Serialize) -> Result<Self> {
        let text = serde_json::to_string(around)?;
        let place = text.find('[').map_or(text.len(), |place| place + 1);
        let mut after = Bytes::from(text);
        let mut pieces = Self(vec![Piece::Written(after.split_to(place))]);
        pieces.append(self);
        pieces.0.push(Piece::Written(after));
        Ok(pieces)
    }

    /// How many bytes there are, if all are written.
    fn bytes(&self) -> Option<usize> {
        let bytes = |piece: &Piece| match piece {
            Piece::Written(bytes) => Some(bytes.len()),
            Piece::Coming(_) => None,
        };
        self.0.iter().map(bytes).sum()
    }
}

impl From<Vec<u8>> for Pieces {
    fn from(json: Vec<u8>) -> Self {
        Self(vec![Piece::Written(json.into())])
    }
}

impl Piece {
    async fn bytes(self) -> Result<Bytes> {
        match self {
            Self::Written(bytes) => Ok(bytes),
            // Who was to write it is gone.
            Self::Coming(coming) => coming.await.map_err(serde_json::Error::custom)?.map(Bytes::from),
        }
    }
}

/// Has as many threads as there are cores write one piece after the other. Each is given on before what it was made of is
/// given back.
fn begin<T, W>(work: Vec<Work<T>>, write: W)
where
    T: Send + 'static,
    W: for<'a> Fn(&'a T, &mut Writer<'a>) -> Result<()> + Send + Sync + 'static,
{
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(work.len());
    let shared = Arc::new((Mutex::new(work.into_iter()), write));
    for _ in 0..threads {
        let shared = Arc::clone(&shared);
        tokio::task::spawn_blocking(move || {
            let (work, write) = &*shared;
            let next = || work.lock().unwrap_or_else(PoisonError::into_inner).next();
            while let Some((items, done)) = next() {
                // Whoever does not wait any more needs no more pieces.
                if done.send(written(&items, write)).is_err() {
                    break;
                }
            }
        });
    }
}

fn written<T>(items: &[T], write: &impl for<'a> Fn(&'a T, &mut Writer<'a>) -> Result<()>) -> Result<Vec<u8>> {
    let mut out = Writer::with_capacity(items.len() * ONE);
    for (place, item) in items.iter().enumerate() {
        if place > 0 {
            out.put(",");
        }
        write(item, &mut out)?;
    }
    Ok(out.into_bytes())
}

impl IntoResponse for Pieces {
    fn into_response(self) -> Response {
        let length = self.bytes();
        let body = Body::from_stream(stream::iter(self.0).then(Piece::bytes));
        let mut response = ([(CONTENT_TYPE, "application/json")], body).into_response();
        if let Some(length) = length {
            response.headers_mut().insert(CONTENT_LENGTH, length.into());
        }
        response
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use axum::body::to_bytes;
    use serde_json::{Value, json};

    use super::*;

    /// What a client reads, and the length that it was told.
    pub(crate) async fn read(pieces: Pieces) -> (Value, Option<usize>) {
        let response = pieces.into_response();
        let length = response.headers().get(CONTENT_LENGTH).map(|length| length.to_str().unwrap().parse().unwrap());
        let body = to_bytes(response.into_body(), usize::MAX).await.unwrap();
        assert!(length.is_none_or(|length| length == body.len()), "{length:?} of {}", body.len());
        (serde_json::from_slice(&body).unwrap(), length)
    }

    #[tokio::test]
    async fn a_list_has_everything_in_its_order_however_many_threads_write_it() {
        for count in [0, 1, TOGETHER, TOGETHER + 1, 3 * TOGETHER + 7] {
            let list: Vec<usize> = (0..count).collect();
            let pieces = Pieces::list(list.clone(), |number, out| out.value(number)).unwrap();
            let (json, length) = read(pieces.within(&json!({"list": [], "rest": "[]"})).unwrap()).await;
            assert_eq!(json, json!({"list": list, "rest": "[]"}));
            assert_eq!(length.is_some(), count <= TOGETHER, "what is small is told its length");
        }
    }

    #[tokio::test]
    async fn an_answer_that_cannot_be_written_ends_broken_rather_than_short() {
        let fail = |number: &usize, out: &mut Writer<'_>| {
            if *number == 2 * TOGETHER { Err(serde_json::Error::custom("no")) } else { out.value(number) }
        };
        let pieces = Pieces::list((0..3 * TOGETHER).collect(), fail).unwrap();
        assert!(to_bytes(pieces.into_response().into_body(), usize::MAX).await.is_err());
    }
}
