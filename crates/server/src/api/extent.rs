//! Which time a question without a beginning is about: that of the data.

use std::time::Duration;

use clew_model::Time;
use clew_store::{Filter, JourneyQuery, Result, StatisticsOf, StatisticsQuery, Store, TimeRange};

use crate::parameters::Selection;

const DAY: Duration = Duration::from_hours(24);
const MINUTE: Duration = Duration::from_mins(1);
/// What is shown where there is nothing to show.
const HOUR: i64 = 3_600_000_000_000;

/// From the first to the last journey that is meant, where the question itself does not say.
pub(super) async fn extent(store: &dyn Store, selection: &Selection, now: Time) -> Result<(Time, Time)> {
    let range = selection.range;
    if let Some(from) = range.from {
        return Ok((from, range.to.unwrap_or(now).max(from)));
    }
    let newest = JourneyQuery { range, filter: selection.filter.clone(), after: None, limit: 1 };
    let Some(newest) = store.journeys(&newest).await?.items.first().map(|row| row.journey.start) else {
        return Ok((now.saturating_sub(HOUR), now));
    };
    let to = range.to.unwrap_or(newest.saturating_add(1));
    let day = first(store, &selection.filter, range, DAY).await?.unwrap_or(newest);
    let within =
        TimeRange { from: Some(day), to: Some(day.saturating_add(i64::try_from(DAY.as_nanos()).unwrap_or(0))) };
    let from = first(store, &selection.filter, within, MINUTE).await?.unwrap_or(day);
    Ok((from, to.max(from)))
}

/// The beginning of the first bucket in which something began.
async fn first(store: &dyn Store, filter: &Filter, range: TimeRange, bucket: Duration) -> Result<Option<Time>> {
    let query = StatisticsQuery {
        of: StatisticsOf::Journeys,
        range,
        filter: filter.clone(),
        by: Vec::new(),
        bucket: Some(bucket),
        limit: 1,
    };
    let series = store.statistics(&query).await?;
    Ok(series.iter().flat_map(|series| &series.buckets).map(|bucket| bucket.start).min())
}
