//! dev driver
use std::time::{Duration, Instant};
use tesuji_mate::{Limits, Solver, Verdict};
use tesuji_shogi::{Position, Board};
fn cpu() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    let f: Vec<&str> = stat.rsplit_once(')').unwrap().1.split_whitespace().collect();
    Duration::from_millis((f[11].parse::<u64>().unwrap() + f[12].parse::<u64>().unwrap()) * 10)
}
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let (mb, secs): (usize, f64) = (args[1].parse().unwrap(), args[2].parse().unwrap());
    let verbose = std::env::var("V").is_ok();
    let filter = std::env::var("ID").ok();
    let max: usize = std::env::var("MAX").ok().map_or(usize::MAX, |m| m.parse().unwrap());
    for file in &args[3..] {
        let text = std::fs::read_to_string(file).unwrap();
        let mut solver = Solver::new(mb << 20).with_threads(std::env::var("T").map_or(1, |t| t.parse().unwrap()));
        let (mut right, mut wrong, mut unknown, mut nodes, mut lens, mut shortest) = (0, 0, 0, 0u64, 0usize, 0);
        let mut wall = Duration::ZERO; let c0 = cpu();
        for line in text.lines().filter(|l| !l.starts_with('#') && !l.is_empty()).take(max) {
            let (sfen, rest) = match line.split_once('\t') { Some(x) => x, None => match line.split_once(" moves ") { Some((s, m)) => (s, m), None => (line, "") } };
            if let Some(f) = &filter { if !rest.contains(&format!("id={f}")) { continue; } }
            let want = rest.split('\t').find_map(|f| f.strip_prefix("expect=")).unwrap_or("mate");
            let id = rest.split('\t').find_map(|f| f.strip_prefix("id=")).unwrap_or("");
            let len: usize = rest.split('\t').find_map(|f| f.strip_prefix("len=")).and_then(|l| l.parse().ok()).unwrap_or(0);
            let pos = Position::from_sfen(sfen).unwrap();
            let t = Instant::now();
            let limits = Limits { time: Some(Duration::from_secs_f64(secs)), shortest: std::env::var("S").is_ok(), ..Limits::NONE };
            let verdict = solver.solve(&pos, pos.turn(), &limits, &mut ()).unwrap();
            let el = t.elapsed();
            wall += el;
            nodes += solver.nodes();
            if std::env::var("C").is_ok() && matches!(verdict, Verdict::Mate(_) | Verdict::Shortest(_)) { match solver.verify(&pos, pos.turn()) { Ok(n) => lens += 0 * n as usize, Err(e) => println!("FLAW {id} {e}") } }
            let got = match &verdict { Verdict::Mate(moves) | Verdict::Shortest(moves) => {
                lens += moves.len();
                shortest += usize::from(matches!(verdict, Verdict::Shortest(_))); if len > 0 && matches!(verdict, Verdict::Shortest(_)) && rest.contains("exact=1") && len != moves.len() { println!("LEN {id} want {len} got {}", moves.len()); }
                let mut p = pos.clone();
                for (i, &mv) in moves.iter().enumerate() {
                    assert!(p.try_play(mv).is_some(), "illegal {mv} in {id}");
                    assert!(i % 2 == 1 || p.in_check(), "no check");
                }
                if !p.legal_moves().is_empty() || moves.len() % 2 == 0 { println!("BAD LINE {id} {moves:?}"); }
                "mate" }, Verdict::NoMate => "nomate", Verdict::Unknown(_) => "unknown" };
            if got == "unknown" { unknown += 1; if verbose { println!("  {id} {verdict:?} {:.2}s {} nodes", el.as_secs_f64(), solver.nodes()); } }
            else if want != "any" && got != want { wrong += 1; println!("WRONG {id} want {want} got {got} {sfen}"); }
            else { right += 1; if verbose && el.as_secs_f64() > 0.2 { println!("  {id} {got} {:.2}s {} nodes len {}", el.as_secs_f64(), solver.nodes(), if let Verdict::Mate(m) = &verdict { m.len() } else { 0 }); } }
        }
        println!("{file}: right {right} wrong {wrong} unknown {unknown} nodes {nodes} time {:.3} cpu {:.2} nps {:.0}k lens {lens} shortest {shortest}", wall.as_secs_f64(), (cpu() - c0).as_secs_f64(), nodes as f64 / (cpu() - c0).as_secs_f64() / 1000.0);
    }
}
