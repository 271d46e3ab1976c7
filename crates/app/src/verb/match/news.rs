//! What a match tells while it goes on, on standard error.

use std::io::Write;
use std::time::{Duration, Instant};
use tesuji_match::contest::{Contest, Standings};
use tesuji_match::games::{GameLine, Winner};
use tesuji_match::referee::End;
use tesuji_match::score::Tally;
use tesuji_match::sprt::Sprt;

/// How often the standings are told at most.
const PAUSE: Duration = Duration::from_secs(1);

/// Tells how it stands, and every game that somebody lost by a fault.
pub(super) struct News<'a> {
    contest: &'a Contest,
    sprt: Option<Sprt>,
    last: Option<Instant>,
}

impl<'a> News<'a> {
    pub(super) fn new(contest: &'a Contest, sprt: Option<Sprt>) -> Self {
        Self {
            contest,
            sprt,
            last: None,
        }
    }

    pub(super) fn begin(&self, standings: &Standings) {
        let (done, all) = (standings.games(), self.contest.schedule.len());
        if done > 0 {
            say(&format!("{done} of {all} games were played before"));
        }
        if self.contest.schedule.repeats_openings() {
            say("there are fewer openings than rounds: some games may come twice");
        }
    }

    pub(super) fn tell(&mut self, game: &GameLine, standings: &Standings) {
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
        let is_last = standings.games() == self.contest.schedule.len();
        if !is_last && self.last.is_some_and(|last| last.elapsed() < PAUSE) {
            return;
        }
        self.last = Some(Instant::now());
        let all = self.contest.schedule.len();
        let mut line = format!("{} of {all} games", standings.games());
        if let [one, other] = self.contest.entrants.as_slice() {
            let tally = standings.between(0, 1);
            line += &format!(": {} – {}: {}", one.name, other.name, summed(&tally));
            if let Some(sprt) = self.sprt {
                line += &format!(", {}", ratio(&sprt, &tally));
            }
        } else {
            let players = self.contest.entrants.iter().enumerate();
            let scores = players.map(|(player, entrant)| {
                let tally = standings.of(player, self.contest.entrants.len());
                format!(" {} {:.1} %", entrant.name, 100.0 * tally.score())
            });
            line += &format!(":{}", scores.collect::<Vec<_>>().join(","));
        }
        say(&line);
    }
}

/// Whether somebody did what no player should.
pub(super) fn is_fault(end: End) -> bool {
    matches!(
        end,
        End::IllegalMove
            | End::Nonsense
            | End::Time
            | End::Crash
            | End::Silence
            | End::WrongDeclaration
    )
}

/// Wins, draws, losses and what they mean.
pub(super) fn summed(tally: &Tally) -> String {
    let (wins, draws, losses) = (tally.wins, tally.draws, tally.losses);
    let mut text = format!(
        "+{wins} ={draws} −{losses} ({:.1} %)",
        100.0 * tally.score()
    );
    if let Some(elo) = tally.elo() {
        text += &format!(", {:+.1} ± {:.1} Elo", elo.value, elo.error);
    }
    text
}

/// How far the test is.
pub(super) fn ratio(sprt: &Sprt, tally: &Tally) -> String {
    let (lower, upper) = sprt.bounds();
    let ratio = sprt.ratio(&tally.pairs);
    let (elo0, elo1) = (sprt.elo0, sprt.elo1);
    format!("LLR {ratio:.2} ({lower:.2}, {upper:.2}) for [{elo0}, {elo1}]")
}

fn say(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}
