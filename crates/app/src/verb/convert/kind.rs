//! The formats by name.

use std::str::FromStr;
use tesuji_record::samples::SampleFormat;
use tesuji_record::trace::TraceFormat;
use tesuji_record::{Encoding, TextFormat};

/// A format of any sort.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum FileKind {
    /// Games as text, and how that is usually encoded.
    Text(TextFormat, Encoding),
    /// Games as data.
    Trace(TraceFormat),
    /// Positions as data.
    Sample(SampleFormat),
    /// Positions as data, in chains.
    Chains,
}

impl FromStr for FileKind {
    type Err = String;
    fn from_str(name: &str) -> Result<Self, String> {
        if let Some((format, encoding)) = TextFormat::from_name(name) {
            return Ok(Self::Text(format, encoding));
        }
        Ok(match name.to_ascii_lowercase().as_str() {
            "hcpe3" => Self::Trace(TraceFormat::Hcpe3),
            "pack" => Self::Trace(TraceFormat::Pack),
            "psv" => Self::Sample(SampleFormat::Psv),
            "hcp" => Self::Sample(SampleFormat::Hcp),
            "hcpe" => Self::Sample(SampleFormat::Hcpe),
            "sbinpack" => Self::Chains,
            _ => {
                let names = "csa csa3 kif kifu ki2 ki2u jkf usi hcpe3 pack psv hcp hcpe sbinpack";
                return Err(format!("no such format: expected one of {names}"));
            }
        })
    }
}

impl FileKind {
    /// Its short name.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Text(format, _) => format.name(),
            Self::Trace(format) => format.name(),
            Self::Sample(format) => format.name(),
            Self::Chains => "sbinpack",
        }
    }
}
