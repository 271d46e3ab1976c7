//! Whole games against every kind of clock: no time is left over, and none runs out.

use super::*;
use proptest::prelude::*;

fn time() -> impl Strategy<Value = Duration> {
    prop_oneof![
        Just(Duration::ZERO),
        (0..1000u64).prop_map(Duration::from_micros),
        (0..3000u64).prop_map(Duration::from_millis),
        (0..10_000u64).prop_map(Duration::from_secs),
        Just(Duration::MAX),
    ]
}

fn clock() -> impl Strategy<Value = TimeControl> {
    [time(), time(), time()].prop_map(|[main, increment, byoyomi]| TimeControl {
        main,
        increment,
        byoyomi,
        ..TimeControl::default()
    })
}

fn settings() -> impl Strategy<Value = TimeSettings> {
    ([time(), time(), time()], any::<u32>(), any::<bool>()).prop_map(
        |([network_delay, worst_network_delay, minimum], slow_mover, whole_seconds)| TimeSettings {
            network_delay,
            worst_network_delay,
            minimum,
            slow_mover,
            whole_seconds,
            params: TimeParams::default(),
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn no_budget_exceeds_the_clock(
        settings in settings(), clock in clock(), ply: u32, limit: Option<u32>,
    ) {
        let budget = settings.budget(&clock, ply, limit);
        let has = clock.main.saturating_add(clock.increment).saturating_add(clock.byoyomi);
        prop_assert!(budget.optimum <= budget.maximum);
        prop_assert!(budget.maximum <= has);
        prop_assert!(budget.optimum >= settings.minimum.min(budget.maximum));
        if settings.worst_network_delay > Duration::ZERO && has > Duration::ZERO {
            prop_assert!(budget.maximum < has);
        }
        if has > settings.worst_network_delay.saturating_add(SECOND) {
            prop_assert!(budget.maximum <= has - settings.worst_network_delay);
        }
    }

    #[test]
    fn more_time_never_allows_less(
        settings in settings(), clock in clock(), more in clock(), ply in 0..400u32,
        limit: Option<u32>,
    ) {
        let less = settings.budget(&clock, ply, limit);
        let richer = TimeControl {
            main: clock.main.max(more.main),
            increment: clock.increment.max(more.increment),
            byoyomi: clock.byoyomi.max(more.byoyomi),
            ..TimeControl::default()
        };
        prop_assert!(less.maximum <= settings.budget(&richer, ply, limit).maximum);
    }
}

fn budget(left: u64, increment: u64, byoyomi: u64) -> [u128; 2] {
    let clock = TimeControl {
        main: Duration::from_millis(left),
        increment: Duration::from_millis(increment),
        byoyomi: Duration::from_millis(byoyomi),
        ..TimeControl::default()
    };
    let budget = TimeSettings::default().budget(&clock, 40, None);
    [budget.optimum, budget.maximum].map(|time| time.as_millis())
}

#[test]
fn byoyomi_is_spent_and_so_is_a_little_main_time() {
    assert_eq!(budget(0, 0, 1000), [940, 940]);
    assert_eq!(budget(0, 0, 100), [85, 85]);
    assert_eq!(budget(1000, 0, 1000), [1940, 1940]);
    let [optimum, maximum] = budget(60_000, 0, 1000);
    assert!((1900..2200).contains(&optimum) && maximum > 8000);
}

#[test]
fn an_increment_is_spent_and_the_rest_shared() {
    let [optimum, maximum] = budget(0, 100, 0);
    assert!(optimum >= 80 && maximum <= 86);
    let [optimum, maximum] = budget(900_000, 5000, 0);
    assert!((18_000..25_000).contains(&optimum) && maximum < 130_000);
    let [optimum, maximum] = budget(1000, 0, 0);
    assert!((10..30).contains(&optimum) && maximum < 150);
}

#[test]
fn a_game_of_shares_never_runs_out() {
    let mut clock = TimeControl {
        main: Duration::from_secs(10),
        ..TimeControl::default()
    };
    for ply in (1..600).step_by(2) {
        let spent = TimeSettings::default().budget(&clock, ply, None).maximum;
        assert!(spent < clock.main);
        clock.main -= spent;
    }
}

#[test]
fn a_clock_with_increments_keeps_a_reserve() {
    let mut clock = TimeControl {
        main: Duration::from_secs(1),
        increment: Duration::from_millis(50),
        ..TimeControl::default()
    };
    for ply in (1..400).step_by(2) {
        let spent = TimeSettings::default().budget(&clock, ply, None).optimum;
        clock.main = clock.main + clock.increment - spent;
    }
    assert!(clock.main > Duration::from_millis(250), "{:?}", clock.main);
}

#[test]
fn whole_seconds_are_used_up_and_a_limit_hurries() {
    let clock = TimeControl {
        main: Duration::from_secs(300),
        ..TimeControl::default()
    };
    let server = TimeSettings {
        whole_seconds: true,
        network_delay: Duration::from_millis(120),
        ..TimeSettings::default()
    };
    let optimum = server.budget(&clock, 60, None).optimum;
    assert_eq!((optimum + server.network_delay).subsec_nanos(), 0);
    let usual = TimeSettings::default();
    let near = usual.budget(&clock, 250, Some(256)).optimum;
    assert!(near > 3 * usual.budget(&clock, 250, None).optimum);
    let slow = TimeSettings {
        slow_mover: 200,
        ..usual
    };
    assert!(slow.budget(&clock, 60, None).optimum > usual.budget(&clock, 60, None).optimum);
}
