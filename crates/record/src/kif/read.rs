//! Reads one KIF or KI2 game.

use super::{clock, diagram, set_header, summary};
use crate::comments;
use crate::ending::Ending;
use crate::error::{ReadError, ReadProblem};
use crate::game::{Game, GameCursor, NodeId, Refusal};
use crate::headers::Headers;
use crate::names::{digit, is_mark, quoted, read_japanese};
use tesuji_shogi::{Color, Handicap, Move, Position, Setup};

/// Reads a game from its text, already decoded: KIF, or KI2, or something in between.
///
/// ```
/// let game = tesuji_record::kif::read("先手：Habu\n   1 ７六歩(77) ( 0:12/00:00:12)\n   2 投了\n");
/// assert_eq!(game.unwrap().moves().count(), 1);
/// let game = tesuji_record::kif::read("▲７六歩 △３四歩\n変化：2手\n△８四歩\n").unwrap();
/// assert!(game.has_variations());
/// ```
pub fn read(text: &str) -> Result<Game, ReadError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut reader = KifReader::default();
    for (number, line) in (1..).zip(text.lines()) {
        reader.number = number;
        reader
            .line(line.trim_end_matches('\r'))
            .map_err(|problem| problem.at(number))?;
    }
    reader.finish()
}

#[derive(Default)]
struct KifReader {
    headers: Headers,
    start: KifStart,
    /// Comments before the first move.
    preface: Vec<String>,
    cursor: Option<GameCursor>,
    /// The ends of the lines so far, those left out that no variation can belong to any more.
    lines: Vec<NodeId>,
    /// What the record adds to the number of a move, if it does not count from 1.
    offset: Option<u32>,
    /// An illegal move, good only if the next line says that it was one.
    foul: Option<Illegal>,
    number: usize,
}

struct Illegal {
    mv: Move,
    text: String,
    refusal: Refusal,
    line: usize,
}

/// What is known about the start position.
#[derive(Default)]
struct KifStart {
    handicap: Option<Handicap>,
    /// 詰将棋 and the like: only a diagram can tell.
    needs_diagram: bool,
    diagram: Setup,
    ranks: u8,
    turn: Option<Color>,
}

impl KifStart {
    fn build(&self) -> Result<Position, ReadProblem> {
        let handicap = self.handicap.unwrap_or(Handicap::Even);
        let mut setup = match self.ranks {
            0 if self.needs_diagram => return Err(ReadProblem::Missing("the board is not drawn")),
            0 => Setup::handicap(handicap),
            9 => self.diagram.clone(),
            _ => return Err(ReadProblem::Missing("the board has less than nine ranks")),
        };
        if self.ranks == 9 && handicap != Handicap::Even {
            setup.turn = Color::White;
        }
        setup.turn = self.turn.unwrap_or(setup.turn);
        Ok(setup.build()?)
    }

    fn set_handicap(&mut self, name: &str) -> Result<(), ReadProblem> {
        let name = name.trim();
        self.handicap = Handicap::ALL
            .into_iter()
            .find(|handicap| handicap.japanese() == name);
        self.needs_diagram = self.handicap.is_none();
        match name {
            "その他" | "詰将棋" | "" => Ok(()),
            _ if self.handicap.is_some() => Ok(()),
            _ => Err(ReadProblem::Board(
                quoted(name),
                "a handicap such as 平手 or 香落ち",
            )),
        }
    }
}

impl KifReader {
    fn line(&mut self, line: &str) -> Result<(), ReadProblem> {
        let bare = line.trim();
        let Some(first) = bare.chars().next() else {
            return Ok(());
        };
        match first {
            '#' => Ok(()),
            '*' | '＊' => self.comment(&bare[first.len_utf8()..]),
            '&' => self.comment(bare),
            '|' | '｜' if self.cursor.is_none() => self.rank(bare),
            '+' if bare.starts_with("+--") => Ok(()),
            '９' if self.cursor.is_none() && bare.contains('８') && bare.contains('１') => {
                Ok(())
            }
            _ if bare.starts_with("手数--") || bare.starts_with("手数＝") => Ok(()),
            _ if bare.starts_with("まで") => self.summary(bare),
            _ if bare.starts_with("変化：") || bare.starts_with("変化:") => {
                self.variation(bare)
            }
            _ if is_mark(first).is_some() => self.named_moves(bare),
            _ if starts_with_number(bare) => self.numbered_move(bare),
            _ => self.header(bare),
        }
    }

    fn comment(&mut self, line: &str) -> Result<(), ReadProblem> {
        match &mut self.cursor {
            Some(cursor) => comments::take(cursor, line),
            None => self.preface.push(line.into()),
        }
        Ok(())
    }

