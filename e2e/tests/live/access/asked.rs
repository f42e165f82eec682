//! One question, and its answer.

use std::fmt;

/// One question.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    pub(crate) path: String,
    /// What curl is told beside it.
    pub(crate) with: Vec<String>,
    /// The body of a call over gRPC.
    pub(crate) call: Option<Vec<u8>>,
}

impl Asked {
    pub(crate) fn get(path: &str) -> Self {
        Self { path: path.to_owned(), with: Vec::new(), call: None }
    }

    pub(crate) fn post(path: &str, json: &str) -> Self {
        let with = ["-H", "content-type: application/json", "-d", json].map(str::to_owned).to_vec();
        Self { path: path.to_owned(), with, call: None }
    }

    /// A call over gRPC: the message behind its length.
    pub(crate) fn call(path: &str, message: &[u8]) -> Self {
        let mut body = vec![0];
        body.extend(u32::try_from(message.len()).unwrap().to_be_bytes());
        body.extend(message);
        let with = ["--http2-prior-knowledge", "-H", "content-type: application/grpc", "-H", "te: trailers"];
        Self { path: path.to_owned(), with: with.map(str::to_owned).to_vec(), call: Some(body) }
    }
}

impl fmt::Display for Asked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.path, self.with.join(" "))
    }
}

/// Its answer.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    /// Whether a word is anywhere in it.
    pub(crate) fn has(&self, word: &str) -> bool {
        self.body.windows(word.len()).any(|bytes| bytes == word.as_bytes())
    }

    /// Its lines that begin so.
    pub(crate) fn lines(&self, prefix: &str) -> String {
        let text = String::from_utf8_lossy(&self.body);
        text.lines().filter(|line| line.starts_with(prefix)).collect::<Vec<_>>().join("\n")
    }
}

impl fmt::Debug for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = String::from_utf8_lossy(&self.body);
        write!(f, "{} {}", self.status, text.chars().take(2000).collect::<String>())
    }
}
