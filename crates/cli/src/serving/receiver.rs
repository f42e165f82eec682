//! The OTLP receiver with the settings of `clew up`.

use std::sync::Arc;

use anyhow::Context;
use clew_collect::intake::Intake;
use clew_collect::receive::{Receiver, Settings as ReceiveSettings};

use super::kept::Kept;
use crate::commands::up::Settings;

/// Listens for spans.
pub(super) async fn start(settings: &Settings, kept: &Kept, intake: Intake) -> anyhow::Result<Receiver> {
    let receive = ReceiveSettings {
        grpc: Some(settings.otlp_grpc()),
        http: Some(settings.otlp_http()),
        tls: kept.tls(settings.senders()),
        tokens: kept.token.iter().cloned().collect(),
        insecure: settings.insecure,
        ..ReceiveSettings::default()
    };
    let receiver = Receiver::start(&receive, Arc::new(intake)).await;
    receiver.context("cannot receive spans: choose other addresses with --otlp-grpc and --otlp-http")
}
