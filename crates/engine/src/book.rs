//! The opening book an engine plays from: the text format `#YANEURAOU-DB2016`, read whole.

use std::collections::HashMap;
use std::io::{self, BufRead};
use std::path::Path;
use tesuji_shogi::{ByColor, Move, Position};

/// How the book is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct BookOptions {
    /// Up to which move.
    pub(crate) moves: u32,
    /// How much worse than the first move another may be.
    pub(crate) difference: i32,
    /// What a move must be worth, by colour.
    pub(crate) floors: ByColor<i32>,
    /// How deep the first move must have been searched; 0 for any depth.
    pub(crate) depth: i32,
    /// How often the book is passed over, in percent.
    pub(crate) ignore_rate: u32,
    /// Leaves out moves that were played in less than a tenth of the games.
    pub(crate) narrow: bool,
    /// Chooses more often what was played more often.
    pub(crate) by_count: bool,
    /// A position is the same with another number of the move.
    pub(crate) any_ply: bool,
    /// Looks for the position turned round as well.
    pub(crate) flipped: bool,
    /// How much of the line is shown.
    pub(crate) shown: usize,
}

/// A move of the book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct CandidateMove {
    pub(crate) mv: Move,
    pub(crate) ponder: Option<Move>,
    pub(crate) value: i32,
    pub(crate) depth: i32,
    pub(crate) count: u32,
}

/// The move a book answers with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct BookProposal {
    /// The move.
    pub(crate) chosen: CandidateMove,
    /// How the book goes on, beginning with the move.
    pub(crate) line: Vec<Move>,
}

/// The moves of one position, with the number of the move in the file.
struct BookPosition {
    ply: u32,
    moves: Vec<CandidateMove>,
}

/// A book in memory.
#[derive(Default)]
pub(crate) struct EngineBook {
    pages: HashMap<u128, Vec<BookPosition>>,
    /// How many lines made no sense, and the first of them.
    pub(crate) unread: Option<(usize, usize)>,
}

