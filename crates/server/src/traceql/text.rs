//! Quoted text, read and written.

use std::fmt::Write;

/// Why a text cannot be read, and at which byte after its opening quote.
pub(super) type Fault = (usize, &'static str);

/// Reads what follows an opening double quote: the text, and its length with the closing quote.
pub(super) fn unquote(rest: &str) -> Result<(String, usize), Fault> {
    let mut text = String::new();
    let mut chars = rest.char_indices();
    while let Some((at, next)) = chars.next() {
        match next {
            '"' => return Ok((text, at + 1)),
            '\\' => text.push(escape(&mut chars).ok_or((at, "this escape is unknown: write \\\\ for a backslash"))?),
            other => text.push(other),
        }
    }
    Err((0, "the text is not closed: end it with \""))
}

fn escape(chars: &mut std::str::CharIndices<'_>) -> Option<char> {
    let plain = match chars.next()?.1 {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        'a' => '\u{7}',
        'b' => '\u{8}',
        'f' => '\u{c}',
        'v' => '\u{b}',
        '0' => '\0',
        same @ ('\\' | '"' | '\'') => same,
        'x' => return hex(chars, 2),
        'u' => return hex(chars, 4),
        'U' => return hex(chars, 8),
        _ => return None,
    };
    Some(plain)
}

fn hex(chars: &mut std::str::CharIndices<'_>, digits: u32) -> Option<char> {
    let mut code = 0;
    for _ in 0..digits {
        code = code * 16 + chars.next()?.1.to_digit(16)?;
    }
    char::from_u32(code)
}

/// Writes a text so that it is read back the same.
pub(super) fn quote(text: &str, f: &mut impl Write) -> std::fmt::Result {
    f.write_char('"')?;
    for c in text.chars() {
        match c {
            '"' | '\\' => write!(f, "\\{c}")?,
            '\n' => f.write_str("\\n")?,
            '\t' => f.write_str("\\t")?,
            '\r' => f.write_str("\\r")?,
            control if control.is_control() => write!(f, "\\u{:04x}", u32::from(control))?,
            other => f.write_char(other)?,
        }
    }
    f.write_char('"')
}

/// Whether a character may stand in the key of an attribute without quotes.
pub(super) fn is_key(c: char) -> bool {
    !c.is_whitespace() && !c.is_control() && !"{}()=~!<>&|^,\"`".contains(c)
}
