//! A text file in blocks that end where a position ends, worked on by all threads.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use tesuji_kernels::open_input;

/// How many bytes a block has at least, unless the file ends.
const BLOCK: usize = 1 << 20;

/// How many bytes one position with its moves has at most.
const LARGEST: usize = 1 << 26;

/// What every position begins with.
const START: &[u8] = b"\nsfen ";

/// The blocks of files, one file after the other.
struct Blocks {
    paths: std::vec::IntoIter<PathBuf>,
    file: Option<File>,
    /// What was read behind the last block.
    rest: Vec<u8>,
    count: usize,
}

impl Blocks {
    /// The next block with its number; `None` at the end. One of more than [`LARGEST`] bytes is no
    /// book.
    fn next(&mut self) -> io::Result<Option<(usize, Vec<u8>)>> {
        loop {
            let Some(file) = &mut self.file else {
                let Some(path) = self.paths.next() else {
                    return Ok(None);
                };
                self.file = Some(open_input(&path, u64::MAX)?);
                continue;
            };
            let mut block = std::mem::take(&mut self.rest);
            let is_end = fill(file, &mut block)?;
            if is_end {
                self.file = None;
            } else {
                let Some(cut) = last_start(&block) else {
                    return Err(io::Error::other("no book"));
                };
                self.rest = block.split_off(cut);
            }
            if !block.is_empty() {
                self.count += 1;
                return Ok(Some((self.count - 1, block)));
            }
        }
    }
}

/// Reads on until there is a position to cut at behind the first bytes; whether the file has ended.
fn fill(file: &mut File, block: &mut Vec<u8>) -> io::Result<bool> {
    while block.len() < LARGEST {
        let read = file.take(BLOCK as u64).read_to_end(block)?;
        if read == 0 {
            return Ok(true);
        }
        if block.len() >= BLOCK && last_start(block).is_some() {
            return Ok(false);
        }
    }
    Ok(false)
}

/// Where the last position begins, if it is not the first thing.
fn last_start(block: &[u8]) -> Option<usize> {
    let found = block.windows(START.len()).rposition(|bytes| bytes == START);
    found.map(|place| place + 1)
}

/// Calls `work` with the number and the bytes of every block, on all threads, and gives back what it
/// made of them, in order. `None` if it could not make anything of one.
pub(super) fn for_blocks<T: Send>(
    paths: &[impl AsRef<Path>],
    work: impl Fn(usize, &[u8]) -> Option<T> + Sync,
) -> io::Result<Option<Vec<T>>> {
    let paths: Vec<PathBuf> = paths.iter().map(|path| path.as_ref().into()).collect();
    let sizes = paths
        .iter()
        .map(|path| path.metadata().map(|file| file.len()));
    let threads = threads_for(sizes.flatten().sum());
    let blocks = Mutex::new(Blocks {
        paths: paths.into_iter(),
        file: None,
        rest: Vec::new(),
        count: 0,
    });
    let next = || match blocks.lock() {
        Ok(mut blocks) => blocks.next(),
        // Another thread panicked, and will be heard of.
        Err(_) => Ok(None),
    };
    let run = || {
        let mut made = Vec::new();
        while let Some((number, block)) = next()? {
            match work(number, &block) {
                Some(result) => made.push((number, result)),
                None => return Ok(None),
            }
        }
        Ok::<_, io::Error>(Some(made))
    };
    let mut all = Vec::new();
    for made in on_threads(threads, run) {
        match made? {
            Some(made) => all.extend(made),
            None => return Ok(None),
        }
    }
    all.sort_unstable_by_key(|&(number, _)| number);
    Ok(Some(all.into_iter().map(|(_, result)| result).collect()))
}

/// How many threads so many bytes are worth: one for each block, at most as many as the machine has.
fn threads_for(bytes: u64) -> usize {
    let blocks = usize::try_from(bytes.div_ceil(BLOCK as u64)).unwrap_or(usize::MAX);
    // To ask the machine takes longer than to read a small file.
    match blocks {
        0 | 1 => 1,
        _ => std::thread::available_parallelism().map_or(1, |most| blocks.min(most.get())),
    }
}

/// Runs the same on so many threads, this one among them.
fn on_threads<T: Send>(threads: usize, run: impl Fn() -> T + Sync) -> Vec<T> {
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(&run)).collect();
        let mut all = vec![run()];
        let ends = others.into_iter().map(|thread| thread.join());
        all.extend(ends.map(|end| end.unwrap_or_else(|panic| std::panic::resume_unwind(panic))));
        all
    })
}
