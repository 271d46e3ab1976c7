//! Moves in Japanese: `▲７六歩`, with 右左上寄引直打成不成 exactly where they are needed.
//!
//! The rule is that of the Japan Shogi Association: how a piece moves (上 寄 引) comes first, where it
//! comes from (右 左 直) if that is not enough, both if neither is. Whether a pinned piece could
//! really move there does not matter for the name.

use super::{NameError, digit, kind_name, quoted, square_name, strip_kind};
use tesuji_shogi::rules::foul;
use tesuji_shogi::{Color, Move, Piece, PieceKind, Position, Square};

/// ▲ for Black, △ for White.
pub(crate) const fn mark(color: Color) -> char {
    match color {
        Color::Black => '▲',
        Color::White => '△',
    }
}

/// The side that a mark stands for.
pub(crate) const fn is_mark(mark: char) -> Option<Color> {
    match mark {
        '▲' | '☗' | '▼' => Some(Color::Black),
        '△' | '☖' | '▽' => Some(Color::White),
        _ => None,
    }
}

/// The name of a legal move: `▲７六歩`, `△同　銀右上不成`.
///
/// ```
/// use tesuji_record::names::japanese;
/// use tesuji_shogi::Position;
/// let pos = Position::from_sfen("4k4/9/9/9/9/9/9/3G1G3/4K4 b G 1").unwrap();
/// assert_eq!(japanese(&pos, "6h5g".parse().unwrap()), "▲５七金左");
/// assert_eq!(japanese(&pos, "G*5h".parse().unwrap()), "▲５八金打");
/// ```
pub fn japanese(pos: &Position, mv: Move) -> String {
    let Some(kind) = moved_kind(pos, mv) else {
        return mv.to_string();
    };
    let mut name = format!("{}{}{}", mark(pos.turn()), goal(pos, mv), kind_name(kind));
    for letter in relative_letters(pos, mv) {
        name.push(letter);
    }
    if dropped_mark(pos, mv) {
        name.push('打');
    }
    name + promotion_mark(pos, mv, kind)
}

/// A move as KIF writes it, with its origin: `７六歩(77)`, `５五歩打`.
pub fn kif_move(pos: &Position, mv: Move) -> String {
    let Some(kind) = moved_kind(pos, mv) else {
        return mv.to_string();
    };
    let name = format!("{}{}", goal(pos, mv), kind_name(kind));
    match mv.from() {
        None => name + "打",
        Some(from) => {
            let promotes = if mv.is_promotion() { "成" } else { "" };
            format!("{name}{promotes}({}{})", from.file(), from.rank())
        }
    }
}

fn moved_kind(pos: &Position, mv: Move) -> Option<PieceKind> {
    match mv.from() {
        Some(from) => pos.at(from).map(Piece::kind),
        None => mv.dropped(),
    }
}

fn goal(pos: &Position, mv: Move) -> String {
    match pos.last_move() {
        // Some readers insist on the space.
        Some(last) if last.to() == mv.to() => "同　".into(),
        _ => square_name(mv.to()),
    }
}

fn promotion_mark(pos: &Position, mv: Move, kind: PieceKind) -> &'static str {
    let Some(from) = mv.from() else {
        return "";
    };
    let zone = |square: Square| square.rank_for(pos.turn()) <= 3;
    if mv.is_promotion() {
        "成"
    } else if kind.can_promote() && (zone(from) || zone(mv.to())) {
        "不成"
    } else {
        ""
    }
}

/// Where the pieces of a kind stand that move to a square, pinned or not.
fn rivals(pos: &Position, kind: PieceKind, to: Square) -> Vec<Square> {
    (pos.of_kind(kind) & pos.pieces(pos.turn()))
        .iter()
        .filter(|&from| pos.attacks_from(from).has(to))
        .collect()
}

/// Whether a drop needs 打, because a piece on the board could move there as well.
pub(crate) fn dropped_mark(pos: &Position, mv: Move) -> bool {
    mv.dropped()
        .is_some_and(|kind| !rivals(pos, kind, mv.to()).is_empty())
}

/// How a piece moves: 上, 寄 or 引.
fn motion(color: Color, from: Square, to: Square) -> char {
    match from.rank_for(color).cmp(&to.rank_for(color)) {
        std::cmp::Ordering::Greater => '上',
        std::cmp::Ordering::Equal => '寄',
        std::cmp::Ordering::Less => '引',
    }
}

