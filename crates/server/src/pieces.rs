//! Large answers: JSON in pieces, written by several tasks.

use std::convert::Infallible;
use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use serde::Serialize;
use serde::ser::Error as _;

/// What one task writes, and about how many bytes each of them takes.
const TOGETHER: usize = 512;
const ONE: usize = 1024;

/// JSON in pieces: what it was made of need not outlive it.
#[derive(Debug, Default)]
pub(crate) struct Pieces(pub(crate) Vec<Bytes>);

impl Pieces {
    /// Writes what a list has, with commas between; what is many is written side by side.
    pub(crate) async fn list<T, W>(items: Vec<T>, write: W) -> serde_json::Result<Self>
    where
        T: Send + 'static,
        W: Fn(&T, &mut Vec<u8>) -> serde_json::Result<()> + Send + Sync + 'static,
    {
        let write = Arc::new(write);
        let mut writing = Vec::new();
        let mut items = items.into_iter();
        while items.len() > TOGETHER {
            let (items, write) = (items.by_ref().take(TOGETHER).collect::<Vec<T>>(), Arc::clone(&write));
            writing.push(tokio::task::spawn_blocking(move || written(&items, &*write)));
        }
        let last = written(items.as_slice(), &*write)?;
        let mut pieces = Vec::with_capacity(2 * writing.len() + 1);
        for written in writing {
            pieces.push(written.await.map_err(serde_json::Error::custom)??.into());
            pieces.push(Bytes::from_static(b","));
        }
        pieces.push(last.into());
        Ok(Self(pieces))
    }

    /// The JSON of something whose first field is an empty list, with these pieces in that list.
    pub(crate) fn within(self, around: &impl Serialize) -> serde_json::Result<Self> {
        let text = serde_json::to_string(around)?;
        let place = text.find('[').map_or(text.len(), |place| place + 1);
        let mut text = Bytes::from(text);
        let before = text.split_to(place);
        let mut pieces = vec![before];
        pieces.extend(self.0);
        pieces.push(text);
        Ok(Self(pieces))
    }
}

fn written<T>(items: &[T], write: &impl Fn(&T, &mut Vec<u8>) -> serde_json::Result<()>) -> serde_json::Result<Vec<u8>> {
    let mut out = Vec::with_capacity(items.len() * ONE);
    for (place, item) in items.iter().enumerate() {
        if place > 0 {
            out.push(b',');
        }
        write(item, &mut out)?;
    }
    Ok(out)
}

impl IntoResponse for Pieces {
    fn into_response(self) -> Response {
        let length: usize = self.0.iter().map(Bytes::len).sum();
        let pieces = stream::iter(self.0.into_iter().map(Ok::<Bytes, Infallible>));
        let headers = [(CONTENT_TYPE, "application/json".to_owned()), (CONTENT_LENGTH, length.to_string())];
        (headers, Body::from_stream(pieces)).into_response()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    async fn numbers(count: usize) -> Value {
        let pieces = Pieces::list((0..count).collect(), |number, out| serde_json::to_writer(out, number)).await;
        let around = json!({"list": [], "rest": "[]"});
        serde_json::from_slice(&pieces.unwrap().within(&around).unwrap().0.concat()).unwrap()
    }

    #[tokio::test]
    async fn a_list_has_everything_in_its_order_however_many_tasks_write_it() {
        for count in [0, 1, TOGETHER, TOGETHER + 1, 3 * TOGETHER + 7] {
            let list: Vec<usize> = (0..count).collect();
            assert_eq!(numbers(count).await, json!({"list": list, "rest": "[]"}));
        }
    }
}
