//! The verb that opens the board: what it prints, whom it refuses.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

fn tesuji(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
    command
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// Ends the server whatever happens.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn it_prints_its_address_and_serves_the_page() {
    let data = tempfile::tempdir().unwrap();
    let folder = data.path().to_str().unwrap();
    let child = tesuji(&["play", "--no-open", "--port", "0", "--data", folder]).spawn();
    let mut running = Running(child.unwrap());
    let mut line = String::new();
    let out = running.0.stdout.take().unwrap();
    BufReader::new(out).read_line(&mut line).unwrap();
    let host = line
        .trim()
        .strip_prefix("http://")
        .unwrap()
        .trim_end_matches('/');
    assert!(host.starts_with("127.0.0.1:"), "{line}");
    let mut stream = TcpStream::connect(host).unwrap();
    write!(
        stream,
        "GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
    )
    .unwrap();
    let mut page = String::new();
    stream.read_to_string(&mut page).unwrap();
    assert!(page.starts_with("HTTP/1.1 200") && page.contains("main.js"));
}

#[test]
fn another_host_without_a_token_is_refused_with_the_reason() {
    let output = tesuji(&["play", "--no-open", "--port", "0", "--host", "0.0.0.0"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        said.contains("other machines") && said.contains("--token"),
        "{said}"
    );
    let short = ["play", "--no-open", "--port", "0", "--token", "short"];
    let output = tesuji(&short).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
}
