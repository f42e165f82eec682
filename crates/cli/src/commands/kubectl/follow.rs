//! Following the journeys that a command began.

use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::Context;
use clew_collect::live::proxy::ProxiedWrite;
use clew_weave::{Journey, State};
use serde_json::Value;

use crate::args::Output;
use crate::client::Client;
use crate::following::{EVERY, code, standing, time_is_over};

/// How long a write may take to become a journey; one that changed nothing never does.
const APPEAR: Duration = Duration::from_secs(10);

/// Says where the journeys are; with a limit, waits until they are over.
pub(super) async fn follow(
    client: &Client,
    writes: &[ProxiedWrite],
    limit: Option<Duration>,
    output: Output,
) -> anyhow::Result<ExitCode> {
    let began = Instant::now();
    let mut told: BTreeMap<String, State> = BTreeMap::new();
    loop {
        let journeys = begun_by(client, writes).await?;
        let all_there = journeys.len() >= writes.len() || began.elapsed() >= APPEAR;
        for journey in &journeys {
            tell(client, journey, limit.is_some(), output, &mut told)?;
        }
        let over = journeys.iter().all(|journey| journey.state != State::Open);
        if all_there && (over || limit.is_none()) {
            return Ok(if limit.is_some() { code(&journeys) } else { ExitCode::SUCCESS });
        }
        if limit.is_some_and(|limit| began.elapsed() >= limit) {
            return Ok(time_is_over());
        }
        tokio::time::sleep(EVERY).await;
    }
}

/// The journeys whose root is one of the writes: by audit id, or by object where the audit log does not reach clew.
async fn begun_by(client: &Client, writes: &[ProxiedWrite]) -> anyhow::Result<Vec<Journey>> {
    let query = [("since", "30m"), ("limit", "1000"), ("form", "weave")];
    let query = query.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let mut page: Value = client.json("/api/v1/journeys", &query).await?;
    let journeys: Vec<Journey> = serde_json::from_value(page["journeys"].take()).context("journeys of another form")?;
    Ok(journeys.into_iter().filter(|journey| writes.iter().any(|write| is_root(journey, write))).collect())
}

fn is_root(journey: &Journey, write: &ProxiedWrite) -> bool {
    if let Some(audit) = &journey.root.audit {
        return audit.to_string() == write.audit;
    }
    let same = |uid: &clew_weave::fact::Uid| uid.to_string() == write.uid.as_str();
    journey.objects.first().is_some_and(|object| same(&object.uid)) && journey.root.name == write.name
}

fn tell(
    client: &Client,
    journey: &Journey,
    waiting: bool,
    output: Output,
    told: &mut BTreeMap<String, State>,
) -> anyhow::Result<()> {
    let id = journey.journey.to_string();
    if told.get(&id) == Some(&journey.state) {
        return Ok(());
    }
    let first = told.insert(id.clone(), journey.state).is_none();
    if matches!(output, Output::Json | Output::Jsonl) {
        if first || waiting {
            println!("{}", serde_json::to_string(journey)?);
        }
        return Ok(());
    }
    let what = format!("{} {}", journey.root.resource, journey.root.name);
    if first {
        anstream::println!("{what}: {}/journeys/{id}", client.server());
    }
    if waiting && (journey.state != State::Open || std::io::stdout().is_terminal()) {
        anstream::println!("{what}: {}", standing(journey));
    }
    Ok(())
}
