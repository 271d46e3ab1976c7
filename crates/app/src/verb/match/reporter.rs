//! What a match tells while it goes on, on standard error.

use std::io::Write;
use std::time::{Duration, Instant};
use tesuji_match::crosstable::Crosstable;
use tesuji_match::game::GameEnd;
use tesuji_match::games::{GameLine, Winner};
use tesuji_match::runner::MatchRunner;
use tesuji_match::score::MatchStats;
use tesuji_match::sprt::Sprt;

/// How often the crosstable are told at most.
const PAUSE: Duration = Duration::from_secs(1);

/// Tells how it stands, and every game that somebody lost by a fault.
pub(super) struct MatchReporter<'a> {
    runner: &'a MatchRunner,
    sprt: Option<Sprt>,
    last: Option<Instant>,
}

impl<'a> MatchReporter<'a> {
    pub(super) fn new(runner: &'a MatchRunner, sprt: Option<Sprt>) -> Self {
        Self {
            runner,
            sprt,
            last: None,
        }
    }

    pub(super) fn begin(&self, crosstable: &Crosstable) {
        let (done, all) = (crosstable.games(), self.runner.schedule.len());
        if done > 0 {
            say(&format!("{done} of {all} games were played before"));
        }
        if self.runner.schedule.repeats_openings() {
            say("there are fewer openings than rounds: some games may come twice");
        }
    }

    pub(super) fn tell(&mut self, game: &GameLine, crosstable: &Crosstable) {
        if is_fault(game.end) {
            let loser = match game.winner {
                Some(Winner::Black) => &game.white,
                _ => &game.black,
            };
            let remark = game.remark.as_deref().unwrap_or("");
            say(&format!(
                "game {}: {loser} lost by {:?}: {remark}",
                game.id, game.end
            ));
        }
        let is_last = crosstable.games() == self.runner.schedule.len();
        if !is_last && self.last.is_some_and(|last| last.elapsed() < PAUSE) {
            return;
        }
        self.last = Some(Instant::now());
        let all = self.runner.schedule.len();
        let mut line = format!("{} of {all} games", crosstable.games());
        if let [one, other] = self.runner.entrants.as_slice() {
            let stats = crosstable.between(0, 1);
            line += &format!(": {} – {}: {}", one.name, other.name, summed(&stats));
            if let Some(sprt) = self.sprt {
                line += &format!(", {}", llr(&sprt, &stats));
            }
        } else {
            let players = self.runner.entrants.iter().enumerate();
            let scores = players.map(|(player, entrant)| {
                let stats = crosstable.of(player, self.runner.entrants.len());
                format!(" {} {:.1} %", entrant.name, 100.0 * stats.score())
            });
            line += &format!(":{}", scores.collect::<Vec<_>>().join(","));
        }
        say(&line);
    }
}

/// Whether somebody did what no player should.
pub(super) fn is_fault(end: GameEnd) -> bool {
    matches!(
        end,
        GameEnd::IllegalMove
            | GameEnd::Nonsense
            | GameEnd::Time
            | GameEnd::Crash
            | GameEnd::Silence
            | GameEnd::WrongDeclaration
    )
}

/// Wins, draws, losses and what they mean.
pub(super) fn summed(stats: &MatchStats) -> String {
    let (wins, draws, losses) = (stats.wins, stats.draws, stats.losses);
    let mut text = format!(
        "+{wins} ={draws} −{losses} ({:.1} %)",
        100.0 * stats.score()
    );
    if let Some(elo) = stats.elo() {
        text += &format!(", {elo} Elo");
    }
    text
}

/// How far the test is.
pub(super) fn llr(sprt: &Sprt, stats: &MatchStats) -> String {
    let (lower, upper) = sprt.bounds();
    let llr = sprt.llr(&stats.pairs);
    let (elo0, elo1) = (sprt.elo0, sprt.elo1);
    format!("LLR {llr:.2} ({lower:.2}, {upper:.2}) for [{elo0}, {elo1}]")
}

fn say(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}
