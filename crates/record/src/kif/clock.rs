//! The time behind a move: `( 0:16/00:00:16)`.

use crate::times::parse_seconds;
use std::time::Duration;

/// The time of a move and the sum of its side so far.
pub(super) fn write(time: Duration, total: Duration) -> String {
    let (now, sum) = (time.as_secs(), total.as_secs());
    format!(
        "({:2}:{:02}/{:02}:{:02}:{:02})",
        now / 60,
        now % 60,
        sum / 3600,
        sum / 60 % 60,
        sum % 60
    )
}

/// Reads the first time of `( 0:16/00:00:16)` or `(1:02:03)`, and whether a `+` follows. `None` if
/// it is no time.
pub(super) fn read(text: &str) -> Option<Duration> {
    let inner = text.trim_start().strip_prefix(['(', '（'])?;
    let inner = inner.split(['/', ')', '／', '）']).next()?;
    let mut sum = Duration::ZERO;
    for part in inner.trim().split([':', '：']) {
        sum = sum
            .checked_mul(60)?
            .checked_add(parse_seconds(part.trim())?)?;
    }
    (sum < Duration::from_secs(u32::MAX.into())).then_some(sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_many_spellings() {
        let seconds = |text| read(text).map(|time| time.as_secs());
        assert_eq!(seconds("( 0:16/00:00:16)"), Some(16));
        assert_eq!(seconds("(61:02/)"), Some(3662));
        assert_eq!(seconds(" (1:02:03 / 5)+"), Some(3723));
        assert_eq!(
            read("(00:01.5/00:00:01)"),
            Some(Duration::from_millis(1500))
        );
        for text in ["", "(", "()", "(a:b)", "0:16", "(99999999999:0/)"] {
            assert_eq!(read(text), None, "{text}");
        }
        assert_eq!(
            write(Duration::from_secs(16), Duration::from_secs(3723)),
            "( 0:16/01:02:03)"
        );
    }
}
