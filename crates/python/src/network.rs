//! Evaluators that are asked about batches, and networks as files whose numbers can be changed.

use crate::batch::{BadRecord, Batch, position};
use crate::board::Board;
use crate::errors;
use crate::features;
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use std::path::PathBuf;
use tesuji_eval::nnue::file::AffineLayer;
use tesuji_eval::nnue::{Activation, NetworkFile as File, NetworkShape};
use tesuji_eval::{AnyEval, EvalSettings, EvalSpec, LARGEST_NETWORK};
use tesuji_kernels::read_input;
use tesuji_record::file;
use tesuji_shogi::Position;

/// An evaluator: a network in a file, or one of those that need none.
#[pyclass(frozen, module = "tesuji")]
pub(crate) struct Network {
    pub(crate) eval: AnyEval,
    spec: EvalSpec,
}

impl Network {
    pub(crate) fn of(py: Python<'_>, spec: &str, fv_scale: Option<i32>) -> PyResult<Self> {
        let spec: EvalSpec = spec.parse().map_err(|error: tesuji_eval::EvalSpecError| {
            PyValueError::new_err(error.to_string())
        })?;
        let settings = EvalSettings {
            fv_scale,
            ..EvalSettings::default()
        };
        let eval = py.detach(|| AnyEval::choose(&spec, &settings));
        let eval = eval.map_err(|error| errors::EngineError::new_err(error.to_string()))?;
        Ok(Self { eval, spec })
    }
}

#[pymethods]
impl Network {
    /// `builtin`, `material`, `relation`, a path to a network or a folder of tables, or one of
    /// these with its kind: `nnue:FILE`, `kppt:DIR`, `kp:FILE`, `pp:FILE`, `kppp:FILE`,
    /// `bonanza:FILE`.
    #[new]
    #[pyo3(signature = (spec=PathBuf::from("builtin"), fv_scale=None))]
    fn new(py: Python<'_>, spec: PathBuf, fv_scale: Option<i32>) -> PyResult<Self> {
        Self::of(py, &spec.to_string_lossy(), fv_scale)
    }

    /// What positions are worth to the side to move: a number for a board, (n,) int32 for a batch
    /// or a list of boards.
    fn evaluate<'py>(
        &self,
        py: Python<'py>,
        positions: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if let Ok(board) = positions.cast::<Board>() {
            let board = board.try_borrow()?;
            let pos = &board.pos;
            let value = py.detach(|| self.eval.evaluate(pos).points());
            return Ok(value.into_pyobject(py)?.into_any());
        }
        if let Ok(batch) = positions.cast::<Batch>() {
            let batch = batch.get();
            let values = py.detach(|| {
                let mut values = vec![0_i32; batch.count()];
                let one = |record: &[u8], out: &mut [i32]| {
                    out[0] = self
                        .eval
                        .evaluate(&position(batch.format, record)?)
                        .points();
                    Ok(())
                };
                batch.fill(&mut values, 1, one).map(|()| values)
            });
            let bad = |(record, problem): BadRecord| errors::data(py, Some(record), &problem);
            return Ok(values.map_err(bad)?.into_pyarray(py).into_any());
        }
        let boards: Vec<PyRef<'_, Board>> = positions
            .extract()
            .map_err(|_| PyTypeError::new_err("expected a Board, a list of boards or a Batch"))?;
        let positions: Vec<&Position> = boards.iter().map(|board| &board.pos).collect();
        let values: Vec<i32> = py.detach(|| {
            positions
                .iter()
                .map(|pos| self.eval.evaluate(pos).points())
                .collect()
        });
        Ok(values.into_pyarray(py).into_any())
    }

    fn __repr__(&self) -> String {
        format!("Network('{}')", self.spec)
    }
}

/// The widths of the first layer that the engine can compute with.
const WIDTHS: [usize; 5] = [256, 512, 768, 1024, 1536];

/// Biases and weights.
type LayerArrays<'py> = (Bound<'py, PyArray1<i32>>, Bound<'py, PyArray2<i8>>);

/// A network as it lies on disk: its shape and its numbers.
#[pyclass(module = "tesuji")]
pub(crate) struct NetworkFile {
    file: File,
}

fn wrong_shape(what: &str, expected: &impl std::fmt::Debug) -> PyErr {
    PyValueError::new_err(format!("{what}: expected the shape {expected:?}"))
}

impl NetworkFile {
    fn sizes(&self, stack: usize, layer: usize) -> PyResult<(usize, usize)> {
        let shape = &self.file.shape;
        match shape.layers().get(layer) {
            Some(&sizes) if stack < shape.stacks => Ok(sizes),
            _ => Err(PyValueError::new_err(format!(
                "layer {layer} of stack {stack}: there are 3 layers in each of {} stacks",
                shape.stacks
            ))),
        }
    }

    fn layer(&mut self, stack: usize, layer: usize) -> &mut AffineLayer {
        &mut self.file.stacks[stack].layers[layer]
    }
}

