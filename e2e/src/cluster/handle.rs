//! A cluster in the hands of a test or a command.

use std::io::Write as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::{Identity, Name, Options, Settings, Status, clean, keeper, processes};
use crate::folders::RunDir;
use crate::helper::{HELPER, Role};
use crate::tools::Tools;
use crate::{Error, Result, shell};

/// How long a cluster may take to come up on a slow, busy machine, plus this for each simulated node.
const PATIENCE: Duration = Duration::from_mins(3);
const PATIENCE_PER_NODE: Duration = Duration::from_millis(100);
const STEP: Duration = Duration::from_millis(20);

/// A running cluster. One that was brought up and not detached goes down when this is dropped.
#[derive(Debug)]
pub struct Cluster {
    name: Name,
    run: RunDir,
    tools: Tools,
    keeper: Option<Child>,
}

impl Cluster {
    /// Brings a cluster up and returns when all its nodes are Ready, telling each part that became ready.
    ///
    /// `helper` is a program that calls [`crate::helper::dispatch`] first. What an earlier cluster of the same name
    /// left behind is removed.
    pub fn up(helper: &Path, options: Options, tell: &mut dyn FnMut(&str)) -> Result<Self> {
        if !rustix::process::geteuid().is_root() {
            return Err(Error::Unfit("a cluster needs root, for namespaces and cgroups: run this as root".to_owned()));
        }
        let tools = Tools::ensure(&options, tell)?;
        let run = RunDir::of(&options.name)?;
        let _held = clean::hold(&run)?;
        if clean::is_alive(&run) {
            return Err(Error::AlreadyUp(options.name.to_string()));
        }
        clean::end(&run, &options.name)?;
        clean::forget(&run)?;
        run.create()?;
        let name = options.name.clone();
        let patience = PATIENCE + PATIENCE_PER_NODE * options.kwok;
        Settings { options, tools: tools.clone(), api_port: 0 }.write(&run)?;
        let keeper = start_keeper(helper, &run)?;
        let mut cluster = Self { name, run, tools, keeper: Some(keeper) };
        cluster.wait_until_ready(patience, tell).inspect_err(|_| cluster.end_kept())?;
        Ok(cluster)
    }

    /// The cluster of this name, if it is up.
    pub fn find(name: &Name) -> Result<Self> {
        let run = RunDir::of(name)?;
        if !clean::is_alive(&run) {
            return Err(Error::NotUp(name.to_string()));
        }
        let tools = Settings::read(&run)?.tools;
        Ok(Self { name: name.clone(), run, tools, keeper: None })
    }

    /// Lets the cluster run on after this process.
    pub fn detach(mut self) -> Result<()> {
        let Some(mut keeper) = self.keeper.take() else {
            return Ok(());
        };
        let Some(mut line) = keeper.stdin.take() else {
            return Ok(());
        };
        writeln!(line, "{}", keeper::DETACH).map_err(Error::file("write to", "the keeper's line"))
    }

    /// Takes the cluster of this name down, if it is up, and removes all that it left.
    pub fn down(name: &Name) -> Result<()> {
        let run = RunDir::of(name)?;
        let _held = clean::hold(&run)?;
        clean::end(&run, name)?;
        clean::forget(&run)
    }

    /// How far the cluster is.
    pub fn status(&self) -> Result<Status> {
        Status::read(&self.run)?.ok_or_else(|| Error::NotUp(self.name.to_string()))
    }

    /// A command that runs inside the cluster's namespaces, as admin unless its environment says otherwise.
    pub fn exec(&self, program: &str) -> Result<Command> {
        let init = processes::init(&self.run).ok_or_else(|| Error::NotUp(self.name.to_string()))?;
        let here = std::env::current_dir().map_err(Error::file("find", "the current folder"))?;
        let mut command = Command::new("nsenter");
        command.args(["--mount", "--net", "--pid", "--target"]).arg(init.to_string());
        command.arg(format!("--wdns={}", here.display())).args(["--", program]);
        command.env("KUBECONFIG", self.kubeconfig(Identity::Admin)).env("PATH", self.tools.path());
        Ok(command)
    }

    /// Runs kubectl through the relay as `identity` and returns what it printed.
    pub fn kubectl(&self, identity: Identity, arguments: &[&str]) -> Result<String> {
        shell::run(self.kubectl_command(identity).args(arguments))
    }

