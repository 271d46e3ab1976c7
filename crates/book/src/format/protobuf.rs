//! As much of the Protocol Buffers wire format as a book needs.

use crate::error::BookProblem;

/// A field: its number and what it holds.
pub(super) enum Field<'a> {
    /// A number.
    Number(u64),
    /// Bytes: a text or another message.
    Bytes(&'a [u8]),
    /// A kind that no field of a book has.
    Other,
}

/// The fields of a message, one after the other.
pub(super) struct Fields<'a>(pub(super) &'a [u8]);

const SHORT: BookProblem = BookProblem::Short("a field is longer than the rest of the file");

impl<'a> Fields<'a> {
    fn varint(&mut self) -> Result<u64, BookProblem> {
        let mut number = 0;
        for shift in (0..70).step_by(7) {
            let (&byte, rest) = self.0.split_first().ok_or(SHORT)?;
            self.0 = rest;
            if shift < 64 {
                number |= u64::from(byte & 127) << shift;
            }
            if byte < 128 {
                return Ok(number);
            }
        }
        Err(BookProblem::Kind("SBK book", "a number without end".into()))
    }

    fn bytes(&mut self, length: u64) -> Result<&'a [u8], BookProblem> {
        let length = usize::try_from(length).map_err(|_| SHORT)?;
        let (bytes, rest) = self.0.split_at_checked(length).ok_or(SHORT)?;
        self.0 = rest;
        Ok(bytes)
    }

    /// The next field; `None` at the end.
    pub(super) fn next(&mut self) -> Result<Option<(u64, Field<'a>)>, BookProblem> {
        if self.0.is_empty() {
            return Ok(None);
        }
        let tag = self.varint()?;
        let field = match tag & 7 {
            0 => Field::Number(self.varint()?),
            1 => {
                self.bytes(8)?;
                Field::Other
            }
            2 => {
                let length = self.varint()?;
                Field::Bytes(self.bytes(length)?)
            }
            5 => {
                self.bytes(4)?;
                Field::Other
            }
            wire => {
                let what = format!("a field of kind {wire}");
                return Err(BookProblem::Kind("SBK book", what));
            }
        };
        Ok(Some((tag >> 3, field)))
    }
}

/// A message in the making.
#[derive(Default)]
pub(super) struct Message(pub(super) Vec<u8>);

impl Message {
    fn varint(&mut self, mut number: u64) {
        while number >= 128 {
            self.0.push(number as u8 | 128);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    /// Writes a number, also if it is 0. Negative numbers take ten bytes, as the format has it.
    pub(super) fn number(&mut self, field: u64, number: i64) {
        self.varint(field << 3);
        self.varint(number as u64);
    }

    /// Writes a text or a message.
    pub(super) fn bytes(&mut self, field: u64, bytes: &[u8]) {
        self.varint(field << 3 | 2);
        self.varint(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }
}
