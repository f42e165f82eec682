//! Builds from the Go module registry, pinned by the `go.mod` and `go.sum` beside this crate.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;

use sha2::{Digest as _, Sha256};

use super::operators::Operator;
use crate::cluster::Version;
use crate::images::hex;
use crate::{Error, Result, folders, shell};

const KUBERNETES: [&str; 6] =
    ["kubectl", "kube-apiserver", "kube-controller-manager", "kube-scheduler", "kubelet", "kube-proxy"];

/// What kwok's simulated nodes and pods do, from its own module.
const STAGES: Manifests = Manifests {
    file: STAGES_FILE,
    sources: &[
        ("sigs.k8s.io/kwok", "kustomize/stage/node/fast/node-initialize.yaml"),
        ("sigs.k8s.io/kwok", "kustomize/stage/node/heartbeat-with-lease/node-heartbeat-with-lease.yaml"),
        ("sigs.k8s.io/kwok", "kustomize/stage/pod/fast/pod-ready.yaml"),
        ("sigs.k8s.io/kwok", "kustomize/stage/pod/fast/pod-complete.yaml"),
        ("sigs.k8s.io/kwok", "kustomize/stage/pod/fast/pod-delete.yaml"),
    ],
};
/// The file that holds all of them beside kwok's binary.
pub(crate) const STAGES_FILE: &str = "stages.yaml";

/// YAML out of the modules that belongs beside the binaries, joined to one file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Manifests {
    /// The name of the joined file.
    pub(super) file: &'static str,
    /// A module, and the path of a file or of a folder of YAML files in it.
    pub(super) sources: &'static [(&'static str, &'static str)],
}

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
    manifests: Option<Manifests>,
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
            manifests: None,
        }
    }

    pub(crate) fn kwok() -> Self {
        Self {
            what: "kwok".to_owned(),
            module: folders::repository().join("e2e/kwok"),
            packages: vec!["sigs.k8s.io/kwok/cmd/kwok".to_owned()],
            flags: "-s -w".to_owned(),
            minutes: "about a minute",
            manifests: Some(STAGES),
        }
    }

    pub(crate) fn helm() -> Self {
        Self {
            what: "helm".to_owned(),
            module: folders::repository().join("e2e/helm"),
            packages: vec!["helm.sh/helm/v4/cmd/helm".to_owned()],
            flags: "-s -w".to_owned(),
            minutes: "about two minutes",
            manifests: None,
        }
    }

    pub(super) fn operator(operator: &Operator) -> Self {
        Self {
            what: operator.name.to_owned(),
            module: folders::repository().join("e2e/operators").join(operator.name),
            packages: operator.packages.iter().map(|&package| package.to_owned()).collect(),
            flags: "-s -w".to_owned(),
            minutes: operator.minutes,
            manifests: operator.crds,
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
        if let Some(manifests) = &self.manifests {
            folders::write(&partial.join(manifests.file), self.join(manifests)?)?;
        }
        std::fs::rename(&partial, target).map_err(Error::file("rename", &partial))
    }

    fn join(&self, manifests: &Manifests) -> Result<String> {
        let mut texts = Vec::new();
        for (module, path) in manifests.sources {
            let mut command = Command::new("go");
            command.current_dir(&self.module).args(["list", "-m", "-f", "{{.Dir}}", module]);
            let folder = shell::run(&mut command)?;
            for file in yaml_files(&Path::new(folder.trim()).join(path))? {
                texts.push(std::fs::read_to_string(&file).map_err(Error::file("read", &file))?);
            }
        }
        Ok(texts.join("\n---\n"))
    }

    /// Changes whenever what is built changes.
    fn fingerprint(&self) -> Result<String> {
        let mut hash = Sha256::new();
        hash.update(&self.flags);
        hash.update(self.packages.join(" "));
        for (module, path) in self.manifests.iter().flat_map(|manifests| manifests.sources) {
            hash.update(format!("{module} {path}"));
        }
        for file in ["go.mod", "go.sum"] {
            let path = self.module.join(file);
            hash.update(std::fs::read(&path).map_err(Error::file("read", &path))?);
        }
        Ok(hex(&hash.finalize())[..12].to_owned())
    }
}

/// The file itself, or the manifests of a folder in the order of their names.
fn yaml_files(path: &Path) -> Result<Vec<PathBuf>> {
    if path.is_file() {
        return Ok(vec![path.to_owned()]);
    }
    let entries = std::fs::read_dir(path).map_err(Error::file("read", path))?.flatten().map(|entry| entry.path());
    let is_manifest =
        |file: &PathBuf| file.extension().is_some_and(|end| end == "yaml") && !file.ends_with("kustomization.yaml");
    let mut files: Vec<PathBuf> = entries.filter(is_manifest).collect();
    files.sort();
    Ok(files)
}
