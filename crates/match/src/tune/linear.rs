//! Small systems of linear equations whose matrix is symmetric and positive: Cholesky's way.

/// A matrix below its diagonal, row by row: the factor of a symmetric, positive matrix.
pub(super) struct Cholesky {
    size: usize,
    rows: Vec<f64>,
}

impl Cholesky {
    /// The factor of a symmetric matrix, given row by row; `None` if it is not positive.
    pub(super) fn new(matrix: &[f64], size: usize) -> Option<Self> {
        let mut rows = vec![0.0; size * size];
        for i in 0..size {
            for j in 0..=i {
                let before = (0..j).map(|k| rows[i * size + k] * rows[j * size + k]);
                let rest = matrix[i * size + j] - before.sum::<f64>();
                rows[i * size + j] = if i == j {
                    if rest.is_nan() || rest <= 0.0 {
                        return None;
                    }
                    rest.sqrt()
                } else {
                    rest / rows[j * size + j]
                };
            }
        }
        Some(Self { size, rows })
    }

    /// The solution for a right side.
    pub(super) fn solve(&self, right: &[f64]) -> Vec<f64> {
        let mut solution = right.to_vec();
        for i in 0..self.size {
            let before = (0..i).map(|k| self.rows[i * self.size + k] * solution[k]);
            solution[i] = (solution[i] - before.sum::<f64>()) / self.rows[i * self.size + i];
        }
        self.solve_transposed(&mut solution);
        solution
    }

    /// Noise whose covariance is the inverse of the matrix, from independent noise.
    pub(super) fn correlated(&self, mut noise: Vec<f64>) -> Vec<f64> {
        self.solve_transposed(&mut noise);
        noise
    }

    fn solve_transposed(&self, vector: &mut [f64]) {
        for i in (0..self.size).rev() {
            let behind = (i + 1..self.size).map(|k| self.rows[k * self.size + i] * vector[k]);
            vector[i] = (vector[i] - behind.sum::<f64>()) / self.rows[i * self.size + i];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equations_are_solved_and_other_matrices_refused() {
        let matrix = [4.0, 2.0, 0.4, 2.0, 5.0, 1.0, 0.4, 1.0, 3.0];
        let factor = Cholesky::new(&matrix, 3).unwrap();
        let solution = factor.solve(&[1.0, -2.0, 3.0]);
        for (row, right) in matrix.chunks(3).zip([1.0, -2.0, 3.0]) {
            let sum: f64 = row.iter().zip(&solution).map(|(a, x)| a * x).sum();
            assert!((sum - right).abs() < 1e-12, "{sum} {right}");
        }
        assert!(Cholesky::new(&[1.0, 2.0, 2.0, 1.0], 2).is_none());
    }
}
