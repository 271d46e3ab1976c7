//! What holds of every clock.

use super::*;
use proptest::prelude::*;

const fn millis(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

fn clock(text: &str) -> GameClock {
    GameClock::new(ByColor([text.parse().unwrap(); 2]))
}

#[test]
fn an_increment_comes_before_the_move_and_byoyomi_does_not_add_up() {
    let mut fischer = clock("1+0.5");
    assert_eq!(fischer.allows(Color::Black), Some(millis(1500)));
    assert_eq!(fischer.left(Color::Black), millis(1000));
    assert!(fischer.spend(Color::Black, millis(200)).is_some());
    assert_eq!(fischer.allows(Color::Black), Some(millis(1800)));
    assert_eq!(fischer.remaining(Color::Black).main, millis(1300));
    assert_eq!(fischer.allows(Color::White), Some(millis(1500)));
    let mut byoyomi = clock("1b0.5");
    assert!(byoyomi.spend(Color::Black, millis(300)).is_some());
    assert_eq!(byoyomi.allows(Color::Black), Some(millis(1200)));
    assert!(byoyomi.spend(Color::Black, millis(1199)).is_some());
    assert_eq!(byoyomi.allows(Color::Black), Some(millis(500)));
}

#[test]
fn the_flag_falls_when_the_margin_is_used_up() {
    let mut clock = clock("1").with_margin(millis(50));
    assert_eq!(clock.clone().spend(Color::Black, millis(1050)), None);
    let late = clock.spend(Color::Black, millis(1020));
    assert_eq!(late, Some(millis(1020)));
    assert_eq!(clock.allows(Color::Black), Some(Duration::ZERO));
    assert_eq!(clock.flag(Color::Black), Some(millis(50)));
    let mut unlimited = GameClock::new(ByColor::default());
    let spent = unlimited.spend(Color::Black, Duration::MAX);
    assert_eq!(
        (spent, unlimited.flag(Color::Black)),
        (Some(Duration::MAX), None)
    );
}

#[test]
fn a_stopped_clock_has_used_its_increment() {
    let mut clock = clock("0+5");
    clock.interrupt(Color::White, millis(3000));
    assert_eq!(clock.left_with_increment(Color::White), millis(2000));
    assert_eq!(clock.left(Color::White), Duration::ZERO);
    assert_eq!(clock.allows(Color::Black), Some(millis(5000)));
}

/// Times of every order, zero and the longest among them.
fn time() -> impl Strategy<Value = Duration> {
    prop_oneof![
        Just(Duration::ZERO),
        (0..3000u64).prop_map(Duration::from_millis),
        (0..1000u64).prop_map(Duration::from_secs),
        any::<u64>().prop_map(Duration::from_nanos),
    ]
}

fn control() -> impl Strategy<Value = TimeControl> {
    let unit = prop_oneof![
        Just(Duration::ZERO),
        Just(millis(1)),
        Just(millis(1000)),
        Just(millis(60_000)),
    ];
    let times = [time(), time(), time(), time()];
    (times, unit, any::<bool>(), 0..3000u64).prop_map(|(times, unit, round_up, least)| {
        let [main, byoyomi, increment, delay] = times;
        TimeControl {
            main,
            byoyomi,
            increment,
            delay,
            unit,
            round_up,
            least: millis(least),
        }
    })
}

proptest! {
    #[test]
    fn a_cost_counted_twice_is_the_same(control in control(), elapsed in time()) {
        let cost = control.cost(elapsed);
        if control.least.is_zero() || !control.round_up {
            prop_assert_eq!(control.cost(cost), cost);
        }
        prop_assert!(cost >= control.least);
        prop_assert!(control.round_up || cost <= elapsed.max(control.least));
        prop_assert!(!control.round_up || cost >= elapsed);
        prop_assert!(cost.max(elapsed) - cost.min(elapsed) <= control.unit.max(control.least));
    }

    #[test]
    fn a_clock_never_gains_time(
        controls in [control(), control()],
        moves in proptest::collection::vec(time(), 1..40),
    ) {
        let mut clock = GameClock::new(ByColor(controls));
        let mut turn = Color::Black;
        for elapsed in moves {
            let before = clock.clone();
            let cost = clock.control(turn).cost(elapsed);
            let spent = clock.spend(turn, elapsed);
            let control = *clock.control(turn);
            prop_assert!(spent.is_none_or(|spent| spent == cost));
            prop_assert!(clock.left(turn) <= before.left_with_increment(turn));
            let paid = before.left_with_increment(turn).saturating_sub(clock.left(turn));
            prop_assert_eq!(paid, cost.saturating_sub(control.delay).min(before.left_with_increment(turn)));
            prop_assert_eq!(clock.left(turn.foe()), before.left(turn.foe()));
            turn = turn.foe();
        }
    }

    #[test]
    fn a_flag_falls_exactly_when_it_should(control in control(), margin in 0..2u64, elapsed in time()) {
        let margin = millis(50 * margin);
        let mut clock = GameClock::new(ByColor([control; 2])).with_margin(margin);
        let (flag, allowed) = (clock.flag(Color::White), clock.allows(Color::White));
        let cost = control.cost(elapsed);
        let spent = clock.spend(Color::White, elapsed);
        match (flag, allowed) {
            (Some(flag), Some(allowed)) => {
                let is_late = elapsed >= flag || cost >= allowed.saturating_add(margin);
                prop_assert_eq!(spent.is_none(), is_late);
                // Where every moment counts and none is given away, the rest decides alone.
                if control.unit.is_zero() && control.least.is_zero() {
                    prop_assert_eq!(spent.is_none(), elapsed >= allowed.saturating_add(margin));
                }
                // Who is in time by whole units is in time by moments, if none is added.
                if margin.is_zero() && !control.round_up && cost > control.least {
                    prop_assert_eq!(spent.is_none(), cost >= allowed);
                }
            }
            _ => prop_assert!(control.is_unlimited() && spent == Some(cost)),
        }
    }
}
