//! Which row groups of a file are read.

use datafusion::datasource::listing::PartitionedFile;
use datafusion::datasource::physical_plan::parquet::ParquetAccessPlan;

use super::Files;
use super::asked::Asked;
use super::data_file::DataFile;
use super::ids::Wanted;
use super::resources::Resources;
use super::values::Values;
use crate::lake::session::cores;

impl DataFile {
    /// Its row groups that may have the ids that are wanted and the attributes that are asked for; the whole if nothing is
    /// known. What is not `kept` in memory is read anew for attributes, and not for ids.
    pub(super) async fn with(
        &self,
        wanted: &[Wanted<'_>],
        asked: &Asked,
        files: &Files,
        kept: bool,
    ) -> Vec<PartitionedFile> {
        let by_id =
            if kept && !wanted.is_empty() { self.learn_ids(files).await.groups_with(wanted) } else { Vec::new() };
        let nowhere = !by_id.is_empty() && !by_id.contains(&true);
        let by_attribute = if nowhere { Vec::new() } else { self.groups_with(asked, files, kept).await };
        let groups = both(by_id, &by_attribute);
        self.shared_out(&groups)
    }

    /// All of it.
    pub(super) fn whole(&self) -> Vec<PartitionedFile> {
        self.shared_out(&vec![true; self.known_groups()])
    }

    /// These of its row groups in parts, so that all cores take part; the whole if it is not known which it has. A part for
    /// each would be too many: each costs what opening a file does.
    fn shared_out(&self, groups: &[bool]) -> Vec<PartitionedFile> {
        if groups.is_empty() {
            return vec![self.file.clone()];
        }
        let chosen: Vec<usize> = (0..groups.len()).filter(|group| groups[*group]).collect();
        let parts = cores().min(chosen.len());
        let part = |first: usize| {
            let mut plan = ParquetAccessPlan::new_none(groups.len());
            chosen.iter().skip(first).step_by(parts).for_each(|group| plan.scan(*group));
            self.file.clone().with_extension(plan)
        };
        (0..parts).map(part).collect()
    }

    /// Which row groups may have the attributes that are asked for; empty if nothing is known.
    async fn groups_with(&self, asked: &Asked, files: &Files, kept: bool) -> Vec<bool> {
        if *asked == Asked::Anything {
            return Vec::new();
        }
        let values = Values::read(asked, files, &self.file).await;
        if !asked.any(&|part| matches!(part, Asked::Resource { .. })) {
            return values.groups_with(asked, &Resources::default());
        }
        if kept {
            let resources = self.resources.get_or_init(|| Resources::read(files, &self.file)).await;
            return values.groups_with(asked, resources);
        }
        values.groups_with(asked, &Resources::read(files, &self.file).await)
    }
}

/// Row groups of which both are true; an empty list says nothing.
fn both(mut one: Vec<bool>, other: &[bool]) -> Vec<bool> {
    if one.is_empty() {
        return other.to_vec();
    }
    for (one, other) in one.iter_mut().zip(other) {
        *one &= other;
    }
    one
}

#[cfg(test)]
mod tests {
    use object_store::ObjectMeta;
    use object_store::path::Path;

    use super::*;
    use crate::lake::table::Table;

    #[test]
    fn each_row_group_that_is_chosen_is_in_one_part() {
        let meta = ObjectMeta {
            location: Path::from("file"),
            last_modified: std::time::UNIX_EPOCH.into(),
            size: 0,
            e_tag: None,
            version: None,
        };
        let file = DataFile::new(Table::Spans, meta, Vec::new(), None, None);
        let chosen = |groups: &[bool]| {
            let parts = file.shared_out(groups);
            assert!(parts.len() <= cores());
            let plans = parts.iter().filter_map(|part| part.extension::<ParquetAccessPlan>());
            let mut chosen: Vec<usize> = plans.flat_map(ParquetAccessPlan::row_group_indexes).collect();
            chosen.sort_unstable();
            chosen
        };
        assert_eq!(chosen(&[true; 19]), (0..19).collect::<Vec<_>>());
        assert_eq!(chosen(&[false, true, true, false, true]), [1, 2, 4]);
        assert_eq!((chosen(&[false; 3]), file.shared_out(&[false; 3]).len()), (Vec::new(), 0));
        assert_eq!((chosen(&[]), file.shared_out(&[]).len()), (Vec::new(), 1), "the whole");
        assert_eq!(file.whole().len(), 1, "it is not known which it has");
    }
}
