//! A move put into a typed book or taken out: everything else stays byte for byte.

use super::{TypedMove, read_line, read_start};
use crate::entry::BookEntry;
use crate::error::{BookError, BookPlace, BookProblem};
use crate::format::text::LONGEST_LINE;
use std::ops::Range;
use tesuji_shogi::{Move, Position};

/// The text of a book in which a move of a position has another weight; with 0 it is taken out. Lines
/// that do not have the move stay as they are. A line with moves behind the one that is taken out
/// becomes two.
///
/// ```
/// use tesuji_book::format::lines::set_weight;
/// use tesuji_shogi::Position;
/// let text = "# mine\n7g7f 3c3d # good\n";
/// let edited = set_weight(text.as_bytes(), &Position::start(), "7g7f".parse().unwrap(), 3)?;
/// assert_eq!(edited, b"# mine\n7g7f *3 3c3d # good\n");
/// # Ok::<(), tesuji_book::BookError>(())
/// ```
///
/// # Errors
/// If a line makes no sense: nobody knows what it was meant to say about the move.
pub fn set_weight(
    bytes: &[u8],
    pos: &Position,
    mv: Move,
    weight: u64,
) -> Result<Vec<u8>, BookError> {
    let wanted = WantedMove { pos, mv };
    let (lines, last_start) = read_lines(bytes)?;
    let weights = lines.iter().flat_map(|line| &line.moves);
    let weights = weights.filter(|typed| wanted.is(&typed.entry));
    let counts: Vec<u64> = weights.map(|typed| typed.entry.moves[0].count).collect();
    let newline = if bytes.windows(2).any(|pair| pair == b"\r\n") {
        "\r\n"
    } else {
        "\n"
    };
    let mut edited = Vec::with_capacity(bytes.len() + 128);
    if counts.is_empty() {
        edited.extend_from_slice(bytes);
        if weight > 0 {
            append(&mut edited, &wanted, weight, &last_start, newline);
        }
        return Ok(edited);
    }
    let mut new_counts = spread(&counts, weight).into_iter();
    for line in &lines {
        if !line.moves.iter().any(|typed| wanted.is(&typed.entry)) {
            edited.extend_from_slice(line.bytes);
        } else if weight == 0 {
            edited.extend(line.without(&wanted, newline)?);
        } else {
            edited.extend(line.with_weights(&wanted, &mut new_counts));
        }
    }
    Ok(edited)
}

/// The move that is edited.
struct WantedMove<'a> {
    pos: &'a Position,
    mv: Move,
}

impl WantedMove<'_> {
    fn is(&self, entry: &BookEntry) -> bool {
        entry.moves[0].mv == Some(self.mv) && entry.pos.identity() == self.pos.identity()
    }
}

/// A line of the file.
struct TypedLine<'a> {
    /// All of it, with its end.
    bytes: &'a [u8],
    /// What is neither comment nor end.
    text: Range<usize>,
    number: u64,
    start: Position,
    moves: Vec<TypedMove>,
}

/// The lines of a file, and where one would begin that was added.
fn read_lines(bytes: &[u8]) -> Result<(Vec<TypedLine<'_>>, Position), BookError> {
    let mut start = Position::start();
    let mut lines = Vec::new();
    for (number, bytes) in (1..).zip(bytes.split_inclusive(|&byte| byte == b'\n')) {
        let place = BookPlace::Line(number);
        if bytes.len() > LONGEST_LINE {
            return Err(BookProblem::LongLine(LONGEST_LINE).at(place));
        }
        let mark = if bytes.starts_with("\u{feff}".as_bytes()) {
            3
        } else {
            0
        };
        let end = bytes.iter().position(|&byte| byte == b'#');
        let end = end.unwrap_or(bytes.len()).max(mark);
        let text = String::from_utf8_lossy(&bytes[mark..end]);
        let mut line = TypedLine {
            bytes,
            text: mark..mark + text.trim_end().len(),
            number,
            start: start.clone(),
            moves: Vec::new(),
        };
        match read_start(text.trim()) {
            Some(named) => start = named.map_err(|problem| problem.at(place))?,
            None => {
                let moves = read_line(&start, &text);
                line.moves = moves.map_err(|problem| problem.at(place))?;
            }
        }
        lines.push(line);
    }
    Ok((lines, start))
}

/// The weights of a move that stands in several lines, changed as little as possible so that they come
/// to a sum.
fn spread(counts: &[u64], sum: u64) -> Vec<u64> {
    let others = counts[1..]
        .iter()
        .fold(0, |sum: u64, &n| sum.saturating_add(n));
    let mut left = sum;
    let mut spread = Vec::with_capacity(counts.len());
    for (place, &count) in counts.iter().enumerate() {
        let wanted = match place {
            0 => sum.saturating_sub(others).max(count.min(sum)),
            _ => count.min(left),
        };
        left -= wanted.min(left);
        spread.push(wanted);
    }
    spread
}

fn append(
    edited: &mut Vec<u8>,
    wanted: &WantedMove<'_>,
    weight: u64,
    last_start: &Position,
    newline: &str,
) {
    if edited.last().is_some_and(|&byte| byte != b'\n') {
        edited.extend_from_slice(newline.as_bytes());
    }
    let is_elsewhere = last_start.identity() != wanted.pos.identity();
    let mut lines = Vec::new();
    if is_elsewhere {
        lines.push(start_line(wanted.pos));
    }
    lines.push(match weight {
        1 => wanted.mv.to_string(),
        weight => format!("{} *{weight}", wanted.mv),
    });
    if is_elsewhere {
        // What is typed below goes on from where it would have gone on.
        lines.push(start_line(last_start));
    }
    for line in lines {
        edited.extend_from_slice(line.as_bytes());
        edited.extend_from_slice(newline.as_bytes());
    }
}

