//! Turns every record into every format and back, and compares.

use super::Convert;
use super::error::ConvertError;
use super::input::{Input, Item};
use super::kind::FileKind;
use crate::answer::{ExitStatus, Failure, write_json};
use serde::Serialize;
use std::io::Write;
use std::path::Path;
use tesuji_record::samples::{Sample, SampleFormat};
use tesuji_record::sbinpack::{ChainWriter, Chains};
use tesuji_record::trace::{GameTrace, TraceFormat};
use tesuji_record::{Encoding, Game, Games, TextFormat};

/// How often a format gave back what it was given.
#[derive(Serialize)]
struct FormatRow {
    format: &'static str,
    same: u64,
    different: u64,
    /// Games that the format cannot hold at all.
    refused: u64,
    #[serde(skip)]
    kind: FileKind,
}

/// What a format made of a record.
enum RoundTrip {
    Same,
    Different(String),
    Refused,
}

pub(super) fn run(input: Input, options: &Convert) -> Result<ExitStatus, Failure> {
    let kinds = match options.to {
        Some(kind) => vec![kind],
        None => all_kinds(),
    };
    let mut rows: Vec<_> = kinds.into_iter().map(FormatRow::new).collect();
    let (mut number, mut skipped) = (0u64, 0u64);
    for item in input {
        number += 1;
        match item {
            Ok(item) => rows
                .iter_mut()
                .for_each(|row| row.add(number, &item, options)),
            Err(ConvertError::Record(what)) if options.skip => {
                skipped += 1;
                let _ = writeln!(std::io::stderr(), "skipped: {what}");
            }
            Err(error) => return Err(error.into_failure(&options.input, Path::new("-"))),
        }
    }
    let mut out = std::io::stdout().lock();
    for row in rows
        .iter()
        .filter(|row| row.same + row.different + row.refused > 0)
    {
        if options.json {
            write_json(&mut out, row)?;
        } else {
            let FormatRow {
                format,
                same,
                different,
                refused,
                ..
            } = row;
            writeln!(
                out,
                "{format:9} {same:9} the same {different:6} different {refused:6} refused"
            )?;
        }
    }
    if !options.json {
        writeln!(out, "{number} read, {skipped} skipped")?;
    }
    let is_same = rows.iter().all(|row| row.different == 0);
    Ok(if is_same {
        ExitStatus::Yes
    } else {
        ExitStatus::No
    })
}

fn all_kinds() -> Vec<FileKind> {
    let text = TextFormat::ALL.map(|format| FileKind::Text(format, Encoding::Utf8));
    let traces = [TraceFormat::Hcpe3, TraceFormat::Pack].map(FileKind::Trace);
    let samples = [SampleFormat::Psv, SampleFormat::Hcp, SampleFormat::Hcpe].map(FileKind::Sample);
    text.into_iter()
        .chain(traces)
        .chain(samples)
        .chain([FileKind::Chains])
        .collect()
}

impl FormatRow {
    fn new(kind: FileKind) -> Self {
        Self {
            format: kind.name(),
            same: 0,
            different: 0,
            refused: 0,
            kind,
        }
    }

    fn add(&mut self, number: u64, item: &Item, options: &Convert) {
        let outcome = match (self.kind, item) {
            (FileKind::Text(format, usual), Item::Game(game)) => {
                round_trip_game(format, options.encoding.unwrap_or(usual), game)
            }
            (FileKind::Text(format, usual), Item::Trace(trace)) => match trace.to_game() {
                Ok(game) => round_trip_game(format, options.encoding.unwrap_or(usual), &game),
                Err(refusal) => RoundTrip::Different(refusal.to_string()),
            },
            (FileKind::Trace(format), Item::Game(game)) => match GameTrace::of_game(game) {
                Some(trace) => round_trip_trace(format, &trace),
                None => RoundTrip::Refused,
            },
            (FileKind::Trace(format), Item::Trace(trace)) => round_trip_trace(format, trace),
            (kind, Item::Game(game)) => {
                round_trip_samples(kind, &tesuji_record::samples::of_game(game))
            }
            (kind, Item::Trace(trace)) => round_trip_samples(kind, &trace.samples()),
            (FileKind::Sample(_) | FileKind::Chains, Item::Sample(sample)) => {
                round_trip_samples(self.kind, std::slice::from_ref(sample))
            }
            (_, Item::Sample(_)) => return,
        };
        match outcome {
            RoundTrip::Same => self.same += 1,
            RoundTrip::Refused => self.refused += 1,
            RoundTrip::Different(what) => {
                self.different += 1;
                let _ = writeln!(
                    std::io::stderr(),
                    "record {number}, {}: {what}",
                    self.format
                );
            }
        }
    }
}