#[pymethods]
impl NetworkFile {
    /// A network of zeros with clipped sums, as HalfKP-256x2-32-32.
    #[new]
    #[pyo3(signature = (features="halfkp", width=256, second=32, third=32))]
    fn new(
        py: Python<'_>,
        features: &str,
        width: usize,
        second: usize,
        third: usize,
    ) -> PyResult<Self> {
        let set = features::set_of(features)?;
        let fits = |size: usize| (1..=64).contains(&size);
        if !WIDTHS.contains(&width) || !fits(second) || !fits(third) {
            return Err(PyValueError::new_err(format!(
                "width: one of {WIDTHS:?}; second and third: 1 to 64"
            )));
        }
        let shape = NetworkShape::clipped_relu(set, [width, second, third]);
        Ok(Self {
            file: py.detach(|| File::blank(shape)),
        })
    }

    /// Reads a file.
    #[staticmethod]
    fn read(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let read = py.detach(|| read_input(&path, LARGEST_NETWORK));
        let bytes = read.map_err(|error| errors::file(&path, error))?;
        let file = py.detach(|| File::read(&bytes));
        let wrong = |error| errors::EngineError::new_err(format!("{}: {error}", path.display()));
        Ok(Self {
            file: file.map_err(wrong)?,
        })
    }

    /// Writes a file, whole or not at all.
    fn write(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let written = py.detach(|| file::save(&path, &self.file.write()));
        written.map_err(|error| errors::file(&path, error))
    }

    /// What the network says it is.
    #[getter]
    fn description(&self) -> String {
        String::from_utf8_lossy(&self.file.description).into_owned()
    }

    /// The name of the features in files.
    #[getter]
    fn features(&self) -> &'static str {
        self.file.shape.features.name
    }

    /// How many features there are, how wide the first layer is, and the sizes of the layers above.
    #[getter]
    fn shape(&self) -> (usize, usize, usize, usize) {
        let shape = &self.file.shape;
        (
            shape.features.count(),
            shape.width,
            shape.second,
            shape.third,
        )
    }

    /// How many stacks of layers there are, and whether their inputs are products of pairs.
    #[getter]
    fn stacks(&self) -> (usize, bool) {
        let shape = &self.file.shape;
        (shape.stacks, shape.activation == Activation::Pairwise)
    }

    /// The biases of the first layer, (width,) int16.
    #[getter]
    fn biases<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i16>> {
        self.file.biases.clone().into_pyarray(py)
    }

    #[setter]
    fn set_biases(&mut self, biases: PyReadonlyArray1<'_, i16>) -> PyResult<()> {
        let width = self.file.shape.width;
        let values = biases.as_array();
        if values.len() != width {
            return Err(wrong_shape("biases", &(width,)));
        }
        self.file.biases = values.iter().copied().collect();
        Ok(())
    }

    /// The weights of the first layer, (features, width) int16.
    #[getter]
    fn weights<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i16>>> {
        let shape = &self.file.shape;
        let weights = py.detach(|| self.file.weights.clone());
        let weights = weights.into_pyarray(py);
        weights.reshape([shape.features.count(), shape.width])
    }

    #[setter]
    fn set_weights(&mut self, py: Python<'_>, weights: PyReadonlyArray2<'_, i16>) -> PyResult<()> {
        let shape = &self.file.shape;
        let expected = [shape.features.count(), shape.width];
        let values = weights.as_array();
        if values.shape() != expected {
            return Err(wrong_shape("weights", &expected));
        }
        self.file.weights = py.detach(|| values.iter().copied().collect());
        Ok(())
    }

    /// Biases, (outputs,) int32, and weights, (outputs, inputs) int8, of one of the three layers
    /// above the first.
    #[pyo3(signature = (layer, stack=0))]
    fn layer_arrays<'py>(
        &self,
        py: Python<'py>,
        layer: usize,
        stack: usize,
    ) -> PyResult<LayerArrays<'py>> {
        let (inputs, outputs) = self.sizes(stack, layer)?;
        let found = &self.file.stacks[stack].layers[layer];
        let rows = found.weights.chunks_exact(inputs.next_multiple_of(32));
        let weights: Vec<i8> = py.detach(|| rows.flat_map(|row| &row[..inputs]).copied().collect());
        let weights = weights.into_pyarray(py).reshape([outputs, inputs])?;
        Ok((found.biases.clone().into_pyarray(py), weights))
    }

    /// Sets what `layer_arrays` gives.
    #[pyo3(signature = (layer, biases, weights, stack=0))]
    fn set_layer_arrays(
        &mut self,
        py: Python<'_>,
        layer: usize,
        biases: PyReadonlyArray1<'_, i32>,
        weights: PyReadonlyArray2<'_, i8>,
        stack: usize,
    ) -> PyResult<()> {
        let (inputs, outputs) = self.sizes(stack, layer)?;
        let (biases, weights) = (biases.as_array(), weights.as_array());
        if biases.len() != outputs {
            return Err(wrong_shape("biases", &(outputs,)));
        }
        if weights.shape() != [outputs, inputs] {
            return Err(wrong_shape("weights", &(outputs, inputs)));
        }
        let layer = self.layer(stack, layer);
        py.detach(|| {
            layer.biases = biases.iter().copied().collect();
            let rows = layer.weights.chunks_exact_mut(inputs.next_multiple_of(32));
            for (row, values) in rows.zip(weights.rows()) {
                row.iter_mut()
                    .zip(values)
                    .for_each(|(to, &from)| *to = from);
            }
        });
        Ok(())
    }

    fn __repr__(&self) -> String {
        let (features, width, second, third) = self.shape();
        let name = self.file.shape.features.name;
        format!("<NetworkFile {name}[{features}->{width}x2]-{second}-{third}>")
    }
}
