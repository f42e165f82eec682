//! Builds from the Go module registry, pinned by the `go.mod` and `go.sum` beside this crate.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;

use sha2::{Digest as _, Sha256};

use crate::cluster::Version;
use crate::images::hex;
use crate::{Error, Result, folders, shell};

const KUBERNETES: [&str; 6] =
    ["kubectl", "kube-apiserver", "kube-controller-manager", "kube-scheduler", "kubelet", "kube-proxy"];

/// What kwok's simulated nodes and pods do, from its own module: `kustomize/stage/fast` there.
const STAGES: [&str; 5] = [
    "node/fast/node-initialize.yaml",
    "node/heartbeat-with-lease/node-heartbeat-with-lease.yaml",
    "pod/fast/pod-ready.yaml",
    "pod/fast/pod-complete.yaml",
    "pod/fast/pod-delete.yaml",
];
/// The file that holds all of them beside kwok's binary.
pub(crate) const STAGES_FILE: &str = "stages.yaml";

/// One `go build` of all commands of one module.
#[derive(Debug)]
pub(crate) struct GoBuild {
    /// What is built, for people and for the folder's name.
    what: String,
    /// Where `go.mod` and `go.sum` are.
    module: PathBuf,
    packages: Vec<String>,
    flags: String,
    minutes: &'static str,
    /// Whether kwok's stages belong beside the binary.
    stages: bool,
}

impl GoBuild {
    pub(crate) fn kubernetes(version: Version) -> Self {
        let place = ["k8s.io/component-base/version", "k8s.io/client-go/pkg/version"];
        let stamps = place.map(|package| format!("-X {package}.gitVersion={version}")).join(" ");
        Self {
            what: format!("kubernetes-{version}"),
            module: folders::repository().join("e2e/kubernetes").join(version.to_string()),
            packages: KUBERNETES.map(|command| format!("k8s.io/kubernetes/cmd/{command}")).to_vec(),
            flags: format!("-s -w {stamps}"),
            minutes: "about 5 minutes",
            stages: false,
        }
    }

    pub(crate) fn kwok() -> Self {
        Self {
            what: "kwok".to_owned(),
            module: folders::repository().join("e2e/kwok"),
            packages: vec!["sigs.k8s.io/kwok/cmd/kwok".to_owned()],
            flags: "-s -w".to_owned(),
            minutes: "about a minute",
            stages: true,
        }
    }

    pub(crate) fn helm() -> Self {
        Self {
            what: "helm".to_owned(),
            module: folders::repository().join("e2e/helm"),
            packages: vec!["helm.sh/helm/v4/cmd/helm".to_owned()],
            flags: "-s -w".to_owned(),
            minutes: "about two minutes",
            stages: false,
        }
    }

    pub(crate) fn sealed_secrets() -> Self {
        let module = "github.com/bitnami-labs/sealed-secrets";
        Self {
            what: "sealed-secrets".to_owned(),
            module: folders::repository().join("e2e/sealed-secrets"),
            packages: ["controller", "kubeseal"].map(|command| format!("{module}/cmd/{command}")).to_vec(),
            flags: "-s -w".to_owned(),
            minutes: "about a minute",
            stages: false,
        }
    }

    /// The folder of the binaries; built first if it is missing.
    pub(crate) fn ensure(&self, tell: &mut dyn FnMut(&str)) -> Result<PathBuf> {
        let cache = folders::cache()?.join("go");
        let target = cache.join(format!("{}-{}", self.what, self.fingerprint()?));
        if target.is_dir() {
            return Ok(target);
        }
        std::fs::create_dir_all(&cache).map_err(Error::file("create", &cache))?;
        // Two processes that need the same build take turns; the second finds it done.
        let lock = cache.join(format!("{}.lock", self.what));
        let held = File::create(&lock).map_err(Error::file("create", &lock))?;
        held.lock().map_err(Error::file("lock", &lock))?;
        if target.is_dir() {
            return Ok(target);
        }
        let (what, minutes, shown) = (&self.what, self.minutes, target.display());
        tell(&format!("building {what} with Go: {shown} is not there yet; {minutes} when nothing is cached"));
        self.build(&target)?;
        Ok(target)
    }

    /// Builds beside the target and then renames, so that a half-done build is never taken for one.
    fn build(&self, target: &Path) -> Result<()> {
        let partial = target.with_extension("partial");
        std::fs::create_dir_all(&partial).map_err(Error::file("create", &partial))?;
        let mut command = Command::new("go");
        command.current_dir(&self.module).env("CGO_ENABLED", "0").args(["build", "-ldflags", &self.flags, "-o"]);
        // With a trailing slash, the path is a folder even for a single command.
        let mut folder = partial.clone().into_os_string();
        folder.push("/");
        shell::run_visibly(command.arg(folder).args(&self.packages))?;
        if self.stages {
            folders::write(&partial.join(STAGES_FILE), self.read_stages()?)?;
        }
        std::fs::rename(&partial, target).map_err(Error::file("rename", &partial))
    }

    fn read_stages(&self) -> Result<String> {
        let mut command = Command::new("go");
        command.current_dir(&self.module).args(["list", "-m", "-f", "{{.Dir}}", "sigs.k8s.io/kwok"]);
        let module = shell::run(&mut command)?;
        let folder = Path::new(module.trim()).join("kustomize/stage");
        let stages = STAGES.iter().map(|name| {
            let path = folder.join(name);
            std::fs::read_to_string(&path).map_err(Error::file("read", &path))
        });
        Ok(stages.collect::<Result<Vec<_>>>()?.join("\n---\n"))
    }

    /// Changes whenever what is built changes.
    fn fingerprint(&self) -> Result<String> {
        let mut hash = Sha256::new();
        hash.update(&self.flags);
        hash.update(self.packages.join(" "));
        if self.stages {
            hash.update(STAGES.join(" "));
        }
        for file in ["go.mod", "go.sum"] {
            let path = self.module.join(file);
            hash.update(std::fs::read(&path).map_err(Error::file("read", &path))?);
        }
        Ok(hex(&hash.finalize())[..12].to_owned())
    }
}
