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

/// Whether a move belongs to a category.
type Belongs = fn(&MoveContext<'_>, Move) -> bool;

const CATEGORIES: [(&str, Belongs); 9] = [
    ("Recapture", |context, mv| {
        Recapture.probability(context, mv).is_some()
    }),
    ("WinningCapture", |context, mv| {
        WinningCapture.probability(context, mv).is_some()
    }),
    ("Evasion", |context, mv| {
        Evasion.probability(context, mv).is_some()
    }),
    ("EvenCapture", |context, mv| {
        EvenCapture.probability(context, mv).is_some()
    }),
    ("Check", |context, mv| {
        Check.probability(context, mv).is_some()
    }),
    ("Promotion", |context, mv| {
        Promotion.probability(context, mv).is_some()
    }),
    ("Escape", |context, mv| {
        Escape.probability(context, mv).is_some()
    }),
    ("Safe", |context, mv| {
        Safe.probability(context, mv).is_some()
    }),
    ("Anything", |context, mv| {
        Anything.probability(context, mv).is_some()
    }),
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
                .position(|(_, belongs)| belongs(&context, mv));
            if let Some(count) = category.and_then(|category| counts.get_mut(category)) {
                count.possible += 1;
                count.played += u64::from(mv == played);
            }
        }
        pos.play(played);
    }
}
