//! From a name to a concrete evaluator, once.
//!
//! The choice is made at the door: the visitor is compiled for every evaluator there is, and below
//! its call nothing is dynamic.

use crate::combined::Combined;
use crate::evaluator::Evaluator;
use crate::material::Material;
use crate::nnue::{self, Network, NetworkFile, NetworkVisitor, NnueError, Skip};
use crate::pairs::{self, AnyKppt, FvBin, Kp, KpPp, PairError, Pp};
use crate::relation::Relation;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use tesuji_kernels::{InstructionSet, Kernels, digest, digest_input, read_input, read_input_text};

/// Who wants an evaluator, whichever it is.
pub trait EvaluatorVisitor {
    /// What comes out.
    type Out;
    /// Takes the evaluator.
    fn visit<E: Evaluator + Send + 'static>(self, eval: E) -> Self::Out;
}

/// The name of an evaluator.
///
/// ```
/// use tesuji_eval::EvalSpec;
/// assert_eq!("material".parse(), Ok(EvalSpec::Material));
/// assert_eq!("nnue:eval/nn.bin".parse(), Ok(EvalSpec::Nnue("eval/nn.bin".into())));
/// assert_eq!("eval/nn.bin".parse(), Ok(EvalSpec::Nnue("eval/nn.bin".into())));
/// assert_eq!("kppt:eval".parse(), Ok(EvalSpec::Kppt("eval".into())));
/// assert!("kpp:eval".parse::<EvalSpec>().is_err());
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum EvalSpec {
    /// The one that ships with the program.
    Builtin,
    /// Piece values.
    Material,
    /// Pieces in relation to the kings and to their neighbours.
    Relation,
    /// A network, in a file or in a folder as `nn.bin`.
    Nnue(PathBuf),
    /// The tables of kings and pairs in a folder: KPPT and its variants.
    Kppt(PathBuf),
    /// Bonanza's tables in one file.
    Bonanza(PathBuf),
    /// A table of kings and pieces.
    Kp(PathBuf),
    /// A table of pairs of pieces.
    Pp(PathBuf),
    /// Both of these tables in one file.
    KpPp(PathBuf),
}

/// Why a text names no evaluator.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "{0:?} names no evaluator: builtin, material, relation, nnue:FILE, kppt:DIR, bonanza:FILE, kp:FILE, pp:FILE, kppp:FILE or a path"
)]
pub struct EvalSpecError(String);

impl FromStr for EvalSpec {
    type Err = EvalSpecError;

    /// A text that is no name is taken for a path, and what lies there is guessed.
    fn from_str(text: &str) -> Result<Self, EvalSpecError> {
        match Self::named(text) {
            Some(spec) => Ok(spec),
            None if text.is_empty() || text.contains(':') => Err(EvalSpecError(text.to_owned())),
            None => Ok(Self::guess(text.into())),
        }
    }
}

impl fmt::Display for EvalSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Builtin => write!(f, "builtin"),
            Self::Material => write!(f, "material"),
            Self::Relation => write!(f, "relation"),
            Self::Nnue(path) => write!(f, "nnue:{}", path.display()),
            Self::Kppt(path) => write!(f, "kppt:{}", path.display()),
            Self::Bonanza(path) => write!(f, "bonanza:{}", path.display()),
            Self::Kp(path) => write!(f, "kp:{}", path.display()),
            Self::Pp(path) => write!(f, "pp:{}", path.display()),
            Self::KpPp(path) => write!(f, "kppp:{}", path.display()),
        }
    }
}

impl EvalSpec {
    /// The evaluator that a text names, and not only by a path: a word that may also be a program
    /// is no name.
    ///
    /// ```
    /// use tesuji_eval::EvalSpec;
    /// assert_eq!(EvalSpec::named("kp:kp.bin"), Some(EvalSpec::Kp("kp.bin".into())));
    /// assert_eq!(EvalSpec::named("./engine"), None);
    /// ```
    pub fn named(text: &str) -> Option<Self> {
        Some(match text.split_once(':') {
            None => match text {
                "builtin" => Self::Builtin,
                "material" => Self::Material,
                "relation" => Self::Relation,
                _ => return None,
            },
            Some((kind, path)) => match kind {
                "nnue" => Self::Nnue(path.into()),
                "kppt" => Self::Kppt(path.into()),
                "bonanza" => Self::Bonanza(path.into()),
                "kp" => Self::Kp(path.into()),
                "pp" => Self::Pp(path.into()),
                "kppp" => Self::KpPp(path.into()),
                _ => return None,
            },
        })
    }

