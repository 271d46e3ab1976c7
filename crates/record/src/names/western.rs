//! Moves in Western notation: `P-7f`, `Bx2b+`, `G4i-5h`, `N*4e` (Hodges 1976).

use super::{NameError, quoted};
use tesuji_shogi::rules::foul;
use tesuji_shogi::{Move, Piece, PieceKind, Position, Square};

/// The name of a legal move. The origin is written only if another piece of the kind could move
/// there too.
///
/// ```
/// use tesuji_record::names::western;
/// use tesuji_shogi::Position;
/// let pos = Position::start();
/// assert_eq!(western(&pos, "7g7f".parse().unwrap()), "P-7f");
/// assert_eq!(western(&pos, "4i5h".parse().unwrap()), "G4i-5h");
/// ```
pub fn western(pos: &Position, mv: Move) -> String {
    let Some(from) = mv.from() else {
        return mv.to_string();
    };
    let Some(piece) = pos.at(from) else {
        return mv.to_string();
    };
    let kind = piece.kind();
    let plus = if kind.is_promoted() { "+" } else { "" };
    let origin = match movers(pos, kind, mv.to()).len() {
        0 | 1 => String::new(),
        _ => from.to_string(),
    };
    let way = if pos.is_capture(mv) { 'x' } else { '-' };
    let zone = |square: Square| square.rank_for(piece.color()) <= 3;
    let promotion = if mv.is_promotion() {
        "+"
    } else if kind.can_promote() && (zone(from) || zone(mv.to())) {
        "="
    } else {
        ""
    };
    format!("{plus}{}{origin}{way}{}{promotion}", kind.letter(), mv.to())
}

fn movers(pos: &Position, kind: PieceKind, to: Square) -> Vec<Square> {
    (pos.of_kind(kind) & pos.pieces(pos.turn()))
        .iter()
        .filter(|&from| pos.attacks_from(from).has(to))
        .collect()
}

/// Reads a move; ranks may be letters or digits (`P-7f`, `P-76`), `-` may be absent.
pub fn read_western(pos: &Position, text: &str) -> Result<Move, NameError> {
    let form = || NameError::Form(quoted(text));
    let mut rest = text.trim();
    let promoted = take(&mut rest, '+');
    let letter = rest.chars().next().ok_or_else(form)?;
    let base = PieceKind::from_letter(letter).ok_or_else(form)?;
    let kind = match promoted {
        true => base.promoted().ok_or_else(form)?,
        false => base,
    };
    rest = &rest[1..];
    let first = strip_square(&mut rest);
    let drops = take(&mut rest, '*');
    let _ = !drops && (take(&mut rest, '-') || take(&mut rest, 'x'));
    let (origin, to) = match (first, strip_square(&mut rest)) {
        (origin, Some(to)) => (origin, to),
        (Some(to), None) => (None, to),
        (None, None) => return Err(form()),
    };
    let promotes = take(&mut rest, '+');
    let _ = !promotes && take(&mut rest, '=');
    if !rest.is_empty() {
        return Err(form());
    }
    let nobody = || NameError::Nobody(quoted(text));
    if drops {
        return if kind.is_hand_kind() && origin.is_none() && !promotes {
            Ok(Move::drop(kind, to))
        } else {
            Err(nobody())
        };
    }
    let build = |from| match promotes {
        true => Move::promotion(from, to),
        false => Move::board(from, to),
    };
    let stands = |from: &Square| pos.at(*from) == Some(Piece::new(pos.turn(), kind));
    let mut from: Vec<_> = match origin {
        Some(from) => vec![from]
            .into_iter()
            .filter(stands)
            .filter(|&from| from != to)
            .collect(),
        None => movers(pos, kind, to),
    };
    if from.len() > 1 {
        from.retain(|&from| foul(pos, build(from)).is_none());
    }
    match from[..] {
        [from] => Ok(build(from)),
        [] => Err(nobody()),
        _ => {
            let list: Vec<_> = from.iter().map(Square::to_string).collect();
            Err(NameError::Several(quoted(text), list.join(" ")))
        }
    }
}

fn take(rest: &mut &str, letter: char) -> bool {
    let after = rest.strip_prefix(letter);
    *rest = after.unwrap_or(rest);
    after.is_some()
}

fn strip_square(rest: &mut &str) -> Option<Square> {
    let bytes = rest.as_bytes();
    let (&file, &rank) = (bytes.first()?, bytes.get(1)?);
    let rank = match rank {
        b'a'..=b'i' => rank - b'a' + 1,
        b'1'..=b'9' => rank - b'0',
        _ => return None,
    };
    let square = Square::at(file.wrapping_sub(b'0'), rank)?;
    *rest = &rest[2..];
    Some(square)
}
