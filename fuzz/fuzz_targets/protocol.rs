//! No line makes the readers of USI and of the CSA protocol panic; what they read, they write so that it
//! reads the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tesuji_csa::{ClientLine, GameName, EvalComment, ServerLine, GameSummaryReader};
use tesuji_match::player_spec::{PlayerSpec, opening};
use tesuji_usi::{Command, Reply};

fuzz_target!(|bytes: &[u8]| {
    let line = String::from_utf8_lossy(bytes);
    let parsed = Command::read(&line);
    for warning in &parsed.warnings {
        assert!(warning.to_string().len() < 400);
    }
    if let Some(command) = parsed.command {
        assert_eq!(Command::read(&command.to_string()).command, Some(command));
    }
    if let Some(reply) = Reply::read(&line) {
        let written = reply.to_string();
        let again = Reply::read(&written).map(|reply| reply.to_string());
        assert_eq!(again, Some(written));
    }
    let _ = line.parse::<PlayerSpec>();
    let _ = opening(&line);
    let mut summary = GameSummaryReader::default();
    for line in line.lines() {
        let said = ServerLine::read(line).to_string();
        assert_eq!(ServerLine::read(&said).to_string(), said);
        let said = ClientLine::read(line).to_wire();
        assert_eq!(ClientLine::read(&said).to_wire(), said);
        let _ = (summary.take(line), GameName::of_password(line));
        let _ = EvalComment::read(line, &tesuji_shogi::Position::start());
    }
});
