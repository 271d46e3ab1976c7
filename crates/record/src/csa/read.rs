//! Reads one CSA game.

use super::board::{CsaStart, color_of, kind_of, square};
use crate::comments::add_line;
use crate::ending::Ending;
use crate::error::{ReadError, ReadProblem};
use crate::evaluation::Evaluation;
use crate::game::{Game, GameCursor, Refusal};
use crate::headers::{Headers, unescape};
use crate::names::quoted;
use crate::times::{from_csa, from_limit, parse_seconds};
use tesuji_shogi::{Color, Move, Piece, PieceKind, Position, Value};

/// Reads a game from its text, already decoded. A line `/` ends it; what follows is not looked at.
///
/// ```
/// let game = tesuji_record::csa::read("V2.2\nN+Habu\nPI\n+\n+7776FU\nT12\n%TORYO\n").unwrap();
/// assert_eq!(game.moves().count(), 1);
/// let error = tesuji_record::csa::read("PI\n+\n+7775FU\n").unwrap_err();
/// assert_eq!(error.to_string(), "line 3: \"+7775FU\" is illegal: the piece cannot move there");
/// ```
pub fn read(text: &str) -> Result<Game, ReadError> {
    let mut reader = CsaReader::default();
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim_end_matches('\r');
        if line.trim_end() == "/" {
            break;
        }
        reader.line(line).map_err(|problem| problem.at(number))?;
        reader.number = number;
    }
    reader.finish()
}

/// Reads a move such as `+7776FU`, which must fit the position and be the right side's, but may be
/// illegal.
pub fn read_move(pos: &Position, text: &str) -> Result<Move, ReadProblem> {
    const EXAMPLE: &str = "+7776FU";
    let form = || ReadProblem::Move(quoted(text), EXAMPLE);
    if text.len() != 7 || !text.is_ascii() {
        return Err(form());
    }
    let color = color_of(text.as_bytes()[0]).ok_or_else(form)?;
    let to = square(&text[3..5]).ok_or_else(form)?;
    let kind = kind_of(&text[5..]).ok_or_else(form)?;
    if color != pos.turn() {
        return Err(ReadProblem::Turn(text.into()));
    }
    if &text[1..3] == "00" {
        return match kind.is_hand_kind() {
            true => Ok(Move::drop(kind, to)),
            false => Err(form()),
        };
    }
    let from = square(&text[1..3])
        .filter(|&from| from != to)
        .ok_or_else(form)?;
    let own = pos.at(from).filter(|piece| piece.color() == color);
    match own.map(Piece::kind) {
        Some(before) if before == kind => Ok(Move::board(from, to)),
        Some(before) if before.promoted() == Some(kind) => Ok(Move::promotion(from, to)),
        _ => Err(form()),
    }
}

#[derive(Default)]
struct CsaReader {
    headers: Headers,
    start: CsaStart,
    /// Comments before the first move.
    preface: Vec<String>,
    cursor: Option<GameCursor>,
    /// An illegal move, good only if the next statement says that it was one.
    foul: Option<(Move, String, Refusal)>,
    /// The last comment, if nothing came after it.
    last_comment: String,
    number: usize,
}

impl CsaReader {
    fn line(&mut self, line: &str) -> Result<(), ReadProblem> {
        if let Some(comment) = line.strip_prefix('\'') {
            self.comment(comment);
            return Ok(());
        }
        // Only moves and times are joined by commas; names and headers may contain them.
        if !line.starts_with(['+', '-', '%', 'T']) {
            return self.statement(line);
        }
        let mut rest = line;
        loop {
            if let Some(comment) = rest.strip_prefix('\'') {
                self.comment(comment);
                return Ok(());
            }
            match rest.split_once(',') {
                None => return self.statement(rest),
                Some((statement, after)) => {
                    self.statement(statement)?;
                    rest = after;
                }
            }
        }
    }

    fn statement(&mut self, statement: &str) -> Result<(), ReadProblem> {
        let statement = statement.trim_end();
        let Some(&first) = statement.as_bytes().first() else {
            return Ok(());
        };
        match first {
            b'+' | b'-' if statement.len() == 1 => self.first_turn(statement),
            b'+' | b'-' => self.mv(statement),
            b'%' => self.special(statement),
            b'T' => self.time(statement),
            b'P' if self.cursor.is_none() => self.start.take(statement),
            b'V' | b'N' | b'$' if self.cursor.is_none() => self.header(statement),
            // Server files write the end time behind the moves.
            b'$' => self.header(statement),
            _ => Err(ReadProblem::Line(quoted(statement))),
        }
    }

    fn first_turn(&mut self, statement: &str) -> Result<(), ReadProblem> {
        if self.cursor.is_some() {
            return Err(ReadProblem::Line(statement.into()));
        }
        let turn = if statement == "+" {
            Color::Black
        } else {
            Color::White
        };
        self.begin(turn)?;
        Ok(())
    }

