//! Processes that are watched and killed.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

/// How many lines of a process wait to be read.
const UNREAD: usize = 10_000;

/// A process whose lines are read; it is killed when it is dropped.
pub(super) struct WatchedProcess {
    child: Child,
    lines: Receiver<String>,
}

impl WatchedProcess {
    /// Starts a program; its standard error is read if `is_error`, else its standard output.
    pub(super) fn start(command: &mut Command, is_error: bool) -> Result<Self, String> {
        let (out, error) = match is_error {
            true => (Stdio::null(), Stdio::piped()),
            false => (Stdio::piped(), Stdio::null()),
        };
        let command = command.stdin(Stdio::piped()).stdout(out).stderr(error);
        let mut child = command.spawn().map_err(|error| error.to_string())?;
        let (sender, lines) = mpsc::sync_channel(UNREAD);
        let stream: Box<dyn std::io::Read + Send> = match (child.stdout.take(), child.stderr.take())
        {
            (Some(out), _) => Box::new(out),
            (_, Some(error)) => Box::new(error),
            _ => return Err("the process says nothing".into()),
        };
        std::thread::spawn(move || {
            for line in BufReader::new(stream).split(b'\n').map_while(Result::ok) {
                if sender
                    .send(String::from_utf8_lossy(&line).into_owned())
                    .is_err()
                {
                    return;
                }
            }
        });
        Ok(Self { child, lines })
    }

    pub(super) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Says a line; a process that is gone is noticed by its silence.
    pub(super) fn say(&mut self, line: &[u8]) {
        if let Some(stdin) = &mut self.child.stdin {
            let _ = stdin.write_all(&[line, b"\n"].concat());
            let _ = stdin.flush();
        }
    }

    /// Reads lines until one begins like that; all of them, that one last.
    pub(super) fn wait(&self, start: &str, patience: Duration) -> Result<Vec<String>, String> {
        let until = Instant::now() + patience;
        let mut heard = Vec::new();
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let Ok(line) = self.lines.recv_timeout(left) else {
                let last = heard.last().cloned().unwrap_or_default();
                return Err(format!(
                    "{start} did not come within {patience:?} after {last:?}"
                ));
            };
            let is_it = line.starts_with(start);
            heard.push(line);
            if is_it {
                return Ok(heard);
            }
        }
    }

    pub(super) fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Waits for its end.
    pub(super) fn end(&mut self, patience: Duration) -> Result<ExitStatus, String> {
        let until = Instant::now() + patience;
        while Instant::now() < until {
            // Whoever does not read what a process says stops it.
            while self.lines.try_recv().is_ok() {}
            match self.child.try_wait() {
                Ok(Some(status)) => return Ok(status),
                Ok(None) => std::thread::sleep(Duration::from_millis(10)),
                Err(error) => return Err(error.to_string()),
            }
        }
        Err(format!("the process did not end within {patience:?}"))
    }
}

impl Drop for WatchedProcess {
    fn drop(&mut self) {
        self.kill();
    }
}

/// How many megabytes of memory a process has; 0 where the system does not say.
pub(super) fn memory(id: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmRSS:"));
    let kilobytes = line.and_then(|line| line.split_ascii_whitespace().nth(1)?.parse().ok());
    kilobytes.unwrap_or(0_u64) >> 10
}

/// The processes that a process has started, in any of its threads, where the system says so.
pub(super) fn children(id: u32) -> Vec<u32> {
    let threads = std::fs::read_dir(format!("/proc/{id}/task"));
    let threads = threads.into_iter().flatten().filter_map(Result::ok);
    threads
        .map(|thread| std::fs::read_to_string(thread.path().join("children")).unwrap_or_default())
        .flat_map(|text| {
            let ids = text.split_ascii_whitespace().map(str::parse);
            ids.filter_map(Result::ok).collect::<Vec<u32>>()
        })
        .collect()
}

/// Whether a process is gone, be it collected by its parent or not.
pub(super) fn has_ended(id: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    let state = stat
        .rsplit(") ")
        .next()
        .and_then(|rest| rest.chars().next());
    matches!(state, None | Some('Z' | 'X'))
}

/// A command whose files cannot grow beyond so many blocks of 512 or 1024 bytes: like a full disk,
/// writing fails.
pub(super) fn limited(own: &Path, blocks: u32, arguments: &[String]) -> Command {
    let mut command = Command::new("sh");
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
    command.arg("-c").arg(script).arg(own).args(arguments);
    command
}

/// A small file system, where the system lets us have one.
pub(super) struct SmallDisk(PathBuf);

impl SmallDisk {
    pub(super) fn mount(place: &Path, kilobytes: u32) -> Option<Self> {
        let size = format!("size={kilobytes}k");
        let mut command = Command::new("mount");
        command
            .args(["-t", "tmpfs", "-o", &size, "tmpfs"])
            .arg(place);
        let done = command.stderr(Stdio::null()).status();
        done.is_ok_and(|status| status.success())
            .then(|| Self(place.into()))
    }

    /// Leaves no room, or room again.
    pub(super) fn fill(&self, is_full: bool) {
        let stone = self.0.join("stone");
        let _ = match is_full {
            true => std::fs::write(stone, vec![0; 4 << 20]),
            false => std::fs::remove_file(stone),
        };
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).status();
    }
}
