//! Rows of a table in the forms that people and programs read.

use std::io::Write;

use anyhow::Context;
use arrow_array::RecordBatch;
use parquet::arrow::ArrowWriter;

use crate::args::Output;

/// Prints rows.
pub(crate) fn print(batches: &[RecordBatch], output: Output, out: &mut (impl Write + Send)) -> anyhow::Result<()> {
    match output {
        Output::Text | Output::Otlp => {
            let table = arrow_cast::pretty::pretty_format_batches(batches).context("cannot print the rows")?;
            writeln!(out, "{table}")?;
        }
        Output::Json => {
            let mut writer = arrow_json::ArrayWriter::new(&mut *out);
            writer.write_batches(&batches.iter().collect::<Vec<_>>())?;
            writer.finish()?;
            writeln!(out)?;
        }
        Output::Jsonl => {
            let mut writer = arrow_json::LineDelimitedWriter::new(out);
            writer.write_batches(&batches.iter().collect::<Vec<_>>())?;
            writer.finish()?;
        }
        Output::Csv => {
            let mut writer = arrow_csv::WriterBuilder::new().with_header(true).build(out);
            batches
                .iter()
                .try_for_each(|batch| writer.write(batch))
                .context("the rows do not fit into CSV: name plain columns")?;
        }
        Output::Parquet => {
            let Some(first) = batches.first() else { return Ok(()) };
            let mut writer = ArrowWriter::try_new(out, first.schema(), None).context("cannot write Parquet")?;
            batches.iter().try_for_each(|batch| writer.write(batch)).context("cannot write Parquet")?;
            writer.close().context("cannot write Parquet")?;
        }
    }
    Ok(())
}
