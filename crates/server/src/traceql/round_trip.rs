//! Whatever tree there is, its text is read back as the same tree.

use clew_store::Comparison;
use compact_str::CompactString;
use proptest::collection::vec;
use proptest::prelude::*;

use super::words::{constant, intrinsic, metrics};
use super::*;

fn text() -> impl Strategy<Value = CompactString> {
    any::<String>().prop_map(CompactString::from)
}

fn key() -> impl Strategy<Value = CompactString> {
    prop_oneof!["[a-z][a-z0-9._/-]{0,12}", "\\PC{1,6}", ".{1,6}"].prop_map(CompactString::from)
}

fn value() -> impl Strategy<Value = Static> {
    const WORDS: &[&str] =
        &["true", "false", "nil", "ok", "error", "unset", "server", "client", "unspecified", "internal"];
    prop_oneof![
        text().prop_map(Static::Text),
        number(),
        prop::sample::select(WORDS).prop_map(|word| constant(word).unwrap()),
    ]
}

/// The least whole number cannot be written: its amount is too large.
fn number() -> impl Strategy<Value = Static> {
    prop_oneof![
        (-i64::MAX..=i64::MAX).prop_map(Static::Int),
        (-i64::MAX..=i64::MAX).prop_map(Static::Duration),
        any::<f64>().prop_filter("finite", |number| number.is_finite()).prop_map(Static::Float),
    ]
}

fn field() -> impl Strategy<Value = FieldName> {
    const WORDS: &[&str] =
        &["duration", "name", "trace:id", "span:parentID", "rootServiceName", "nestedSetParent", "kind"];
    let scope = prop_oneof![Just(Scope::Any), Just(Scope::Span), Just(Scope::Resource)];
    prop_oneof![
        prop::sample::select(WORDS).prop_map(|word| FieldName::Intrinsic(intrinsic(word).unwrap())),
        (scope, key()).prop_map(|(scope, key)| FieldName::Attribute(scope, key)),
    ]
}

fn operand() -> impl Strategy<Value = Operand> {
    prop_oneof![field().prop_map(Operand::Field), value().prop_map(Operand::Static)]
}

fn ordering() -> impl Strategy<Value = Comparison> {
    use Comparison::{Equal, Greater, GreaterOrEqual, Less, LessOrEqual, NotEqual};
    prop::sample::select([Equal, NotEqual, Less, LessOrEqual, Greater, GreaterOrEqual].as_slice())
}

fn expression() -> impl Strategy<Value = Expression> {
    let regex = "[a-z]{0,4}(\\.\\*|\\\\d|\\|x)?".prop_map(|regex| Operand::Static(Static::Text(regex.into())));
    let matching = prop_oneof![Just(Comparison::Matches), Just(Comparison::NotMatches)];
    let leaf = prop_oneof![
        (operand(), ordering(), operand()).prop_map(|(left, how, right)| Expression::Compare(left, how, right)),
        (operand(), matching, regex).prop_map(|(left, how, right)| Expression::Compare(left, how, right)),
        operand().prop_map(Expression::Is),
    ];
    leaf.prop_recursive(4, 16, 2, |inner| {
        let pair = || (inner.clone(), inner.clone()).prop_map(|(left, right)| (Box::new(left), Box::new(right)));
        prop_oneof![
            pair().prop_map(|(left, right)| Expression::And(left, right)),
            pair().prop_map(|(left, right)| Expression::Or(left, right)),
            inner.clone().prop_map(|inner| Expression::Not(Box::new(inner))),
        ]
    })
}

fn spansets() -> impl Strategy<Value = Spansets> {
    let leaf = prop::option::of(expression()).prop_map(Spansets::Filter);
    leaf.prop_recursive(3, 8, 2, |inner| {
        let how = prop::sample::select(Combine::all().collect::<Vec<_>>());
        (inner.clone(), how, inner)
            .prop_map(|(left, how, right)| Spansets::Combined(Box::new(left), how, Box::new(right)))
    })
}

fn metric() -> impl Strategy<Value = Metrics> {
    let counted = prop_oneof![Just("rate"), Just("count_over_time")].prop_map(|word| (word, None, Vec::new()));
    let measured = prop_oneof![Just("avg_over_time"), Just("histogram_over_time"), Just("max_over_time")];
    let measured = (measured, field()).prop_map(|(word, field)| (word, Some(field), Vec::new()));
    let quantiles = (field(), vec(0.0..=1.0_f64, 1..4))
        .prop_map(|(field, quantiles)| ("quantile_over_time", Some(field), quantiles));
    (prop_oneof![counted, measured, quantiles], vec(field(), 0..3)).prop_map(|((word, of, quantiles), by)| Metrics {
        function: metrics(word).unwrap(),
        of,
        quantiles,
        by,
    })
}

fn stage() -> impl Strategy<Value = Stage> {
    let measured = prop_oneof![Just(Aggregate::Avg), Just(Aggregate::Max), Just(Aggregate::Min), Just(Aggregate::Sum)];
    prop_oneof![
        prop::option::of(expression()).prop_map(Stage::Filter),
        vec(field(), 1..4).prop_map(Stage::Select),
        vec(field(), 1..3).prop_map(Stage::By),
        (ordering(), number()).prop_map(|(how, value)| Stage::Aggregate(Aggregate::Count, None, how, value)),
        (measured, field(), ordering(), number()).prop_map(|(function, of, how, value)| Stage::Aggregate(
            function,
            Some(of),
            how,
            value
        )),
        metric().prop_map(Stage::Metrics),
    ]
}

proptest! {
    #[test]
    fn what_is_printed_is_read_back_the_same(
        spansets in spansets(),
        stages in vec(stage(), 0..3),
        hints in vec(("[a-z]{1,8}".prop_map(CompactString::from), value()), 0..3),
    ) {
        let query = Query { spansets, stages, hints };
        let printed = query.to_string();
        prop_assert_eq!(parse(&printed), Ok(query), "{}", printed);
    }
}
