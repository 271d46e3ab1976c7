//! A PostgreSQL of a test's own: made, started, stopped and thrown away by it.
#![allow(dead_code, reason = "each file of tests uses a part of it")]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// A server on a free port, with its data in a temporary folder.
pub(crate) struct TestPostgres {
    programs: PathBuf,
    folder: TempDir,
    /// Where it listens on this machine.
    pub(crate) port: u16,
}

impl TestPostgres {
    /// Makes a cluster and starts it. Local sockets are trusted, everybody else shows a password.
    pub(crate) fn start() -> Self {
        let folder = tempfile::Builder::new()
            .prefix("tesuji-pg")
            .tempdir()
            .unwrap();
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        drop(listener);
        let server = Self {
            programs: programs(),
            folder,
            port,
        };
        if is_root() {
            // The server refuses to run as root; Debian's package brings a user for it.
            let status = Command::new("chown")
                .arg("postgres")
                .arg(server.folder.path())
                .status();
            assert!(status.unwrap().success(), "chown");
        }
        let data = server.data();
        let initdb = [
            "-N",
            "-U",
            "postgres",
            "-A",
            "trust",
            "--auth-host=scram-sha-256",
            "-E",
            "UTF8",
        ];
        server.run(
            "initdb",
            &[&["-D", data.to_str().unwrap()], &initdb[..]].concat(),
        );
        server.go();
        server
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// Runs a program of the server as somebody who is not root.
    fn run(&self, program: &str, arguments: &[&str]) {
        let path = self.programs.join(program);
        let mut command = match is_root() {
            true => {
                let mut command = Command::new("runuser");
                command.args(["-u", "postgres", "--"]).arg(path);
                command
            }
            false => Command::new(path),
        };
        let log = std::fs::File::create(self.folder.path().join(format!("{program}.log"))).unwrap();
        let status = command
            .args(arguments)
            .current_dir(self.folder.path())
            .stdout(log.try_clone().unwrap())
            .stderr(log)
            .stdin(Stdio::null())
            .status()
            .unwrap();
        let said = std::fs::read_to_string(self.folder.path().join(format!("{program}.log")));
        assert!(
            status.success(),
            "{program} {arguments:?}: {}",
            said.unwrap_or_default()
        );
    }

    /// Starts the server.
    pub(crate) fn go(&self) {
        let options = format!(
            "-p {} -c listen_addresses=127.0.0.1 -c unix_socket_directories='{}' \
             -c max_connections=600 -c shared_buffers=64MB",
            self.port,
            self.folder.path().display()
        );
        let (data, log) = (self.data(), self.folder.path().join("server.log"));
        let arguments = ["-w", "-t", "120", "-D", data.to_str().unwrap(), "-l"];
        let rest = [log.to_str().unwrap(), "-o", &options, "start"];
        self.run("pg_ctl", &[&arguments[..], &rest[..]].concat());
    }

    /// Stops the server at once, as a power cut would: no connection is told, nothing is written.
    pub(crate) fn stop_at_once(&self) {
        let data = self.data();
        self.run(
            "pg_ctl",
            &[
                "-D",
                data.to_str().unwrap(),
                "-m",
                "immediate",
                "-w",
                "stop",
            ],
        );
    }

    /// The address for whoever owns it, through the local socket.
    pub(crate) fn owner_address(&self, database: &str) -> String {
        let folder = self.folder.path().display().to_string().replace('/', "%2F");
        format!("postgres://postgres@{folder}:{}/{database}", self.port)
    }

    /// The address for a role with a password.
    pub(crate) fn address(&self, role: &str, password: &str, database: &str) -> String {
        format!(
            "postgres://{role}:{password}@127.0.0.1:{}/{database}",
            self.port
        )
    }

    /// Makes a database.
    pub(crate) fn create_database(&self, name: &str) {
        let (folder, port) = (self.folder.path().to_str().unwrap(), self.port.to_string());
        self.run(
            "createdb",
            &["-h", folder, "-p", &port, "-U", "postgres", name],
        );
    }
}

impl Drop for TestPostgres {
    fn drop(&mut self) {
        let data = self.data();
        if data.join("postmaster.pid").exists() {
            self.run(
                "pg_ctl",
                &["-D", data.to_str().unwrap(), "-m", "immediate", "stop"],
            );
        }
    }
}

fn is_root() -> bool {
    let output = Command::new("id").arg("-u").output().unwrap();
    String::from_utf8_lossy(&output.stdout).trim() == "0"
}

/// Where the programs of PostgreSQL are: Debian keeps them apart, by version.
fn programs() -> PathBuf {
    let root = Path::new("/usr/lib/postgresql");
    let versions = std::fs::read_dir(root).into_iter().flatten().flatten();
    let number = |path: &PathBuf| -> u32 {
        let name = path.file_name().and_then(|name| name.to_str());
        name.and_then(|name| name.parse().ok()).unwrap_or(0)
    };
    let newest = versions.map(|entry| entry.path()).max_by_key(number);
    if let Some(folder) = newest
        .map(|path| path.join("bin"))
        .filter(|bin| bin.exists())
    {
        return folder;
    }
    let found = std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default())
        .find(|folder| folder.join("initdb").exists());
    found.expect("PostgreSQL is missing: apt-get install postgresql")
}