    /// The cursor; the start position is known now.
    fn begin(&mut self, turn: Color) -> Result<&mut GameCursor, ReadProblem> {
        let mut cursor = GameCursor::new(Game::new(self.start.build(turn)?));
        for line in std::mem::take(&mut self.preface) {
            take_comment(&mut cursor, &line);
        }
        Ok(self.cursor.insert(cursor))
    }

    fn mv(&mut self, statement: &str) -> Result<(), ReadProblem> {
        if let Some((_, text, refusal)) = &self.foul {
            return Err(ReadProblem::refused(text, *refusal));
        }
        if self.cursor.is_none() {
            // The side to move is missing: the first move tells it.
            let turn = color_of(statement.as_bytes()[0]).unwrap_or(Color::Black);
            self.begin(turn)?;
        }
        let glued = std::mem::take(&mut self.last_comment);
        let cursor = self
            .cursor
            .as_mut()
            .ok_or(ReadProblem::Missing("no start position"))?;
        let mut mv = read_move(cursor.position(), statement);
        if matches!(mv, Err(ReadProblem::Turn(_))) && play_glued(cursor, &glued) {
            mv = read_move(cursor.position(), statement);
        }
        let mv = mv?;
        match cursor.play(mv) {
            Ok(_) => Ok(()),
            Err(refusal @ Refusal::Foul(_)) => {
                self.foul = Some((mv, statement.into(), refusal));
                Ok(())
            }
            Err(refusal) => Err(ReadProblem::refused(statement, refusal)),
        }
    }

    fn special(&mut self, statement: &str) -> Result<(), ReadProblem> {
        let begun = self.cursor.is_some();
        let cursor = match begun {
            true => self
                .cursor
                .as_mut()
                .ok_or(ReadProblem::Missing("no start position"))?,
            false => self.begin(Color::Black)?,
        };
        let turn = cursor.position().turn();
        let mut ending = Ending::from_csa(&statement[1..], turn)
            .ok_or_else(|| ReadProblem::Line(quoted(statement)))?;
        if let Some((mv, text, refusal)) = self.foul.take() {
            if !matches!(ending, Ending::Foul { .. }) {
                return Err(ReadProblem::refused(&text, refusal));
            }
            ending = Ending::Foul {
                by: turn,
                made: Some(mv),
            };
        }
        let cursor = self
            .cursor
            .as_mut()
            .ok_or(ReadProblem::Missing("no start position"))?;
        if cursor.node().ending().is_some() {
            return Err(ReadProblem::Over(quoted(statement)));
        }
        cursor.end(ending);
        Ok(())
    }

    fn time(&mut self, statement: &str) -> Result<(), ReadProblem> {
        let time =
            parse_seconds(&statement[1..]).ok_or_else(|| ReadProblem::Time(quoted(statement)))?;
        // Servers have written a time before the first move: it belongs to nobody. The time of an
        // illegal move is that of the ending, which comes later and may have its own.
        if let Some(cursor) = &mut self.cursor
            && cursor.at() != Game::ROOT
            && self.foul.is_none()
        {
            cursor.node().time = Some(time);
        }
        Ok(())
    }

    fn comment(&mut self, comment: &str) {
        match &mut self.cursor {
            Some(cursor) => take_comment(cursor, comment),
            None if is_encoding(comment) => {}
            None => self.preface.push(comment.into()),
        }
        self.last_comment = comment.into();
    }

