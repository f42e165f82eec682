//! Killed at random points under load, again and again: everything acknowledged is there, nothing twice.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use clew_store::lake::{Durability, Lake, Options};
use clew_store::{Checkpoint, SqlLimits, Store};
use clew_weave::State;

use crate::support::{Native, records, woven};

const FOLDER: &str = "CLEW_TEST_KILL_FOLDER";
const FROM: &str = "CLEW_TEST_KILL_FROM";
const TASKS: usize = 3;
/// Spans of a request.
const SPANS: u64 = 4;

fn kills() -> usize {
    std::env::var("CLEW_TEST_KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(200)
}

/// Small segments and a hasty background, so that every step is met often.
fn hasty(folder: &Path) -> Options {
    let mut options = Options::at(folder);
    options.settle = Duration::ZERO;
    options.tick = Duration::from_millis(5);
    options.limits.segment_bytes = 6 << 10;
    options.limits.segment_age = Duration::from_millis(50);
    options.durability = Durability::Fsync;
    options
}

fn request(task: u64, number: u64) -> Vec<Native> {
    let spans = (0..SPANS).map(|place| Native(u128::from(task + 1), (task << 40) + number * SPANS + place + 1, 0));
    spans.collect()
}

/// Tells the parent; says whether it still listens.
fn say(task: u64, number: u64) -> bool {
    let mut out = std::io::stdout().lock();
    writeln!(out, "\nacknowledged {task} {number}").and_then(|()| out.flush()).is_ok()
}

/// The child: appends with several tasks, and says what was acknowledged. Run by the test below, and killed.
#[test]
fn child_appends_until_it_is_killed() {
    let Ok(folder) = std::env::var(FOLDER) else { return };
    let from: Vec<u64> = std::env::var(FROM).unwrap().split(',').map(|number| number.parse().unwrap()).collect();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async {
        let lake = Arc::new(Lake::open(hasty(Path::new(&folder))).await.unwrap());
        let mut tasks = Vec::new();
        for (task, from) in from.into_iter().enumerate() {
            let lake = Arc::clone(&lake);
            tasks.push(tokio::spawn(async move {
                for number in from.. {
                    let task = task as u64;
                    let Ok(position) = lake.append(records(&request(task, number))).await else {
                        tokio::time::sleep(Duration::from_millis(5)).await;
                        continue;
                    };
                    if !say(task, number) {
                        return;
                    }
                    if number % 8 == task {
                        let journey = 100_000 + u128::from(number / 8 % 40);
                        lake.weave(woven(journey, if number % 3 == 0 { State::Failed } else { State::Converged }, 0))
                            .await
                            .unwrap();
                    }
                    if task == 0 && number % 20 == 19 {
                        lake.checkpoint(Checkpoint { position, snapshots: Vec::new() }).await.unwrap();
                    }
                }
            }));
        }
        for task in tasks {
            let _ = task.await;
        }
    });
}

/// Runs the child for a while, then kills it; says what it acknowledged last, by task.
fn run_and_kill(folder: &Path, next: &[u64], time: Duration) -> Vec<u64> {
    let from: Vec<String> = next.iter().map(ToString::to_string).collect();
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "kill::child_appends_until_it_is_killed", "--nocapture", "--test-threads=1"])
        .env(FOLDER, folder)
        .env(FROM, from.join(","))
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let out = BufReader::new(child.stdout.take().unwrap());
    let reader = std::thread::spawn(move || {
        let mut last = BTreeMap::new();
        for line in out.lines().map_while(Result::ok) {
            let mut words = line.split(' ');
            if words.next() != Some("acknowledged") {
                continue;
            }
            // A line may be cut by the kill: then its number is none that was acknowledged last.
            let (Some(task), Some(number)) = (words.next(), words.next()) else { continue };
            let (Ok(task), Ok(number)) = (task.parse::<usize>(), number.parse::<u64>()) else { continue };
            last.insert(task, number);
        }
        last
    });
    std::thread::sleep(time);
    child.kill().unwrap();
    child.wait().unwrap();
    let last = reader.join().unwrap();
    next.iter().enumerate().map(|(task, next)| last.get(&task).map_or(*next, |last| (last + 1).max(*next))).collect()
}

async fn numbers(lake: &Lake, sql: &str) -> Vec<i64> {
    use arrow_array::cast::AsArray;
    use arrow_array::types::Int64Type;
    let batches = lake.sql(sql, SqlLimits { rows: 10, time: Duration::from_mins(1) }).await.unwrap();
    batches[0].columns().iter().map(|column| column.as_primitive::<Int64Type>().value(0)).collect()
}

#[tokio::test]
async fn killed_again_and_again_it_keeps_everything_acknowledged_and_nothing_twice() {
    let folder = tempfile::tempdir().unwrap();
    let mut next = vec![0_u64; TASKS];
    let began = Instant::now();
    for round in 0..kills() {
        let time = Duration::from_millis(30 + (round as u64 * 7919) % 450);
        // Each child begins with what was acknowledged last: a client that missed its answer sends again.
        let again: Vec<u64> = next.iter().map(|next| next.saturating_sub(1)).collect();
        let acknowledged = run_and_kill(folder.path(), &again, time);
        next = next.iter().zip(acknowledged).map(|(old, new)| (*old).max(new)).collect();
    }
    let lake = Lake::open(hasty(folder.path())).await.unwrap();
    let health = lake.health().await.unwrap();
    let torn = |problem: &&String| !problem.contains("was never acknowledged");
    assert_eq!(health.problems.iter().find(torn), None);
    for (task, next) in next.iter().enumerate() {
        assert!(*next > 10, "task {task} was never under load: {next}");
        let below = (task as u64 * (1 << 40)) + next * SPANS;
        let sql = format!(
            "select count(*), count(distinct span_id) from spans where trace_id = '{:032x}' and span_id <= '{below:016x}'",
            task + 1,
        );
        let expected = i64::try_from(next * SPANS).unwrap();
        assert_eq!(numbers(&lake, &sql).await, [expected, expected], "task {task}");
    }
    for table in ["journeys", "edges", "spans"] {
        let sql = format!(
            "select count(*), count(distinct {}) from {table} {}",
            match table {
                "journeys" => "journey_id",
                "edges" => "concat(journey_id, coalesce(child_span_id, segment_trace_id))",
                _ => "concat(trace_id, span_id)",
            },
            ""
        );
        let counts = numbers(&lake, &sql).await;
        assert_eq!(counts[0], counts[1], "{table}");
    }
    let report = lake.verify(|_| {}).await.unwrap();
    assert_eq!(report.problems, Vec::<String>::new());
    eprintln!("{} kills in {:?}, {} requests acknowledged", kills(), began.elapsed(), next.iter().sum::<u64>());
}
