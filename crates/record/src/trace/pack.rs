//! "pack": a mark for the start, moves with values, a mark for the end.
//!
//! The marks at the end are numbers that no move has: a square to itself.

use super::hcpe3::words;
use super::{GameTrace, TracePly};
use crate::ending::GameResult;
use crate::packed::PackedLayout;
use crate::samples::{MoveLayout, SampleProblem, fill, narrow, read_move};
use std::io::Read;
use tesuji_shogi::{Color, Position, Value};

const DRAW: u16 = 0;
const BLACK: u16 = 0x81;
const WHITE: u16 = 0x102;

pub(super) fn write(trace: &GameTrace) -> Result<Vec<u8>, SampleProblem> {
    let mut bytes = Vec::new();
    if trace.start.to_sfen() == Position::start().to_sfen() {
        bytes.push(1);
    } else {
        bytes.push(0);
        bytes.extend(PackedLayout::Hcp.pack(&trace.start)?);
        let ply = trace.start.ply();
        let ply = u16::try_from(ply).map_err(|_| SampleProblem::TooLarge(ply.into()))?;
        bytes.extend(ply.to_le_bytes());
    }
    for ply in &trace.plies {
        bytes.extend(MoveLayout::Shifted.write(ply.mv).to_le_bytes());
        bytes.extend(narrow(ply.value)?.to_le_bytes());
    }
    let end = match trace.result {
        GameResult::Draw => DRAW,
        GameResult::Win(Color::Black) => BLACK,
        GameResult::Win(Color::White) => WHITE,
    };
    bytes.extend(end.to_le_bytes());
    bytes.push(trace.reason);
    Ok(bytes)
}

pub(super) fn read(reader: &mut impl Read) -> Result<Option<GameTrace>, SampleProblem> {
    let mut tag = [0];
    if fill(reader, &mut tag)? == 0 {
        return Ok(None);
    }
    let start = match tag[0] {
        1 => Position::start(),
        0 => read_start(reader)?,
        tag => return Err(SampleProblem::Result(tag as i8)),
    };
    let mut pos = start.clone();
    let mut plies = Vec::new();
    let result = loop {
        let [bits] = words(reader)?;
        match bits {
            DRAW => break GameResult::Draw,
            BLACK => break GameResult::Win(Color::Black),
            WHITE => break GameResult::Win(Color::White),
            _ => {}
        }
        let [value] = words(reader)?;
        let mv = read_move(&pos, bits, MoveLayout::Shifted)?;
        let mv = mv.ok_or_else(|| SampleProblem::Move {
            bits,
            sfen: pos.to_sfen(),
        })?;
        if plies.len() == usize::from(u16::MAX) {
            return Err(SampleProblem::TooLarge(plies.len() as i64 + 1));
        }
        pos.play(mv);
        plies.push(TracePly {
            mv,
            value: Value::new((value as i16).into()),
            visits: Vec::new(),
        });
    };
    let mut reason = [0];
    if fill(reader, &mut reason)? == 0 {
        return Err(SampleProblem::CutOff { found: 0, size: 1 });
    }
    Ok(Some(GameTrace {
        start,
        plies,
        result,
        reason: reason[0],
        opponent: 0,
    }))
}

fn read_start(reader: &mut impl Read) -> Result<Position, SampleProblem> {
    let mut packed = [0; 32];
    let found = fill(reader, &mut packed)?;
    if found < 32 {
        return Err(SampleProblem::CutOff { found, size: 32 });
    }
    let [ply] = words(reader)?;
    let mut setup = PackedLayout::Hcp.unpack_setup(&packed)?;
    setup.ply = ply.clamp(1, 32_767);
    Ok(setup.build().map_err(crate::packed::UnpackError::from)?)
}
