//! The shape of the JSON.

use serde::de::{MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

#[derive(Serialize, Deserialize, Default)]
pub(super) struct Record {
    #[serde(default)]
    pub(super) header: Header,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) initial: Option<Initial>,
    pub(super) moves: Vec<Entry>,
}

/// Keys and values in the order of the file.
#[derive(Default)]
pub(super) struct Header(pub(super) Vec<(String, String)>);

#[derive(Serialize, Deserialize)]
pub(super) struct Initial {
    pub(super) preset: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) data: Option<Data>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct Data {
    pub(super) color: u8,
    /// File by file from 1, each from rank 1.
    pub(super) board: Vec<Vec<Cell>>,
    pub(super) hands: Vec<Held>,
}

/// What a side holds, by letters.
pub(super) type Held = std::collections::BTreeMap<String, u32>;

#[derive(Serialize, Deserialize, Default)]
pub(super) struct Cell {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) color: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) kind: Option<String>,
}

#[derive(Serialize, Deserialize, Default)]
pub(super) struct Entry {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) comments: Vec<String>,
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    pub(super) mv: Option<Mv>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) time: Option<Time>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) special: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) forks: Vec<Vec<Entry>>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct Mv {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) color: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) from: Option<Point>,
    /// Absent only together with `same`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) to: Option<Point>,
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
pub(super) struct Point {
    pub(super) x: u8,
    pub(super) y: u8,
}

#[derive(Serialize, Deserialize)]
pub(super) struct Time {
    pub(super) now: Span,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) total: Option<Span>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct Span {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) h: Option<u32>,
    #[serde(default)]
    pub(super) m: u32,
    #[serde(default)]
    pub(super) s: u32,
}

impl Serialize for Header {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (key, value) in &self.0 {
            map.serialize_entry(key, value)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Header {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Pairs;
        impl<'de> Visitor<'de> for Pairs {
            type Value = Header;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("headers as keys and texts")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Header, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(Header(pairs))
            }
        }
        deserializer.deserialize_map(Pairs)
    }
}
