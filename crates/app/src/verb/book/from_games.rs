//! A book out of game records.

use super::change::SideChoice;
use super::files::{BookOutput, ProgressCounter};
use crate::answer::{ExitStatus, Failure};
use clap::Args;
use std::io::{BufReader, Write};
use std::path::{Path, PathBuf};
use tesuji_book::{BookEntry, BookMove, BookSource, Graph};
use tesuji_kernels::open_input;
use tesuji_record::{Game, GameResult, Games, StreamError, TextFormat};
use tesuji_shogi::Color;

const EXAMPLES: &str = "\
Examples:
  tesuji book from-games *.csa -o games.db
  tesuji book from-games floodgate.csa -o best.db --plies 60 --winner --min-rating 3500
  tesuji book from-games mine.kif -o me.book --player 'My Name' --side black

Records are csa, csa3, kif, kifu, ki2, ki2u, jkf and usi files, with one game or many. Ratings are
found in names and comments as floodgate writes them ('black_rate:NAME:3456.7).";

/// Makes a book of the moves that were played in games
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct FromGames {
    /// Records
    #[arg(required = true)]
    inputs: Vec<PathBuf>,
    #[command(flatten)]
    output: BookOutput,
    /// Only the first so many moves of each game
    #[arg(long, value_name = "N", default_value_t = 50)]
    plies: usize,
    /// Only moves of players whose name contains this
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// Only moves of one side
    #[arg(long, value_name = "SIDE", default_value = "both")]
    side: SideChoice,
    /// Only moves of winners
    #[arg(long)]
    winner: bool,
    /// Only moves of players rated at least so high
    #[arg(long, value_name = "N")]
    min_rating: Option<f64>,
    /// Leave out moves that were played less often
    #[arg(long, value_name = "N", default_value_t = 1)]
    min_count: u64,
}

impl FromGames {
    pub(super) fn run(&self) -> Result<ExitStatus, Failure> {
        let mut graph = Graph::default();
        let mut counter = ProgressCounter::new("games read");
        let (mut games, mut skipped) = (0_u64, 0_u64);
        for path in &self.inputs {
            let file = open_input(path, u64::MAX).map_err(|source| Failure::Read {
                path: path.clone(),
                source,
            })?;
            for game in Games::new(BufReader::new(file), format_of(path)?) {
                counter.tick();
                match game {
                    Ok(game) => {
                        games += 1;
                        self.add(&mut graph, &game);
                    }
                    Err(StreamError::Game(error)) => {
                        skipped += 1;
                        let _ = writeln!(std::io::stderr(), "skipped: {}: {error}", path.display());
                    }
                    Err(error) => {
                        return Err(Failure::File {
                            path: path.clone(),
                            what: error.into(),
                        });
                    }
                }
            }
        }
        let entries = graph.nodes().filter_map(|node| {
            let mut entry = graph.entry(node)?;
            entry.moves.retain(|mv| mv.count >= self.min_count);
            entry.sort();
            (!entry.moves.is_empty()).then_some(Ok(entry))
        });
        self.output.write(entries)?;
        writeln!(std::io::stdout(), "{games} games, {skipped} skipped")?;
        Ok(ExitStatus::Yes)
    }

    fn add(&self, graph: &mut Graph, game: &Game) {
        let wanted = [Color::Black, Color::White].map(|color| self.wants(game, color));
        let mut pos = game.start().clone();
        for mv in game.moves().take(self.plies) {
            if wanted[pos.turn().index()] {
                let mut book_move = BookMove::new(mv);
                book_move.source = BookSource::Games;
                if let Some(GameResult::Win(winner)) = game.result() {
                    book_move.won = u32::from(winner == pos.turn());
                    book_move.lost = u32::from(winner != pos.turn());
                }
                let here = pos.setup().build().expect("a position of a game");
                // A position without kings is in no book; games have them.
                let _ = graph.add_entry(&BookEntry::new(here, vec![book_move]));
            }
            if pos.try_play(mv).is_err() {
                return;
            }
        }
    }

    /// Whether the moves of a side are wanted.
    fn wants(&self, game: &Game, color: Color) -> bool {
        let name = &game.headers.players[color];
        let has_name = self
            .player
            .as_ref()
            .is_none_or(|wanted| name.contains(wanted));
        let has_won = !self.winner || game.result() == Some(GameResult::Win(color));
        let is_strong = self
            .min_rating
            .is_none_or(|least| rating(game, color).is_some_and(|rating| rating >= least));
        self.side.includes(color) && has_name && has_won && is_strong
    }
}

/// The rating of a player, from a line such as `black_rate:NAME:3456.7`.
fn rating(game: &Game, color: Color) -> Option<f64> {
    let mark = match color {
        Color::Black => "black_rate:",
        Color::White => "white_rate:",
    };
    let mut texts = vec![game.headers.note.as_str()];
    texts.extend(game.headers.others.iter().map(|(_, value)| value.as_str()));
    texts.push(&game[Game::ROOT].comment);
    let mut lines = texts.iter().flat_map(|text| text.lines());
    lines.find_map(|line| {
        line.split_once(mark)?
            .1
            .rsplit(':')
            .next()?
            .trim()
            .parse()
            .ok()
    })
}

fn format_of(path: &Path) -> Result<TextFormat, Failure> {
    let extension = path.extension().and_then(|extension| extension.to_str());
    let format = extension.and_then(TextFormat::from_name);
    format
        .map(|(format, _)| format)
        .ok_or_else(|| Failure::File {
            path: path.into(),
            what: "the extension tells no format of records: expected csa, kif, ki2, jkf or usi"
                .into(),
        })
}
