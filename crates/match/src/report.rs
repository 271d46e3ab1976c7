//! The report of a match as a page: standings, the score over time, and how games ended.

use crate::crosstable::Crosstable;
use crate::games::GameLine;
use crate::schedule::MatchSchedule;
use crate::score::{MatchStats, ratings};
use crate::sprt::Sprt;
use std::collections::BTreeMap;
use std::fmt::Write;

/// What the page is made from.
#[derive(Clone, Copy, Debug)]
pub struct MatchReport<'a> {
    /// The players.
    pub names: &'a [&'a str],
    /// Who met whom.
    pub schedule: &'a MatchSchedule,
    /// The games, in the order they ended.
    pub games: &'a [GameLine],
    /// The test that may end the match, for two players.
    pub sprt: Option<Sprt>,
}

const STYLE: &str = "body{font:15px/1.5 system-ui,sans-serif;max-width:60em;margin:2em auto;\
padding:0 1em;color:#222}table{border-collapse:collapse;margin:1em 0}td,th{padding:.25em .8em;\
border-bottom:1px solid #ddd;text-align:right}td:first-child,th:first-child{text-align:left}\
svg{width:100%;height:auto;border:1px solid #ddd}.band{fill:#cfe0f5}.line{fill:none;stroke:#1f5fa8;\
stroke-width:2}.even{stroke:#999;stroke-dasharray:4 4}text{font-size:12px;fill:#555}";

impl MatchReport<'_> {
    /// The whole page, in one file without anything from elsewhere.
    pub fn page(&self) -> String {
        let mut crosstable = Crosstable::default();
        for game in self.games {
            crosstable.add(self.schedule, game);
        }
        let title = escaped(&self.names.join(" – "));
        let mut page = format!(
            "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>{title}</title>\n\
             <style>{STYLE}</style>\n<h1>{title}</h1>\n<p>{} of {} games</p>\n",
            self.games.len(),
            self.schedule.len()
        );
        page += &self.players(&crosstable);
        if self.names.len() > 2 {
            page += &self.cross_rows(&crosstable);
        } else {
            page += &self.test(&crosstable);
        }
        page += "<h2>Score of the first player</h2>\n";
        page += &self.graph();
        page += "<h2>How games ended</h2>\n";
        page += &self.ends();
        page + "</html>\n"
    }

    fn players(&self, crosstable: &Crosstable) -> String {
        let count = self.names.len();
        let ratings = ratings(count, &crosstable.all());
        let mut table = String::from(
            "<table><tr><th>player<th>games<th>won<th>drawn<th>lost<th>score<th>Elo (95 %)<th>rating\n",
        );
        for (player, (name, rating)) in self.names.iter().zip(ratings).enumerate() {
            let stats = crosstable.of(player, count);
            let elo = stats.elo().map_or("–".into(), |elo| {
                format!("{elo} ({:+.1} … {:+.1})", elo.low, elo.high)
            });
            let _ = writeln!(
                table,
                "<tr><td>{}<td>{}<td>{}<td>{}<td>{}<td>{:.1} %<td>{elo}<td>{rating:+.1}",
                escaped(name),
                stats.games(),
                stats.wins,
                stats.draws,
                stats.losses,
                100.0 * stats.score(),
            );
        }
        table + "</table>\n"
    }

    fn cross_rows(&self, crosstable: &Crosstable) -> String {
        let mut table = String::from("<table><tr><th>");
        for name in self.names {
            let _ = write!(table, "<th>{}", escaped(name));
        }
        for (one, name) in self.names.iter().enumerate() {
            let _ = write!(table, "\n<tr><td>{}", escaped(name));
            for other in 0..self.names.len() {
                let stats = crosstable.between(one, other);
                let points = stats.wins as f64 + stats.draws as f64 / 2.0;
                if one == other || stats.games() == 0 {
                    table += "<td>–";
                } else {
                    let _ = write!(table, "<td>{points} / {}", stats.games());
                }
            }
        }
        table + "\n</table>\n"
    }

    fn test(&self, crosstable: &Crosstable) -> String {
        let stats = crosstable.between(0, 1);
        let mut text = format!("<p>Pairs by points (0, ½, 1, 1½, 2): {:?}", stats.pairs);
        if let Some(sprt) = self.sprt {
            let (lower, upper) = sprt.bounds();
            let _ = write!(
                text,
                "<br>LLR {:.2} ({lower:.2}, {upper:.2}) for [{}, {}]",
                sprt.llr(&stats.pairs),
                sprt.elo0,
                sprt.elo1
            );
        }
        text + "</p>\n"
    }

    /// The score of the first player game by game, with the interval that holds it with 95 %.
    fn graph(&self) -> String {
        const WIDTH: f64 = 800.0;
        const HEIGHT: f64 = 240.0;
        let count = self.names.len();
        let mut crosstable = Crosstable::default();
        let mut points: Vec<(f64, f64, f64)> = Vec::new();
        for game in self.games {
            crosstable.add(self.schedule, game);
            let stats: MatchStats = crosstable.of(0, count);
            let error = stats.error().map_or(0.5, |error| 1.96 * error);
            let score = stats.score();
            points.push((score, (score - error).max(0.0), (score + error).min(1.0)));
        }
        let last = points.len().max(2) - 1;
        let at = |(place, score): (usize, f64)| {
            let x = WIDTH * place as f64 / last as f64;
            format!("{x:.1},{:.1}", HEIGHT * (1.0 - score))
        };
        let line: Vec<_> = points
            .iter()
            .map(|point| point.0)
            .enumerate()
            .map(at)
            .collect();
        let low = points.iter().map(|point| point.1).enumerate().map(at);
        let high = points.iter().map(|point| point.2).enumerate().map(at);
        let band: Vec<_> = low.rev().collect();
        let band: Vec<_> = high.chain(band).collect();
        let middle = HEIGHT / 2.0;
        format!(
            "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\">\n<polygon class=\"band\" \
             points=\"{}\"/>\n<line class=\"even\" x1=\"0\" y1=\"{middle}\" x2=\"{WIDTH}\" \
             y2=\"{middle}\"/>\n<polyline class=\"line\" points=\"{}\"/>\n<text x=\"4\" y=\"14\">\
             100 %</text><text x=\"4\" y=\"{}\">50 %</text><text x=\"4\" y=\"{}\">0 %</text>\n\
             </svg>\n",
            band.join(" "),
            line.join(" "),
            middle - 4.0,
            HEIGHT - 4.0
        )
    }

    fn ends(&self) -> String {
        let mut ends: BTreeMap<_, [usize; 3]> = BTreeMap::new();
        for game in self.games {
            let place = usize::from(2 - game.half_points_of_black());
            ends.entry(game.end).or_default()[place] += 1;
        }
        let mut table = String::from("<table><tr><th>end<th>Black won<th>drawn<th>White won\n");
        for (end, [black, drawn, white]) in ends {
            let _ = writeln!(table, "<tr><td>{end:?}<td>{black}<td>{drawn}<td>{white}");
        }
        table + "</table>\n"
    }
}

