//! Records in and out: from what a user pastes or drops to a game, and from a game to a file.
//! What is not quite right is read as far as it goes, and said.

mod games_in_text;

use crate::link;
use crate::protocol::message::FileMessage;
use crate::protocol::request::RecordSource;
use crate::user_error::UserError;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use tesuji_record::{Encoding, Game, TextFormat, encoding};

/// What was read.
#[derive(Debug)]
pub(crate) struct LoadedRecord {
    pub(crate) game: Game,
    /// Where the record could not be read on, if it could not.
    pub(crate) fault: Option<UserError>,
    /// What the games of the text are called, if it has several.
    pub(crate) titles: Vec<String>,
}

impl LoadedRecord {
    const fn of(game: Game) -> Self {
        Self {
            game,
            fault: None,
            titles: Vec::new(),
        }
    }
}

/// A game of a text or of the bytes of a file: the one with the number `number`, from 0. A record
/// with a fault is read up to it.
pub(crate) fn read(source: &RecordSource, number: usize) -> Result<LoadedRecord, UserError> {
    let decoded;
    let (text, name) = match source {
        RecordSource::Text(text) => (text, ""),
        RecordSource::File { name, bytes } => {
            let bytes = STANDARD
                .decode(bytes)
                .map_err(|_| UserError::no_game("not base 64"))?;
            decoded = encoding::decode(&bytes).map_err(|problem| UserError::problem(&problem))?;
            (&decoded, name.as_str())
        }
    };
    let text = text.trim_start_matches('\u{feff}');
    if text.trim().is_empty() {
        return Err(UserError::new(
            "There is nothing to read: paste a record or an SFEN.",
            "何も書かれていません。棋譜か SFEN を貼り付けてください。",
        ));
    }
    if let Some(link) = text.trim().split_once("#game=").map(|(_, link)| link) {
        return link::read(link).map(LoadedRecord::of);
    }
    let named = name
        .rsplit_once('.')
        .and_then(|(_, extension)| TextFormat::from_name(extension));
    let format = match named {
        Some((format, _)) => format,
        None => guess(text)?,
    };
    read_as(format, text, number)
}

/// Reads a game of a text in a format.
fn read_as(format: TextFormat, text: &str, number: usize) -> Result<LoadedRecord, UserError> {
    let parts = games_in_text::split(text, format);
    let one = match parts.len() {
        0 => text,
        1 => parts[0],
        _ => *parts.get(number).ok_or_else(UserError::no_such_game)?,
    };
    let (game, fault) = format
        .read_so_far(one)
        .map_err(|error| UserError::unreadable(&error))?;
    let titles = match parts.len() {
        0 | 1 => Vec::new(),
        _ => parts
            .iter()
            .map(|part| games_in_text::title(part, format))
            .collect(),
    };
    Ok(LoadedRecord {
        fault: fault.map(|fault| UserError::read_up_to(&fault, game.moves().count())),
        game,
        titles,
    })
}

/// The format of a text, by its looks; an error if it looks like none.
pub(crate) fn guess(text: &str) -> Result<TextFormat, UserError> {
    let lines = text.lines().map(str::trim);
    let mut lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    let first = lines.next().unwrap_or_default();
    let is_usi = first
        .split_whitespace()
        .any(|word| word == "startpos" || (word.matches('/').count() >= 2 && is_board(word)));
    if first.starts_with('{') || first.starts_with('[') {
        Ok(TextFormat::Jkf)
    } else if is_usi {
        Ok(TextFormat::Usi)
    } else if is_csa(first) || (first.starts_with('\'') && text.lines().any(is_csa)) {
        Ok(TextFormat::Csa)
    } else if text.lines().any(is_kif) {
        Ok(TextFormat::Kif)
    } else if first.contains("://") || first.starts_with("www.") {
        Err(UserError::address())
    } else {
        Err(UserError::prose(first))
    }
}

/// Whether a word could be the board of an SFEN, right or wrong.
fn is_board(word: &str) -> bool {
    word.bytes()
        .all(|byte| b"/+123456789PLNSGBRKplnsgbrk".contains(&byte))
}

fn is_csa(line: &str) -> bool {
    let bytes = line.as_bytes();
    line.starts_with("V2")
        || line.starts_with("V3")
        || line.starts_with("PI")
        || line.starts_with("N+")
        || line.starts_with("N-")
        || line == "+"
        || line == "-"
        || (bytes.len() >= 7
            && b"+-".contains(&bytes[0])
            && bytes[1..5].iter().all(u8::is_ascii_digit))
        || (line.starts_with('P') && bytes.get(1).is_some_and(u8::is_ascii_digit))
}

/// Whether a line is one that only a Japanese record has: a header, a diagram or a move.
fn is_kif(line: &str) -> bool {
    const HEADERS: [&str; 13] = [
        "手合割",
        "先手",
        "後手",
        "下手",
        "上手",
        "開始日時",
        "終了日時",
        "棋戦",
        "場所",
        "持ち時間",
        "手番",
        "表題",
        "作品名",
    ];
    let line = line.trim();
    let key = line.split(['：', ':']).next().unwrap_or_default();
    let has_header = key.len() < line.len() && HEADERS.iter().any(|name| key.starts_with(name));
    let is_move = |text: &str| {
        let mut letters = text.trim_start().chars();
        let first = letters.next();
        first == Some('同')
            || (first.is_some_and(|file| "１２３４５６７８９123456789".contains(file))
                && letters
                    .next()
                    .is_some_and(|rank| "一二三四五六七八九".contains(rank)))
    };
    let numbered = line
        .trim_start_matches(|digit: char| digit.is_ascii_digit() || ('０'..='９').contains(&digit));
    let marked = line.trim_start_matches(['▲', '△', '☗', '☖', '▼', '▽']);
    has_header
        || line.starts_with("手数--")
        || line.starts_with("手数＝")
        || (numbered.len() < line.len()
            && numbered.starts_with(char::is_whitespace)
            && is_move(numbered))
        || (marked.len() < line.len() && is_move(marked))
}

/// A game as a file in a format and an encoding, both by name.
pub(crate) fn write(game: &Game, format: &str, coding: &str) -> Result<FileMessage, UserError> {
    let unknown = || UserError::new("There is no such format.", "その形式はありません。");
    let (format, _) = TextFormat::from_name(format).ok_or_else(unknown)?;
    let coding = Encoding::from_name(coding).ok_or_else(unknown)?;
    let failed = |error: tesuji_record::WriteError| {
        UserError::new(
            format!("It cannot be saved like this: {error}."),
            format!("この形式では保存できません({error})。"),
        )
    };
    let bytes = format.write_bytes(game, coding).map_err(failed)?;
    let extension = match (format, coding) {
        (TextFormat::Kif, Encoding::Utf8) => "kifu",
        (TextFormat::Ki2, Encoding::Utf8) => "ki2u",
        (TextFormat::Csa3, _) => "csa",
        _ => format.name(),
    };
    Ok(FileMessage {
        name: format!("tesuji.{extension}"),
        bytes: STANDARD.encode(&bytes),
        text: format.write(game).map_err(failed)?,
    })
}

#[cfg(test)]
mod tests;