    /// A number that changes with the contents of the evaluator's files, whatever they are called: by
    /// it long work sees that it goes on with the evaluator that it began with. 0 where nothing is read.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn digest(&self) -> io::Result<u64> {
        let mut files = match self {
            Self::Material | Self::Relation => return Ok(0),
            Self::Builtin => return Ok(digest(BUILTIN)),
            Self::Nnue(path) => vec![network_file(path)],
            Self::Bonanza(path) | Self::Kp(path) | Self::Pp(path) | Self::KpPp(path) => {
                vec![path.clone()]
            }
            Self::Kppt(folder) => tables_in(folder)?,
        };
        let options = files.first().map(|file| options_beside(file));
        files.extend(options.filter(|path| path.is_file()));
        let digests: io::Result<Vec<_>> = files.iter().map(|file| digest_input(file)).collect();
        let bytes: Vec<u8> = digests?.into_iter().flat_map(u64::to_le_bytes).collect();
        Ok(digest(&bytes))
    }

    /// What lies under a path, by its looks: a folder with a `KPP` file holds pair tables, a file
    /// called `fv.bin` is Bonanza's, anything else is a network.
    fn guess(path: PathBuf) -> Self {
        let has = |name: &str| path.join(name).is_file();
        if has("KPP_synthesized.bin") || has("KPP.bin") {
            return Self::Kppt(path);
        }
        match path.file_name() {
            Some(name) if name == "fv.bin" => Self::Bonanza(path),
            _ => Self::Nnue(path),
        }
    }
}

/// What the user says about an evaluator beyond its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct EvalSettings {
    /// What the output of a network is divided by. Without it, the `eval_options.txt` beside the
    /// network decides, and without that the usual 16.
    pub fv_scale: Option<i32>,
    /// Which instruction set a network is read with; without it the best of the machine.
    pub level: Option<InstructionSet>,
}

/// Why an evaluator could not be had.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ChooseError {
    /// The file could not be read.
    #[error("{}: {source}{}", path.display(), choices(source))]
    Read {
        /// Which file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// The files are not pair tables that can be used.
    #[error(transparent)]
    Pairs(#[from] PairError),
    /// The machine does not have the instruction set that was asked for.
    #[error("this machine has no {0:?}")]
    InstructionSet(InstructionSet),
    /// The file is not a network that can be used.
    #[error("{}: {source}", path.display())]
    Nnue {
        /// Which file.
        path: PathBuf,
        /// Why not.
        source: NnueError,
    },
}

/// What could have been meant where there is no such file: a name may be misspelt.
fn choices(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::NotFound => {
            "; an evaluator is builtin, material, relation, nnue:FILE, kppt:DIR, bonanza:FILE, \
             kp:FILE, pp:FILE or a path"
        }
        _ => "",
    }
}

/// Makes the evaluator that a name means and hands it to the visitor. Reads the files that the name
/// tells, and the `eval_options.txt` beside them.
pub fn choose<V: EvaluatorVisitor>(
    spec: &EvalSpec,
    settings: &EvalSettings,
    visitor: V,
) -> Result<V::Out, ChooseError> {
    match spec {
        EvalSpec::Material => Ok(visitor.visit(Material)),
        EvalSpec::Builtin => choose_builtin(settings, visitor),
        EvalSpec::Relation => Ok(visitor.visit(Relation::new())),
        EvalSpec::Bonanza(path) => Ok(visitor.visit(FvBin::open(path)?)),
        EvalSpec::Kp(path) => Ok(visitor.visit(Kp::open(path)?)),
        EvalSpec::Pp(path) => Ok(visitor.visit(Pp::open(path)?)),
        EvalSpec::KpPp(path) => Ok(visitor.visit(KpPp::open(path)?)),
        EvalSpec::Kppt(folder) => Ok(match pairs::open_kppt(folder)? {
            AnyKppt::Kppt(tables) => visitor.visit(tables),
            AnyKppt::Kppt16(tables) => visitor.visit(tables),
            AnyKppt::KppKkpt(tables) => visitor.visit(tables),
        }),
        EvalSpec::Nnue(path) => choose_network(path, settings, visitor),
    }
}

