//! Objects and writes.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use kube::Client;
use tokio::task::JoinSet;

const AT_ONCE: usize = 64;

/// Writes at a steady pace.
pub(crate) struct Load {
    pub(crate) writes: u32,
    pub(crate) a_second: u32,
}

/// A write: the object's name, and when it was answered, in nanoseconds of the wall's clock.
pub(crate) type Written = (String, i64);

impl Load {
    /// Makes ConfigMaps of this name; says when each was answered.
    pub(crate) async fn run(&self, client: &Client, name: &str) -> Vec<Written> {
        let (start, apart) = (Instant::now(), Duration::from_secs(1) / self.a_second);
        let mut making = JoinSet::new();
        for number in 0..self.writes {
            tokio::time::sleep_until((start + apart * number).into()).await;
            let (client, name) = (client.clone(), format!("{name}-{number}"));
            making.spawn(async move {
                create(&client, &name).await;
                (name, now())
            });
        }
        making.join_all().await
    }
}

/// Makes many ConfigMaps as fast as the API server takes them.
pub(crate) async fn make(client: &Client, name: &str, count: usize) {
    let mut making = JoinSet::new();
    for number in 0..count {
        if making.len() >= AT_ONCE {
            making.join_next().await.unwrap().unwrap();
        }
        let (client, name) = (client.clone(), format!("{name}-{number}"));
        making.spawn(async move { create(&client, &name).await });
    }
    making.join_all().await;
}

async fn create(client: &Client, name: &str) {
    let object = serde_json::json!({
        "apiVersion": "v1", "kind": "ConfigMap",
        "metadata": {"name": name, "labels": {"app": "cost"}}, "data": {"settings": "x".repeat(500)},
    });
    let request = http::Request::post("/api/v1/namespaces/default/configmaps");
    let request = request.header("Content-Type", "application/json").body(object.to_string().into_bytes()).unwrap();
    client.request::<serde_json::Value>(request).await.unwrap();
}

pub(crate) fn now() -> i64 {
    i64::try_from(SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_nanos()).unwrap()
}
