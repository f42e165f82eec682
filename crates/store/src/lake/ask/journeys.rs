//! Lists of journeys, page by page.

use clew_model::Time;
use datafusion::prelude::{DataFrame, col, lit};
use rustc_hash::FxHashMap;

use super::super::engine::Lake;
use super::super::fault::query;
use super::super::table::{Table, read_journey};
use super::condition::Conditions;
use super::journey::SLACK;
use super::rows::{frame, numbers, run, texts};
use super::time::{keep, within};
use crate::{Cursor, Filter, JourneyQuery, JourneyRow, Page, Result, TimeRange};

/// How many journeys a page has at most.
const PAGE: usize = 1000;

impl Lake {
    /// The rows of a table in a time for which a filter holds.
    pub(in crate::lake) async fn matching(&self, table: Table, range: TimeRange, filter: &Filter) -> Result<DataFrame> {
        // Journeys that begin in a time have no spans long before it.
        let near = TimeRange { from: range.from.map(|from| from.saturating_sub(SLACK)), to: None };
        let spans = within(frame(&self.shared, Table::Spans).await?, near)?.into_unoptimized_plan();
        let journeys = frame(&self.shared, Table::Journeys).await?.into_unoptimized_plan();
        let rows = within(frame(&self.shared, table).await?, range)?;
        match (Conditions { table, spans, journeys }).of(filter)? {
            Some(condition) => keep(rows, condition),
            None => Ok(rows),
        }
    }

    pub(in crate::lake) async fn list_journeys(&self, asked: &JourneyQuery) -> Result<Page<JourneyRow>> {
        let limit = asked.limit.clamp(1, PAGE);
        let ids = self.journey_ids(asked, limit + 1).await?;
        let mut found = self.journeys_by_id(&ids[..ids.len().min(limit)]).await?;
        let next = (ids.len() > limit).then(|| ids[limit - 1].clone());
        let next =
            next.and_then(|(start, id)| Some(Cursor { start: Time::from_nanos(start), journey: id.parse().ok()? }));
        let items = ids.iter().take(limit).filter_map(|(_, id)| found.remove(id)).collect();
        Ok(Page { items, next })
    }

    /// First the ids alone: what a journey is made of is read for one page only.
    async fn journey_ids(&self, asked: &JourneyQuery, limit: usize) -> Result<Vec<(i64, String)>> {
        let mut rows = self.matching(Table::Journeys, asked.range, &asked.filter).await?;
        if let Some(Cursor { start, journey }) = asked.after {
            let (start, id) = (start.as_nanos(), journey.to_string());
            let same = col("start_unix_nano").eq(lit(start)).and(col("journey_id").lt(lit(id)));
            rows = keep(rows, col("start_unix_nano").lt(lit(start)).or(same))?;
        }
        let rows = rows
            .select_columns(&["start_unix_nano", "journey_id"])
            .and_then(|rows| {
                rows.sort(vec![col("start_unix_nano").sort(false, false), col("journey_id").sort(false, false)])
            })
            .and_then(|rows| rows.limit(0, Some(limit)))
            .map_err(|error| query(&error))?;
        let mut ids = Vec::new();
        for batch in run(rows).await? {
            ids.extend(numbers(&batch, 0)?.into_iter().zip(texts(&batch, 1)?));
        }
        Ok(ids)
    }

    async fn journeys_by_id(&self, ids: &[(i64, String)]) -> Result<FxHashMap<String, JourneyRow>> {
        let mut found = FxHashMap::default();
        let (Some(newest), Some(oldest)) = (ids.first(), ids.last()) else { return Ok(found) };
        let wanted = ids.iter().map(|(_, id)| lit(id)).collect();
        let condition =
            col("journey_id").in_list(wanted, false).and(col("start_unix_nano").between(lit(oldest.0), lit(newest.0)));
        let rows = keep(frame(&self.shared, Table::Journeys).await?, condition)?;
        let rows =
            rows.select_columns(&["journey_id", "cluster", "errors", "journey"]).map_err(|error| query(&error))?;
        for batch in run(rows).await? {
            let rest = texts(&batch, 1)?.into_iter().zip(numbers(&batch, 2)?).zip(texts(&batch, 3)?);
            for (id, ((cluster, errors), json)) in texts(&batch, 0)?.into_iter().zip(rest) {
                let journey = read_journey(&json)?;
                let errors = u64::try_from(errors).unwrap_or(0);
                found.insert(id, JourneyRow { cluster: cluster.into(), journey, errors });
            }
        }
        Ok(found)
    }
}
