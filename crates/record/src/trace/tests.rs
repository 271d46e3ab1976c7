use super::*;
use tesuji_shogi::Board;

fn random(seed: u64) -> GameTrace {
    let mut number = seed;
    let mut roll = |sides: usize| {
        number = number
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (number >> 33) as usize % sides
    };
    let mut pos = Position::start();
    for _ in 0..[0, 30][roll(2)] {
        let moves = pos.legal_moves();
        pos.play(moves.get(roll(moves.len())).unwrap());
    }
    let start = pos.setup().build().unwrap();
    let mut plies = Vec::new();
    for _ in 0..roll(100) {
        let moves = pos.legal_moves();
        if moves.is_empty() {
            break;
        }
        let mv = moves.get(roll(moves.len())).unwrap();
        let visits = moves
            .iter()
            .take(roll(5))
            .map(|mv| (mv, roll(65_536) as u16))
            .collect();
        let value = Value::new(roll(60_000) as i32 - 30_000);
        plies.push(TracePly { mv, value, visits });
        pos.play(mv);
    }
    let result = [
        GameResult::Draw,
        GameResult::Win(Color::Black),
        GameResult::Win(Color::White),
    ][roll(3)];
    let reason = [0, REPETITION, DECLARATION, MOVE_LIMIT][roll(4)];
    GameTrace {
        start,
        plies,
        result,
        reason,
        opponent: roll(3) as u8,
    }
}

#[test]
fn traces_read_back_the_same() {
    let traces: Vec<_> = (0..40).map(random).collect();
    for format in [TraceFormat::Hcpe3, TraceFormat::Pack] {
        let bytes: Vec<u8> = traces
            .iter()
            .flat_map(|trace| format.write(trace).unwrap())
            .collect();
        let read: Result<Vec<_>, _> = format.traces(&bytes[..]).collect();
        let kept: Vec<_> = traces.iter().map(|trace| format.keeps(trace)).collect();
        assert_eq!(read.unwrap(), kept);
        let cut = format.traces(&bytes[..bytes.len() - 1]).last().unwrap();
        assert!(matches!(
            cut.unwrap_err().problem,
            SampleProblem::CutOff { .. }
        ));
    }
}

#[test]
fn a_trace_is_a_game_with_the_same_result() {
    for trace in (0..40).map(random) {
        let game = trace.to_game().unwrap();
        assert_eq!(game.result(), Some(trace.result));
        let again = GameTrace::of_game(&game).unwrap();
        assert_eq!(again.plies.len(), trace.plies.len());
        for (a, b) in again.plies.iter().zip(&trace.plies) {
            assert_eq!((a.mv, a.value), (b.mv, b.value));
        }
        assert_eq!(trace.samples().len(), trace.plies.len());
    }
}
