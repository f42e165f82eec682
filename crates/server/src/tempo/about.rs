//! What a datasource asks to see whether it talks to Tempo.

use axum::Json;
use serde_json::{Value, json};

/// The version of Tempo whose API this is; Grafana asks for features by it.
const SPOKEN: &str = "2.6.0";

/// Says that someone is there.
pub(super) async fn echo() -> &'static str {
    "echo"
}

/// Says which API is spoken, and by whom.
pub(super) async fn build_info() -> Json<Value> {
    Json(json!({
        "version": SPOKEN,
        "revision": format!("clew-{}", env!("CARGO_PKG_VERSION")),
        "branch": "",
        "buildDate": "",
        "buildUser": "",
        "goVersion": "",
    }))
}
