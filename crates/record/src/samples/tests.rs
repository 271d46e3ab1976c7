use super::*;
use crate::ending::Ending;
use crate::evaluation::Evaluation;

fn hex(text: &str) -> Vec<u8> {
    (0..text.len() / 2)
        .map(|i| u8::from_str_radix(&text[2 * i..2 * i + 2], 16).unwrap())
        .collect()
}

const START_PSV: &str =
    "58a451220ceb67227e9653221caf447824c22b119e53221ceb6f223e9651220c7b003b1e01000100";
const START_HCPE: &str =
    "58a449210cd757217e8e4d212caf427814c2ab109e4d212cd75f213e8e49210c7b003b1e0100";

#[test]
fn known_records_read_and_write() {
    for (format, bytes) in [
        (SampleFormat::Psv, START_PSV),
        (SampleFormat::Hcpe, START_HCPE),
    ] {
        let bytes = hex(bytes);
        let sample = format.read(&bytes, format.moves()).unwrap();
        assert_eq!(sample.position, Position::start());
        assert_eq!(sample.value, Value::new(123));
        assert_eq!(sample.mv, Some("7g7f".parse().unwrap()));
        assert_eq!(sample.result, Some(GameResult::Win(Color::Black)));
        assert_eq!(format.write(&sample).unwrap(), bytes);
    }
}

#[test]
fn a_game_becomes_samples_of_every_format_and_back() {
    let mut game = Game::default();
    for (mv, value) in [
        ("7g7f", 30),
        ("3c3d", 20),
        ("8h2b+", 800),
        ("3a2b", -10),
        ("B*4e", 15),
    ] {
        let id = game.push(mv.parse().unwrap()).unwrap();
        game[id].evaluation = Some(Evaluation::of(Value::new(value)));
    }
    game.end(Ending::Resignation);
    let samples = of_game(&game);
    let values: Vec<_> = samples.iter().map(|sample| sample.value.points()).collect();
    assert_eq!(values, [30, -20, 800, 10, 15]);
    for format in [SampleFormat::Psv, SampleFormat::Hcpe] {
        let mut bytes = Vec::new();
        write_all(&mut bytes, format, &samples).unwrap();
        assert_eq!(bytes.len(), 5 * format.size());
        let read: Result<Vec<_>, _> = format.samples(&bytes[..]).collect();
        for (read, written) in read.unwrap().iter().zip(&samples) {
            assert_eq!(
                (read.mv, read.value, read.result),
                (written.mv, written.value, written.result)
            );
            assert_eq!(
                read.position.to_sfen_without_ply(),
                written.position.to_sfen_without_ply()
            );
        }
    }
}

#[test]
fn doubtful_files_are_refused() {
    let read =
        |format: SampleFormat, bytes: &[u8]| format.samples(bytes).last().unwrap().unwrap_err();
    let psv = hex(START_PSV);
    let twice: Vec<u8> = psv.iter().chain(&psv[..39]).copied().collect();
    let error = read(SampleFormat::Psv, &twice);
    assert!(matches!(
        error,
        SampleError {
            record: 2,
            problem: SampleProblem::CutOff {
                found: 39,
                size: 40
            }
        }
    ));
    // A drop in the layout of the other format.
    let mut sample = SampleFormat::Psv.read(&psv, MoveLayout::Flagged).unwrap();
    sample.position = Position::from_sfen("4k4/9/9/9/9/9/9/9/4K4 b G 1").unwrap();
    sample.mv = Some("G*5e".parse().unwrap());
    let mut bytes = SampleFormat::Psv.write(&sample).unwrap();
    bytes[34..36].copy_from_slice(&MoveLayout::Shifted.write(sample.mv.unwrap()).to_le_bytes());
    let error = read(SampleFormat::Psv, &bytes);
    assert!(
        matches!(error.problem, SampleProblem::OtherLayout(0x2ba8, "HCPE")),
        "{error}"
    );
    let told: Vec<_> = SampleFormat::Psv
        .samples(&bytes[..])
        .with_moves(MoveLayout::Shifted)
        .collect();
    assert_eq!(told[0].as_ref().unwrap().mv, sample.mv);
    // A gold dropped by the third numbering is a bishop, which is not in hand.
    bytes[34..36].copy_from_slice(&0x42a8u16.to_le_bytes());
    assert!(matches!(
        read(SampleFormat::Psv, &bytes).problem,
        SampleProblem::Move { .. }
    ));
    let mut bytes = psv;
    bytes[38] = 2;
    assert!(matches!(
        read(SampleFormat::Psv, &bytes).problem,
        SampleProblem::Result(2)
    ));
}
