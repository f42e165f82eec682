//! The cases of the W3C trace-context test suite (`test/test.py`), and what must always hold.

use proptest::prelude::*;

use super::*;

fn numbered(count: usize) -> String {
    (0..count).map(|n| format!("bar{n:02}={n:02}")).collect::<Vec<_>>().join(",")
}

#[test]
fn what_the_w3c_suite_accepts_is_read() {
    let all_key = "_-*/abcdefghijklmnopqrstuvwxyz0123456789";
    let cases = [
        ("one", "foo=1".to_owned(), "foo=1"),
        ("white space", "foo=1 \t , \t bar=2, \t baz=3".to_owned(), "foo=1,bar=2,baz=3"),
        ("white space around", "\t foo=1 \t".to_owned(), "foo=1"),
        ("empty", String::new(), ""),
        ("empty members", "foo=1,,,bar=2,".to_owned(), "foo=1,bar=2"),
        ("tenant", "fw529a3039@dt=FfYxMjM0NTY3ODkw".to_owned(), "fw529a3039@dt=FfYxMjM0NTY3ODkw"),
        ("tenant with a digit first", "0a@b=1".to_owned(), "0a@b=1"),
        ("a blank inside a value", "foo=a b".to_owned(), "foo=a b"),
    ];
    for (name, header, text) in cases {
        let state: TraceState = header.parse().unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(state.to_string(), text, "{name}");
    }
    for key in [format!("a{all_key}"), "z".repeat(256), format!("{}@{}", "t".repeat(241), "v".repeat(14))] {
        assert_eq!(format!("{key}=1").parse::<TraceState>().unwrap().get(&key), Some("1"));
    }
    let all_value: String = (' '..='~').filter(|c| !",=".contains(*c)).collect();
    assert_eq!(format!("a={all_value}").parse::<TraceState>().unwrap().get("a"), Some(all_value.as_str()));
    assert_eq!(numbered(32).parse::<TraceState>().unwrap().len(), 32);
}

#[test]
fn what_the_w3c_suite_refuses_is_refused() {
    let cases = [
        "foo =1".to_owned(),
        "FOO=1".to_owned(),
        "foo.bar=1".to_owned(),
        "0foo=1".to_owned(),
        "foo@=1,bar=2".to_owned(),
        "@foo=1,bar=2".to_owned(),
        "foo@@bar=1,bar=2".to_owned(),
        "foo@bar@baz=1,bar=2".to_owned(),
        "foo@0bar=1".to_owned(),
        "foo=1,foo=1".to_owned(),
        "foo=1,foo=2".to_owned(),
        "foo=bar=baz".to_owned(),
        "foo=,bar=3".to_owned(),
        "foo".to_owned(),
        "=1".to_owned(),
        "foo=é".to_owned(),
        "foo=a\u{7f}".to_owned(),
        format!("{}=1", "z".repeat(257)),
        format!("{}@v=1", "t".repeat(242)),
        format!("t@{}=1", "v".repeat(15)),
        format!("foo={}", "v".repeat(257)),
        numbered(33),
        " ".repeat(MAX_HEADER + 1),
    ];
    for header in cases {
        assert!(header.parse::<TraceState>().is_err(), "{header}");
    }
}

#[test]
fn several_headers_are_one_list() {
    let state = TraceState::from_headers(["foo=1,bar=2", "", "rojo=1"]).unwrap();
    assert_eq!(state.to_string(), "foo=1,bar=2,rojo=1");
    assert!(TraceState::from_headers(["foo=1", "foo=1"]).is_err());
    assert!(TraceState::from_headers([numbered(32).as_str(), "foo=1"]).is_err());
}

#[test]
fn the_thirty_third_member_pushes_the_last_out() {
    let mut state: TraceState = numbered(32).parse().unwrap();
    state.insert("foo", "1").unwrap();
    assert_eq!(state.len(), 32);
    assert_eq!(state.iter().next(), Some(("foo", "1")));
    assert_eq!(state.get("bar31"), None);
    assert!(state.insert("FOO", "1").is_err());
    state.remove("foo");
    assert_eq!(state.get("foo"), None);
}

#[test]
fn long_members_go_first_when_a_header_is_shortened() {
    let long = "v".repeat(200);
    let state: TraceState = format!("a=1,b={long},c=3,d=4").parse().unwrap();
    assert_eq!(state.clone().shortened(512), state);
    assert_eq!(state.clone().shortened(100).to_string(), "a=1,c=3,d=4");
    assert_eq!(state.clone().shortened(8).to_string(), "a=1,c=3");
    assert!(state.shortened(0).is_empty());
}

proptest! {
    #[test]
    fn a_list_survives_the_header(
        members in proptest::collection::btree_map("[a-z][a-z0-9_*/-]{0,9}(@[a-z][a-z0-9]{0,9})?", "[!-+--<>-~]{1,20}", 0..32),
    ) {
        let header = members.iter().map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>().join(" ,\t");
        let state: TraceState = header.parse().unwrap();
        prop_assert_eq!(state.len(), members.len());
        prop_assert_eq!(state.to_string().parse::<TraceState>(), Ok(state));
    }

    #[test]
    fn any_text_is_read_or_refused(text in ".{0,100}", max in 0..200_usize) {
        if let Ok(state) = text.parse::<TraceState>() {
            prop_assert!(state.shortened(max).to_string().len() <= max);
        }
    }
}
