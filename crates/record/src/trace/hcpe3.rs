//! HCPE3 (HuffmanCodedPosAndEval3, Yamaoka's dlshogi): a position, a count, then for every move its
//! value and the visits of a search.

use super::{GameTrace, TracePly};
use crate::packed::PackedLayout;
use crate::samples::{MoveLayout, SampleProblem, absolute, absolute_code, fill, narrow, read_move};
use std::io::Read;
use tesuji_shogi::{Position, Value};

const HEAD: usize = 36;

pub(super) fn write(trace: &GameTrace) -> Result<Vec<u8>, SampleProblem> {
    let count = |n: usize| u16::try_from(n).map_err(|_| SampleProblem::TooLarge(n as i64));
    let mut bytes = PackedLayout::Hcp.pack(&trace.start)?.to_vec();
    bytes.extend(count(trace.plies.len())?.to_le_bytes());
    bytes.push(absolute_code(trace.result) | trace.reason & 0x1c);
    bytes.push(trace.opponent);
    for ply in &trace.plies {
        bytes.extend(MoveLayout::Shifted.write(ply.mv).to_le_bytes());
        bytes.extend(narrow(ply.value)?.to_le_bytes());
        bytes.extend(count(ply.visits.len())?.to_le_bytes());
        for &(mv, visits) in &ply.visits {
            bytes.extend(MoveLayout::Shifted.write(mv).to_le_bytes());
            bytes.extend(visits.to_le_bytes());
        }
    }
    Ok(bytes)
}

pub(super) fn read(reader: &mut impl Read) -> Result<Option<GameTrace>, SampleProblem> {
    let mut head = [0; HEAD];
    match fill(reader, &mut head)? {
        0 => return Ok(None),
        HEAD => {}
        found => return Err(SampleProblem::CutOff { found, size: HEAD }),
    }
    let mut packed = [0; 32];
    packed.copy_from_slice(&head[..32]);
    let start = PackedLayout::Hcp.unpack(&packed)?;
    let [m0, m1, result, opponent] = [head[32], head[33], head[34], head[35]];
    if result & !0x1f != 0 || opponent > 2 {
        return Err(SampleProblem::Result(result as i8));
    }
    let mut trace = GameTrace {
        result: absolute(result & 3)?,
        reason: result & 0x1c,
        opponent,
        plies: Vec::new(),
        start,
    };
    let mut pos = trace.start.clone();
    for _ in 0..u16::from_le_bytes([m0, m1]) {
        let ply = read_ply(reader, &pos)?;
        pos.play(ply.mv);
        trace.plies.push(ply);
    }
    Ok(Some(trace))
}

fn read_ply(reader: &mut impl Read, pos: &Position) -> Result<TracePly, SampleProblem> {
    let [mv, value, candidates] = words(reader)?;
    let illegal = |bits| SampleProblem::Move {
        bits,
        sfen: pos.to_sfen(),
    };
    let layout = MoveLayout::Shifted;
    let played = read_move(pos, mv, layout)?.ok_or_else(|| illegal(mv))?;
    let mut visits = Vec::new();
    for _ in 0..candidates {
        let [mv, count] = words(reader)?;
        visits.push((
            read_move(pos, mv, layout)?.ok_or_else(|| illegal(mv))?,
            count,
        ));
    }
    Ok(TracePly {
        mv: played,
        value: Value::new((value as i16).into()),
        visits,
    })
}

/// The next numbers of a record that has begun.
pub(super) fn words<const N: usize>(reader: &mut impl Read) -> Result<[u16; N], SampleProblem> {
    let mut words = [0; N];
    for word in &mut words {
        let mut bytes = [0; 2];
        let found = fill(reader, &mut bytes)?;
        if found < 2 {
            return Err(SampleProblem::CutOff { found, size: 2 });
        }
        *word = u16::from_le_bytes(bytes);
    }
    Ok(words)
}
