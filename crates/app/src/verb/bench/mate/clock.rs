//! How much the processor worked for a process, and how much memory it took.

use std::time::Duration;

/// What this process used so far; `None` where the system does not tell.
#[cfg(unix)]
pub(super) fn own() -> Option<Duration> {
    use rustix::time::{ClockId, clock_gettime};
    let time = clock_gettime(ClockId::ProcessCPUTime);
    let (seconds, nanos) = (time.tv_sec.try_into(), time.tv_nsec.try_into());
    Some(Duration::new(seconds.ok()?, nanos.ok()?))
}

/// What this process used so far; `None` where the system does not tell.
#[cfg(not(unix))]
pub(super) fn own() -> Option<Duration> {
    None
}

/// What another process used so far, in steps of a hundredth of a second.
pub(super) fn of(process: u32) -> Option<Duration> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name of the program, in brackets, may hold anything.
    let (_, fields) = stat.rsplit_once(')')?;
    let mut fields = fields.split_whitespace().skip(11);
    let mut ticks = || fields.next()?.parse::<u64>().ok();
    let (user, system) = (ticks()?, ticks()?);
    Some(Duration::from_millis(10 * (user + system)))
}

/// The most memory a process ever had, in bytes.
pub(super) fn memory_of(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes << 10)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn work_is_seen_from_inside_and_outside() {
        let (before, me) = (own().unwrap(), std::process::id());
        let mut sum = 0u64;
        while own().unwrap() - before < Duration::from_millis(30) {
            sum = std::hint::black_box(sum + 1);
        }
        assert!(of(me).unwrap() > Duration::ZERO);
        assert!(memory_of(me).unwrap() > 1 << 16);
    }
}
