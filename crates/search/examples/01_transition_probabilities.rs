//! Counts how likely the moves of each category are in games.
//!
//! Standard input has one game per line, as USI tells a position: `startpos moves 7g7f 3c3d …`.
//! A move counts for the first category it belongs to, in the order of the table.

use std::io::BufRead;
use tesuji_search::realization::{
    Anything, Category, Check, Escape, Evasion, EvenCapture, MoveContext, Promotion, Recapture,
    Safe, WinningCapture,
};
use tesuji_shogi::{Board, Move, Position};

const CATEGORIES: [(&str, &dyn Category); 9] = [
    ("Recapture", &Recapture),
    ("WinningCapture", &WinningCapture),
    ("Evasion", &Evasion),
    ("EvenCapture", &EvenCapture),
    ("Check", &Check),
    ("Promotion", &Promotion),
    ("Escape", &Escape),
    ("Safe", &Safe),
    ("Anything", &Anything),
];

#[derive(Clone, Copy, Default)]
struct Count {
    possible: u64,
    played: u64,
}

fn main() -> std::io::Result<()> {
    let mut counts = [Count::default(); CATEGORIES.len()];
    for line in std::io::stdin().lock().lines() {
        count_game(&line?, &mut counts);
    }
    println!("category           possible     played   chance  halvings/256");
    for ((name, _), Count { possible, played }) in CATEGORIES.iter().zip(counts) {
        let chance = played as f64 / possible.max(1) as f64;
        let halvings = -chance.log2() * 256.0;
        println!(
            "{name:<15} {possible:>11} {played:>10} {:>7.2}% {halvings:>9.0}",
            100.0 * chance
        );
    }
    Ok(())
}

/// Follows a game as far as its moves are legal.
fn count_game(line: &str, counts: &mut [Count]) {
    let Some((start, moves)) = line.split_once(" moves ") else {
        return;
    };
    let start = start
        .trim_start_matches("position ")
        .trim_start_matches("sfen ");
    let Ok(mut pos) = start.parse::<Position>() else {
        return;
    };
    for played in moves
        .split_whitespace()
        .map_while(|word| word.parse::<Move>().ok())
    {
        if !pos.is_legal(played) {
            return;
        }
        let context = MoveContext::of(&pos);
        for mv in pos.legal_moves().iter() {
            let category = CATEGORIES
                .iter()
                .position(|(_, category)| category.probability(&context, mv).is_some());
            if let Some(count) = category.and_then(|category| counts.get_mut(category)) {
                count.possible += 1;
                count.played += u64::from(mv == played);
            }
        }
        pos.play(played);
    }
}
