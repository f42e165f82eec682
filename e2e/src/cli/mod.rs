//! The command line of the test cluster: `cargo xtask cluster …`.

mod command;
mod default_config;
mod down;
mod exec;
mod logs;
mod status;
mod up;

pub use command::{Command, exit_code};