    fn rank(&mut self, line: &str) -> Result<(), ReadProblem> {
        self.start.ranks += 1;
        if self.start.ranks > 9 {
            return Err(ReadProblem::Board(quoted(line), "nine ranks"));
        }
        diagram::read_rank(&mut self.start.diagram, self.start.ranks, line)
    }

    fn header(&mut self, line: &str) -> Result<(), ReadProblem> {
        let turn = match line {
            "先手番" | "下手番" => Some(Color::Black),
            "後手番" | "上手番" => Some(Color::White),
            _ => None,
        };
        if turn.is_some() {
            self.start.turn = turn;
            return Ok(());
        }
        let (key, value) = line
            .split_once('：')
            .or_else(|| line.split_once(':'))
            .ok_or_else(|| ReadProblem::Line(quoted(line)))?;
        match (key.trim(), value.trim()) {
            ("", _) => return Err(ReadProblem::Line(quoted(line))),
            ("手合割", name) => self.start.set_handicap(name)?,
            ("先手の持駒" | "下手の持駒" | "先手の持ち駒" | "下手の持ち駒", hand) =>
            {
                self.start.diagram.hands[Color::Black] = diagram::read_hand(hand)?;
            }
            ("後手の持駒" | "上手の持駒" | "後手の持ち駒" | "上手の持ち駒", hand) =>
            {
                self.start.diagram.hands[Color::White] = diagram::read_hand(hand)?;
            }
            ("手番", "先手" | "下手") => self.start.turn = Some(Color::Black),
            ("手番", "後手" | "上手") => self.start.turn = Some(Color::White),
            (key, value) => set_header(&mut self.headers, key, value),
        }
        Ok(())
    }

    /// The cursor; with the first move the start position is known.
    fn cursor(&mut self) -> Result<&mut GameCursor, ReadProblem> {
        if self.cursor.is_none() {
            let mut cursor = GameCursor::new(Game::new(self.start.build()?));
            for line in std::mem::take(&mut self.preface) {
                comments::take(&mut cursor, &line);
            }
            self.cursor = Some(cursor);
        }
        self.cursor
            .as_mut()
            .ok_or(ReadProblem::Missing("no start position"))
    }

    /// `▲７六歩 △３四歩`.
    fn named_moves(&mut self, line: &str) -> Result<(), ReadProblem> {
        let mut rest = line;
        while let Some(first) = rest.chars().next() {
            let turn = self.cursor()?.position().turn();
            match is_mark(first) {
                None => return Err(ReadProblem::Line(quoted(rest))),
                Some(color) if color != turn => return Err(ReadProblem::Turn(quoted(rest))),
                Some(_) => {}
            }
            let (mv, after) = read_japanese(self.cursor()?.position(), rest)?;
            self.play(mv, rest)?;
            rest = after.trim_start();
        }
        Ok(())
    }

    /// `1 ７六歩(77) ( 0:16/00:00:16)`.
    fn numbered_move(&mut self, line: &str) -> Result<(), ReadProblem> {
        let end = line.find(|c| decimal(c).is_none()).unwrap_or(line.len());
        let (number, rest) = line.split_at(end);
        let number = number
            .chars()
            .filter_map(decimal)
            .try_fold(0u32, |sum, digit| sum.checked_mul(10)?.checked_add(digit))
            .ok_or_else(|| ReadProblem::Line(quoted(line)))?;
        let fouls = usize::from(self.foul.is_some());
        let before = {
            let cursor = self.cursor()?;
            cursor.game()[cursor.at()].depth() + fouls
        };
        let offset = *self.offset.get_or_insert(number.saturating_sub(1));
        if number as usize != before + offset as usize + 1 {
            let before = before + offset as usize;
            return Err(ReadProblem::Number {
                found: number,
                before,
            });
        }
        let rest = rest.trim_start();
        let word_end = rest.find(|c: char| c.is_whitespace() || "(（+＋".contains(c));
        let word = &rest[..word_end.unwrap_or(rest.len())];
        let turn = self.cursor()?.position().turn();
        let after = if let Some(ending) = Ending::from_japanese(word, turn) {
            self.end(ending, word)?;
            &rest[word.len()..]
        } else {
            let (mv, after) = read_japanese(self.cursor()?.position(), rest)?;
            self.play(mv, rest)?;
            after
        };
        self.time(after.trim())
    }

    fn time(&mut self, text: &str) -> Result<(), ReadProblem> {
        let text = text.trim_end_matches(['+', '＋']).trim_end();
        if text.is_empty() {
            return Ok(());
        }
        let time = clock::read(text).ok_or_else(|| ReadProblem::Time(quoted(text)))?;
        let illegal = self.foul.is_some();
        let cursor = self.cursor()?;
        if !illegal {
            cursor.node().time = Some(time);
        }
        Ok(())
    }