/// Whether pieces of a kind are told apart by each other's place rather than by the goal. There
/// are two of them at most.
const fn is_far_reaching(kind: PieceKind) -> bool {
    use PieceKind::*;
    matches!(kind, Bishop | Rook | Horse | Dragon)
}

/// Where a piece comes from: 右, 左, or 直 straight from behind.
fn side(
    color: Color,
    kind: PieceKind,
    from: Square,
    to: Square,
    rivals: &[Square],
) -> Option<char> {
    let own = from.file_for(color);
    let against = if is_far_reaching(kind) {
        let other = rivals.iter().find(|&&rival| rival != from)?;
        other.file_for(color)
    } else {
        to.file_for(color)
    };
    match own.cmp(&against) {
        std::cmp::Ordering::Greater => Some('左'),
        std::cmp::Ordering::Less => Some('右'),
        std::cmp::Ordering::Equal if is_far_reaching(kind) => None,
        std::cmp::Ordering::Equal => (motion(color, from, to) == '上').then_some('直'),
    }
}

/// The letters that tell a move from those of the same kind to the same square.
pub(crate) fn relative_letters(pos: &Position, mv: Move) -> Vec<char> {
    let (Some(from), Some(kind)) = (mv.from(), moved_kind(pos, mv)) else {
        return Vec::new();
    };
    let (color, to) = (pos.turn(), mv.to());
    let rivals = rivals(pos, kind, to);
    if rivals.len() < 2 {
        return Vec::new();
    }
    let count = |f: &dyn Fn(Square) -> bool| rivals.iter().filter(|&&rival| f(rival)).count();
    let own_motion = motion(color, from, to);
    if count(&|rival| motion(color, rival, to) == own_motion) == 1 {
        return vec![own_motion];
    }
    let side_of = |rival| side(color, kind, rival, to, &rivals);
    match side_of(from) {
        None => vec![own_motion],
        Some(own) if own == '直' || count(&|rival| side_of(rival) == Some(own)) == 1 => vec![own],
        Some(own) => vec![own, own_motion],
    }
}

/// What the name of a move says.
struct JapaneseName<'a> {
    text: &'a str,
    to: Square,
    kind: PieceKind,
    letters: Vec<char>,
    promotes: bool,
    declines: bool,
    drops: bool,
    origin: Option<Square>,
}

/// Reads a move from the beginning of a text, with or without a mark (▲), with or without an origin
/// `(77)`, with more 右左上寄引直打 than needed or just enough; gives what follows as well.
///
/// The move fits the position but may be illegal, if its name can mean nothing else.
///
/// ```
/// use tesuji_record::names::read_japanese;
/// use tesuji_shogi::Position;
/// let pos = Position::start();
/// let (mv, rest) = read_japanese(&pos, "▲７六歩 △３四歩").unwrap();
/// assert_eq!((mv.to_string().as_str(), rest), ("7g7f", " △３四歩"));
/// assert_eq!(read_japanese(&pos, "76歩(77)").unwrap().0, mv);
/// ```
pub fn read_japanese<'a>(pos: &Position, text: &'a str) -> Result<(Move, &'a str), NameError> {
    let (name, rest) = parse(pos, text)?;
    Ok((name.resolve(pos)?, rest))
}

fn parse<'a>(pos: &Position, text: &'a str) -> Result<(JapaneseName<'a>, &'a str), NameError> {
    let form = || NameError::Form(quoted(text));
    let mut rest = text.trim_start();
    if let Some(first) = rest.chars().next().filter(|&c| is_mark(c).is_some()) {
        rest = rest[first.len_utf8()..].trim_start();
    }
    let to = if let Some(after) = rest.strip_prefix('同') {
        rest = after.trim_start();
        pos.last_move().ok_or(NameError::NoSame)?.to()
    } else {
        let mut chars = rest.chars();
        let file = chars.next().and_then(digit);
        let rank = chars.next().and_then(digit);
        rest = chars.as_str();
        // Some records write ７六同歩 or ７六同　歩.
        rest = rest.strip_prefix('同').unwrap_or(rest).trim_start();
        file.zip(rank)
            .and_then(|(file, rank)| Square::at(file, rank))
            .ok_or_else(form)?
    };
    let (kind, after) = strip_kind(rest).ok_or_else(form)?;
    let mut name = JapaneseName {
        text,
        to,
        kind,
        letters: Vec::new(),
        promotes: false,
        declines: false,
        drops: false,
        origin: None,
    };
    rest = after;
    while let Some(next) = rest.chars().next() {
        match next {
            '右' | '左' | '直' | '上' | '寄' | '引' | '行' if name.letters.len() < 4 => {
                name.letters.push(if next == '行' { '上' } else { next });
            }
            '打' => name.drops = true,
            '成' => name.promotes = true,
            '不' if rest.starts_with("不成") => {
                name.declines = true;
                rest = &rest['不'.len_utf8()..];
            }
            '生' => name.declines = true,
            _ => break,
        }
        let used = rest.chars().next().map_or(0, char::len_utf8);
        rest = &rest[used..];
    }
    rest = name.read_origin(rest).ok_or_else(form)?;
    Ok((name, rest))
}

