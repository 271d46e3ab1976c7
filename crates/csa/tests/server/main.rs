//! The server over real sockets: strangers, pieces of lines, players who vanish, floods, files.

mod attacks;
mod flood;
mod guest;
mod storage;

use guest::{Guest, RunningServer, wait_for_record};
use std::io::{Read, Write};
use tesuji_csa::server::ServerConfig;

#[test]
fn a_server_survives_its_guests_and_keeps_every_move() {
    let folder = tempfile::tempdir().unwrap();
    let server = RunningServer::start(ServerConfig::default(), folder.path());
    let address = server.address;
    // Nonsense, an endless line, somebody who leaves at once: nobody else notices.
    let mut stranger = Guest::connect(address);
    stranger
        .stream
        .write_all(b"\xff\x00GET / HTTP/1.1\r\n")
        .unwrap();
    assert_eq!(stranger.wait("LOGIN:"), "LOGIN:incorrect\n");
    let mut endless = Guest::connect(address);
    let _ = endless.stream.write_all(&[b'x'; 40_000]);
    let mut rest = Vec::new();
    let _ = endless.reader.read_to_end(&mut rest);
    assert!(rest.is_empty());
    drop(Guest::connect(address));

    let [mut black, mut white] = Guest::pair(address, "game-60-1F");
    for (number, mv) in ["+7776FU", "-3334FU", "+2726FU"].iter().enumerate() {
        let guest = if number % 2 == 0 {
            &mut black
        } else {
            &mut white
        };
        guest.say(&format!("{mv}\n"));
        guest.wait(mv);
        wait_for_record(folder.path(), mv);
    }
    // A player who vanishes on its turn has resigned.
    drop(white);
    assert!(black.wait("#WIN").ends_with("%TORYO\n#RESIGN\n#WIN\n"));
    wait_for_record(folder.path(), "%TORYO");
    let mut rest = String::new();
    assert_eq!(
        black.reader.read_to_string(&mut rest).unwrap(),
        0,
        "it is disconnected"
    );

    let results = server.end();
    assert_eq!(
        (results.len(), results[0].winner, results[0].plies),
        (1, "black", 3)
    );
    let list = std::fs::read_to_string(folder.path().join("results.tsv")).unwrap();
    assert_eq!(list.lines().count(), 2);
    assert!(list.contains("\tann\tbob\tblack\tRESIGN\t3\t"), "{list}");
}