    fn header(&mut self, statement: &str) -> Result<(), ReadProblem> {
        if let Some(name) = statement.strip_prefix("N+") {
            self.headers.players[Color::Black] = name.trim().into();
        } else if let Some(name) = statement.strip_prefix("N-") {
            self.headers.players[Color::White] = name.trim().into();
        } else if let Some(header) = statement.strip_prefix('$') {
            let (key, value) = header
                .split_once(':')
                .ok_or_else(|| ReadProblem::Line(quoted(statement)))?;
            set_header(&mut self.headers, key.trim(), value.trim());
        } else if !statement.starts_with('V') {
            return Err(ReadProblem::Line(quoted(statement)));
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Game, ReadError> {
        let number = self.number;
        if let Some((_, text, refusal)) = self.foul {
            return Err(ReadProblem::refused(&text, refusal).at(number));
        }
        if self.cursor.is_none() {
            if !self.start.begun {
                return Err(ReadProblem::Missing("no start position and no move").at(number.max(1)));
            }
            self.begin(Color::Black)
                .map_err(|problem| problem.at(number.max(1)))?;
        }
        let cursor = self
            .cursor
            .ok_or_else(|| ReadProblem::Missing("no start position").at(number))?;
        let mut game = cursor.finish();
        game.headers = self.headers;
        Ok(game)
    }
}

/// `CSA encoding=UTF-8`, the first line of version 3.
fn is_encoding(comment: &str) -> bool {
    comment.trim_start().starts_with("CSA encoding=")
}

fn set_header(headers: &mut Headers, key: &str, value: &str) {
    let clock = |value| from_csa(value);
    let known = match key {
        "EVENT" => set(&mut headers.event, value),
        "SITE" => set(&mut headers.site, value),
        "START_TIME" => set(&mut headers.start_time, value),
        "END_TIME" => set(&mut headers.end_time, value),
        "OPENING" => set(&mut headers.opening, value),
        "NOTE" => set(&mut headers.note, &unescape(value)),
        "TIME" => clock(value).map(|clock| headers.set_clock(clock)),
        "TIME_LIMIT" => from_limit(value).map(|clock| headers.set_clock(clock)),
        "TIME+" | "TIMET+" => clock(value).map(|clock| headers.clocks[Color::Black] = Some(clock)),
        "TIME-" | "TIMET-" => clock(value).map(|clock| headers.clocks[Color::White] = Some(clock)),
        "MAX_MOVES" => value
            .parse()
            .ok()
            .map(|limit| headers.move_limit = Some(limit)),
        "JISHOGI" => value
            .parse()
            .ok()
            .map(|points| headers.declaration_points = Some(points)),
        _ => None,
    };
    if known.is_none() {
        headers.others.push((key.into(), value.into()));
    }
}

fn set(field: &mut String, value: &str) -> Option<()> {
    *field = value.into();
    Some(())
}

/// Takes what stands behind the apostrophe.
fn take_comment(cursor: &mut GameCursor, comment: &str) {
    if let Some(program) = comment.strip_prefix("**") {
        let evaluation = read_evaluation(cursor, program);
        if let Some(evaluation) = evaluation
            && cursor.node().evaluation.is_none()
        {
            cursor.node().evaluation = Some(evaluation);
            return;
        }
    }
    let text = comment.strip_prefix('*').unwrap_or(comment);
    if let Some(evaluation) = &mut cursor.node().evaluation
        && evaluation.depth.is_none()
        && let Some(depth) = text
            .strip_prefix("depth=")
            .and_then(|depth| depth.parse().ok())
    {
        evaluation.depth = Some(depth);
        return;
    }
    add_line(&mut cursor.node().comment, text);
}

/// Reads ` 30 -3334FU +2726FU #1234`; the line is read as far as it can be played.
fn read_evaluation(cursor: &GameCursor, text: &str) -> Option<Evaluation> {
    let mut words = text.split_whitespace().peekable();
    let value = words.next()?.parse().ok()?;
    let mut evaluation = Evaluation::of(Value::new(value));
    let mut pos = cursor.position().clone();
    // Some engines repeat the move just played.
    let own = cursor.game()[cursor.at()].mv().zip(words.peek().copied());
    if own.is_some_and(|(mv, word)| repeats(&pos, mv, word)) {
        words.next();
    }
    let mut playing = true;
    for word in words {
        if let Some(nodes) = word.strip_prefix('#') {
            evaluation.nodes = nodes.parse().ok();
        } else if playing {
            let mv = read_move(&pos, word)
                .ok()
                .filter(|&mv| pos.try_play(mv).is_ok());
            playing = mv.is_some();
            evaluation.line.extend(mv);
        }
    }
    Some(evaluation)
}

/// Whether a word names the move that led to a position.
fn repeats(pos: &Position, mv: Move, word: &str) -> bool {
    let kind = pos.at(mv.to()).map_or(PieceKind::King, Piece::kind);
    let from = mv.from().map_or("00".into(), |from| {
        format!("{}{}", from.file(), from.rank())
    });
    let sign = super::board::sign(pos.turn().foe());
    let to = mv.to();
    let own = format!(
        "{sign}{from}{}{}{}",
        to.file(),
        to.rank(),
        super::board::letters(kind)
    );
    word == own
}

/// A move that lost its line break and hangs at the end of a comment.
fn play_glued(cursor: &mut GameCursor, comment: &str) -> bool {
    let Some(at) = comment.len().checked_sub(7) else {
        return false;
    };
    let (Some(before), Some(tail)) = (comment.get(..at), comment.get(at..)) else {
        return false;
    };
    if before.ends_with(char::is_whitespace) || before.is_empty() {
        return false;
    }
    let Ok(mv) = read_move(cursor.position(), tail) else {
        return false;
    };
    if !cursor.position().is_legal(mv) {
        return false;
    }
    let comment = &mut cursor.node().comment;
    if let Some(rest) = comment.strip_suffix(tail) {
        *comment = rest.trim_end().into();
    }
    cursor.play(mv).is_ok()
}

/// Whether a header that has no field of its own is read back as such.
pub(crate) fn keeps_header(key: &str, value: &str) -> bool {
    let mut reader = CsaReader::default();
    let read = reader.line(&format!("${key}:{value}"));
    read.is_ok() && reader.headers.others == [(key.into(), value.into())]
}
