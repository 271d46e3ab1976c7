//! Text as bytes: UTF-8, Shift_JIS and EUC-JP told apart.

use crate::error::{ReadProblem, WriteError};
use encoding_rs::{EUC_JP, ISO_2022_JP, SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE};

/// How a text is written as bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Encoding {
    /// UTF-8.
    Utf8,
    /// Shift_JIS with the additions of Windows, which `.kif` files use.
    ShiftJis,
    /// EUC-JP, in old files of servers.
    EucJp,
}

impl Encoding {
    /// The name that records write into their first line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Utf8 => "UTF-8",
            Self::ShiftJis => "Shift_JIS",
            Self::EucJp => "EUC-JP",
        }
    }

    /// The encoding with a name, however it is written.
    pub fn from_name(name: &str) -> Option<Self> {
        let plain: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
        match plain.to_ascii_lowercase().as_str() {
            "utf8" => Some(Self::Utf8),
            "shiftjis" | "sjis" | "windows31j" | "cp932" => Some(Self::ShiftJis),
            "eucjp" | "euc" => Some(Self::EucJp),
            _ => None,
        }
    }

    /// The text of bytes in this encoding, if they are one.
    pub fn decode(self, bytes: &[u8]) -> Option<String> {
        strict(self.inner(), bytes)
    }

    const fn inner(self) -> &'static encoding_rs::Encoding {
        match self {
            Self::Utf8 => UTF_8,
            Self::ShiftJis => SHIFT_JIS,
            Self::EucJp => EUC_JP,
        }
    }
}

/// The text of a file in whatever encoding it is.
///
/// ```
/// use tesuji_record::encoding::decode;
/// assert_eq!(decode(b"\x90\xe6\x8e\xe8\x81F").unwrap(), "先手：");
/// assert_eq!(decode("先手：".as_bytes()).unwrap(), "先手：");
/// ```
pub fn decode(bytes: &[u8]) -> Result<String, ReadProblem> {
    if let Some((encoding, length)) = encoding_rs::Encoding::for_bom(bytes)
        && [UTF_8, UTF_16LE, UTF_16BE].contains(&encoding)
        && let Some(text) = strict(encoding, &bytes[length..])
    {
        return Ok(text);
    }
    if bytes
        .windows(3)
        .any(|window| matches!(window, b"\x1b$B" | b"\x1b$@"))
        && let Some(text) = strict(ISO_2022_JP, bytes)
    {
        return Ok(text);
    }
    let invalid = match std::str::from_utf8(bytes) {
        Ok(text) => return Ok(text.into()),
        Err(error) => error.valid_up_to(),
    };
    if let Some(declared) = declared(bytes)
        && let Some(text) = strict(declared.inner(), bytes)
    {
        return Ok(text);
    }
    match (strict(SHIFT_JIS, bytes), strict(EUC_JP, bytes)) {
        (None, None) => Err(ReadProblem::Encoding(invalid + 1)),
        (Some(text), None) | (None, Some(text)) => Ok(text),
        (Some(shift_jis), Some(euc_jp)) => match strangeness(&shift_jis).cmp(&strangeness(&euc_jp))
        {
            std::cmp::Ordering::Less => Ok(shift_jis),
            std::cmp::Ordering::Greater => Ok(euc_jp),
            std::cmp::Ordering::Equal => Err(ReadProblem::DoubtfulEncoding),
        },
    }
}

fn strict(encoding: &'static encoding_rs::Encoding, bytes: &[u8]) -> Option<String> {
    let text = encoding.decode_without_bom_handling_and_without_replacement(bytes)?;
    Some(text.into_owned())
}

/// What the first line says about the encoding.
fn declared(bytes: &[u8]) -> Option<Encoding> {
    let line = bytes.split(|&byte| byte == b'\n').next()?;
    let line = String::from_utf8_lossy(line);
    Encoding::from_name(line.split_once("encoding=")?.1.trim())
}

/// How many characters a text has that records never use: half-width kana, private and rare ones.
fn strangeness(text: &str) -> usize {
    let is_common = |c: char| {
        matches!(c, '\0'..='\u{7e}' | '\u{3000}'..='\u{30ff}' | '\u{4e00}'..='\u{9fff}' | '\u{ff01}'..='\u{ff5e}')
            || "▲△▼▽☆★○●◎□■◇◆→←↑↓…‥・×÷＝―".contains(c)
    };
    text.chars().filter(|&c| !is_common(c)).count()
}

/// The bytes of a text, or which character has none.
pub fn encode(text: &str, encoding: Encoding) -> Result<Vec<u8>, WriteError> {
    if encoding == Encoding::Utf8 {
        return Ok(text.as_bytes().into());
    }
    let (bytes, _, failed) = encoding.inner().encode(text);
    if !failed {
        return Ok(bytes.into_owned());
    }
    let missing = text
        .chars()
        .find(|c| encoding.inner().encode(c.encode_utf8(&mut [0; 4])).2);
    Err(WriteError::Character(
        missing.unwrap_or('\u{fffd}'),
        encoding.name(),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str =
        "開始日時：2016/01/03\n手合割：平手　　\n先手：羽生\n   1 ７六歩(77)\n*良い手▲△\n";

    #[test]
    fn all_encodings_are_told_apart() {
        for encoding in [Encoding::Utf8, Encoding::ShiftJis, Encoding::EucJp] {
            let bytes = encode(TEXT, encoding).unwrap();
            assert_eq!(decode(&bytes).as_deref(), Ok(TEXT), "{encoding:?}");
            assert_eq!(Encoding::from_name(encoding.name()), Some(encoding));
        }
        let (jis, _, _) = ISO_2022_JP.encode(TEXT);
        assert_eq!(decode(&jis).as_deref(), Ok(TEXT));
        let mut bom = b"\xef\xbb\xbf".to_vec();
        bom.extend(TEXT.as_bytes());
        assert_eq!(decode(&bom).as_deref(), Ok(TEXT));
    }

    #[test]
    fn what_is_no_text_is_refused() {
        assert_eq!(
            decode(b"ab\xff\xfe\x00\xd8\xff"),
            Err(ReadProblem::Encoding(3))
        );
        assert_eq!(
            encode("先手：☗", Encoding::ShiftJis),
            Err(WriteError::Character('☗', "Shift_JIS"))
        );
    }
}
