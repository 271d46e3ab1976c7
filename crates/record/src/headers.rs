//! What stands above the moves: names, places, dates, clocks.

use std::time::Duration;
use tesuji_shogi::{ByColor, Color};

/// What is known about a game besides its moves. An empty text means "not known".
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Headers {
    /// Who played.
    pub players: ByColor<String>,
    /// 棋戦: the tournament.
    pub event: String,
    /// 場所: where it was played.
    pub site: String,
    /// 開始日時: when it began, best as `2026/11/15 10:00:00`.
    pub start_time: String,
    /// 終了日時: when it ended.
    pub end_time: String,
    /// 戦型: what the opening is called.
    pub opening: String,
    /// 備考: anything else worth saying, in lines.
    pub note: String,
    /// 持ち時間: how much time each side had.
    pub clocks: ByColor<Option<TimeControl>>,
    /// 最大手数: after how many moves the game was to be drawn.
    pub move_limit: Option<u32>,
    /// How many points a declaration needed at least: 24 or 27.
    pub declaration_points: Option<u8>,
    /// Whatever else a record had, in its order.
    pub others: Vec<(String, String)>,
}

impl Headers {
    /// The value of a header that has no field of its own.
    pub fn other(&self, key: &str) -> Option<&str> {
        let mut others = self.others.iter();
        others
            .find(|(name, _)| name == key)
            .map(|(_, value)| value.as_str())
    }

    /// Gives both sides the same clock.
    pub fn set_clock(&mut self, clock: TimeControl) {
        self.clocks = ByColor([Some(clock); 2]);
    }

    /// The clock of both sides, if it is the same.
    pub fn common_clock(&self) -> Option<TimeControl> {
        self.clocks[Color::Black].filter(|_| self.clocks[Color::Black] == self.clocks[Color::White])
    }
}

/// How much time a side has.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct TimeControl {
    /// For the whole game.
    pub main: Duration,
    /// 秒読み: for every move once the main time is used up.
    pub byoyomi: Duration,
    /// Added for every move.
    pub increment: Duration,
}

impl TimeControl {
    /// `main+byoyomi+increment` in seconds, as `$TIME` of CSA has it.
    pub fn to_csa(self) -> String {
        let [main, byoyomi, increment] = [self.main, self.byoyomi, self.increment].map(seconds);
        format!("{main}+{byoyomi}+{increment}")
    }

    /// Reads `900+0+5`; what is absent is 0.
    pub fn from_csa(text: &str) -> Option<Self> {
        let mut parts = text.split('+').map(|part| parse_seconds(part.trim()));
        let main = parts.next()??;
        let byoyomi = parts.next().unwrap_or(Some(Duration::ZERO))?;
        let increment = parts.next().unwrap_or(Some(Duration::ZERO))?;
        parts.next().is_none().then_some(Self {
            main,
            byoyomi,
            increment,
        })
    }

    /// `HH:MM+SS`, as `$TIME_LIMIT` of older CSA has it, if nothing is lost by that.
    pub(crate) fn to_limit(self) -> Option<String> {
        let (main, byoyomi) = (self.main.as_secs(), self.byoyomi.as_secs());
        let whole = self.increment.is_zero()
            && self.main == Duration::from_secs(main / 60 * 60)
            && self.byoyomi == Duration::from_secs(byoyomi);
        let fits = main < 100 * 3600 && byoyomi < 100;
        (whole && fits).then(|| format!("{:02}:{:02}+{byoyomi:02}", main / 3600, main / 60 % 60))
    }

    /// Reads `HH:MM+SS`.
    pub(crate) fn from_limit(text: &str) -> Option<Self> {
        let (main, byoyomi) = text.trim().split_once('+')?;
        let (hours, minutes) = main.split_once(':')?;
        let number = |text: &str| text.trim().parse::<u32>().ok().map(u64::from);
        let main = number(hours)? * 3600 + number(minutes)? * 60;
        (main < LONGEST.as_secs()).then_some(Self {
            main: Duration::from_secs(main),
            byoyomi: Duration::from_secs(number(byoyomi)?),
            increment: Duration::ZERO,
        })
    }

    /// As a Japanese record says it: `15分+秒読み60秒`.
    pub fn to_japanese(self) -> String {
        let whole = self.main.as_secs();
        let (hours, minutes, rest) = (
            whole / 3600,
            whole / 60 % 60,
            self.main - Duration::from_secs(whole / 60 * 60),
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
        if !self.byoyomi.is_zero() {
            text += &format!("+秒読み{}秒", seconds(self.byoyomi));
        }
        if !self.increment.is_zero() {
            text += &format!("+加算{}秒", seconds(self.increment));
        }
        text
    }

    /// Reads what [`TimeControl::to_japanese`] writes, and `各6時間`, `15分＋60秒`.
    pub fn from_japanese(text: &str) -> Option<Self> {
        let mut control = Self::default();
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

/// A note of several lines as one.
pub(crate) fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\n', "\\n")
}

/// `\n` and `\\` of a note.
pub(crate) fn unescape(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        plain += &rest[..at];
        let (c, used) = match rest.as_bytes().get(at + 1) {
            Some(b'n') => ('\n', 2),
            Some(b'\\') => ('\\', 2),
            _ => ('\\', 1),
        };
        plain.push(c);
        rest = &rest[at + used..];
    }
    plain + rest
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
            assert_eq!(TimeControl::from_csa(&clock.to_csa()), Some(clock));
            assert_eq!(
                TimeControl::from_japanese(&clock.to_japanese()),
                Some(clock)
            );
            if let Some(limit) = clock.to_limit() {
                assert_eq!(TimeControl::from_limit(&limit), Some(clock));
            }
        }
    }

    #[test]
    fn clocks_of_many_spellings() {
        assert_eq!(
            TimeControl::from_limit("00:25+00"),
            Some(control(1_500_000, 0, 0))
        );
        assert_eq!(
            TimeControl::from_japanese("各6時間"),
            Some(control(21_600_000, 0, 0))
        );
        assert_eq!(
            TimeControl::from_japanese("15分＋60秒"),
            Some(control(900_000, 60_000, 0))
        );
        assert_eq!(TimeControl::from_csa("10.5"), Some(control(10_500, 0, 0)));
        for text in ["", "時間", "6", "6時間弱", "1時間+", "99999999999999時間"] {
            assert_eq!(TimeControl::from_japanese(text), None, "{text}");
        }
        for text in ["", "+", "1+2+3+4", "1..2", "-1"] {
            assert_eq!(TimeControl::from_csa(text), None, "{text}");
        }
    }
}
