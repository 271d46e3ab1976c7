//! Lines of a stream, never longer than a line of the protocol can be.

use std::io::{self, BufRead, Read};

/// The longest line that is kept: `position` with the moves of the longest game that a record can
/// hold, 65,535, has less than half of it.
pub const LONGEST_LINE: usize = 1 << 20;

/// What was read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LineRead {
    /// A line; the last one may have no end.
    Line,
    /// A line of more than [`LONGEST_LINE`] bytes. It is not kept.
    TooLong,
    /// Nothing: the stream has ended.
    End,
}

/// Reads the next line into `line`, in the place of what was there.
///
/// # Errors
/// If the stream cannot be read.
pub fn read_line(reader: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<LineRead> {
    line.clear();
    let mut read = LineRead::Line;
    loop {
        let room = LONGEST_LINE + 1 - line.len();
        if reader.by_ref().take(room as u64).read_until(b'\n', line)? == 0 && line.is_empty() {
            return Ok(if read == LineRead::Line {
                LineRead::End
            } else {
                read
            });
        }
        if line.ends_with(b"\n") || line.len() <= LONGEST_LINE {
            return Ok(read);
        }
        // What follows belongs to the same line, and is read only to find its end.
        read = LineRead::TooLong;
        line.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_too_long_is_left_out_and_the_next_one_read() {
        let long = vec![b'x'; 3 * LONGEST_LINE];
        let full = vec![b'y'; LONGEST_LINE - 1];
        let text = [&b"one\n"[..], &long, b"\n\n", &full, b"\nlast"].concat();
        let (mut reader, mut line) = (&text[..], Vec::new());
        let mut next = |expected: LineRead, text: &[u8]| {
            assert_eq!(read_line(&mut reader, &mut line).unwrap(), expected);
            if expected == LineRead::Line {
                assert_eq!(line, text);
            }
            assert!(line.capacity() <= 4 * LONGEST_LINE);
        };
        next(LineRead::Line, b"one\n");
        next(LineRead::TooLong, b"");
        next(LineRead::Line, b"\n");
        next(LineRead::Line, &[&full[..], b"\n"].concat());
        next(LineRead::Line, b"last");
        next(LineRead::End, b"");
        let (mut reader, mut line) = (&long[..], Vec::new());
        assert_eq!(
            read_line(&mut reader, &mut line).unwrap(),
            LineRead::TooLong
        );
        assert_eq!(read_line(&mut reader, &mut line).unwrap(), LineRead::End);
    }
}