impl EngineBook {
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let file = std::fs::File::open(path)?;
        Self::read(io::BufReader::new(file))
    }

    /// Reads a book; blank lines, comments and either kind of line end are welcome.
    pub(crate) fn read(mut reader: impl BufRead) -> io::Result<Self> {
        let mut book = Self::default();
        let mut page: Option<(u128, BookPosition)> = None;
        let mut line = Vec::new();
        for number in 1.. {
            line.clear();
            if reader.read_until(b'\n', &mut line)? == 0 {
                break;
            }
            let text = String::from_utf8_lossy(&line);
            let text = text.trim_start_matches('\u{feff}').trim();
            if text.is_empty() || text.starts_with('#') || text.starts_with("//") {
                continue;
            }
            if text.starts_with("sfen ") {
                book.keep(page.take());
                page = Position::from_sfen(text).ok().map(|pos| {
                    let (ply, moves) = (pos.ply(), Vec::new());
                    (pos.identity(), BookPosition { ply, moves })
                });
                if page.is_none() {
                    book.complain(number);
                }
            } else if let Some((_, page)) = &mut page {
                match read_move(text) {
                    Some(mv) => page.moves.extend(mv),
                    None => book.complain(number),
                }
            }
        }
        book.keep(page);
        Ok(book)
    }

    fn keep(&mut self, page: Option<(u128, BookPosition)>) {
        if let Some((key, page)) = page {
            self.pages.entry(key).or_default().push(page);
        }
    }

    fn complain(&mut self, line: usize) {
        let (count, first) = self.unread.unwrap_or((0, line));
        self.unread = Some((count + 1, first));
    }

    /// What the book proposes, if it knows the position and the options allow a move.
    pub(crate) fn propose(&self, pos: &Position, options: &BookOptions) -> Option<BookProposal> {
        let ignored = options.ignore_rate > 0 && fastrand::u32(0..100) < options.ignore_rate;
        if pos.ply() > options.moves || ignored {
            return None;
        }
        let mut moves = self.moves(pos, options)?;
        let first = *moves.first()?;
        if options.depth > 0 && first.depth < options.depth {
            return None;
        }
        if options.narrow {
            let all: u64 = moves.iter().map(|mv| u64::from(mv.count)).sum();
            moves.retain(|mv| 10 * u64::from(mv.count) >= all);
        }
        let nearly = first.value.saturating_sub(options.difference);
        let floor = nearly.max(options.floors[pos.turn()]);
        moves.retain(|mv| mv.value >= floor);
        let mut chosen = choose(&moves, options.by_count)?;
        let line = self.line(pos, chosen.mv, options);
        chosen.ponder = chosen.ponder.or(line.get(1).copied());
        Some(BookProposal { chosen, line })
    }

    /// The legal moves the book has for a position, in its order.
    fn moves(&self, pos: &Position, options: &BookOptions) -> Option<Vec<CandidateMove>> {
        let page = |pos: &Position, ply| {
            let pages = self.pages.get(&pos.identity())?;
            pages.iter().find(|page| options.any_ply || page.ply == ply)
        };
        let straight = page(pos, pos.ply()).map(|page| page.moves.clone());
        let moves = straight.or_else(|| {
            let turned = page(&pos.flipped(), pos.ply()).filter(|_| options.flipped)?;
            let turn = |&mv: &CandidateMove| CandidateMove {
                mv: mv.mv.rotated(),
                ponder: mv.ponder.map(Move::rotated),
                ..mv
            };
            Some(turned.moves.iter().map(turn).collect())
        });
        moves.map(|mut moves| {
            moves.retain(|mv| pos.is_legal(mv.mv));
            moves
        })
    }

    /// The first moves of the book, one after the other.
    fn line(&self, pos: &Position, first: Move, options: &BookOptions) -> Vec<Move> {
        let mut pos = pos.clone();
        let mut line = Vec::new();
        let mut next = Some(first);
        while let Some(mv) = next.filter(|_| line.len() < options.shown) {
            line.push(mv);
            pos.play(mv);
            let moves = self.moves(&pos, options);
            next = moves.and_then(|moves| moves.first().map(|mv| mv.mv));
        }
        line
    }
}

fn choose(moves: &[CandidateMove], by_count: bool) -> Option<CandidateMove> {
    let weight = |mv: &CandidateMove| if by_count { u64::from(mv.count) } else { 1 };
    let all: u64 = moves.iter().map(weight).sum();
    if all == 0 {
        return moves.first().copied();
    }
    let mut at = fastrand::u64(0..all);
    moves.iter().copied().find(|mv| {
        let here = at < weight(mv);
        at = at.saturating_sub(weight(mv));
        here
    })
}

