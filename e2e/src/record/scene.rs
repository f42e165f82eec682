//! A scene's script and what its head says: `# options:` for the cluster, `# needs:` for tools.

use std::path::PathBuf;

use clap::Parser as _;

use crate::{Error, Name, Options, Result, folders};

/// One script below `e2e/scenes`.
#[derive(Debug)]
pub(super) struct Scene {
    pub(super) name: String,
    options: Vec<String>,
    needs: Vec<String>,
}

/// The flags of `cluster up` as a scene gives them.
#[derive(clap::Parser)]
struct Flags {
    #[command(flatten)]
    options: Options,
}

impl Scene {
    pub(super) fn find(name: &str) -> Result<Self> {
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

    pub(super) fn needs(&self, tool: &str) -> bool {
        self.needs.iter().any(|need| need == tool)
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
}

/// Where scenes are.
pub(super) fn folder() -> PathBuf {
    folders::repository().join("e2e/scenes")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_head_of_a_scene_says_what_it_needs() {
        let scene = Scene::parse("x", "# needs: helm\n# options: --control-plane-only --kwok 3\nscene() { :; }\n");
        assert!(scene.needs("helm") && !scene.needs("kopf"));
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
