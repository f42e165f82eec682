//! A scenario: what clew is started on, and which questions have which answers.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::Value;

use crate::clew::Clew;
use crate::http::Answer;
use crate::{check, http, yaml};

/// How long what is played may take until an answer is right.
const PATIENCE: Duration = Duration::from_mins(1);
/// How long to wait before asking again.
const PAUSE: Duration = Duration::from_millis(200);

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
    /// Asks again until the answer is right: what is played takes its time.
    #[serde(default)]
    eventually: bool,
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
        let began = Instant::now();
        let body = loop {
            let answer = http::get(&clew.address, &path, &self.headers, self.until.as_deref());
            match self.check(&answer) {
                Ok(body) => break body,
                Err(_) if self.eventually && began.elapsed() < PATIENCE => std::thread::sleep(PAUSE),
                Err(problem) => panic!("{path}: {problem}"),
            }
        };
        for (name, part) in &self.save {
            let value = check::find(&body, part).unwrap_or_else(|| panic!("{path}: no {part}"));
            saved.insert(name.clone(), value.as_str().map_or_else(|| value.to_string(), str::to_owned));
        }
    }

    /// Whether the answer is right; its body as JSON, if anything in it is asked for.
    fn check(&self, answer: &Answer) -> Result<Value, String> {
        let told = || answer.body.chars().take(2000).collect::<String>();
        if answer.status != self.status {
            return Err(format!("the status is {}, not {}: {}", answer.status, self.status, told()));
        }
        for (name, wanted) in &self.answer_headers {
            let found = answer.headers.get(name).map(String::as_str);
            if !found.is_some_and(|found| found.contains(wanted)) {
                return Err(format!("{name} is {found:?}, without {wanted:?}"));
            }
        }
        if let Some(text) = self.text.iter().find(|text| !answer.body.contains(*text)) {
            return Err(format!("{text:?} does not occur in {}", told()));
        }
        if self.json.is_empty() && self.save.is_empty() {
            return Ok(Value::Null);
        }
        let body: Value = serde_json::from_str(&answer.body).map_err(|error| format!("{error}: {}", told()))?;
        self.json.iter().try_for_each(|(part, wanted)| check::part(&body, part, wanted))?;
        Ok(body)
    }
}
