//! The starter: brings the components up in their order and then watches over them.

use std::time::Duration;

use super::board::Board;
use super::components;
use super::kubectl::Kubectl;
use super::{accounts, cgroups, mounts, network, simulated};
use crate::Result;
use crate::cluster::{Identity, Settings};
use crate::folders::RunDir;
use crate::images::import;

/// How often the components are looked at once the cluster is up.
const WATCH: Duration = Duration::from_millis(500);

/// Brings the cluster up and watches over it for as long as it lives.
pub(crate) fn start(run: &RunDir) -> Result<()> {
    let settings = Settings::read(run)?;
    let mut board = Board::new(run, &settings);
    let result = bring_up(run, &settings, &mut board);
    board.conclude(result)?;
    loop {
        board.look()?;
        std::thread::sleep(WATCH);
    }
}

fn bring_up(run: &RunDir, settings: &Settings, board: &mut Board<'_>) -> Result<()> {
    let admin = Kubectl::new(run, settings, Identity::Admin);
    let with_node = !settings.options.control_plane_only;
    board.step("namespaces", || {
        mounts::cover(run)?;
        network::set_up(run, settings)
    })?;
    board.launch(components::etcd(run))?;
    board.launch(components::api_server(run, settings)?)?;
    if with_node {
        start_runtime(run, settings, board, &admin)?;
    }
    board.until_ready(&["kube-apiserver"], &admin)?;
    board.launch(components::controller_manager(run, settings))?;
    board.launch(components::scheduler(run, settings))?;
    if with_node {
        start_node(run, settings, board)?;
    }
    begin_accounts(run, settings, board)?;
    if settings.options.kwok > 0 {
        start_kwok(run, settings, board)?;
    }
    board.until_all_ready(&admin)?;
    board.until("nodes", || ready_nodes(&admin) >= settings.options.nodes())
}

fn start_runtime(run: &RunDir, settings: &Settings, board: &mut Board<'_>, admin: &Kubectl) -> Result<()> {
    board.step("cgroups", || cgroups::create(&settings.options.name))?;
    board.launch(components::containerd(run)?)?;
    board.until_ready(&["containerd"], admin)?;
    let (socket, images) = (run.containerd_socket(), settings.tools.images().to_vec());
    board.begin("images", move || images.iter().try_for_each(|image| import(&socket, image)))
}

fn begin_accounts(run: &RunDir, settings: &Settings, board: &mut Board<'_>) -> Result<()> {
    let (run, settings) = (run.clone(), settings.clone());
    board.begin("service account", move || {
        let admin = Kubectl::new(&run, &settings, Identity::Admin);
        accounts::create(&run, &settings, &admin)
    })
}

fn start_node(run: &RunDir, settings: &Settings, board: &mut Board<'_>) -> Result<()> {
    if let Some(socket) = &settings.options.cri_endpoint {
        // The kubelet gives up on a socket that is not there; a proxy may need containerd's first.
        board.until("CRI endpoint", || std::os::unix::net::UnixStream::connect(socket).is_ok())?;
    }
    board.launch(components::kubelet(run, settings)?)?;
    board.launch(components::proxy(run, settings))
}

fn start_kwok(run: &RunDir, settings: &Settings, board: &mut Board<'_>) -> Result<()> {
    let Some(folder) = settings.tools.kwok() else {
        return Ok(());
    };
    board.launch(components::kwok(run, folder))?;
    let kubectl = Kubectl::new(run, settings, Identity::Kwok);
    let options = settings.options.clone();
    board.begin("simulated nodes", move || simulated::create_nodes(&options, &kubectl))
}

fn ready_nodes(admin: &Kubectl) -> usize {
    let conditions = r#"jsonpath={range .items[*]}{.status.conditions[?(@.type=="Ready")].status}{"\n"}{end}"#;
    let answer = admin.run(&["get", "nodes", "-o", conditions]).unwrap_or_default();
    answer.lines().filter(|line| *line == "True").count()
}
