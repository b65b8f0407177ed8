//! Apache Parquet, through the plain column writers of its crate: no Arrow is needed for rows of
//! four kinds.

use std::io::Write;
use std::sync::Arc;

use parquet::basic::Compression;
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::Result;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;

use super::rows::{ColumnKind, Table, Value};

pub(super) fn begin<W: Write + Send>(to: W, table: &Table) -> Result<SerializedFileWriter<W>> {
    let field = |(name, kind): &(&str, ColumnKind)| match kind {
        ColumnKind::Text => format!("optional binary {name} (UTF8);"),
        ColumnKind::Int => format!("optional int64 {name};"),
        ColumnKind::Real => format!("optional double {name};"),
        ColumnKind::Time => format!("optional int64 {name} (TIMESTAMP(MICROS,true));"),
    };
    let fields: Vec<String> = table.columns.iter().map(field).collect();
    let schema = parse_message_type(&format!("message truedisk {{ {} }}", fields.join(" ")))?;
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_created_by(format!("truedisk {}", env!("CARGO_PKG_VERSION")))
        .build();
    SerializedFileWriter::new(to, Arc::new(schema), Arc::new(properties))
}

pub(super) fn write_group<W: Write + Send>(
    file: &mut SerializedFileWriter<W>,
    table: &Table,
) -> Result<()> {
    if table.values.is_empty() {
        return Ok(());
    }
    let mut group = file.next_row_group()?;
    for (place, (_, kind)) in table.columns.iter().enumerate() {
        let values = table.values.iter().map(|row| &row[place]);
        match kind {
            ColumnKind::Text => write_column::<ByteArrayType, _>(&mut group, values.map(bytes))?,
            ColumnKind::Int | ColumnKind::Time => {
                write_column::<Int64Type, _>(&mut group, values.map(int))?;
            }
            ColumnKind::Real => write_column::<DoubleType, _>(&mut group, values.map(real))?,
        }
    }
    group.close().map(drop)
}

fn bytes(value: &Value) -> Option<ByteArray> {
    match value {
        Value::Text(text) => text.as_deref().map(ByteArray::from),
        _ => None,
    }
}

fn int(value: &Value) -> Option<i64> {
    match value {
        Value::Int(number) | Value::Time(number) => *number,
        _ => None,
    }
}

fn real(value: &Value) -> Option<f64> {
    match value {
        Value::Real(number) => *number,
        _ => None,
    }
}

/// One column: the values that are there, and for each row whether there is one.
fn write_column<T: DataType, W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    values: impl Iterator<Item = Option<T::T>>,
) -> Result<()> {
    let Some(mut column) = group.next_column()? else { return Ok(()) };
    let mut there = Vec::new();
    let mut levels = Vec::new();
    for value in values {
        levels.push(i16::from(value.is_some()));
        there.extend(value);
    }
    column.typed::<T>().write_batch(&there, Some(&levels), None)?;
    column.close()
}

#[cfg(test)]
mod tests {
    use parquet::file::reader::{FileReader as _, SerializedFileReader};

    use super::super::{Export, Format, RowKind};

    #[test]
    fn a_file_has_the_rows_of_its_records() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let mut export =
            Export::new(file.reopen().unwrap(), Format::Parquet, RowKind::Cells).unwrap();
        let record = record::fixture::ssd_record();
        export.add_record(&record).unwrap();
        export.finish().unwrap();
        let reader = SerializedFileReader::new(file.reopen().unwrap()).unwrap();
        let expected: usize =
            record.measured.cells.iter().map(|cell| cell.totals.iter().count()).sum();
        assert_eq!(reader.metadata().file_metadata().num_rows(), expected as i64);
    }
}
