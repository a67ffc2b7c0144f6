//! The evaluation that the engine uses: the network built in or one from a file, or the handcrafted one.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::eval::network::NetworkError;
use crate::eval::{Classic, Network};
use crate::game::Variant;
use crate::options::Options;

/// The network that is part of the program, made as training/README.md says.
const BUILT_IN: &[u8] = include_bytes!("../../networks/togyzqumalaq.tqn");
/// The longest file that is looked at, in bytes: more than the largest network has.
const LONGEST_FILE: u64 = 1 << 20;

/// What estimates positions.
#[derive(Clone, Debug)]
pub enum Evaluation {
    /// The handcrafted evaluation.
    Classic(Classic),
    /// A network.
    Network(Arc<Network>),
}

/// Why a network cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum EvalFileError {
    /// The file cannot be read.
    #[error("{0}: {1}")]
    Io(PathBuf, io::Error),
    /// There is something wrong with what is in it.
    #[error("{0}: {1}")]
    Network(PathBuf, NetworkError),
}

impl Evaluation {
    /// The evaluation that the options ask for. Where there is no network for the game, it is the handcrafted one.
    ///
    /// # Errors
    /// When a file that they name cannot be used.
    pub fn of_options(options: &Options) -> Result<Evaluation, EvalFileError> {
        let network = network(options)?;
        Ok(Evaluation::choose(network.as_ref().filter(|_| options.use_network), options.variant))
    }

    /// The network, if there is one and it is for the game, otherwise the handcrafted evaluation.
    pub(super) fn choose(network: Option<&Arc<Network>>, variant: Variant) -> Evaluation {
        match network {
            Some(network) if variant == Variant::Togyzqumalaq => Evaluation::Network(Arc::clone(network)),
            _ => Evaluation::Classic(Classic),
        }
    }

    /// What tells the evaluation from others: a word, or how its network was made and the checksum of its file, in a
    /// line.
    #[must_use]
    pub fn identity(&self) -> String {
        match self {
            Evaluation::Classic(_) => "classic".to_owned(),
            Evaluation::Network(network) => {
                let layers = network.layers();
                format!("({}; checksum {:08x})", layers.origin, layers.checksum())
            }
        }
    }
}

/// The network that the options name, or the one built in; none only if that is damaged.
///
/// # Errors
/// When a file that they name cannot be used.
pub(super) fn network(options: &Options) -> Result<Option<Arc<Network>>, EvalFileError> {
    let network = if options.eval_file.is_empty() {
        Network::parse(BUILT_IN).inspect_err(|error| log::error!("built in: {error}")).ok()
    } else {
        Some(load(Path::new(&options.eval_file))?)
    };
    Ok(network.map(Arc::new))
}

/// What is used, in one line.
impl fmt::Display for Evaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Evaluation::Classic(_) => f.write_str("evaluation: handcrafted"),
            Evaluation::Network(network) => write!(f, "evaluation: network {}", network.layers().name()),
        }
    }
}

/// The network in a file.
///
/// # Errors
/// When it cannot be read or is no network that can be used.
pub fn load(path: &Path) -> Result<Network, EvalFileError> {
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(LONGEST_FILE).read_to_end(&mut bytes));
    read.map_err(|error| EvalFileError::Io(path.to_owned(), error))?;
    Network::parse(&bytes).map_err(|error| EvalFileError::Network(path.to_owned(), error))
}

/// Evaluates an expression with the evaluation inside an [`Evaluation`] bound to a name, once for each kind.
#[macro_export]
macro_rules! with_evaluation {
    ($any:expr, $evaluation:ident => $body:expr) => {
        match $any {
            $crate::engine::evaluation::Evaluation::Classic($evaluation) => $body,
            $crate::engine::evaluation::Evaluation::Network(network) => {
                let $evaluation = &**network;
                $body
            }
        }
    };
}
