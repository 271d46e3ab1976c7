//! Time controls as records write them: `$TIME` and `$TIME_LIMIT` of CSA, 持ち時間 of Japanese records.
//!
//! Records keep the times, not how a server counted them.

use std::time::Duration;
use tesuji_game::TimeControl;

/// `main+byoyomi+increment` in seconds, as `$TIME` of CSA has it.
pub fn to_csa(control: &TimeControl) -> String {
    let [main, byoyomi, increment] =
        [control.main, control.byoyomi, control.increment].map(seconds);
    format!("{main}+{byoyomi}+{increment}")
}

/// Reads `900+0+5`; what is absent is 0.
pub fn from_csa(text: &str) -> Option<TimeControl> {
    let mut parts = text.split('+').map(|part| parse_seconds(part.trim()));
    let main = parts.next()??;
    let byoyomi = parts.next().unwrap_or(Some(Duration::ZERO))?;
    let increment = parts.next().unwrap_or(Some(Duration::ZERO))?;
    parts.next().is_none().then_some(TimeControl {
        main,
        byoyomi,
        increment,
        ..TimeControl::default()
    })
}

/// `HH:MM+SS`, as `$TIME_LIMIT` of older CSA has it, if nothing is lost by that.
pub(crate) fn to_limit(control: &TimeControl) -> Option<String> {
    let (main, byoyomi) = (control.main.as_secs(), control.byoyomi.as_secs());
    let whole = control.increment.is_zero()
        && control.main == Duration::from_secs(main / 60 * 60)
        && control.byoyomi == Duration::from_secs(byoyomi);
    let fits = main < 100 * 3600 && byoyomi < 100;
    (whole && fits).then(|| format!("{:02}:{:02}+{byoyomi:02}", main / 3600, main / 60 % 60))
}

/// Reads `HH:MM+SS`.
pub(crate) fn from_limit(text: &str) -> Option<TimeControl> {
    let (main, byoyomi) = text.trim().split_once('+')?;
    let (hours, minutes) = main.split_once(':')?;
    let number = |text: &str| text.trim().parse::<u32>().ok().map(u64::from);
    let main = number(hours)? * 3600 + number(minutes)? * 60;
    (main < LONGEST.as_secs()).then_some(TimeControl {
        main: Duration::from_secs(main),
        byoyomi: Duration::from_secs(number(byoyomi)?),
        ..TimeControl::default()
    })
}

/// As a Japanese record says it: `15分+秒読み60秒`.
pub(crate) fn to_japanese(control: &TimeControl) -> String {
    let whole = control.main.as_secs();
    let (hours, minutes, rest) = (
        whole / 3600,
        whole / 60 % 60,
        control.main - Duration::from_secs(whole / 60 * 60),
    );
    let mut text = String::new();
    if hours > 0 {
        text += &format!("{hours}時間");
    }
    if minutes > 0 {
        text += &format!("{minutes}分");
    }
    if !rest.is_zero() || text.is_empty() {
        text += &format!("{}秒", seconds(rest));
    }
    if !control.byoyomi.is_zero() {
        text += &format!("+秒読み{}秒", seconds(control.byoyomi));
    }
    if !control.increment.is_zero() {
        text += &format!("+加算{}秒", seconds(control.increment));
    }
    text
}

/// Reads what [`to_japanese`] writes, and `各6時間`, `15分＋60秒`.
pub(crate) fn from_japanese(text: &str) -> Option<TimeControl> {
    let mut control = TimeControl::default();
    let mut parts = text.trim().split(['+', '＋']);
    let main = parts.next()?.trim();
    control.main = span(main.strip_prefix('各').unwrap_or(main))?;
    for part in parts {
        let part = part.trim();
        if let Some(increment) = part.strip_prefix("加算") {
            control.increment = span(increment)?;
        } else {
            control.byoyomi = span(part.strip_prefix("秒読み").unwrap_or(part))?;
        }
    }
    Some(control)
}
/// What comes from outside must stay within what can be written again.
const LONGEST: Duration = Duration::from_secs(u32::MAX as u64);

/// Reads `1時間30分`, `45秒`.
fn span(text: &str) -> Option<Duration> {
    let mut rest = text;
    let mut sum = Duration::ZERO;
    while !rest.is_empty() {
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let (number, unit) = rest.split_at(end);
        let (each, name) = [(3600, "時間"), (60, "分"), (1, "秒")]
            .into_iter()
            .find(|(_, name)| unit.starts_with(name))?;
        sum = sum.checked_add(parse_seconds(number)?.checked_mul(each)?)?;
        rest = &unit[name.len()..];
    }
    (!text.is_empty() && sum < LONGEST).then_some(sum)
}

/// Seconds with as many decimals as needed, three at most.
pub fn seconds(time: Duration) -> String {
    match time.subsec_millis() {
        0 => time.as_secs().to_string(),
        millis => {
            let text = format!("{}.{millis:03}", time.as_secs());
            text.trim_end_matches('0').to_string()
        }
    }
}

/// Reads seconds with up to three decimals; more are cut off.
pub fn parse_seconds(text: &str) -> Option<Duration> {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
    let is_number = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    if whole.is_empty() || !is_number(whole) || !is_number(decimals) {
        return None;
    }
    let seconds: u32 = whole.parse().ok()?;
    let millis = decimals.bytes().chain([b'0'; 3]).take(3);
    let millis = millis.fold(0, |sum, digit| sum * 10 + u64::from(digit - b'0'));
    Some(Duration::from_secs(seconds.into()) + Duration::from_millis(millis))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn control(main: u64, byoyomi: u64, increment: u64) -> TimeControl {
        let [main, byoyomi, increment] = [main, byoyomi, increment].map(Duration::from_millis);
        TimeControl {
            main,
            byoyomi,
            increment,
            ..TimeControl::default()
        }
    }

    #[test]
    fn clocks_read_back_the_same() {
        for clock in [
            control(0, 0, 0),
            control(900_000, 0, 5_000),
            control(21_600_000, 60_000, 0),
            control(61_500, 250, 1_001),
            control(3_600_000, 30_000, 5_000),
        ] {
            assert_eq!(from_csa(&to_csa(&clock)), Some(clock));
            assert_eq!(from_japanese(&to_japanese(&clock)), Some(clock));
            if let Some(limit) = to_limit(&clock) {
                assert_eq!(from_limit(&limit), Some(clock));
            }
        }
    }

    #[test]
    fn clocks_of_many_spellings() {
        assert_eq!(from_limit("00:25+00"), Some(control(1_500_000, 0, 0)));
        assert_eq!(from_japanese("各6時間"), Some(control(21_600_000, 0, 0)));
        assert_eq!(
            from_japanese("15分＋60秒"),
            Some(control(900_000, 60_000, 0))
        );
        assert_eq!(from_csa("10.5"), Some(control(10_500, 0, 0)));
        for text in ["", "時間", "6", "6時間弱", "1時間+", "99999999999999時間"] {
            assert_eq!(from_japanese(text), None, "{text}");
        }
        for text in ["", "+", "1+2+3+4", "1..2", "-1"] {
            assert_eq!(from_csa(text), None, "{text}");
        }
    }
}
