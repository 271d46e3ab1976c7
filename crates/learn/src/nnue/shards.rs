//! Samples in memory or, if they are more than that, in files that hold a random share of them each.
//!
//! Every sample is put into a file that is drawn for it, and every epoch visits the files in another
//! order and shuffles each: together as good as one large shuffle, with two files in memory at a
//! time. After the external shuffling of Noda's `shuffle_kifu`.

use super::sample::TrainingSample;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How many bytes a sample has in a file, and in memory about the same.
const BYTES: usize = 37;

/// Samples to learn from.
#[derive(Debug)]
pub struct Shards {
    kind: ShardStore,
    sizes: Vec<usize>,
}

#[derive(Debug)]
enum ShardStore {
    Memory(Arc<Vec<TrainingSample>>),
    Files(tempfile::TempDir),
}

impl From<Vec<TrainingSample>> for Shards {
    fn from(samples: Vec<TrainingSample>) -> Self {
        Self {
            sizes: vec![samples.len()],
            kind: ShardStore::Memory(Arc::new(samples)),
        }
    }
}

impl Default for Shards {
    fn default() -> Self {
        Vec::new().into()
    }
}

impl Shards {
    /// How many samples there are.
    pub fn len(&self) -> usize {
        self.sizes.iter().sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many shards there are; one if everything is in memory.
    pub fn count(&self) -> usize {
        self.sizes.len()
    }

    /// How many samples a shard has.
    pub(super) fn size(&self, shard: usize) -> usize {
        self.sizes[shard]
    }

    /// The samples of a shard, as far as they are in memory.
    pub(super) fn at_hand(&self, _shard: usize) -> Option<Arc<Vec<TrainingSample>>> {
        match &self.kind {
            ShardStore::Memory(samples) => Some(Arc::clone(samples)),
            ShardStore::Files(_) => None,
        }
    }

    /// Where the samples of a shard lie, if they are not in memory.
    pub(super) fn path(&self, shard: usize) -> Option<PathBuf> {
        match &self.kind {
            ShardStore::Memory(_) => None,
            ShardStore::Files(folder) => Some(folder.path().join(shard.to_string())),
        }
    }

    /// Some samples of the first shard.
    ///
    /// # Errors
    /// If the file of the shard cannot be read.
    pub(super) fn some(&self) -> io::Result<Arc<Vec<TrainingSample>>> {
        match (self.at_hand(0), self.path(0)) {
            (None, Some(path)) => Ok(Arc::new(read(&path)?)),
            (samples, _) => Ok(samples.unwrap_or_default()),
        }
    }
}

/// Reads the samples of a file.
pub(super) fn read(path: &Path) -> io::Result<Vec<TrainingSample>> {
    let bytes = std::fs::read(path)?;
    let (records, rest) = bytes.as_chunks::<BYTES>();
    if !rest.is_empty() {
        return Err(io::Error::new(
            io::ErrorKind::UnexpectedEof,
            "the file was cut off while the training ran",
        ));
    }
    Ok(records.iter().map(unpacked).collect())
}

fn unpacked(record: &[u8; BYTES]) -> TrainingSample {
    let mut packed = [0; 32];
    packed.copy_from_slice(&record[..32]);
    TrainingSample {
        packed,
        score: i16::from_le_bytes([record[32], record[33]]),
        skip: i16::from_le_bytes([record[34], record[35]]),
        result: record[36] as i8,
    }
}

fn packed(sample: &TrainingSample) -> [u8; BYTES] {
    let mut record = [0; BYTES];
    record[..32].copy_from_slice(&sample.packed);
    record[32..34].copy_from_slice(&sample.score.to_le_bytes());
    record[34..36].copy_from_slice(&sample.skip.to_le_bytes());
    record[36] = sample.result as u8;
    record
}

/// Takes samples one by one.
#[derive(Debug)]
pub(super) enum Gatherer {
    Memory(Vec<TrainingSample>),
    Files {
        folder: tempfile::TempDir,
        files: Vec<BufWriter<File>>,
        sizes: Vec<usize>,
        rng: fastrand::Rng,
    },
}

impl Gatherer {
    /// For about `expected` samples, of which `in_memory` may be in memory. Files are made in the
    /// folder for temporary ones.
    pub(super) fn new(
        expected: u64,
        in_memory: u64,
        temporary: &Path,
        seed: u64,
    ) -> io::Result<Self> {
        if expected <= in_memory {
            return Ok(Self::Memory(Vec::new()));
        }
        // One shard is worked on while the next is read.
        let count = (2 * expected).div_ceil(in_memory.max(1)).clamp(2, 4096);
        let folder = tempfile::Builder::new()
            .prefix("shards-")
            .tempdir_in(temporary)?;
        let create = |shard: u64| -> io::Result<BufWriter<File>> {
            let file = File::create(folder.path().join(shard.to_string()))?;
            Ok(BufWriter::with_capacity(1 << 16, file))
        };
        Ok(Self::Files {
            files: (0..count).map(create).collect::<io::Result<_>>()?,
            sizes: vec![0; count as usize],
            rng: fastrand::Rng::with_seed(seed),
            folder,
        })
    }

    /// How many samples of memory so many bytes are.
    pub(super) const fn samples_in(bytes: u64) -> u64 {
        bytes / size_of::<TrainingSample>() as u64
    }

    pub(super) fn take(&mut self, sample: &TrainingSample) -> io::Result<()> {
        match self {
            Self::Memory(samples) => {
                samples.try_reserve(1)?;
                samples.push(*sample);
            }
            Self::Files {
                files, sizes, rng, ..
            } => {
                let shard = rng.usize(..files.len());
                sizes[shard] += 1;
                files[shard].write_all(&packed(sample))?;
            }
        }
        Ok(())
    }

    pub(super) fn finish(self) -> io::Result<Shards> {
        match self {
            Self::Memory(samples) => Ok(samples.into()),
            Self::Files {
                folder,
                files,
                sizes,
                ..
            } => {
                for file in files {
                    file.into_inner().map_err(io::IntoInnerError::into_error)?;
                }
                Ok(Shards {
                    kind: ShardStore::Files(folder),
                    sizes,
                })
            }
        }
    }
}
