//! The mean of the last checkpoints (Izmailov and others 2018): steadier than the last one alone.

/// Parameters added up.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Average {
    pub(super) sums: Vec<f32>,
    pub(super) count: u32,
}

impl Average {
    pub(super) fn add(&mut self, parameters: &[f32]) {
        self.sums.resize(parameters.len(), 0.0);
        for (sum, parameter) in self.sums.iter_mut().zip(parameters) {
            *sum += parameter;
        }
        self.count += 1;
    }

    /// The mean, or nothing if nothing was added.
    pub(super) fn mean(&self) -> Option<Vec<f32>> {
        let share = 1.0 / self.count as f32;
        (self.count > 0).then(|| self.sums.iter().map(|sum| sum * share).collect())
    }
}
