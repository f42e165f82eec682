//! Which row groups may have the attributes that are asked for.

use datafusion::common::ScalarValue;
use datafusion::datasource::listing::PartitionedFile;
use datafusion::error::Result as DataFusionResult;
use parquet::bloom_filter::Sbbf;

use super::Files;
use super::asked::Asked;
use super::ids::filters;
use super::resources::Resources;
use crate::lake::properties::VALUES;

/// What is known of the attributes of a file's spans.
#[derive(Debug, Default)]
pub(super) struct Values {
    groups: usize,
    /// The maps that are asked about, each with the bloom filters of all row groups.
    maps: Vec<(&'static str, Vec<Sbbf>)>,
}

impl Values {
    /// Reads the filters; a file whose filters cannot be read may have any value, and says what is wrong when it is read.
    pub(super) async fn read(asked: &Asked, files: &Files, file: &PartitionedFile) -> Self {
        Self::try_read(asked, files, file).await.unwrap_or_default()
    }

    async fn try_read(asked: &Asked, files: &Files, file: &PartitionedFile) -> DataFusionResult<Self> {
        let mut opened = files.open(file).await?;
        let mut maps = Vec::new();
        for path in VALUES {
            let [name, ..] = path;
            if asked.any(&|part| matches!(part, Asked::Value { map, .. } if map == name)) {
                maps.extend(filters(&mut opened, &path.join(".")).await?.map(|filters| (name, filters)));
            }
        }
        Ok(Self { groups: opened.metadata().num_row_groups(), maps })
    }

    /// Which row groups may have what is asked; empty if nothing is known of any.
    pub(super) fn groups_with(&self, asked: &Asked, resources: &Resources) -> Vec<bool> {
        let may_have = |part: &Asked, group: usize| match part {
            Asked::Value { map, value } => {
                let map = self.maps.iter().find(|(name, _)| name == map);
                map.is_none_or(|(_, filters)| may_have(&filters[group], value))
            }
            Asked::Resource { key, value } => resources.may_have(key, value),
            _ => true,
        };
        (0..self.groups).map(|group| asked.may_hold(&|part| may_have(part, group))).collect()
    }
}

fn may_have(filter: &Sbbf, value: &ScalarValue) -> bool {
    match value {
        ScalarValue::Utf8(Some(text)) => filter.check(text.as_str()),
        ScalarValue::Int64(Some(number)) => filter.check(number),
        ScalarValue::Float64(Some(number)) => filter.check(number),
        _ => true,
    }
}
