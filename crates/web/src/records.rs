//! Records in and out: from what a user pastes or drops to a game, and from a game to a file.

use crate::link;
use crate::protocol::message::FileMessage;
use crate::protocol::request::RecordSource;
use crate::user_error::UserError;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use tesuji_record::{Encoding, Game, TextFormat, encoding};

/// The game in a text or in the bytes of a file.
pub(crate) fn read(source: &RecordSource) -> Result<Game, UserError> {
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
        return link::read(link);
    }
    let named = name
        .rsplit_once('.')
        .and_then(|(_, extension)| TextFormat::from_name(extension));
    let format = named.map_or_else(|| guess(text), |(format, _)| format);
    format
        .read(text)
        .map_err(|error| UserError::unreadable(&error))
}

/// The format of a text, by its looks.
pub(crate) fn guess(text: &str) -> TextFormat {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = lines.next().unwrap_or_default();
    let is_usi = first
        .split_whitespace()
        .any(|word| word == "startpos" || (word.matches('/').count() == 8 && word.is_ascii()));
    let is_csa = |line: &str| {
        let bytes = line.as_bytes();
        line.starts_with("V2")
            || line.starts_with("V3")
            || line.starts_with("PI")
            || line.starts_with("N+")
            || line.starts_with("N-")
            || line == "+"
            || line == "-"
            || (bytes.len() >= 7 && b"+-".contains(&bytes[0]) && bytes[1..5].is_ascii())
            || (line.starts_with('P') && bytes.get(1).is_some_and(u8::is_ascii_digit))
    };
    if first.starts_with('{') || first.starts_with('[') {
        TextFormat::Jkf
    } else if is_usi {
        TextFormat::Usi
    } else if is_csa(first) || (first.starts_with('\'') && text.lines().any(is_csa)) {
        TextFormat::Csa
    } else if text.is_ascii() {
        // Neither of the Japanese formats can do without Japanese.
        TextFormat::Usi
    } else {
        TextFormat::Kif
    }
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
mod tests {
    use super::*;

    fn text(text: &str) -> RecordSource {
        RecordSource::Text(text.into())
    }

    fn file(name: &str, bytes: &str) -> RecordSource {
        RecordSource::File {
            name: name.into(),
            bytes: bytes.into(),
        }
    }

    #[test]
    fn every_format_is_recognised_by_its_looks() {
        let mut original = Game::default();
        for mv in ["7g7f", "3c3d", "8h2b+"] {
            original.push(mv.parse().unwrap()).unwrap();
        }
        for format in TextFormat::ALL {
            let game = read(&text(&format.write(&original).unwrap())).unwrap();
            assert!(game.moves().eq(original.moves()), "{format:?}");
            let saved = write(&original, format.name(), "UTF-8").unwrap();
            let game = read(&file(&saved.name, &saved.bytes)).unwrap();
            assert!(game.moves().eq(original.moves()), "{format:?}");
        }
        let saved = write(&original, "kif", "Shift_JIS").unwrap();
        let game = read(&file("", &saved.bytes)).unwrap();
        assert!(game.moves().eq(original.moves()));
        let bare = "4k4/9/4P4/9/9/9/9/9/9 b G 1";
        assert!(read(&text(bare)).is_ok());
    }

    #[test]
    fn nonsense_is_told_in_both_languages() {
        for nonsense in [
            "",
            "hello",
            "9/9 b - 1",
            "{\"x\":1}",
            "V2.2\n+7777XX",
            "手合割：謎\n   1 ９九歩(11)",
        ] {
            let error = read(&text(nonsense)).unwrap_err();
            assert!(!error.en.is_empty() && !error.ja.is_empty(), "{nonsense}");
        }
        assert!(read(&file("", "!")).is_err());
        assert!(read(&file("", &STANDARD.encode([0xff, 0xff, 0xff]))).is_err());
        assert!(write(&Game::default(), "doc", "UTF-8").is_err());
        assert!(write(&Game::default(), "kif", "latin").is_err());
    }
}
