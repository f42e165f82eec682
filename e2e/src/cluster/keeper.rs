//! The keeper: the one process of a cluster outside its namespaces.
//!
//! It owns the relay, starts process 1 inside, ends it when whoever asked for the cluster is gone, and removes the
//! cgroups once all processes are dead. Its standard input is the line to whoever asked: the word `detach` means
//! that the cluster shall outlive them, the end of the line without it means that they died.

use std::fs::File;
use std::io::BufRead as _;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};

use rustix::process::Pid;

use super::{Address, Relay, Settings, pki, processes};
use crate::folders::RunDir;
use crate::helper::{HELPER, Role};
use crate::node::cgroups;
use crate::{Error, Result};

/// What the exporters of Kubernetes' components add to each request.
const OTLP_HEADERS: &str = "OTEL_EXPORTER_OTLP_HEADERS";

/// What the asker says when the cluster shall outlive it.
pub(crate) const DETACH: &str = "detach";

/// Keeps the cluster whose settings are in `run` until it ends.
pub(crate) fn keep(run: &RunDir) -> Result<()> {
    let alive = run.alive();
    let lock = File::create(&alive).map_err(Error::file("create", &alive))?;
    lock.try_lock().map_err(|error| Error::file("lock", &alive)(error.into()))?;
    let mut settings = Settings::read(run)?;
    let relay = bind_relays(run, &settings)?;
    settings.api_port = relay.port().map_err(Error::file("listen for", run.api_socket()))?;
    settings.write(run)?;
    relay.start();
    pki::create(run, settings.options.name.as_str(), settings.api_port)?;

    let mut inside = start_inside(run, &settings)?;
    // Process 1 leaves when this line ends, and waiting would end it.
    let _line = inside.stdin.take();
    end_with_asker(Pid::from_child(&inside));
    let ended = inside.wait();
    cgroups::remove(&settings.options.name)?;
    ended.map(drop).map_err(|source| Error::Start { program: "unshare".to_owned(), source })
}

fn bind_relays(run: &RunDir, settings: &Settings) -> Result<Relay> {
    for port in &settings.options.reach {
        let from = Address::Unix(run.reach_socket(*port));
        let relay = Relay::bind(&from, Address::Loopback(*port));
        relay.map_err(Error::file("listen on", run.reach_socket(*port)))?.start();
    }
    let to = Address::Unix(run.api_socket());
    Relay::bind(&Address::Loopback(0), to).map_err(Error::file("listen for", run.api_socket()))
}

fn start_inside(run: &RunDir, settings: &Settings) -> Result<Child> {
    let program = std::env::current_exe().map_err(Error::file("find", "the harness's own program"))?;
    let log = run.log("init");
    let output = File::create(&log).map_err(Error::file("create", &log))?;
    let errors = output.try_clone().map_err(Error::file("open", &log))?;
    Command::new("unshare")
        .args(["--mount", "--net", "--pid", "--fork", "--kill-child", "--mount-proc"])
        .arg(program)
        .args([HELPER, Role::Init.word()])
        .arg(run.path())
        // What the caller's shell exports (proxies, OTEL_*) must not steer the components.
        .env_clear()
        .env("PATH", settings.tools.path())
        .env("HOME", run.state())
        // A TracingConfiguration has no headers, but every component reads this.
        .envs(
            settings
                .options
                .tracing_token
                .as_ref()
                .map(|token| (OTLP_HEADERS, format!("authorization=Bearer%20{token}"))),
        )
        .stdin(Stdio::piped())
        .stdout(output)
        .stderr(errors)
        .process_group(0)
        .spawn()
        .map_err(|source| Error::Start { program: "unshare".to_owned(), source })
}

fn end_with_asker(inside: Pid) {
    std::thread::spawn(move || {
        let mut words = std::io::stdin().lock().lines().map_while(std::io::Result::ok);
        if words.any(|word| word == DETACH) {
            return;
        }
        processes::kill(inside);
    });
}