/// The network inside the binary: trained by `tesuji train nnue` as docs/network.md tells.
const BUILTIN: &[u8] = include_bytes!("../networks/builtin.nnue");

fn choose_builtin<V: EvaluatorVisitor>(
    settings: &EvalSettings,
    visitor: V,
) -> Result<V::Out, ChooseError> {
    let file = NetworkFile::read(BUILTIN).expect("the network in the binary is sound");
    let entered = enter_network(file, settings.fv_scale, settings.level, visitor)?;
    Ok(entered.expect("the network in the binary has an architecture that is run"))
}

/// No file of a network is larger: the widest that is run, 1536 numbers of 16 bits for each of the
/// features of the largest set, has less than half of it.
pub const LARGEST_NETWORK: u64 = 1 << 30;

fn choose_network<V: EvaluatorVisitor>(
    path: &Path,
    settings: &EvalSettings,
    visitor: V,
) -> Result<V::Out, ChooseError> {
    let path = network_file(path);
    let read = read_input(&path, LARGEST_NETWORK).map_err(|source| ChooseError::Read {
        path: path.clone(),
        source,
    });
    let file = NetworkFile::read(&read?);
    let file = file.map_err(|source| ChooseError::Nnue {
        path: path.clone(),
        source,
    })?;
    let fv_scale = settings.fv_scale.or_else(|| fv_scale_beside(&path));
    let entered = enter_network(file, fv_scale, settings.level, visitor)?;
    entered.map_err(|source| ChooseError::Nnue { path, source })
}

/// The file of a network that is named by itself or by its folder.
fn network_file(path: &Path) -> PathBuf {
    match path.is_dir() {
        true => path.join("nn.bin"),
        false => path.to_owned(),
    }
}

/// The tables of a folder, in order of their names.
fn tables_in(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|name| name == "bin") && path.is_file() {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// Where the options of a network or of tables would lie.
fn options_beside(path: &Path) -> PathBuf {
    path.with_file_name("eval_options.txt")
}

/// Hands a network to the visitor with its divisor set and what belongs to it added; the inner error
/// says that its architecture cannot be run.
fn enter_network<V: EvaluatorVisitor>(
    file: NetworkFile,
    fv_scale: Option<i32>,
    level: Option<InstructionSet>,
    visitor: V,
) -> Result<Result<V::Out, NnueError>, ChooseError> {
    let kernels = match level {
        Some(level) => level.kernels().ok_or(ChooseError::InstructionSet(level))?,
        None => Kernels::best(),
    };
    let scaled = Scaled {
        fv_scale,
        skip: file.extension.skip,
        visitor,
    };
    Ok(nnue::enter(file, kernels, scaled))
}

/// The divisor in the `eval_options.txt` beside a network, if there is one.
fn fv_scale_beside(path: &Path) -> Option<i32> {
    nnue::fv_scale_in(&read_input_text(&options_beside(path)).ok()?)
}

/// A visitor that meets networks with their divisor set, and with what is to be added to them.
struct Scaled<V> {
    fv_scale: Option<i32>,
    skip: Skip,
    visitor: V,
}

impl<V: EvaluatorVisitor> NetworkVisitor for Scaled<V> {
    type Out = V::Out;

    fn visit<const N: usize>(self, network: Network<N>) -> V::Out {
        let network = match self.fv_scale {
            Some(fv_scale) => network.with_fv_scale(fv_scale),
            None => network,
        };
        match self.skip {
            Skip::Nothing => self.visitor.visit(network),
            Skip::PieceValues => self.visitor.visit(Combined(network, Material)),
            Skip::Relation => self.visitor.visit(Combined(network, Relation::new())),
        }
    }
}

#[cfg(test)]
mod tests;
