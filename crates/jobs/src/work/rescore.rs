//! Old positions searched anew: records in, the same records with other values out.

use super::{FinishedWork, WorkContext, WorkError};
use crate::digest::sha256_hex;
use crate::files::FileStore;
use crate::spec::{ChunkJob, RescoreSpec};
use crate::store::JobReport;
use std::sync::atomic::AtomicBool;
use tesuji_eval::{AnyEval, EvalSettings};
use tesuji_learn::data::{DataRecord, rescore_records};

pub(super) fn search(
    context: &WorkContext,
    spec: &RescoreSpec,
    job: &ChunkJob,
    stop: &AtomicBool,
) -> Result<FinishedWork, WorkError> {
    let eval = spec.eval.local(&context.files).map_err(WorkError::Failed)?;
    let eval = AnyEval::choose(&eval, &EvalSettings::default()).map_err(WorkError::because)?;
    let bytes = context.files.get(&spec.input).map_err(WorkError::because)?;
    let (records, _) = bytes.as_chunks::<{ DataRecord::SIZE }>();
    let end = job
        .first
        .saturating_add(job.count)
        .min(records.len() as u64);
    let part = records.get(job.first as usize..end as usize);
    let part = part.ok_or_else(|| WorkError::because("there are not so many records"))?;
    let mut part: Vec<DataRecord> = part.iter().map(|&bytes| DataRecord(bytes)).collect();
    let (nodes, table) = (spec.nodes, spec.table_bytes);
    let is_whole = rescore_records(&eval, nodes, table, &mut part, stop);
    if !is_whole.map_err(WorkError::because)? {
        return Err(WorkError::Stopped);
    }
    let file: Vec<u8> = part.iter().flat_map(|record| record.0).collect();
    let sum = sha256_hex(&file);
    Ok(FinishedWork {
        report: JobReport {
            digest: sum.clone(),
            payload: sum.clone().into_bytes(),
            file: Some(sum),
            positions: part.len() as i64,
            ..JobReport::default()
        },
        file: Some(file),
    })
}

pub(super) fn check(
    files: &FileStore,
    job: &ChunkJob,
    report: &JobReport,
) -> Result<String, String> {
    let sum = report.file.as_deref().unwrap_or_default();
    if report.payload != sum.as_bytes() {
        return Err("it names another file than its result".into());
    }
    let bytes = files.get(sum).map_err(|error| error.to_string())?;
    let (records, rest) = bytes.as_chunks::<{ DataRecord::SIZE }>();
    if records.len() as u64 != job.count || !rest.is_empty() {
        return Err(format!(
            "it has {} records, not {}",
            records.len(),
            job.count
        ));
    }
    for (number, &record) in (1..).zip(records) {
        let sample = DataRecord(record).unpack();
        sample.map_err(|error| format!("record {number}: {error}"))?;
    }
    Ok(sum.to_owned())
}
