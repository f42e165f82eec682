//! What a capture's audit log and its list of actions say, as plain JSON: the rules must not lean on clew's decoders.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use clew_collect::capture::{BadLines, Capture, ReadOptions, Source, Sources};
use clew_model::Time;
use serde_json::Value;

const WRITES: [&str; 5] = ["create", "update", "patch", "delete", "deletecollection"];
const NO_WRITES: [&str; 2] = ["leases", "events"];

/// One request that changed something, or tried to.
pub(crate) struct Write {
    pub(crate) id: String,
    pub(crate) at: Time,
    pub(crate) user: String,
    pub(crate) verb: String,
    pub(crate) resource: String,
    pub(crate) subresource: String,
    pub(crate) namespace: String,
    pub(crate) name: String,
    pub(crate) uid: String,
    pub(crate) refused: bool,
    pub(crate) not_found: bool,
    /// Whether it only tried.
    pub(crate) dry: bool,
    pub(crate) group: String,
    pub(crate) request: Value,
    pub(crate) response: Value,
}

impl Write {
    pub(crate) fn is(&self, verb: &str, resource: &str, subresource: &str) -> bool {
        self.verb == verb && self.resource == resource && self.subresource == subresource
    }

    /// The object that was answered, if one was.
    pub(crate) fn object(&self) -> Option<&Value> {
        (self.response.is_object() && text(&self.response, "/kind") != "Status").then_some(&self.response)
    }

    pub(crate) fn what(&self) -> String {
        let slash = if self.subresource.is_empty() { "" } else { "/" };
        format!("{} {}{slash}{} {}/{}", self.verb, self.resource, self.subresource, self.namespace, self.name)
    }
}

/// What a person or a pipeline did; without an id if they did it outside the cluster.
pub(crate) struct Action {
    pub(crate) id: String,
    pub(crate) at: Time,
    pub(crate) user: String,
    pub(crate) what: String,
    pub(crate) resource: String,
    pub(crate) namespace: String,
    pub(crate) name: String,
    /// The namespaces that it changes, if it says so.
    pub(crate) concerns: String,
}

/// A capture, as the rules read it.
pub(crate) struct Recording {
    pub(crate) name: String,
    pub(crate) path: PathBuf,
    pub(crate) actions: Vec<Action>,
    /// In the order in which they were received.
    pub(crate) writes: Vec<Write>,
    /// Objects that somebody listed, with their resource.
    pub(crate) listed: Vec<(String, Value)>,
    /// For a scene of quiet namespaces: the namespaces that custom resources elsewhere are about.
    pub(crate) concerns: HashMap<String, String>,
    pub(crate) is_quiet: bool,
}

/// Every capture of the repository that says what people did in it.
pub(crate) fn recordings() -> Vec<Recording> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../captures");
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("captures").map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| path.join("actions.jsonl").exists());
    paths.sort();
    assert!(paths.len() >= 4, "the four shared captures are there: {paths:?}");
    paths.iter().map(|path| read(path)).collect()
}

fn read(path: &Path) -> Recording {
    let actions = std::fs::read_to_string(path.join("actions.jsonl")).expect("actions");
    let name = path.file_name().expect("a name").to_string_lossy().into_owned();
    let actions = actions.lines().map(action).collect();
    let concerns = super::quiet::concerns(path);
    let mut recording = Recording {
        name,
        path: path.to_owned(),
        actions,
        writes: Vec::new(),
        listed: Vec::new(),
        is_quiet: concerns.is_some(),
        concerns: concerns.unwrap_or_default(),
    };
    let mut bad = BadLines::default();
    let options = ReadOptions { sources: Sources::NONE.with(Source::Audit), ..ReadOptions::default() };
    Capture::open(path).expect("a capture").read(&options, &mut bad, &mut |line, _| {
        note(serde_json::from_slice(line.bytes).expect("an audit event"), &mut recording);
        ControlFlow::Continue(())
    });
    assert!(bad.is_empty(), "{bad}");
    recording.writes.sort_by_key(|write| write.at);
    recording
}

fn action(line: &str) -> Action {
    let line: Value = serde_json::from_str(line).expect("an action");
    let part = |pointer| text(&line, pointer).to_owned();
    let push = part("/push");
    let what = format!("{} {}/{}", part("/verb"), part("/resource"), part("/name"));
    Action {
        id: part("/auditID"),
        at: Time::parse_bytes(part("/time").as_bytes()).expect("a time"),
        user: part("/user"),
        what: if push.is_empty() { what } else { push },
        resource: part("/resource"),
        namespace: part("/namespace"),
        name: part("/name"),
        concerns: part("/concerns"),
    }
}

fn note(mut event: Value, recording: &mut Recording) {
    let resource = text(&event, "/objectRef/resource").to_owned();
    if text(&event, "/responseObject/kind").ends_with("List") && !resource.is_empty() {
        let items = event.pointer_mut("/responseObject/items").and_then(Value::as_array_mut);
        let items = items.map(std::mem::take).unwrap_or_default();
        recording.listed.extend(items.into_iter().map(|item| (resource.clone(), item)));
    }
    let is_write = WRITES.contains(&text(&event, "/verb")) && !NO_WRITES.contains(&resource.as_str());
    if text(&event, "/stage") == "ResponseComplete" && is_write {
        recording.writes.push(write(event));
    }
}

fn write(mut event: Value) -> Write {
    let part = |pointer| text(&event, pointer).to_owned();
    let named = Some(part("/objectRef/name")).filter(|name| !name.is_empty());
    let name = named.unwrap_or_else(|| part("/requestObject/metadata/name"));
    let at = Time::parse_bytes(part("/requestReceivedTimestamp").as_bytes()).expect("a time");
    let code = event.pointer("/responseStatus/code").and_then(Value::as_u64).unwrap_or(0);
    Write {
        id: part("/auditID"),
        at,
        user: part("/user/username"),
        verb: part("/verb"),
        resource: part("/objectRef/resource"),
        subresource: part("/objectRef/subresource"),
        namespace: part("/objectRef/namespace"),
        name,
        uid: part("/objectRef/uid"),
        refused: code >= 300,
        not_found: code == 404,
        dry: part("/requestURI").contains("dryRun="),
        group: part("/objectRef/apiGroup"),
        request: event["requestObject"].take(),
        response: event["responseObject"].take(),
    }
}

/// The text at a place, or the empty one.
pub(crate) fn text<'a>(value: &'a Value, pointer: &str) -> &'a str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or("")
}

/// The UIDs of an object's owners.
pub(crate) fn owners(object: &Value) -> Vec<String> {
    let references = object.pointer("/metadata/ownerReferences").and_then(Value::as_array);
    references.into_iter().flatten().map(|owner| text(owner, "/uid").to_owned()).collect()
}