fn round_trip_game(format: TextFormat, encoding: Encoding, game: &Game) -> RoundTrip {
    let Ok(bytes) = format.write_bytes(game, encoding) else {
        return RoundTrip::Refused;
    };
    let read: Result<Vec<_>, _> = Games::new(&bytes[..], format).collect();
    match read.as_deref() {
        Ok([again]) if !game.moves().eq(again.moves()) => {
            RoundTrip::Different("other moves".into())
        }
        Ok([again]) if *again == format.keeps(game) => RoundTrip::Same,
        Ok([_]) => {
            RoundTrip::Different("the moves are the same, but not what is said about them".into())
        }
        Ok(games) => RoundTrip::Different(format!("{} games instead of one", games.len())),
        Err(error) => RoundTrip::Different(error.to_string()),
    }
}

fn round_trip_trace(format: TraceFormat, trace: &GameTrace) -> RoundTrip {
    let Ok(bytes) = format.write(trace) else {
        return RoundTrip::Refused;
    };
    // Values are cut to 16 bits by both formats.
    let mut kept = format.keeps(trace);
    for ply in &mut kept.plies {
        ply.value = cut(ply.value);
    }
    let read: Result<Vec<_>, _> = format.traces(&bytes[..]).collect();
    match read {
        Ok(traces) if traces == [kept] => RoundTrip::Same,
        Ok(_) => RoundTrip::Different("another trace".into()),
        Err(error) => RoundTrip::Different(error.to_string()),
    }
}

fn cut(value: tesuji_shogi::Value) -> tesuji_shogi::Value {
    tesuji_shogi::Value::new(value.points().clamp(i16::MIN.into(), i16::MAX.into()))
}

fn round_trip_samples(kind: FileKind, samples: &[Sample]) -> RoundTrip {
    let (kept, read) = match kind {
        FileKind::Sample(format) => {
            let mut bytes = Vec::new();
            if tesuji_record::samples::write_all(&mut bytes, format, samples).is_err() {
                return RoundTrip::Refused;
            }
            let read: Result<Vec<_>, _> = format.samples(&bytes[..]).collect();
            let kept = samples.iter().map(|sample| keep(format, sample)).collect();
            (kept, read.map_err(|error| error.to_string()))
        }
        _ => {
            let mut writer = ChainWriter::new(Vec::new());
            if samples.iter().any(|sample| writer.write(sample).is_err()) {
                return RoundTrip::Refused;
            }
            let bytes = writer.finish().unwrap_or_default();
            let read: Result<Vec<_>, _> = Chains::new(&bytes[..]).collect();
            let cut_off = |sample: &Sample| Sample {
                value: cut(sample.value),
                flags: 0,
                ..sample.clone()
            };
            (
                samples.iter().map(cut_off).collect::<Vec<_>>(),
                read.map_err(|error| error.to_string()),
            )
        }
    };
    match read {
        Ok(read) if read == kept => RoundTrip::Same,
        Ok(_) => RoundTrip::Different("other positions".into()),
        Err(error) => RoundTrip::Different(error),
    }
}

/// What a format keeps of a sample.
fn keep(format: SampleFormat, sample: &Sample) -> Sample {
    let mut kept = sample.clone();
    kept.value = cut(kept.value);
    if format != SampleFormat::Psv {
        let mut setup = kept.position.setup();
        setup.ply = 1;
        kept.position = setup.build().unwrap_or(kept.position);
    }
    if format == SampleFormat::Hcp {
        kept = Sample {
            position: kept.position,
            value: tesuji_shogi::Value::ZERO,
            mv: None,
            result: None,
            flags: 0,
        };
    }
    kept
}
