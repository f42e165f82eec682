//! Strings that recur in every fact, held once.

use compact_str::CompactString;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// A string that is held once: a namespace, a user, a kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub(crate) struct Symbol(u32);

/// The strings behind the symbols; symbol 0 is the empty string.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Symbols {
    texts: Vec<CompactString>,
    numbers: FxHashMap<CompactString, u32>,
}

impl Default for Symbols {
    fn default() -> Self {
        Self { texts: vec![CompactString::default()], numbers: FxHashMap::from_iter([(CompactString::default(), 0)]) }
    }
}

impl Symbols {
    /// The symbol of a string, new or known.
    pub(crate) fn intern(&mut self, text: &str) -> Symbol {
        if let Some(number) = self.numbers.get(text) {
            return Symbol(*number);
        }
        let number = u32::try_from(self.texts.len()).unwrap_or(u32::MAX);
        self.texts.push(text.into());
        self.numbers.insert(text.into(), number);
        Symbol(number)
    }

    /// The symbol of a string, if any fact had it.
    pub(crate) fn find(&self, text: &str) -> Option<Symbol> {
        self.numbers.get(text).map(|number| Symbol(*number))
    }

    /// The string of a symbol.
    pub(crate) fn text(&self, symbol: Symbol) -> &str {
        self.texts.get(symbol.0 as usize).map_or("", CompactString::as_str)
    }
}
