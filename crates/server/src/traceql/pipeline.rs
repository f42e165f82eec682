//! A query over a trace: its sets of spans, after all stages.

use std::borrow::Cow;

use clew_model::Value;

use super::ast::{Aggregate, Expression, FieldName, Query, Spansets, Stage};
use super::evaluate::{Regexes, collect, is_meant, spansets};
use super::tree::TraceView;
use super::value::{holds, number, resolve};

/// One set of spans that a query found in a trace.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Group {
    /// The places of its spans.
    pub spans: Vec<usize>,
    /// What `by(…)` told it apart by.
    pub by: Vec<(FieldName, Option<Value>)>,
}

/// A query that is ready to look at traces.
#[derive(Debug)]
pub struct Evaluator<'q> {
    query: &'q Query,
    regexes: Regexes,
    selected: Vec<FieldName>,
}

impl<'q> Evaluator<'q> {
    /// Makes a query ready.
    pub fn new(query: &'q Query) -> Self {
        let mut regexes = Regexes::new();
        collect_spansets(&query.spansets, &mut regexes);
        let mut selected = Vec::new();
        for stage in &query.stages {
            match stage {
                Stage::Filter(Some(filter)) => collect(filter, &mut regexes),
                Stage::Select(fields) => selected.extend(fields.iter().cloned()),
                _ => {}
            }
        }
        Self { query, regexes, selected }
    }

    /// The fields to tell of each span: those of `select(…)`, and those that conditions name.
    pub fn told(&self) -> Vec<FieldName> {
        let mut told = self.selected.clone();
        named_in_spansets(&self.query.spansets, &mut told);
        let mut seen = Vec::with_capacity(told.len());
        for field in told {
            if !seen.contains(&field) {
                seen.push(field);
            }
        }
        seen
    }

    /// The sets of spans that the query finds in the trace; none if it finds nothing.
    pub fn groups(&self, view: &TraceView<'_>) -> Vec<Group> {
        let meant = spansets(&self.query.spansets, view, &self.regexes);
        let spans = (0..meant.len()).filter(|place| meant[*place]).collect();
        let mut groups = vec![Group { spans, by: Vec::new() }];
        for stage in &self.query.stages {
            groups = match stage {
                Stage::Filter(filter) => self.narrow(groups, filter.as_ref(), view),
                Stage::By(fields) => groups.into_iter().flat_map(|group| split(group, fields, view)).collect(),
                Stage::Aggregate(..) => groups.into_iter().filter(|group| passes(stage, group, view)).collect(),
                Stage::Select(_) | Stage::Metrics(_) => groups,
            };
        }
        groups.retain(|group| !group.spans.is_empty());
        groups
    }

    fn narrow(&self, mut groups: Vec<Group>, filter: Option<&Expression>, view: &TraceView<'_>) -> Vec<Group> {
        for group in &mut groups {
            group.spans.retain(|place| is_meant(filter, view, *place, &self.regexes));
        }
        groups
    }
}

fn split(group: Group, fields: &[FieldName], view: &TraceView<'_>) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for place in group.spans {
        let mut by = group.by.clone();
        by.extend(fields.iter().map(|field| (field.clone(), resolve(view, place, field).map(Cow::into_owned))));
        match groups.iter_mut().find(|known| known.by == by) {
            Some(known) => known.spans.push(place),
            None => groups.push(Group { spans: vec![place], by }),
        }
    }
    groups
}

#[allow(clippy::cast_precision_loss, reason = "a count of spans")]
fn passes(stage: &Stage, group: &Group, view: &TraceView<'_>) -> bool {
    let Stage::Aggregate(function, of, how, limit) = stage else { return true };
    let values = || {
        let fields = of.iter().flat_map(|field| group.spans.iter().map(move |place| resolve(view, *place, field)));
        fields.flatten().filter_map(|value| number(&value))
    };
    let result = match function {
        Aggregate::Count => Some(group.spans.len() as f64),
        Aggregate::Sum => Some(values().sum()),
        Aggregate::Avg => {
            let count = values().count();
            (count > 0).then(|| values().sum::<f64>() / count as f64)
        }
        Aggregate::Min => values().reduce(f64::min),
        Aggregate::Max => values().reduce(f64::max),
    };
    match (result, limit.value()) {
        (Some(result), Some(limit)) => holds(&Value::Double(result), *how, &limit, None),
        _ => false,
    }
}

fn collect_spansets(expression: &Spansets, regexes: &mut Regexes) {
    match expression {
        Spansets::Filter(None) => {}
        Spansets::Filter(Some(filter)) => collect(filter, regexes),
        Spansets::Combined(left, _, right) => {
            collect_spansets(left, regexes);
            collect_spansets(right, regexes);
        }
    }
}

fn named_in_spansets(expression: &Spansets, fields: &mut Vec<FieldName>) {
    match expression {
        Spansets::Filter(None) => {}
        Spansets::Filter(Some(filter)) => filter.fields(fields),
        Spansets::Combined(left, _, right) => {
            named_in_spansets(left, fields);
            named_in_spansets(right, fields);
        }
    }
}
