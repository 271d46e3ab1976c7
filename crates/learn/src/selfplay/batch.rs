//! A few games at a time, as a function of nothing but their numbers: what one of many machines plays.

use super::dedup::SeenPositions;
use super::game::GameRules;
use super::openings::Openings;
use super::output::{DataFormat, GameEntry};
use super::run::{SelfplayError, entry, play_numbered};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use tesuji_eval::AnyEval;
use tesuji_record::samples::{Sample, SampleFormat};
use tesuji_record::sbinpack::Chains;
use tesuji_search::tournament::AnyTournament;

/// Which games are played, and how.
#[derive(Clone, Debug)]
pub struct GamesBatch {
    /// Decides, with the number of a game, how that game begins and where it strays.
    pub seed: u64,
    /// The numbers of the games.
    pub games: Range<u64>,
    /// How large the transposition table is.
    pub table_bytes: usize,
    /// Where games begin.
    pub openings: Openings,
    /// How they are played.
    pub rules: GameRules,
    /// How samples are written.
    pub format: DataFormat,
}

/// Games that were played, with their samples as a file holds them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayedBatch {
    /// One for each game, in order.
    pub entries: Vec<GameEntry>,
    /// The samples of all games.
    pub bytes: Vec<u8>,
}

/// Plays the games of a batch one after the other. The same batch gives the same bytes on every
/// machine. `None` if somebody said stop before the last game.
///
/// # Errors
/// If a search cannot be set up, or a position does not fit into the format.
pub fn play_batch(
    batch: &GamesBatch,
    eval: &AnyEval,
    stop: &AtomicBool,
) -> Result<Option<PlayedBatch>, SelfplayError> {
    let mut search =
        AnyTournament::new(eval.clone(), 1, batch.table_bytes).map_err(SelfplayError::Search)?;
    // Positions are left out that came earlier in the batch; there are seldom more than 400 a game.
    let count = batch.games.end.saturating_sub(batch.games.start);
    let seen = SeenPositions::with_room((count as usize).saturating_mul(512).min(1 << 22));
    let (mut entries, mut bytes) = (Vec::new(), Vec::new());
    for game in batch.games.clone() {
        if stop.load(Relaxed) {
            return Ok(None);
        }
        let (openings, rules) = (&batch.openings, &batch.rules);
        let played = play_numbered(&mut search, game, batch.seed, openings, rules)?;
        let new = played.samples.iter().filter(|s| seen.is_new(&s.position));
        let samples: Vec<Sample> = new.cloned().collect();
        let encoded = batch.format.encode(&samples);
        bytes.extend(encoded.map_err(SelfplayError::Sample)?);
        let mut entry = entry(game, &played, samples.len());
        entry.bytes = bytes.len() as u64;
        entries.push(entry);
    }
    Ok(Some(PlayedBatch { entries, bytes }))
}

/// Reads samples, every move checked; how many there are.
///
/// # Errors
/// If a record is no position, or its move is illegal: a message for people.
pub fn check_samples(bytes: &[u8], format: DataFormat) -> Result<usize, String> {
    let mut samples: Box<dyn Iterator<Item = Result<Sample, String>>> = match format {
        DataFormat::Psv => Box::new(
            SampleFormat::Psv
                .samples(bytes)
                .map(|sample| sample.map_err(|error| error.to_string())),
        ),
        DataFormat::Sbinpack => {
            Box::new(Chains::new(bytes).map(|sample| sample.map_err(|error| error.to_string())))
        }
    };
    samples.try_fold(0, |count, sample| sample.map(|_| count + 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_eval::{EvalSettings, EvalSpec};

    fn batch(games: Range<u64>) -> GamesBatch {
        GamesBatch {
            seed: 7,
            games,
            table_bytes: 1 << 20,
            openings: Openings::start(4..=8),
            rules: GameRules {
                nodes: 50,
                ..GameRules::default()
            },
            format: DataFormat::Psv,
        }
    }

    #[test]
    fn a_batch_is_a_function_of_its_numbers() {
        let eval = AnyEval::choose(&EvalSpec::Material, &EvalSettings::default()).unwrap();
        let stop = AtomicBool::new(false);
        let play = |games| play_batch(&batch(games), &eval, &stop).unwrap().unwrap();
        let whole = play(0..3);
        assert_eq!(whole, play(0..3));
        assert_eq!(whole.entries.len(), 3);
        // A game does not know those before it.
        let last = play(2..3);
        assert_eq!(last.entries[0].nodes, whole.entries[2].nodes);
        let count = check_samples(&whole.bytes, DataFormat::Psv).unwrap();
        let positions: u32 = whole.entries.iter().map(|entry| entry.positions).sum();
        assert_eq!(count, positions as usize);
        stop.store(true, Relaxed);
        assert!(play_batch(&batch(0..3), &eval, &stop).unwrap().is_none());
    }

    #[test]
    fn bytes_that_are_no_samples_are_refused() {
        let eval = AnyEval::choose(&EvalSpec::Material, &EvalSettings::default()).unwrap();
        let played = play_batch(&batch(0..1), &eval, &AtomicBool::new(false));
        let mut bytes = played.unwrap().unwrap().bytes;
        assert!(check_samples(&bytes[..bytes.len() - 1], DataFormat::Psv).is_err());
        // The move of the first record: from a square to itself.
        bytes[34..36].copy_from_slice(&0_u16.wrapping_sub(1).to_le_bytes());
        assert!(check_samples(&bytes, DataFormat::Psv).is_err());
    }
}
