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
use std::path::{Path, PathBuf};
use std::str::FromStr;
use tesuji_kernels::{InstructionSet, Kernels, read_input, read_input_text};

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
        source: std::io::Error,
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
fn choices(error: &std::io::Error) -> &'static str {
    match error.kind() {
        std::io::ErrorKind::NotFound => {
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
    let path = if path.is_dir() {
        path.join("nn.bin")
    } else {
        path.to_owned()
    };
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
    let options = path.with_file_name("eval_options.txt");
    nnue::fv_scale_in(&read_input_text(&options).ok()?)
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
mod tests {
    use super::*;
    use crate::nnue::{Extension, FeatureSet, NetworkShape};
    use tesuji_shogi::Position;

    struct Raw;
    impl EvaluatorVisitor for Raw {
        type Out = (i32, i32);
        fn visit<E: Evaluator + Send + 'static>(self, eval: E) -> (i32, i32) {
            let pos = Position::start();
            (eval.evaluate_raw(&pos), eval.evaluate(&pos).points())
        }
    }

    #[test]
    fn a_network_is_chosen_by_its_file_and_scaled_by_the_options_beside_it() {
        let folder = std::env::temp_dir().join(format!("tesuji-choose-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let mut file =
            NetworkFile::blank(NetworkShape::clipped_relu(FeatureSet::KP, [256, 32, 32]));
        file.stacks[0].layers[2].biases[0] = 4800;
        std::fs::write(folder.join("nn.bin"), file.write()).unwrap();
        let ask = |spec: &str, fv_scale| {
            let spec = spec.parse().unwrap();
            choose(
                &spec,
                &EvalSettings {
                    fv_scale,
                    level: None,
                },
                Raw,
            )
        };
        let nnue = format!("nnue:{}", folder.join("nn.bin").display());
        assert_eq!(ask(&nnue, None).unwrap(), (4800, 300));
        std::fs::write(folder.join("eval_options.txt"), "FV_SCALE 24\n").unwrap();
        assert_eq!(
            ask(&folder.display().to_string(), None).unwrap(),
            (4800, 200)
        );
        assert_eq!(ask(&nnue, Some(48)).unwrap(), (4800, 100));
        let skip = Skip::Relation;
        let extended = file.extended(Extension {
            skip,
            ..Extension::default()
        });
        std::fs::write(folder.join("nn.bin"), extended.write()).unwrap();
        let relation = Relation::new().evaluate(&Position::start()).points();
        assert_eq!(ask(&nnue, None).unwrap(), (200 + relation, 200 + relation));
        assert_eq!(ask("material", None).unwrap(), (0, 0));
        std::fs::write(folder.join("bad.bin"), b"not a network").unwrap();
        let bad = ask(&folder.join("bad.bin").display().to_string(), None).unwrap_err();
        assert!(
            bad.to_string().contains("bad.bin: a network begins with"),
            "{bad}"
        );
        let none = ask("nnue:/no/such/file", None).unwrap_err();
        assert!(none.to_string().starts_with("/no/such/file: "), "{none}");
        assert!(
            none.to_string().contains("builtin, material, relation"),
            "{none}"
        );
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
