//! Which samples make a step: every epoch in another order, and every order drawn anew from the seed,
//! so that a training that goes on sees what it would have seen.

use super::plan::Plan;
use super::sample::TrainingSample;
use super::shards::{self, Shards};
use std::io;
use std::sync::Arc;
use std::thread::JoinHandle;

/// A sample, and whether it is mirrored.
pub(super) type DrawnSample = (TrainingSample, bool);

/// The batches of a training.
pub(super) struct BatchDraw<'a> {
    plan: &'a Plan,
    shards: &'a Shards,
    current: Option<LoadedShard>,
    /// The shard that is read meanwhile.
    next: Option<(usize, JoinHandle<io::Result<Vec<TrainingSample>>>)>,
}

/// A shard with the order of its samples in an epoch.
struct LoadedShard {
    epoch: u64,
    shard: usize,
    samples: Arc<Vec<TrainingSample>>,
    order: Vec<u32>,
}

/// Where a step is: in which epoch, in which of its shards, and at which batch of that.
struct BatchPlace {
    epoch: u64,
    slot: usize,
    batch: u64,
}

impl<'a> BatchDraw<'a> {
    pub(super) fn new(plan: &'a Plan, shards: &'a Shards) -> Self {
        Self {
            plan,
            shards,
            current: None,
            next: None,
        }
    }

    fn batches_of(&self, shard: usize) -> u64 {
        self.plan.steps_of(self.shards.size(shard))
    }

    /// How many steps an epoch has: no batch is made of two shards.
    pub(super) fn steps_per_epoch(&self) -> u64 {
        (0..self.shards.count())
            .map(|shard| self.batches_of(shard))
            .sum()
    }

    /// The shards in the order of an epoch.
    fn order_of(&self, epoch: u64) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.shards.count()).collect();
        if order.len() > 1 {
            fastrand::Rng::with_seed(!self.seed(epoch)).shuffle(&mut order);
        }
        order
    }

    fn seed(&self, epoch: u64) -> u64 {
        let seed = self.plan.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        seed.wrapping_add(epoch)
    }

    fn place(&self, step: u64, order: &[usize]) -> BatchPlace {
        let epoch = step / self.steps_per_epoch();
        let mut batch = step % self.steps_per_epoch();
        for (slot, &shard) in order.iter().enumerate() {
            let count = self.batches_of(shard);
            if batch < count {
                return BatchPlace { epoch, slot, batch };
            }
            batch -= count;
        }
        unreachable!("an epoch has as many steps as its shards")
    }

    /// The samples of a step, a list for each thread.
    pub(super) fn batch(&mut self, step: u64, threads: usize) -> io::Result<Vec<Vec<DrawnSample>>> {
        let order = self.order_of(step / self.steps_per_epoch());
        let BatchPlace { epoch, slot, batch } = self.place(step, &order);
        let seed = self.seed(epoch);
        let percent = self.plan.mirrored_percent;
        let size = self.plan.batch;
        let LoadedShard { samples, order, .. } = self.load(epoch, &order, slot)?;
        let start = batch as usize * size;
        let end = (start + size).min(samples.len());
        let mut rng =
            fastrand::Rng::with_seed(seed ^ (step + 1).wrapping_mul(0xd134_2543_de82_ef95));
        let mut draw = |&index: &u32| (samples[index as usize], rng.u8(0..100) < percent);
        let batch = &order[start..end];
        let share = batch.len().div_ceil(threads).max(1);
        let parts = batch.chunks(share);
        Ok(parts
            .map(|part| part.iter().map(&mut draw).collect())
            .collect())
    }

    /// Makes a shard of an epoch the current one, and begins to read the one behind it.
    fn load(&mut self, epoch: u64, order: &[usize], slot: usize) -> io::Result<&LoadedShard> {
        let shard = order[slot];
        let is_current = |loaded: &LoadedShard| (loaded.epoch, loaded.shard) == (epoch, shard);
        if !self.current.as_ref().is_some_and(is_current) {
            self.current = None;
            let samples = self.read(shard)?;
            let mut places: Vec<u32> = (0..samples.len() as u32).collect();
            let seed = self.seed(epoch) ^ (shard as u64).wrapping_mul(0xa076_1d64_78bd_642f);
            fastrand::Rng::with_seed(seed).shuffle(&mut places);
            self.current = Some(LoadedShard {
                epoch,
                shard,
                samples,
                order: places,
            });
            let behind = order.get(slot + 1).copied();
            let behind = behind.or_else(|| self.order_of(epoch + 1).first().copied());
            self.read_ahead(behind);
        }
        Ok(self.current.as_ref().expect("a shard was just loaded"))
    }

    fn read(&mut self, shard: usize) -> io::Result<Arc<Vec<TrainingSample>>> {
        if let Some(samples) = self.shards.at_hand(shard) {
            return Ok(samples);
        }
        match self.next.take() {
            Some((read, thread)) if read == shard => match thread.join() {
                Ok(samples) => Ok(Arc::new(samples?)),
                Err(panic) => std::panic::resume_unwind(panic),
            },
            _ => Ok(Arc::new(match self.shards.path(shard) {
                Some(path) => shards::read(&path)?,
                None => Vec::new(),
            })),
        }
    }

    fn read_ahead(&mut self, shard: Option<usize>) {
        let path = shard.and_then(|shard| Some((shard, self.shards.path(shard)?)));
        self.next = path.map(|(shard, path)| {
            let thread = std::thread::spawn(move || shards::read(&path));
            (shard, thread)
        });
    }
}