    /// Runs kubectl through the relay as `identity` with `input` on its standard input.
    pub fn kubectl_with(&self, identity: Identity, arguments: &[&str], input: &str) -> Result<String> {
        shell::run_with_input(self.kubectl_command(identity).args(arguments), input)
    }

    /// The kubeconfig of one identity, which works inside and outside.
    pub fn kubeconfig(&self, identity: Identity) -> PathBuf {
        self.run.kubeconfig(identity)
    }

    /// The cluster's folder, with its logs and its audit log.
    pub fn folder(&self) -> &RunDir {
        &self.run
    }

    /// The folder of the cluster's own kubectl and its siblings.
    pub fn programs(&self) -> &Path {
        self.tools.kubernetes()
    }

    /// Process 1 of the cluster, as numbered outside; `None` when it is gone.
    pub fn process_one(&self) -> Option<u32> {
        processes::init(&self.run).and_then(|pid| u32::try_from(pid.as_raw_nonzero().get()).ok())
    }

    fn kubectl_command(&self, identity: Identity) -> Command {
        let mut command = Command::new(self.tools.kubernetes().join("kubectl"));
        command.env("KUBECONFIG", self.kubeconfig(identity)).env("KUBECACHEDIR", self.run.path().join("kubectl-cache"));
        command
    }

    fn wait_until_ready(&mut self, patience: Duration, tell: &mut dyn FnMut(&str)) -> Result<()> {
        let start = Instant::now();
        let mut told = Vec::new();
        loop {
            let status = Status::read(&self.run)?;
            if let Some(status) = &status {
                tell_ready(status, &mut told, tell);
                if status.ready {
                    return Ok(());
                }
            }
            if let Some(reason) = status.and_then(|status| status.failure) {
                return Err(self.not_ready(reason));
            }
            if self.keeper.as_mut().is_some_and(|keeper| !matches!(keeper.try_wait(), Ok(None))) {
                let reason = format!("it ended: {}", shell::tail(&self.run.log("keeper"), 5));
                return Err(self.not_ready(reason));
            }
            if start.elapsed() > patience {
                return Err(self.not_ready(format!("not ready after {} s", patience.as_secs())));
            }
            std::thread::sleep(STEP);
        }
    }

    fn not_ready(&self, reason: String) -> Error {
        Error::NotReady { name: self.name.to_string(), reason, logs: self.run.logs() }
    }

    /// Ends a cluster that this process keeps; the keeper does it when its line ends.
    fn end_kept(&mut self) {
        let Some(mut keeper) = self.keeper.take() else {
            return;
        };
        drop(keeper.stdin.take());
        if let Err(error) = clean::end(&self.run, &self.name) {
            eprintln!("{error}");
        }
        let _ = keeper.wait();
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        if self.keeper.is_none() {
            return;
        }
        self.end_kept();
        if std::thread::panicking() {
            eprintln!("the logs of cluster {} stay in {}", self.name, self.run.logs().display());
            return;
        }
        if let Err(error) = clean::forget(&self.run) {
            eprintln!("{error}");
        }
    }
}

fn start_keeper(helper: &Path, run: &RunDir) -> Result<Child> {
    let log = run.log("keeper");
    let output = std::fs::File::create(&log).map_err(Error::file("create", &log))?;
    let errors = output.try_clone().map_err(Error::file("open", &log))?;
    Command::new(helper)
        .args([HELPER, Role::Keep.word()])
        .arg(run.path())
        .stdin(Stdio::piped())
        .stdout(output)
        .stderr(errors)
        // Ctrl-C ends the asker; the keeper must live on to clean up.
        .process_group(0)
        .spawn()
        .map_err(|source| Error::Start { program: helper.display().to_string(), source })
}

/// Tells each part once, when it is first seen ready.
fn tell_ready(status: &Status, told: &mut Vec<String>, tell: &mut dyn FnMut(&str)) {
    for part in &status.parts {
        let Some(took) = part.took_ms else { continue };
        if told.contains(&part.name) {
            continue;
        }
        tell(&format!("{} ready after {took} ms", part.name));
        told.push(part.name.clone());
    }
}
