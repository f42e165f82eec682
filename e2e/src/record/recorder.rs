//! Plays a scene on a fresh cluster while `clew capture` records it.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use super::actions::actions;
use super::notes::Notes;
use super::scene::{self, Half, Scene};
use crate::cluster::Address;
use crate::{Cluster, Error, Identity, Result, folders, images, shell};

/// What settles after the last command belongs to the recording.
const SETTLE: Duration = Duration::from_secs(6);
/// How long the recorder may take to have its watches.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long after the first watch the last one may be.
const ALL_WATCHES: Duration = Duration::from_secs(3);
const STEP: Duration = Duration::from_millis(100);

/// Records the scene into the folder `out`, which must not exist, and returns how many actions it has.
pub fn record(
    helper: &Path,
    name: &str,
    clew: Option<PathBuf>,
    out: &Path,
    tell: &mut dyn FnMut(&str),
) -> Result<usize> {
    let scene = Scene::find(name)?;
    let clew = clew.map_or_else(|| images::clew_binary(tell), Ok)?;
    let path = scene.programs(tell)?;
    let (grpc, http) = (free_port()?, free_port()?);
    let cluster = Cluster::up(helper, scene.options(grpc)?, tell)?;
    tell(&format!("preparing scene {name}"));
    scene.play(&cluster, Half::Prepare, &path)?;
    let capture = Capture::start(&clew, &cluster, out, (grpc, http))?;
    tell(&format!("playing scene {name}"));
    let played = scene.play(&cluster, Half::Scene, &path);
    std::thread::sleep(SETTLE);
    capture.stop()?;
    played?;
    pack(out)?;
    write_actions(out, Notes::read(&scene::notes(&cluster))?)
}

/// A running `clew capture`, which ends with this.
struct Capture(Child);

impl Capture {
    fn start(clew: &Path, cluster: &Cluster, out: &Path, ports: (u16, u16)) -> Result<Self> {
        let log = cluster.folder().log("capture");
        let output = std::fs::File::create(&log).map_err(Error::file("create", &log))?;
        let mut command = Command::new(clew);
        command.arg("capture").arg("--out").arg(out);
        command.arg("--kubeconfig").arg(cluster.kubeconfig(Identity::Admin));
        command.arg("--audit-log").arg(cluster.folder().audit_log());
        command.arg("--otlp").arg(format!("127.0.0.1:{}", ports.0));
        command.arg("--otlp-http").arg(format!("127.0.0.1:{}", ports.1));
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(output);
        let child = command.spawn().map_err(|source| Error::Start { program: clew.display().to_string(), source })?;
        let mut capture = Self(child);
        capture.wait_for_watches(cluster, &log)?;
        Ok(capture)
    }

    fn wait_for_watches(&mut self, cluster: &Cluster, log: &Path) -> Result<()> {
        let start = Instant::now();
        while !has_watches(&cluster.folder().audit_log()) {
            if let Ok(Some(status)) = self.0.try_wait() {
                return Err(failed(status, shell::tail(log, 10)));
            }
            if start.elapsed() > PATIENCE {
                return Err(Error::Unfit(format!("clew capture watches nothing after {} s", PATIENCE.as_secs())));
            }
            std::thread::sleep(STEP);
        }
        // The first watch is there; the others follow within moments.
        std::thread::sleep(ALL_WATCHES);
        Ok(())
    }

    fn stop(mut self) -> Result<()> {
        let lost = |source| Error::Start { program: "clew capture".to_owned(), source };
        kill_process(Pid::from_child(&self.0), Signal::INT).map_err(|error| lost(error.into()))?;
        let status = self.0.wait().map_err(lost)?;
        if status.success() { Ok(()) } else { Err(failed(status, String::new())) }
    }
}

impl Drop for Capture {
    fn drop(&mut self) {
        if matches!(self.0.try_wait(), Ok(None)) {
            let _ = self.0.kill();
            let _ = self.0.wait();
        }
    }
}

fn failed(status: ExitStatus, output: String) -> Error {
    Error::Failed { program: "clew capture".to_owned(), status: status.to_string(), output }
}

/// Whether someone watches as admin, which only the recorder does.
fn has_watches(audit_log: &Path) -> bool {
    let text = std::fs::read(audit_log).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    text.lines().rev().any(|line| line.contains("\"verb\":\"watch\"") && line.contains("kubernetes-admin"))
}

/// Packs the files as small as they get: they are written once and kept in the repository.
fn pack(out: &Path) -> Result<()> {
    for file in ["audit.log.zst", "watch.jsonl.zst", "otlp.jsonl.zst"] {
        let (fast, plain) = (out.join(file), out.join("plain"));
        shell::run(Command::new("zstd").args(["-dqf"]).arg(&fast).arg("-o").arg(&plain))?;
        shell::run(Command::new("zstd").args(["-19", "-qf", "--rm"]).arg(&plain).arg("-o").arg(&fast))?;
    }
    Ok(())
}

fn write_actions(out: &Path, notes: Notes) -> Result<usize> {
    let log = shell::run(Command::new("zstd").args(["-dqc"]).arg(out.join("audit.log.zst")))?;
    let path = out.join("actions.jsonl");
    let content = |source| Error::Content { path: path.clone(), source };
    let mut lines = notes.pushes;
    for action in actions(&log) {
        lines.push((action.time.clone(), serde_json::to_string(&action).map_err(content)?));
    }
    lines.sort();
    let lines: Vec<String> = lines.into_iter().map(|(_, line)| line + "\n").collect();
    folders::write(&path, lines.concat())?;
    if !notes.concerns.is_empty() {
        let text = serde_json::to_string_pretty(&notes.concerns).map_err(content)?;
        folders::write(&out.join("concerns.json"), text + "\n")?;
    }
    Ok(lines.len())
}

fn free_port() -> Result<u16> {
    let listener = Address::Loopback(0).bind().and_then(|listener| listener.port());
    listener.map_err(Error::file("find", "a free port"))
}
