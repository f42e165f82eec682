//! YAML as JSON values: the plain part of it that scenarios use.

use saphyr_parser::{Event, Parser, ScalarStyle, StrInput};
use serde_json::{Map, Value};

/// The one document of a text.
pub(crate) fn parse(text: &str) -> Value {
    let mut parser = Parser::new_from_str(text);
    loop {
        match next(&mut parser) {
            Event::StreamStart | Event::DocumentStart(_) => {}
            event => return value(event, &mut parser),
        }
    }
}

fn next<'a>(parser: &mut Parser<'a, StrInput<'a>>) -> Event<'a> {
    parser.next().expect("the document goes on").unwrap_or_else(|error| panic!("no YAML: {error}")).0
}

fn value<'a>(event: Event<'a>, parser: &mut Parser<'a, StrInput<'a>>) -> Value {
    match event {
        Event::Scalar(text, style, ..) => scalar(&text, style),
        Event::SequenceStart(..) => {
            let mut items = Vec::new();
            loop {
                match next(parser) {
                    Event::SequenceEnd => return Value::Array(items),
                    event => items.push(value(event, parser)),
                }
            }
        }
        Event::MappingStart(..) => {
            let mut map = Map::new();
            loop {
                match next(parser) {
                    Event::MappingEnd => return Value::Object(map),
                    Event::Scalar(key, ..) => {
                        let event = next(parser);
                        let former = map.insert(key.into_owned(), value(event, parser));
                        assert!(former.is_none(), "a key stands twice in one map");
                    }
                    event => panic!("no key: {event:?}"),
                }
            }
        }
        event => panic!("not used in scenarios: {event:?}"),
    }
}

/// Quoted text is text; plain text is what JSON takes it for, if it takes it.
fn scalar(text: &str, style: ScalarStyle) -> Value {
    if style != ScalarStyle::Plain {
        return Value::from(text);
    }
    match text {
        "" | "~" => Value::Null,
        _ => serde_json::from_str(text).unwrap_or_else(|_| Value::from(text)),
    }
}
