//! The cluster's network: a loopback, a bridge that holds the node's address, and the inner halves of the relays.

use std::path::Path;
use std::process::Command;

use super::address;
use crate::cluster::{Address, Relay, Settings};
use crate::folders::{RunDir, write};
use crate::{Error, Result, shell};

/// Sets the network up and starts the relays' inner halves.
pub(crate) fn set_up(run: &RunDir, settings: &Settings) -> Result<()> {
    // A bridge rather than a dummy interface, which not every kernel has.
    let node = address::NODE_NETWORK;
    let lines = format!(
        "link set lo up\nlink add node0 type bridge\naddr add {node} dev node0\nlink set node0 up\n\
         route add default dev node0\n"
    );
    shell::run_with_input(Command::new("ip").args(["-batch", "-"]), &lines)?;
    let ipv4 = Path::new("/proc/sys/net/ipv4");
    write(&ipv4.join("ip_forward"), "1\n")?;
    // The API server's port was free outside; no connection inside may take it first.
    write(&ipv4.join("ip_local_reserved_ports"), format!("{}\n", settings.api_port))?;

    relay(&Address::Unix(run.api_socket()), Address::Loopback(settings.api_port))?;
    for port in &settings.options.reach {
        relay(&Address::Loopback(*port), Address::Unix(run.reach_socket(*port)))?;
    }
    Ok(())
}

fn relay(from: &Address, to: Address) -> Result<()> {
    let relay = Relay::bind(from, to).map_err(Error::file("listen on", format!("{from:?}")))?;
    relay.start();
    Ok(())
}