impl JapaneseName<'_> {
    /// Reads `(77)`; `(00)` means that the piece came from the hand.
    fn read_origin<'a>(&mut self, rest: &'a str) -> Option<&'a str> {
        let inner = match rest.strip_prefix('(').or_else(|| rest.strip_prefix('（')) {
            Some(inner) => inner,
            None => return Some(rest),
        };
        let mut chars = inner.chars();
        let (file, rank) = (chars.next()?, chars.next()?);
        if !matches!(chars.next(), Some(')' | '）')) {
            return None;
        }
        let is_zero = |c| matches!(c, '0' | '０');
        if is_zero(file) && is_zero(rank) {
            self.drops = true;
        } else {
            self.origin = Some(Square::at(digit(file)?, digit(rank)?)?);
        }
        Some(chars.as_str())
    }

    fn quoted(&self) -> String {
        quoted(self.text)
    }

    fn resolve(&self, pos: &Position) -> Result<Move, NameError> {
        if self.promotes && self.declines {
            return Err(NameError::Form(self.quoted()));
        }
        if let Some(from) = self.origin {
            let stands = pos.at(from) == Some(Piece::new(pos.turn(), self.kind));
            return if !stands || self.drops {
                Err(NameError::OtherPiece(self.quoted()))
            } else {
                self.board_move(from)
            };
        }
        if self.drops {
            return self.drop();
        }
        let rivals = rivals(pos, self.kind, self.to);
        let fits = |from: Square| {
            self.letters
                .iter()
                .all(|&letter| self.fits(pos, from, letter, &rivals))
        };
        let mut named: Vec<_> = rivals.iter().copied().filter(|&from| fits(from)).collect();
        if named.len() > 1 {
            named.retain(|&from| {
                self.board_move(from)
                    .is_ok_and(|mv| foul(pos, mv).is_none())
            });
        }
        match named[..] {
            [from] => self.board_move(from),
            [] if rivals.is_empty() && self.letters.is_empty() => self.drop(),
            [] => Err(NameError::Nobody(self.quoted())),
            _ => {
                let list: Vec<_> = named.iter().map(Square::to_string).collect();
                Err(NameError::Several(self.quoted(), list.join(" ")))
            }
        }
    }

    fn board_move(&self, from: Square) -> Result<Move, NameError> {
        match (from == self.to, self.promotes) {
            (true, _) => Err(NameError::Nobody(self.quoted())),
            (false, true) => Ok(Move::promotion(from, self.to)),
            (false, false) => Ok(Move::board(from, self.to)),
        }
    }

    fn drop(&self) -> Result<Move, NameError> {
        if self.kind.is_hand_kind() && !self.promotes {
            Ok(Move::drop(self.kind, self.to))
        } else {
            Err(NameError::Nobody(self.quoted()))
        }
    }

    fn fits(&self, pos: &Position, from: Square, letter: char, rivals: &[Square]) -> bool {
        let color = pos.turn();
        match letter {
            '上' | '寄' | '引' => motion(color, from, self.to) == letter,
            '直' => motion(color, from, self.to) == '上' && from.file() == self.to.file(),
            // With a single piece there is nothing to compare with: 右 is then beside the point.
            _ if rivals.len() < 2 && is_far_reaching(self.kind) => true,
            _ => side(color, self.kind, from, self.to, rivals) == Some(letter),
        }
    }
}