/// A text as HTML shows it.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::GameEnd;
    use crate::games::Winner;
    use crate::schedule::MatchFormat;

    fn game(id: usize, winner: Option<Winner>) -> GameLine {
        GameLine {
            id,
            round: id / 2,
            black: "a".into(),
            white: "b".into(),
            winner,
            end: GameEnd::Resign,
            remark: None,
            start: String::new(),
            moves: String::new(),
            values: vec![],
            micros: vec![],
            depths: vec![],
            nodes: vec![],
            wall_micros: 0,
        }
    }

    #[test]
    fn the_page_says_who_is_ahead() {
        let schedule = MatchSchedule::new(MatchFormat::RoundRobin, 2, 1, 2, None);
        let games = [
            game(0, Some(Winner::Black)),
            game(1, Some(Winner::White)),
            game(2, None),
            game(3, Some(Winner::White)),
        ];
        let summary = MatchReport {
            names: &["<new>", "old"],
            schedule: &schedule,
            games: &games,
            sprt: None,
        };
        let page = summary.page();
        assert!(
            page.contains("<tr><td>&lt;new&gt;<td>4<td>3<td>1<td>0<td>87.5 %"),
            "{page}"
        );
        assert!(page.contains("[0, 0, 0, 1, 1]"), "{page}");
        assert!(page.contains("<tr><td>Resign<td>1<td>1<td>2"), "{page}");
        assert_eq!(page.matches("<polyline").count(), 1);
        let empty = MatchReport {
            games: &[],
            ..summary
        };
        assert!(empty.page().ends_with("</html>\n"));
    }
}
