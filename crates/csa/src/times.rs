//! Time controls in the words of servers, and what an engine is told of their clocks.

use std::fmt::Write;
use std::time::Duration;
use tesuji_game::{GameClock, TimeControl};
use tesuji_shogi::Color;
use tesuji_usi::Times;

/// What an empty time block says: seconds, and none of them.
pub(crate) const NO_TIME: TimeControl = TimeControl {
    main: Duration::ZERO,
    byoyomi: Duration::ZERO,
    increment: Duration::ZERO,
    delay: Duration::ZERO,
    unit: Duration::from_secs(1),
    round_up: false,
    least: Duration::ZERO,
};

/// How long is waited for a side that has no clock.
pub(crate) const FOREVER: Duration = Duration::from_secs(LONGEST);

/// Longer than any game, short enough to be added and multiplied.
const LONGEST: u64 = 1_000_000_000;

/// What an engine is told to take for a move where no clock runs.
const LEISURE: Duration = Duration::from_secs(10);

/// Sets what a line of a time block says; `false` if it says nothing known.
pub(crate) fn read_line(control: &mut TimeControl, key: &str, value: &str) -> bool {
    let number = |text: &str| text.parse().ok().filter(|&number: &u64| number <= LONGEST);
    match key {
        "Time_Unit" => {
            let digits = value.trim_end_matches(|c: char| c.is_ascii_alphabetic());
            let name = &value[digits.len()..];
            let count = if digits.is_empty() {
                Some(1)
            } else {
                number(digits)
            };
            let millis = match name {
                "msec" => 1,
                "sec" => 1000,
                "min" => 60_000,
                _ => return false,
            };
            match count.filter(|&count| count > 0) {
                Some(count) => control.unit = Duration::from_millis(count * millis),
                None => return false,
            }
        }
        "Time_Roundup" => control.round_up = value == "YES",
        _ => {
            let place = match key {
                "Total_Time" => &mut control.main,
                "Byoyomi" => &mut control.byoyomi,
                "Increment" => &mut control.increment,
                "Delay" => &mut control.delay,
                "Least_Time_Per_Move" => &mut control.least,
                _ => return false,
            };
            let Some(units) = number(value) else {
                return false;
            };
            // Units are applied when the block is complete: their line may come last.
            *place = Duration::from_secs(units);
        }
    }
    true
}

/// Turns numbers of units, read as seconds, into times.
pub(crate) fn scaled(mut control: TimeControl) -> TimeControl {
    let unit = control.unit;
    for time in [
        &mut control.main,
        &mut control.byoyomi,
        &mut control.increment,
        &mut control.delay,
        &mut control.least,
    ] {
        let units = u32::try_from(time.as_secs()).unwrap_or(u32::MAX);
        let longest = Duration::from_secs(LONGEST);
        *time = unit.checked_mul(units).unwrap_or(longest).min(longest);
    }
    control
}

/// The lines of a time block, without BEGIN and END.
pub(crate) fn write_lines(control: &TimeControl) -> String {
    let millis = control.unit.as_millis().max(1);
    let unit = match millis {
        _ if millis.is_multiple_of(60_000) => format!("{}min", millis / 60_000),
        _ if millis.is_multiple_of(1000) => format!("{}sec", millis / 1000),
        _ => format!("{millis}msec"),
    };
    let mut text = format!("Time_Unit:{unit}\n");
    let units = |time: Duration| time.as_millis() / millis;
    let mut line = |key: &str, time: Duration, always: bool| {
        if always || !time.is_zero() {
            let _ = writeln!(text, "{key}:{}", units(time));
        }
    };
    line("Total_Time", control.main, true);
    line("Byoyomi", control.byoyomi, true);
    line("Increment", control.increment, false);
    line("Delay", control.delay, false);
    line("Least_Time_Per_Move", control.least, true);
    if control.round_up {
        text += "Time_Roundup:YES\n";
    }
    text
}

/// What an engine is told that plays `color`, with a margin kept back.
pub(crate) fn engine_times(clock: &GameClock, color: Color, margin: Duration) -> Times {
    let control = clock.control(color);
    // Who rounds up takes a unit for a moment.
    let kept = margin
        + if control.round_up {
            control.unit
        } else {
            Duration::ZERO
        };
    let left = clock.left(color).saturating_sub(kept);
    let rest = kept.saturating_sub(clock.left(color));
    let mut times = Times::default();
    for side in Color::ALL {
        times.left[side] = Some(if side == color {
            left
        } else {
            clock.left(side)
        });
    }
    if control.is_unlimited() {
        times.byoyomi = Some(LEISURE);
    } else if control.byoyomi > Duration::ZERO {
        let byoyomi = control.byoyomi + control.increment + control.delay;
        times.byoyomi = Some(byoyomi.saturating_sub(rest));
    } else {
        for side in Color::ALL {
            let other = clock.control(side);
            let increment = other.increment + other.delay;
            let rest = if side == color { rest } else { Duration::ZERO };
            times.increment[side] = Some(increment.saturating_sub(rest));
        }
    }
    times
}