    fn play(&mut self, mv: Move, text: &str) -> Result<(), ReadProblem> {
        self.no_foul()?;
        let line = self.number;
        match self.cursor()?.play(mv) {
            Ok(_) => Ok(()),
            Err(refusal @ Refusal::Foul(_)) => {
                let text = text.into();
                self.foul = Some(Illegal {
                    mv,
                    text,
                    refusal,
                    line,
                });
                Ok(())
            }
            Err(refusal) => Err(ReadProblem::refused(text, refusal)),
        }
    }

    fn no_foul(&self) -> Result<(), ReadProblem> {
        match &self.foul {
            Some(illegal) => Err(ReadProblem::refused(&illegal.text, illegal.refusal)),
            None => Ok(()),
        }
    }

    fn end(&mut self, ending: Ending, word: &str) -> Result<(), ReadProblem> {
        let mut ending = ending;
        if let Some(illegal) = self.foul.take() {
            let is_foul = matches!(ending, Ending::Foul { .. });
            if !is_foul {
                return Err(ReadProblem::refused(&illegal.text, illegal.refusal));
            }
            let by = self.cursor()?.position().turn();
            ending = Ending::Foul {
                by,
                made: Some(illegal.mv),
            };
        }
        let cursor = self.cursor()?;
        if cursor.node().ending().is_some() {
            return Err(ReadProblem::Over(quoted(word)));
        }
        cursor.end(ending);
        Ok(())
    }

    fn summary(&mut self, line: &str) -> Result<(), ReadProblem> {
        let illegal = self.foul.is_some();
        let cursor = self.cursor()?;
        let over = cursor.node().ending().is_some();
        let ending = summary::read(line, cursor.position().turn());
        match ending {
            Some(ending) if !over => self.end(ending, line),
            _ if illegal => self.no_foul(),
            _ => Ok(()),
        }
    }

    /// `変化：12手`: goes back to where move 12 of the latest line that has one was played.
    fn variation(&mut self, line: &str) -> Result<(), ReadProblem> {
        self.no_foul()?;
        let offset = self.offset.unwrap_or(0);
        let digits = line["変化".len()..]
            .chars()
            .skip(1)
            .take_while(|&c| decimal(c).is_some());
        let number = digits
            .filter_map(decimal)
            .try_fold(0u32, |sum, digit| sum.checked_mul(10)?.checked_add(digit))
            .ok_or_else(|| ReadProblem::Line(quoted(line)))?;
        let depth = number.checked_sub(offset).filter(|&depth| depth > 0);
        let depth = depth.ok_or(ReadProblem::Variation(number))? as usize;
        let at = self.cursor()?.at();
        self.lines.push(at);
        // A line too short for this variation is too short for all later ones that could mean it:
        // they will find the line that begins here.
        while let Some(&end) = self.lines.last() {
            let cursor = self.cursor()?;
            let game = cursor.game();
            if game[end].depth() < depth {
                self.lines.pop();
                continue;
            }
            let mut target = end;
            while game[target].depth() >= depth {
                target = game[target].parent().unwrap_or(Game::ROOT);
            }
            cursor.go(target);
            return Ok(());
        }
        Err(ReadProblem::Variation(number))
    }

    fn finish(mut self) -> Result<Game, ReadError> {
        let last = self.number.max(1);
        if let Some(illegal) = &self.foul {
            return Err(ReadProblem::refused(&illegal.text, illegal.refusal).at(illegal.line));
        }
        let known = self.start.handicap.is_some() || self.start.ranks > 0;
        if self.cursor.is_none() && !known {
            return Err(ReadProblem::Missing("neither a move nor a start position").at(last));
        }
        self.cursor().map_err(|problem| problem.at(last))?;
        let cursor = self
            .cursor
            .take()
            .ok_or_else(|| ReadProblem::Missing("no move").at(last))?;
        let mut game = cursor.finish();
        game.headers = self.headers;
        Ok(game)
    }
}

/// A digit of either width, 0 included.
fn decimal(c: char) -> Option<u32> {
    match c {
        '0'..='9' => c.to_digit(10),
        '０' => Some(0),
        '１'..='９' => digit(c).map(u32::from),
        _ => None,
    }
}

/// A number, a space, and something else.
fn starts_with_number(line: &str) -> bool {
    let rest = line.trim_start_matches(|c| decimal(c).is_some());
    rest.len() < line.len() && rest.starts_with(char::is_whitespace)
}

/// Whether a header that has no field of its own is read back as such.
pub(crate) fn keeps_header(key: &str, value: &str) -> bool {
    let mut reader = KifReader::default();
    let read = reader.line(&format!("{key}：{value}"));
    read.is_ok() && reader.headers.others == [(key.into(), value.into())]
}
