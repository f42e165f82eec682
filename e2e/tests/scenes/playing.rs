//! Several scenes at once on one cluster, each in its own namespace.

use std::ffi::OsString;

use clew_e2e::Cluster;
use clew_e2e::record::{Half, Scene};

/// Scenes with the programs that they need.
pub(crate) struct Scenes(Vec<(Scene, OsString)>);

impl Scenes {
    pub(crate) fn find(names: &[&str]) -> Self {
        let found = names.iter().map(|name| {
            let scene = Scene::find(name).unwrap();
            let programs = scene.programs(&mut |line| println!("{line}")).unwrap_or_else(|error| panic!("{error}"));
            (scene, programs)
        });
        Self(found.collect())
    }

    /// Plays one half of all at once; returns when the last has ended.
    pub(crate) fn play(&self, cluster: &Cluster, half: Half) {
        std::thread::scope(|scope| {
            for (scene, programs) in &self.0 {
                scope.spawn(move || {
                    scene.play(cluster, half, programs).unwrap_or_else(|error| panic!("{error}"));
                });
            }
        });
    }
}
