//! No line makes the readers of USI panic; what they read, they write so that it reads the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tesuji_arena::entry::{Entry, opening};
use tesuji_arena::usi::{Command, Reply};

fuzz_target!(|bytes: &[u8]| {
    let line = String::from_utf8_lossy(bytes);
    let reading = Command::read(&line);
    for complaint in &reading.complaints {
        assert!(complaint.to_string().len() < 400);
    }
    if let Some(command) = reading.command {
        assert_eq!(Command::read(&command.to_string()).command, Some(command));
    }
    if let Some(reply) = Reply::read(&line) {
        let written = reply.to_string();
        let again = Reply::read(&written).map(|reply| reply.to_string());
        assert_eq!(again, Some(written));
    }
    let _ = line.parse::<Entry>();
    let _ = opening(&line);
});