/// `Some(None)` for a line that says there is no move; `None` if it makes no sense.
fn read_move(text: &str) -> Option<Option<CandidateMove>> {
    let mut words = text.split_whitespace();
    let word = words.next()?;
    if ["resign", "none", "win"]
        .iter()
        .any(|end| word.eq_ignore_ascii_case(end))
    {
        return Some(None);
    }
    let mv = word.parse().ok()?;
    let ponder = words.next().and_then(|word| word.parse().ok());
    let mut number = |default: i32| match words.next() {
        None => default,
        Some(word) => word.parse().unwrap_or(default),
    };
    Some(Some(CandidateMove {
        mv,
        ponder,
        value: number(0),
        depth: number(0),
        count: u32::try_from(number(1)).unwrap_or(0),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPTIONS: BookOptions = BookOptions {
        moves: 16,
        difference: 30,
        floors: ByColor([0, -140]),
        depth: 0,
        ignore_rate: 0,
        narrow: false,
        by_count: false,
        any_ply: false,
        flipped: true,
        shown: 8,
    };

    const START: &str = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

    fn book(text: &str) -> EngineBook {
        EngineBook::read(text.as_bytes()).unwrap()
    }

    fn after(moves: &str) -> Position {
        let mut pos = Position::start();
        moves.split_whitespace().for_each(|mv| {
            pos.play(mv.parse().unwrap());
        });
        pos
    }

    fn proposed(book: &EngineBook, pos: &Position, options: BookOptions) -> Option<String> {
        book.propose(pos, &options).map(|p| p.chosen.mv.to_string())
    }

    #[test]
    fn small_files_with_any_line_ends_and_blank_lines_are_read() {
        let text = format!("#YANEURAOU-DB2016 1.00\n{START}\n\n7g7f none 50 20 3\n// a word\n");
        for text in [
            text.clone(),
            text.replace('\n', "\r\n"),
            format!("{START}\n7g7f"),
        ] {
            let book = book(&text);
            assert_eq!((book.pages.len(), book.unread), (1, None), "{text:?}");
            assert_eq!(
                proposed(&book, &Position::start(), OPTIONS),
                Some("7g7f".into())
            );
            assert_eq!(proposed(&book, &after("7g7f"), OPTIONS), None);
        }
        let broken = book(&format!("{START}\n7g7f\ne2e4\nsfen nothing\n2g2f\n"));
        assert_eq!(broken.unread, Some((2, 3)));
    }

    #[test]
    fn values_depths_and_plies_decide() {
        let text = format!("{START}\n7g7f none 50 20 90\n2g2f none 30 20 9\n5g5f none 10 20 1\n");
        let book = book(&text);
        let pos = Position::start();
        let all = |options| {
            let mut seen: Vec<_> = (0..200)
                .filter_map(|_| proposed(&book, &pos, options))
                .collect();
            seen.sort();
            seen.dedup();
            seen
        };
        assert_eq!(all(OPTIONS), ["2g2f", "7g7f"]);
        let wide = BookOptions {
            difference: 99,
            ..OPTIONS
        };
        assert_eq!(all(wide), ["2g2f", "5g5f", "7g7f"]);
        assert_eq!(
            all(BookOptions {
                narrow: true,
                ..wide
            }),
            ["7g7f"]
        );
        assert_eq!(
            all(BookOptions {
                depth: 21,
                ..OPTIONS
            }),
            [""; 0]
        );
        assert_eq!(
            all(BookOptions {
                moves: 0,
                ..OPTIONS
            }),
            [""; 0]
        );
        assert_eq!(
            all(BookOptions {
                ignore_rate: 100,
                ..OPTIONS
            }),
            [""; 0]
        );
        assert_eq!(
            all(BookOptions {
                floors: ByColor([60, 0]),
                ..OPTIONS
            }),
            [""; 0]
        );
        let later = Position::from_sfen(&START.replace("b - 1", "b - 5")).unwrap();
        assert_eq!(proposed(&book, &later, OPTIONS), None);
        let any_ply = BookOptions {
            any_ply: true,
            difference: 0,
            ..OPTIONS
        };
        assert_eq!(proposed(&book, &later, any_ply), Some("7g7f".into()));
    }

    #[test]
    fn the_board_turned_round_is_known_and_lines_are_followed() {
        let reply = after("7g7f").to_sfen();
        let text = format!("{START}\n7g7f none 0\nsfen {reply}\n3c3d none 0\n");
        let book = book(&text);
        let proposal = book.propose(&Position::start(), &OPTIONS).unwrap();
        assert_eq!(proposal.line.len(), 2);
        assert_eq!(proposal.chosen.ponder, Some("3c3d".parse().unwrap()));
        let turned = after("7g7f").flipped();
        assert_eq!(proposed(&book, &turned, OPTIONS), Some("7g7f".into()));
        let straight = BookOptions {
            flipped: false,
            ..OPTIONS
        };
        assert_eq!(proposed(&book, &turned, straight), None);
    }
}
