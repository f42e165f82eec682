//! Text into pieces.

use compact_str::CompactString;

use super::ast::{Scope, Static};
use super::error::TraceqlError;
use super::number::number;
use super::text::{is_key, unquote};
use super::token::{Piece, Token};

/// A longer query is refused before it is looked at.
const MAX_LENGTH: usize = 16 * 1024;

/// What is written with signs; a sign that begins another comes after it.
const SYMBOLS: [&str; 34] = [
    "!>>", "!<<", "&>>", "&<<", "&&", "||", "!>", "!<", "&>", "&<", "&~", "!~", "!=", "=~", ">=", ">>", "<=", "<<",
    "=", "!", "<", ">", "~", "|", "{", "}", "(", ")", ",", "+", "-", "*", "/", "%",
];

/// The pieces of a query, the last of them its end.
pub(super) fn tokens(text: &str) -> Result<Vec<Token>, TraceqlError> {
    if text.len() > MAX_LENGTH {
        return Err(TraceqlError::at(text, 0, format!("the query is longer than {MAX_LENGTH} bytes: ask for less")));
    }
    let mut lexer = Lexer { text, at: 0 };
    let mut tokens = Vec::new();
    loop {
        lexer.skip_space();
        let at = lexer.at;
        let piece = lexer.piece()?;
        let end = piece == Piece::End;
        tokens.push(Token { at, piece });
        if end {
            return Ok(tokens);
        }
    }
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Lexer<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn fault<T>(&self, byte: usize, message: impl Into<String>) -> Result<T, TraceqlError> {
        Err(TraceqlError::at(self.text, byte, message))
    }

    fn skip_space(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    fn piece(&mut self) -> Result<Piece, TraceqlError> {
        let rest = self.rest();
        let Some(first) = rest.chars().next() else { return Ok(Piece::End) };
        let second = rest.as_bytes().get(1);
        if first.is_ascii_digit() || (first == '.' && second.is_some_and(u8::is_ascii_digit)) {
            return self.number();
        }
        match first {
            '.' => {
                self.at += 1;
                self.attribute(Scope::Any)
            }
            '"' => {
                self.at += 1;
                Ok(Piece::Value(Static::Text(self.quoted()?.into())))
            }
            '`' => self.raw_text(),
            first if first.is_ascii_alphabetic() || first == '_' => self.word(),
            _ => self.symbol(first),
        }
    }

    fn symbol(&mut self, first: char) -> Result<Piece, TraceqlError> {
        let Some(symbol) = SYMBOLS.into_iter().find(|symbol| self.rest().starts_with(symbol)) else {
            return self.fault(self.at, format!("`{}` has no meaning here", first.escape_default()));
        };
        self.at += symbol.len();
        Ok(Piece::Symbol(symbol))
    }

    fn number(&mut self) -> Result<Piece, TraceqlError> {
        let Some((value, length)) = number(self.rest()) else {
            return self.fault(self.at, "the number is too large");
        };
        self.at += length;
        Ok(Piece::Value(value))
    }

    /// What follows an opening double quote.
    fn quoted(&mut self) -> Result<String, TraceqlError> {
        let start = self.at;
        match unquote(self.rest()) {
            Ok((text, length)) => {
                self.at += length;
                Ok(text)
            }
            Err((byte, message)) => self.fault(start + byte, message),
        }
    }

    fn raw_text(&mut self) -> Result<Piece, TraceqlError> {
        let inner = &self.rest()[1..];
        let Some(end) = inner.find('`') else { return self.fault(self.at, "the text is not closed: end it with `") };
        self.at += end + 2;
        Ok(Piece::Value(Static::Text(inner[..end].into())))
    }

    fn word(&mut self) -> Result<Piece, TraceqlError> {
        let start = self.at;
        let word = self.take_word();
        match self.rest().chars().next() {
            Some('.') => {
                self.at += 1;
                match word {
                    "span" => self.attribute(Scope::Span),
                    "resource" => self.attribute(Scope::Resource),
                    "event" | "link" | "instrumentation" | "parent" => self.fault(
                        start,
                        format!("attributes of `{word}` are not supported: use `span.`, `resource.` or `.`"),
                    ),
                    _ => self
                        .fault(start, format!("unknown scope `{word}`: write `.{word}.…`, `span.…` or `resource.…`")),
                }
            }
            Some(':') => {
                self.at += 1;
                self.take_word();
                Ok(Piece::Word(self.text[start..self.at].into()))
            }
            _ => Ok(Piece::Word(word.into())),
        }
    }

    fn take_word(&mut self) -> &'a str {
        let rest = self.rest();
        let length = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    /// A key, of which any part may be quoted: `http.url`, `"a b"`, `a."b c"`.
    fn attribute(&mut self, scope: Scope) -> Result<Piece, TraceqlError> {
        let start = self.at;
        let mut key = CompactString::default();
        loop {
            let rest = self.rest();
            let bare = rest.find(|c: char| !is_key(c)).unwrap_or(rest.len());
            key.push_str(&rest[..bare]);
            self.at += bare;
            if !self.rest().starts_with('"') {
                break;
            }
            self.at += 1;
            key.push_str(&self.quoted()?);
        }
        if key.is_empty() {
            return self.fault(start, "the key of an attribute is missing after `.`");
        }
        Ok(Piece::Attribute(scope, key))
    }
}
