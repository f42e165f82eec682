//! How much a durable append costs in our log and in fjall: the same payloads, the same writers, one commit for all who
//! wait in both.

use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use bytes::Bytes;
use clew_store::log::{Durability, Entry, Landed, Log, LogOptions, Sink};
use fjall::{Database, KeyspaceCreateOptions, PersistMode};
use tokio::sync::oneshot;

/// What a request of 512 spans weighs, about.
const PAYLOAD: usize = 64 << 10;
const APPENDS: usize = 4096;
const WRITERS: [usize; 2] = [1, 32];

fn main() -> anyhow::Result<()> {
    let runtime = tokio::runtime::Runtime::new()?;
    for writers in WRITERS {
        let folder = tempfile::tempdir()?;
        let log = Arc::new(own(folder.path())?);
        report("clew's log", writers, folder.path(), || {
            let log = Arc::clone(&log);
            runtime.block_on(run(writers, move |payload| {
                let log = Arc::clone(&log);
                async move {
                    log.append(vec![Entry { kind: 1, payload: vec![payload], item: () }]).await?;
                    Ok(())
                }
            }))
        })?;
        drop(log);
        let folder = tempfile::tempdir()?;
        let (sender, thread) = fjall_log(folder.path())?;
        report("fjall", writers, folder.path(), || {
            let sender = sender.clone();
            runtime.block_on(run(writers, move |payload| {
                let sender = sender.clone();
                async move {
                    let (done, answer) = oneshot::channel();
                    tokio::task::block_in_place(|| sender.send((payload, done)))?;
                    Ok(answer.await?)
                }
            }))
        })?;
        // Its files must be closed before their folder goes.
        drop(sender);
        thread.join().map_err(|_| anyhow::anyhow!("the thread of fjall panicked"))??;
    }
    Ok(())
}

struct Nobody;

impl Sink for Nobody {
    type Item = ();
    fn landed(&mut self, _: Vec<Landed<()>>) {}
    fn sealed(&mut self, _: u64) {}
}

fn own(folder: &Path) -> anyhow::Result<Log<()>> {
    let options = LogOptions {
        folder: folder.to_owned(),
        durability: Durability::Fsync,
        segment_bytes: 32 << 20,
        queue_bytes: 256 << 20,
    };
    Ok(Log::start(&options, 1, 1, Nobody)?)
}

type Waiting = (Bytes, oneshot::Sender<()>);

/// fjall behind a thread that commits for all who wait, as our log does.
fn fjall_log(folder: &Path) -> anyhow::Result<(SyncSender<Waiting>, JoinHandle<anyhow::Result<()>>)> {
    let database = Database::builder(folder).open()?;
    let records = database.keyspace("records", KeyspaceCreateOptions::default)?;
    let (sender, receiver) = sync_channel::<Waiting>(4096);
    let thread = std::thread::spawn(move || -> anyhow::Result<()> {
        let mut sequence = 0_u64;
        while let Some(group) = group(&receiver) {
            let mut told = Vec::with_capacity(group.len());
            for (payload, done) in group {
                sequence += 1;
                records.insert(sequence.to_be_bytes(), &payload[..])?;
                told.push(done);
            }
            database.persist(PersistMode::SyncData)?;
            for done in told {
                // A writer that gave up waits no more.
                let _ = done.send(());
            }
        }
        Ok(())
    });
    Ok((sender, thread))
}

fn group(receiver: &Receiver<Waiting>) -> Option<Vec<Waiting>> {
    let mut group = vec![receiver.recv().ok()?];
    group.extend(receiver.try_iter());
    Some(group)
}

/// Every writer appends its share; gives back how long each append took.
async fn run<F>(writers: usize, append: impl Fn(Bytes) -> F + Clone + Send + 'static) -> anyhow::Result<Vec<Duration>>
where
    F: Future<Output = anyhow::Result<()>> + Send,
{
    let tasks = (0..writers).map(|writer| {
        let append = append.clone();
        tokio::spawn(async move {
            let mut times = Vec::new();
            for number in 0..APPENDS / writers {
                let began = Instant::now();
                append(payload(writer * APPENDS + number)).await?;
                times.push(began.elapsed());
            }
            anyhow::Ok(times)
        })
    });
    let mut times = Vec::new();
    for task in tasks.collect::<Vec<_>>() {
        times.extend(task.await??);
    }
    Ok(times)
}

/// Bytes that compress about as spans do: half of them repeat.
fn payload(seed: usize) -> Bytes {
    let mut state = seed as u64 | 1;
    let mut next = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()
    };
    (0..PAYLOAD / 16).flat_map(|_| [next(), *b"attribut"].concat()).collect::<Vec<u8>>().into()
}

fn report(
    name: &str,
    writers: usize,
    folder: &Path,
    work: impl FnOnce() -> anyhow::Result<Vec<Duration>>,
) -> anyhow::Result<()> {
    let (began, cpu) = (Instant::now(), cpu());
    let mut times = work()?;
    let (wall, cpu) = (began.elapsed().as_secs_f64(), self::cpu() - cpu);
    times.sort_unstable();
    let p99 = times[times.len() * 99 / 100].as_secs_f64() * 1000.0;
    let mib = (APPENDS * PAYLOAD) as f64 / f64::from(1 << 20);
    let disk = size(folder)? as f64 / f64::from(1 << 20);
    println!(
        "{{\"log\":\"{name}\",\"writers\":{writers},\"mibPerSecond\":{:.0},\"mibPerCpuSecond\":{:.0},\"p99Ms\":{p99:.1},\"mib\":{mib:.0},\"mibOnDisk\":{disk:.0}}}",
        mib / wall,
        mib / cpu,
    );
    Ok(())
}

/// CPU time of this process so far, in seconds.
fn cpu() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

fn size(folder: &Path) -> anyhow::Result<u64> {
    let mut bytes = 0;
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let data = entry.metadata()?;
        bytes += if data.is_dir() { size(&entry.path())? } else { data.len() };
    }
    Ok(bytes)
}
