//! Records that cannot be written: the games go on, and the records come when they can.

use crate::guest::{Guest, RunningServer, wait_for_record};
use std::sync::mpsc;
use std::time::Duration;
use tesuji_csa::server::{Ratings, Server, ServerConfig, ServerEvent};

#[test]
fn games_go_on_without_a_disk_and_are_written_later() {
    let folder = tempfile::tempdir().unwrap();
    let (home, aside) = (folder.path().join("league"), folder.path().join("aside"));
    let (tell, told) = mpsc::channel();
    let server = Server::bind("127.0.0.1:0", ServerConfig::default()).unwrap();
    let server = server
        .rating(Ratings::default(), home.join("ratings.tsv"))
        .with_observer(move |event| {
            let _ = tell.send(event.clone());
        });
    let server = RunningServer::run(server, &home);
    // The folder is gone, and a file is in its place: even root cannot write there.
    std::fs::rename(&home, &aside).unwrap();
    std::fs::write(&home, "in the way").unwrap();
    let [mut black, mut white] = Guest::pair(server.address, "game-60-1F");
    black.say("+7776FU\n");
    white.wait("+7776FU,");
    let patience = Duration::from_secs(60);
    let first = told.recv_timeout(patience).unwrap();
    let ServerEvent::Unwritten(what) = first else {
        panic!("{first:?}");
    };
    assert!(what.contains("league"), "{what}");
    // The game goes on, and another one after it.
    white.say("%TORYO\n");
    black.wait("#WIN");
    drop((black, white));
    let [mut black, mut white] = Guest::pair(server.address, "other-60-1F");
    black.say("+2726FU\n");
    white.wait("+2726FU,");
    std::fs::remove_file(&home).unwrap();
    std::fs::rename(&aside, &home).unwrap();
    assert_eq!(
        told.recv_timeout(patience).unwrap(),
        ServerEvent::WrittenAfterAll
    );
    white.say("%TORYO\n");
    black.wait("#WIN");
    assert_eq!(server.end().len(), 2);
    let list = std::fs::read_to_string(home.join("results.tsv")).unwrap();
    assert_eq!(list.lines().count(), 3, "{list}");
    for line in list.lines().skip(1) {
        let record = line.split('\t').next_back().unwrap();
        let record = std::fs::read_to_string(home.join(record)).unwrap();
        assert!(record.contains("%TORYO"), "{record}");
    }
    let ratings = std::fs::read_to_string(home.join("ratings.tsv")).unwrap();
    let ratings = Ratings::read(&ratings).unwrap();
    assert_eq!(ratings.of("ann").games, 2);
    assert!(ratings.of("ann").elo > ratings.of("bob").elo);
}

/// A file system of a few kilobytes, where the system lets us have one.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_leaves_no_half_of_a_list() {
    let folder = tempfile::tempdir().unwrap();
    let mount = |arguments: &[&str]| {
        let done = std::process::Command::new("mount").args(arguments).output();
        done.is_ok_and(|output| output.status.success())
    };
    let place = folder.path().to_str().unwrap();
    let is_small = mount(&["-t", "tmpfs", "-o", "size=16k", "tmpfs", place]);
    let server = RunningServer::start(ServerConfig::default(), folder.path());
    let stone = folder.path().join("stone");
    if is_small {
        // Fills what there is.
        let _ = std::fs::write(&stone, [0; 32 << 10]);
    }
    let [mut black, mut white] = Guest::pair(server.address, "game-60-1F");
    black.say("+7776FU\n");
    white.wait("+7776FU,");
    white.say("%TORYO\n");
    black.wait("#WIN");
    let _ = std::fs::remove_file(&stone);
    wait_for_record(folder.path(), "%TORYO");
    assert_eq!(server.end().len(), 1);
    let list = std::fs::read_to_string(folder.path().join("results.tsv")).unwrap();
    assert_eq!(list.lines().count(), 2, "{list}");
    if is_small {
        let left = std::process::Command::new("umount").arg(place).status();
        assert!(left.is_ok_and(|status| status.success()));
    }
}
