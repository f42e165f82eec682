//! A scenario: what clew is started on, and which questions have which answers.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;

use crate::clew::Clew;
use crate::{check, http, yaml};

/// One file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Scenario {
    /// A capture that is in the store before clew starts.
    #[serde(default)]
    import: Option<String>,
    /// A capture that is played while clew runs.
    #[serde(default)]
    play: Option<String>,
    /// The bearer token that clew wants.
    #[serde(default)]
    token: Option<String>,
    requests: Vec<Request>,
}

/// One question and its answer.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Request {
    /// The path; `{name}` is what an earlier answer was saved as.
    get: String,
    #[serde(default)]
    headers: BTreeMap<String, String>,
    /// Reads the answer, which never ends, until this occurs in it.
    #[serde(default)]
    until: Option<String>,
    #[serde(default = "good")]
    status: u16,
    #[serde(default)]
    answer_headers: BTreeMap<String, String>,
    /// Parts of the answer by their paths, and what they must be.
    #[serde(default)]
    json: BTreeMap<String, Value>,
    /// What must occur in the answer.
    #[serde(default)]
    text: Vec<String>,
    /// Parts of the answer that later requests use.
    #[serde(default)]
    save: BTreeMap<String, String>,
}

fn good() -> u16 {
    200
}

impl Scenario {
    pub(crate) fn read(file: &str) -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/api/scenarios").join(file);
        let document = yaml::parse(&std::fs::read_to_string(path).unwrap());
        serde_json::from_value(document).unwrap_or_else(|error| panic!("{file}: {error}"))
    }

    pub(crate) fn run(&self) {
        let clew = match (&self.import, &self.play) {
            (Some(capture), None) => Clew::over(capture, self.token.as_deref()),
            (None, Some(capture)) => Clew::playing(capture),
            _ => panic!("a scenario imports or plays one capture"),
        };
        let mut saved = BTreeMap::new();
        for request in &self.requests {
            request.run(&clew, &mut saved);
        }
    }
}

impl Request {
    fn run(&self, clew: &Clew, saved: &mut BTreeMap<String, String>) {
        let path =
            saved.iter().fold(self.get.clone(), |path, (name, value)| path.replace(&format!("{{{name}}}"), value));
        let answer = http::get(&clew.address, &path, &self.headers, self.until.as_deref());
        let told = || format!("{path}\n{}", answer.body);
        assert_eq!(answer.status, self.status, "{}", told());
        for (name, wanted) in &self.answer_headers {
            let found = answer.headers.get(name).map(String::as_str);
            assert!(found.is_some_and(|found| found.contains(wanted)), "{name} is {found:?}: {}", told());
        }
        for text in &self.text {
            assert!(answer.body.contains(text), "{text} does not occur in {}", told());
        }
        if self.json.is_empty() && self.save.is_empty() {
            return;
        }
        let body: Value = serde_json::from_str(&answer.body).unwrap_or_else(|error| panic!("{error}: {}", told()));
        for (part, wanted) in &self.json {
            check::part(&body, part, wanted).unwrap_or_else(|problem| panic!("{path}: {problem}"));
        }
        for (name, part) in &self.save {
            let value = check::find(&body, part).unwrap_or_else(|| panic!("{path}: no {part}"));
            saved.insert(name.clone(), value.as_str().map_or_else(|| value.to_string(), str::to_owned));
        }
    }
}