fn start_line(start: &Position) -> String {
    match start.to_sfen() == Position::start().to_sfen() {
        true => "startpos".into(),
        false => format!("sfen {}", start.to_sfen()),
    }
}

impl TypedLine<'_> {
    /// What is written of moves. It is UTF-8: its words were understood.
    fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes[self.text.clone()]).into_owned()
    }

    /// The line with the next weights for the move wherever it stands in it.
    fn with_weights(
        &self,
        wanted: &WantedMove<'_>,
        weights: &mut impl Iterator<Item = u64>,
    ) -> Vec<u8> {
        let mut text = self.text();
        let found = self.moves.iter().filter(|typed| wanted.is(&typed.entry));
        let found: Vec<(&TypedMove, u64)> = found.zip(weights).collect();
        // From behind, so that what lies ahead stays where it is.
        for (typed, weight) in found.into_iter().rev() {
            let written = format!("*{weight}");
            match &typed.weight {
                Some(place) => text.replace_range(place.clone(), &written),
                None if weight == 1 => {}
                None => {
                    let word = text[typed.span.clone()].split_whitespace().next();
                    let at = typed.span.start + word.map_or(0, str::len);
                    text.insert_str(at, &format!(" {written}"));
                }
            }
        }
        let (before, after) = (&self.bytes[..self.text.start], &self.bytes[self.text.end..]);
        [before, text.as_bytes(), after].concat()
    }

    /// The line without the move: what stands behind it begins a line of its own.
    fn without(&self, wanted: &WantedMove<'_>, newline: &str) -> Result<Vec<u8>, BookError> {
        let text = self.text();
        let mut rest = text.as_str();
        let mut here = self.start.clone();
        let mut lines: Vec<String> = Vec::new();
        let mut has_moves = false;
        loop {
            let moves = read_line(&here, rest);
            let moves = moves.map_err(|problem| problem.at(BookPlace::Line(self.number)))?;
            let found = moves.iter().find(|typed| wanted.is(&typed.entry));
            let head = found.map_or(rest, |found| &rest[..found.span.start]);
            if !head.trim().is_empty() {
                lines.push(head.trim().into());
                has_moves = true;
            }
            let Some(found) = found else { break };
            rest = rest[found.span.end..].trim();
            if rest.is_empty() {
                break;
            }
            here = found.entry.pos.clone();
            here.play(wanted.mv);
            lines.push(start_line(&here));
        }
        let mut edited = self.bytes[..self.text.start].to_vec();
        if !has_moves {
            return Ok(edited);
        }
        edited.extend_from_slice(lines.join(newline).as_bytes());
        edited.extend_from_slice(&self.bytes[self.text.end..]);
        if here.identity() != self.start.identity() {
            if edited.last() != Some(&b'\n') {
                edited.extend_from_slice(newline.as_bytes());
            }
            edited.extend_from_slice(start_line(&self.start).as_bytes());
            edited.extend_from_slice(newline.as_bytes());
        }
        Ok(edited)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edited(text: &str, moves: &str, mv: &str, weight: u64) -> String {
        let mut pos = Position::start();
        for mv in moves.split_whitespace() {
            pos.play(mv.parse().unwrap());
        }
        let bytes = set_weight(text.as_bytes(), &pos, mv.parse().unwrap(), weight).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn only_the_line_of_the_move_changes() {
        let text = "# mine\r\n\r\n▲７六歩 △３四歩   ▲２六歩 *3 ~8c8d # good\r\n2g2f";
        assert_eq!(
            edited(text, "7g7f 3c3d", "2g2f", 5),
            text.replace("*3", "*5")
        );
        assert_eq!(
            edited(text, "7g7f", "3c3d", 2),
            text.replace("△３四歩", "△３四歩 *2")
        );
        assert_eq!(edited(text, "", "9g9f", 1), format!("{text}\r\n9g9f\r\n"));
        assert_eq!(edited(text, "", "2g2f", 0), text.replace("2g2f", ""));
        assert_eq!(edited(text, "", "2g2f", 1), text);
        assert_eq!(
            edited(text, "7g7f 3c3d", "2g2f", 0),
            text.replace("   ▲２六歩 *3 ~8c8d", "")
        );
    }

    #[test]
    fn what_stands_behind_a_move_that_is_taken_out_stays() {
        let text = "7g7f 3c3d *2 2g2f # good\n5g5f\n";
        let without = edited(text, "7g7f", "3c3d", 0);
        let mut pos = Position::start();
        for mv in ["7g7f", "3c3d"] {
            pos.play(mv.parse().unwrap());
        }
        let after = pos.to_sfen();
        assert_eq!(
            without,
            format!("7g7f\nsfen {after}\n2g2f # good\nstartpos\n5g5f\n")
        );
        let back = edited(&without, "7g7f 3c3d", "2g2f", 0);
        assert_eq!(back, format!("7g7f\nsfen {after}\nstartpos\n5g5f\n"));
    }

    #[test]
    fn a_move_of_several_lines_comes_to_the_weight() {
        let text = "7g7f 3c3d\n7g7f 8c8d\n";
        assert_eq!(edited(text, "", "7g7f", 2), text);
        assert_eq!(edited(text, "", "7g7f", 4), "7g7f *3 3c3d\n7g7f 8c8d\n");
        assert_eq!(edited(text, "", "7g7f", 1), "7g7f 3c3d\n7g7f *0 8c8d\n");
        let other = edited(text, "7g7f", "4c4d", 7);
        assert!(other.starts_with(text) && other.ends_with("\n4c4d *7\nstartpos\n"));
        assert!(set_weight(b"7g7f\nx\n", &Position::start(), "7g7f".parse().unwrap(), 1).is_err());
    }
}
