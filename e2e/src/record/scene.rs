//! A scene's script and what its head says: `# options:` for the cluster, `# needs:` for tools.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use clap::Parser as _;

use crate::{Cluster, Error, Name, Options, Result, folders, shell, tools};

/// One half of a scene may take this long, in seconds.
const LIMIT: &str = "400";

/// One script below `e2e/scenes`.
#[derive(Debug)]
pub struct Scene {
    name: String,
    options: Vec<String>,
    needs: Vec<String>,
}

/// What of a scene is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Half {
    /// What is there before it begins.
    Prepare,
    /// The scene itself.
    Scene,
}

/// The flags of `cluster up` as a scene gives them.
#[derive(clap::Parser)]
struct Flags {
    #[command(flatten)]
    options: Options,
}

impl Scene {
    /// The scene of this name.
    pub fn find(name: &str) -> Result<Self> {
        let path = folder().join(format!("{name}.sh"));
        let text = std::fs::read_to_string(&path).map_err(Error::file("read", &path))?;
        Ok(Self::parse(name, &text))
    }

    fn parse(name: &str, text: &str) -> Self {
        let words = |mark: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix(mark));
            line.unwrap_or_default().split_whitespace().map(str::to_owned).collect()
        };
        Self { name: name.to_owned(), options: words("# options:"), needs: words("# needs:") }
    }

    fn unknown(&self, need: &str) -> Error {
        Error::Unfit(format!(
            "scene {} needs {need}, which is no tool; name helm, kopf or a folder of e2e/operators",
            self.name
        ))
    }

    /// The cluster that the scene plays on, with its spans going to `port`.
    pub(super) fn options(&self, port: u16) -> Result<Options> {
        let words = std::iter::once("scene".to_owned()).chain(self.options.iter().cloned());
        let flags =
            Flags::try_parse_from(words).map_err(|error| Error::Unfit(format!("scene {}: {error}", self.name)))?;
        let name: Name = format!("scene-{}", self.name).parse().map_err(Error::Unfit)?;
        let (endpoint, reach) = (Some(format!("127.0.0.1:{port}")), vec![port]);
        Ok(Options { name, tracing_endpoint: endpoint, reach, ..flags.options })
    }

    /// A search path with what the scene needs, built or installed first where it is missing.
    pub fn programs(&self, tell: &mut dyn FnMut(&str)) -> Result<OsString> {
        let mut folders: Vec<PathBuf> = Vec::new();
        for need in &self.needs {
            folders.push(match need.as_str() {
                "helm" => tools::helm(tell)?,
                "kopf" => tools::python(&folder().join("kopf/requirements.txt"), tell)?,
                name => tools::operator(name, tell)?.ok_or_else(|| self.unknown(name))?,
            });
        }
        folders.push(tools::kubernetes(self.options(0)?.kubernetes, tell)?);
        let rest = std::env::var_os("PATH").unwrap_or_default();
        folders.extend(std::env::split_paths(&rest));
        folders.extend(["/usr/sbin", "/usr/bin", "/sbin", "/bin"].map(PathBuf::from));
        std::env::join_paths(folders).map_err(|error| Error::Unfit(format!("PATH cannot be used: {error}")))
    }

    /// Plays one half on a cluster, with the programs of [`Scene::programs`].
    pub fn play(&self, cluster: &Cluster, half: Half, programs: &OsStr) -> Result<()> {
        let word = match half {
            Half::Prepare => "prepare",
            Half::Scene => "scene",
        };
        let mut command = cluster.exec("timeout")?;
        command.args([LIMIT, "bash"]).arg(folder().join("run.sh")).args([&self.name, word]);
        command.env("PATH", programs).env("SCENE_LOGS", cluster.folder().logs());
        command.env("KUBECONFIGS", cluster.folder().path().join("kubeconfig"));
        // Helm and kubectl keep caches in the home; this one goes with the cluster.
        command.env("HOME", cluster.folder().path().join("state"));
        command.env("SCENE_AUDIT", cluster.folder().audit_log()).env("SCENE_NOTES", notes(cluster));
        shell::run_visibly(&mut command)
    }
}

/// Where a scene on this cluster notes what the audit log cannot show: see `pushed` and `concerns` in `lib.sh`.
pub(super) fn notes(cluster: &Cluster) -> PathBuf {
    cluster.folder().logs()
}

/// Where scenes are.
fn folder() -> PathBuf {
    folders::repository().join("e2e/scenes")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_head_of_a_scene_says_what_it_needs() {
        let scene = Scene::parse("x", "# needs: helm\n# options: --control-plane-only --kwok 3\nscene() { :; }\n");
        assert_eq!(scene.needs, ["helm"]);
        let options = scene.options(4317).unwrap();
        assert!(options.control_plane_only);
        assert_eq!((options.kwok, options.name.as_str()), (3, "scene-x"));
    }

    #[test]
    fn every_scene_of_the_project_is_understood() {
        let scripts = std::fs::read_dir(folder()).unwrap().flatten().map(|entry| entry.path());
        let names = scripts.filter(|path| path.extension().is_some_and(|end| end == "sh"));
        let names = names.filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()));
        let scenes: Vec<String> = names.filter(|name| name != "lib" && name != "run").collect();
        assert!(scenes.len() >= 11, "{scenes:?}");
        for name in scenes {
            Scene::find(&name).unwrap().options(4317).unwrap_or_else(|error| panic!("{name}: {error}"));
        }
    }
}
