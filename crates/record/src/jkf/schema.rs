//! The schema of the JSON.

use serde::de::{MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

#[derive(Serialize, Deserialize, Default)]
pub(super) struct JkfRecord {
    #[serde(default)]
    pub(super) header: JkfHeader,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) initial: Option<JkfInitial>,
    pub(super) moves: Vec<JkfMoveEntry>,
}

/// Keys and values in the order of the file.
#[derive(Default)]
pub(super) struct JkfHeader(pub(super) Vec<(String, String)>);

#[derive(Serialize, Deserialize)]
pub(super) struct JkfInitial {
    pub(super) preset: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) data: Option<JkfPosition>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct JkfPosition {
    pub(super) color: u8,
    /// File by file from 1, each from rank 1.
    pub(super) board: Vec<Vec<JkfSquareContent>>,
    pub(super) hands: Vec<JkfHand>,
}

/// What a side holds, by letters.
pub(super) type JkfHand = std::collections::BTreeMap<String, u32>;

#[derive(Serialize, Deserialize, Default)]
pub(super) struct JkfSquareContent {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) color: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) kind: Option<String>,
}

#[derive(Serialize, Deserialize, Default)]
pub(super) struct JkfMoveEntry {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) comments: Vec<String>,
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    pub(super) mv: Option<JkfMove>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) time: Option<JkfTime>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) special: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) forks: Vec<Vec<JkfMoveEntry>>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct JkfMove {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) color: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) from: Option<JkfSquare>,
    /// Absent only together with `same`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) to: Option<JkfSquare>,
    pub(super) piece: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) same: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) promote: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) capture: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) relative: Option<String>,
}

#[derive(Serialize, Deserialize, Clone, Copy)]
pub(super) struct JkfSquare {
    pub(super) x: u8,
    pub(super) y: u8,
}

#[derive(Serialize, Deserialize)]
pub(super) struct JkfTime {
    pub(super) now: JkfSpan,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) total: Option<JkfSpan>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct JkfSpan {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) h: Option<u32>,
    #[serde(default)]
    pub(super) m: u32,
    #[serde(default)]
    pub(super) s: u32,
}

impl Serialize for JkfHeader {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (key, value) in &self.0 {
            map.serialize_entry(key, value)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for JkfHeader {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Pairs;
        impl<'de> Visitor<'de> for Pairs {
            type Value = JkfHeader;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("headers as keys and texts")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<JkfHeader, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(JkfHeader(pairs))
            }
        }
        deserializer.deserialize_map(Pairs)
    }
}
