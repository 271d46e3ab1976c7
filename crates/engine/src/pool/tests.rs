//! Jobs that give way, that follow from others, that cannot begin and that panic.

use super::*;
use crate::factory::TournamentFactory;
use std::sync::mpsc;
use tesuji_eval::EvalSpec;
use tesuji_search::Phase;

fn pool(eval: EvalSpec) -> EnginePool {
    EnginePool::new(&EngineConfig::new(eval, 1, 2 << 20), TournamentFactory).unwrap()
}

fn control() -> Arc<SearchControl> {
    Arc::new(SearchControl::new(Phase::Thinking, None))
}

/// A job that does nothing.
fn nothing() -> PoolJob {
    PoolJob {
        control: control(),
        is_endless: false,
        work: Box::new(|_| {}),
        about: String::new(),
        failed: Box::new(|report| panic!("{report}")),
    }
}

/// A job that is done when it is stopped; says when it begins and ends.
fn endless<T: From<&'static str> + Send + 'static>(said: &mpsc::Sender<T>) -> PoolJob {
    let (control, said) = (control(), said.clone());
    let watched = control.clone();
    PoolJob {
        control,
        is_endless: true,
        work: Box::new(move |_| {
            let _ = said.send("begins".into());
            watched.hold_answer(true);
            let _ = said.send("ends".into());
        }),
        ..nothing()
    }
}

#[test]
fn a_job_without_end_gives_way_and_a_third_is_refused() {
    let pool = pool(EvalSpec::Material);
    let (said, heard) = mpsc::channel();
    for _ in 0..THREADS {
        pool.submit(endless(&said)).unwrap();
        assert_eq!(heard.recv().unwrap(), "begins");
    }
    assert_eq!(pool.submit(endless(&said)), Err(PoolBusy));
    let told = said.clone();
    let short = PoolJob {
        control: control(),
        is_endless: false,
        work: Box::new(move |search| {
            assert!(search.is_ok());
            let _ = told.send("short");
        }),
        ..nothing()
    };
    pool.submit(short).unwrap();
    assert_eq!(heard.recv().unwrap(), "ends");
    assert_eq!(heard.recv().unwrap(), "short");
}

#[test]
fn a_job_that_follows_from_another_disturbs_nobody() {
    let pool = Arc::new(pool(EvalSpec::Material));
    let (said, heard) = mpsc::channel();
    let watched = endless(&said);
    let endless_control = watched.control.clone();
    pool.submit(watched).unwrap();
    assert_eq!(heard.recv().unwrap(), "begins");
    let (own, asker, told) = (control(), pool.clone(), said.clone());
    let first = PoolJob {
        control: own.clone(),
        is_endless: false,
        work: Box::new(move |_| {
            asker.mark_done(&own);
            let next = PoolJob {
                control: control(),
                is_endless: false,
                work: Box::new(move |_| told.send("next").unwrap()),
                ..nothing()
            };
            asker.submit(next).unwrap();
        }),
        ..nothing()
    };
    pool.submit(first).unwrap();
    assert_eq!(heard.recv().unwrap(), "next");
    assert!(!endless_control.is_stopped());
    pool.close();
}

#[test]
fn who_cannot_begin_says_why() {
    let pool = pool(EvalSpec::Nnue("/nowhere/nn.bin".into()));
    let (said, heard) = mpsc::channel();
    let job = PoolJob {
        control: control(),
        is_endless: false,
        work: Box::new(move |search| {
            let _ = said.send(search.err().map(|error| error.to_string()));
        }),
        ..nothing()
    };
    pool.submit(job).unwrap();
    assert!(heard.recv().unwrap().unwrap().contains("nowhere"));
}

#[test]
fn the_next_job_has_the_new_configuration() {
    let pool = pool(EvalSpec::Nnue("/nowhere/nn.bin".into()));
    pool.configure(&EngineConfig::new(EvalSpec::Material, 1, 2 << 20));
    let (said, heard) = mpsc::channel();
    let job = PoolJob {
        work: Box::new(move |search| {
            let _ = said.send(search.is_ok());
        }),
        ..nothing()
    };
    pool.submit(job).unwrap();
    assert!(heard.recv().unwrap());
}

#[test]
fn a_job_that_panics_ends_alone() {
    let pool = pool(EvalSpec::Material);
    let (said, heard) = mpsc::channel();
    for _ in 0..2 * THREADS {
        let told = said.clone();
        let job = PoolJob {
            work: Box::new(|search| panic!("a hole, {}", search.is_ok())),
            about: "position startpos".into(),
            failed: Box::new(move |report| {
                told.send(report.summary()).unwrap();
                panic!("another one");
            }),
            ..nothing()
        };
        pool.submit(job).unwrap();
        let report = heard.recv().unwrap();
        assert!(
            report.ends_with(": a hole, true; position startpos"),
            "{report}"
        );
    }
    // Every thread still works: so many endless jobs run side by side.
    for _ in 0..THREADS {
        // The last one that panicked may not have left its place yet.
        while pool.submit(endless(&said)).is_err() {
            std::thread::yield_now();
        }
        assert_eq!(heard.recv().unwrap(), "begins");
    }
    pool.close();
}
