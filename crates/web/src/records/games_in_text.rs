//! Where one game of a text ends and the next begins.

use tesuji_record::TextFormat;

/// How many games of a text are listed.
const MOST_GAMES: usize = 2000;

/// The games of a text, each as its own part of it.
pub(super) fn split(text: &str, format: TextFormat) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut start, mut at, mut has_moves) = (0, 0, false);
    for line in text.split_inclusive('\n') {
        let bare = line.trim();
        let behind = at + line.len();
        let end = match boundary(bare, format, has_moves) {
            TextBoundary::None => None,
            TextBoundary::Before => Some(at),
            TextBoundary::Behind => Some(behind),
            TextBoundary::Skip => {
                start = behind;
                None
            }
        };
        if let Some(end) = end {
            parts.push(&text[start..end]);
            (start, has_moves) = (end, false);
        }
        has_moves |= is_move(bare, format);
        at = behind;
    }
    parts.push(&text[start..]);
    parts.retain(|part| !matches!(part.trim(), "" | "/"));
    parts.truncate(MOST_GAMES);
    parts
}

enum TextBoundary {
    None,
    /// A game begins with this line.
    Before,
    /// A game ends with this line.
    Behind,
    /// The line belongs to no game.
    Skip,
}

/// What a line says about where games begin and end.
fn boundary(line: &str, format: TextFormat, has_moves: bool) -> TextBoundary {
    match format {
        TextFormat::Csa | TextFormat::Csa3 if line == "/" => TextBoundary::Behind,
        TextFormat::Kif | TextFormat::Ki2 if line.starts_with("#KI") => TextBoundary::Before,
        TextFormat::Kif | TextFormat::Ki2 if has_moves && is_first_header(line) => {
            TextBoundary::Before
        }
        TextFormat::Usi if line.is_empty() || line.starts_with('#') => TextBoundary::Skip,
        TextFormat::Usi => TextBoundary::Behind,
        TextFormat::Jkf if line.starts_with('{') && line.ends_with('}') => TextBoundary::Behind,
        _ => TextBoundary::None,
    }
}

/// Whether a line stands only at the head of a Japanese record.
fn is_first_header(line: &str) -> bool {
    let key = line.split(['：', ':']).next().unwrap_or_default();
    key.len() < line.len() && ["手合割", "開始日時", "棋戦", "先手", "下手"].contains(&key)
}

fn is_move(line: &str, format: TextFormat) -> bool {
    let is_japanese = matches!(format, TextFormat::Kif | TextFormat::Ki2);
    is_japanese && !line.starts_with('*') && !line.contains('：') && super::is_kif(line)
}

/// What a game is called in a list: its players, or its beginning.
pub(super) fn title(text: &str, format: TextFormat) -> String {
    let field = |names: &[&str]| {
        let mut lines = text.lines().map(str::trim);
        let value = lines.find_map(|line| names.iter().find_map(|name| line.strip_prefix(name)));
        value.map(|value| value.trim_start_matches(['：', ':']).trim().to_owned())
    };
    let players = match format {
        TextFormat::Csa | TextFormat::Csa3 => [field(&["N+"]), field(&["N-"])],
        TextFormat::Kif | TextFormat::Ki2 => [
            field(&["先手：", "下手：", "先手:", "下手:"]),
            field(&["後手：", "上手：", "後手:", "上手:"]),
        ],
        TextFormat::Jkf | TextFormat::Usi => [None, None],
    };
    match players {
        [None, None] => text.trim().chars().take(60).collect(),
        players => {
            let [black, white] = players.map(|player| player.filter(|name| !name.is_empty()));
            let unnamed = || "?".to_owned();
            let [black, white] = [black.unwrap_or_else(unnamed), white.unwrap_or_else(unnamed)];
            format!("{black} – {white}").chars().take(80).collect()
        }
    }
}
