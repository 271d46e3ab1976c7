//! Records as PSV files hold them, each seen to be a position before anybody uses it.

use super::record::DataRecord;
use rayon::prelude::*;
use std::fs::File;
use std::io::{self, Read};
use tesuji_record::samples::SampleProblem;

/// How many records are checked at once.
const BLOCK: usize = 1 << 14;

/// The records of a file, checked in blocks by all cores: to unpack one takes longer than to read it.
pub(super) struct CheckedRecords {
    file: File,
    bytes: Vec<u8>,
    /// The records of the block that are sound, and how many of them were given out.
    sound: usize,
    given: usize,
    /// What is wrong behind the sound ones.
    problem: Option<SampleProblem>,
    is_done: bool,
}

impl CheckedRecords {
    pub(super) fn new(file: File) -> Self {
        Self {
            file,
            bytes: Vec::new(),
            sound: 0,
            given: 0,
            problem: None,
            is_done: false,
        }
    }

    /// Reads a block and checks it up to the first record that is none.
    fn fill(&mut self) -> io::Result<()> {
        self.bytes.clear();
        let size = BLOCK * DataRecord::SIZE;
        let read = Read::by_ref(&mut self.file)
            .take(size as u64)
            .read_to_end(&mut self.bytes)?;
        let (records, rest) = self.bytes.as_chunks::<{ DataRecord::SIZE }>();
        let wrong = records
            .par_iter()
            .enumerate()
            .find_map_first(|(place, record)| {
                let problem = DataRecord(*record).unpack().err()?;
                Some((place, problem))
            });
        let cut_off = || SampleProblem::CutOff {
            found: rest.len(),
            size: DataRecord::SIZE,
        };
        (self.sound, self.problem) = match wrong {
            Some((place, problem)) => (place, Some(problem)),
            None => (records.len(), (!rest.is_empty()).then(cut_off)),
        };
        self.given = 0;
        self.is_done = read < size || self.problem.is_some();
        Ok(())
    }
}

impl Iterator for CheckedRecords {
    type Item = Result<DataRecord, SampleProblem>;

    fn next(&mut self) -> Option<Self::Item> {
        let is_empty = self.given == self.sound && self.problem.is_none() && !self.is_done;
        if is_empty && let Err(error) = self.fill() {
            self.is_done = true;
            return Some(Err(error.into()));
        }
        if self.given < self.sound {
            let (records, _) = self.bytes.as_chunks::<{ DataRecord::SIZE }>();
            self.given += 1;
            return Some(Ok(DataRecord(records[self.given - 1])));
        }
        self.problem.take().map(Err)
    }
}
