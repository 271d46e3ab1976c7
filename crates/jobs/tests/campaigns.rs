//! Real campaigns with real workers, small: results checked, liars found, books kept by keepers that die.
#![allow(clippy::unwrap_used)] // Helpers of tests may fail like tests.

mod farm;
mod postgres;

use farm::{TestFarm, on_both};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;
use tesuji_eval::{AnyEval, Material};
use tesuji_jobs::collect::collect;
use tesuji_jobs::files::FileStore;
use tesuji_jobs::keeper::Keeper;
use tesuji_jobs::sha256_hex;
use tesuji_jobs::spec::{
    BookSpec, EvalName, JobKind, RescoreSpec, SelfplaySpec, SharedEval, TuneSpec,
};
use tesuji_jobs::store::{CampaignState, NewCampaign, Store};
use tesuji_jobs::terms::Terms;
use tesuji_jobs::work::{WorkContext, do_job};
use tesuji_jobs::worker::{Spool, WorkerConfig, WorkerEvent, WorkerTally, work};
use tesuji_kernels::StopSignal;
use tesuji_learn::selfplay::{DataFormat, GameRules};
use tesuji_match::adjudicate::Adjudication;
use tesuji_match::journal::Journal;
use tesuji_match::limit::ThinkingLimit;
use tesuji_match::tune::{
    IterationLine, TuneHeader, TuneSchedule, Tuning, TuningGames, TuningMethod, select_parameters,
};
use tesuji_shogi::Position;

const MATERIAL: SharedEval = SharedEval::Own(EvalName::Material);

fn files(farm: &TestFarm) -> FileStore {
    FileStore::new(&farm.folder.path().join("files"))
}

/// Real terms, cheap ones.
async fn set_terms(farm: &TestFarm) {
    let mut terms = Terms::new(1);
    terms.canary.rules.nodes = 20;
    terms.canary.games = 1;
    let (bench, canary) = (terms.bench().unwrap(), terms.canary().unwrap());
    terms.keep(&farm.owner, bench, &canary).await.unwrap();
}

fn config(farm: &TestFarm, name: &str) -> WorkerConfig {
    WorkerConfig {
        address: farm.worker_address.clone(),
        name: name.into(),
        cpu: "test".into(),
        threads: 1,
        kinds: JobKind::ALL.to_vec(),
        batch: 1,
        spool: farm.folder.path().join("spool"),
        files: files(farm),
        program: PathBuf::from("tesuji"),
        finishes: false,
        idle: None,
    }
}

/// Lets workers of these names work, and a keeper keep, until a campaign is done.
async fn finish(farm: &TestFarm, campaign: &str, names: &[&str]) -> Vec<WorkerTally> {
    let stop = Arc::new(StopSignal::default());
    let mut tasks = tokio::task::JoinSet::new();
    for name in names {
        let (config, stop) = (config(farm, name), stop.clone());
        tasks.spawn_blocking(move || work(&config, &stop, &|_| ()).unwrap());
    }
    let mut keeper = Keeper::new(farm.owner.clone(), files(farm));
    loop {
        keeper.round().await.unwrap();
        let row = farm.owner.campaign(campaign).await.unwrap();
        if row.state == CampaignState::Done {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    stop.stop();
    tasks.join_all().await
}

fn selfplay_spec(games: u64, per_job: u64) -> SelfplaySpec {
    SelfplaySpec {
        eval: MATERIAL,
        seed: 5,
        games,
        games_per_job: per_job,
        table_bytes: 1 << 20,
        openings: None,
        random_plies: (4, 8),
        rules: GameRules {
            nodes: 20,
            move_limit: 60,
            ..GameRules::default()
        },
        format: DataFormat::Psv,
    }
}

async fn add_selfplay(farm: &TestFarm, spec: &SelfplaySpec, check_share: f64) -> i64 {
    let jobs = spec.jobs();
    let new = NewCampaign {
        name: "games".into(),
        kind: JobKind::Selfplay,
        spec: serde_json::to_string(spec).unwrap(),
        prio: 0,
        lease_seconds: 60,
        check_share,
        units: jobs.len() as i64,
        jobs,
    };
    farm.owner.add_campaign(&new).await.unwrap()
}

/// Lets a keeper do all that can be done now.
async fn keep(farm: &TestFarm) {
    let mut keeper = Keeper::new(farm.owner.clone(), files(farm));
    loop {
        let tally = keeper.round().await.unwrap();
        if tally.accepted + tally.refused == 0 {
            return;
        }
    }
}

#[test]
fn games_are_played_twice_compared_and_collected() {
    on_both(async |farm| {
        set_terms(&farm).await;
        let id = add_selfplay(&farm, &selfplay_spec(10, 2), 1.0).await;
        let tallies = finish(&farm, "games", &["anna", "bert"]).await;
        assert_eq!(tallies.iter().map(|tally| tally.done).sum::<u64>(), 10);
        assert!(farm.owner.disputes().await.unwrap().is_empty());
        let row = farm.owner.campaign("games").await.unwrap();
        let sums = farm.owner.result_sums(id).await.unwrap();
        assert_eq!((sums.results, sums.checked, sums.games), (5, 5, 10));
        let out = farm.folder.path().join("out");
        let collected = collect(&farm.owner, &files(&farm), &row, &out, "tesuji".as_ref()).await;
        assert_eq!(collected.unwrap().results, 5);
        let bytes = std::fs::read(out.join("games-0.psv")).unwrap();
        assert_eq!(bytes.len() as i64, 40 * sums.positions);
        rescore_all(&farm, &bytes).await;
    });
}

/// Searches collected positions anew and compares with one machine's way.
async fn rescore_all(farm: &TestFarm, bytes: &[u8]) {
    let spec = RescoreSpec {
        input: files(farm).put(bytes).unwrap(),
        records: bytes.len() as u64 / 40,
        records_per_job: 100,
        eval: MATERIAL,
        nodes: 10,
        table_bytes: 1 << 20,
    };
    let jobs = spec.jobs();
    let new = NewCampaign {
        name: "newer".into(),
        kind: JobKind::Rescore,
        spec: serde_json::to_string(&spec).unwrap(),
        prio: 0,
        lease_seconds: 60,
        check_share: 0.0,
        units: jobs.len() as i64,
        jobs,
    };
    farm.owner.add_campaign(&new).await.unwrap();
    finish(farm, "newer", &["anna", "bert"]).await;
    let row = farm.owner.campaign("newer").await.unwrap();
    let out = farm.folder.path().join("newer.psv");
    let done = collect(&farm.owner, &files(farm), &row, &out, "tesuji".as_ref()).await;
    assert_eq!(done.unwrap().results, row.units as u64);
    let newer = std::fs::read(out).unwrap();
    assert_eq!(newer.len(), bytes.len());
    let positions = |bytes: &[u8]| -> Vec<Vec<u8>> {
        bytes
            .chunks(40)
            .map(|record| record[..32].to_vec())
            .collect()
    };
    assert_eq!(positions(&newer), positions(bytes));
}

#[test]
fn who_contradicts_two_others_counts_no_more_and_both_stay_on_record() {
    on_both(async |farm| {
        set_terms(&farm).await;
        let spec = selfplay_spec(2, 1);
        let id = add_selfplay(&farm, &spec, 1.0).await;
        // A liar does everything right but plays other games than it was asked for.
        let lie = SelfplaySpec { seed: 6, ..spec };
        let store = Store::open(&farm.worker_address, 1).await.unwrap();
        let (bench, canary) = farm.owner.answers().await.unwrap();
        let who = tesuji_jobs::store::Enrollment {
            bench,
            canary,
            ..farm::enrollment("liar")
        };
        let liar = store.enroll(&who).await.unwrap().unwrap();
        // Whoever shall check is known: without a second worker nobody waits for a check.
        for name in ["anna", "bert"] {
            let name = name.to_owned();
            let who = tesuji_jobs::store::Enrollment {
                name,
                ..who.clone()
            };
            store.enroll(&who).await.unwrap().unwrap();
        }
        for job in store.claim(liar, 2, &[JobKind::Selfplay]).await.unwrap() {
            let context = WorkContext {
                files: files(&farm),
                program: PathBuf::new(),
            };
            let text = serde_json::to_string(&lie).unwrap();
            let stop = AtomicBool::new(false);
            let done = do_job(&context, JobKind::Selfplay, &text, &job.spec, None, &stop).unwrap();
            context.files.put(&done.file.unwrap()).unwrap();
            let sum = sha256_hex(&done.report.payload);
            store
                .complete(liar, job.job, &job.lease, &sum, &done.report)
                .await
                .unwrap();
        }
        keep(&farm).await;
        assert_eq!(farm.owner.result_sums(id).await.unwrap().results, 2);
        // The checks, the third opinions, and the liar's jobs done anew.
        finish(&farm, "games", &["anna", "bert"]).await;
        let workers = farm.owner.workers().await.unwrap();
        let state = |name: &str| {
            let found = workers.iter().find(|worker| worker.name == name);
            found.map(|worker| worker.state.clone()).unwrap()
        };
        assert_eq!(state("liar"), "blocked");
        assert_eq!(
            (state("anna").as_str(), state("bert").as_str()),
            ("proven", "proven")
        );
        assert!(store.claim(liar, 1, &[JobKind::Selfplay]).await.is_err());
        assert_eq!(
            farm.owner.result_sums(id).await.unwrap().results,
            2,
            "done anew"
        );
        assert_eq!(
            farm.owner.disputes().await.unwrap().len(),
            2,
            "both stay on record"
        );
    });
}

#[test]
fn results_that_make_no_sense_are_refused_and_done_anew() {
    on_both(async |farm| {
        set_terms(&farm).await;
        let id = add_selfplay(&farm, &selfplay_spec(1, 1), 0.0).await;
        let store = Store::open(&farm.worker_address, 1).await.unwrap();
        let (bench, canary) = farm.owner.answers().await.unwrap();
        let who = tesuji_jobs::store::Enrollment {
            bench,
            canary,
            ..farm::enrollment("strange")
        };
        let strange = store.enroll(&who).await.unwrap().unwrap();
        let job = store
            .claim(strange, 1, &[JobKind::Selfplay])
            .await
            .unwrap()
            .remove(0);
        let (report, sum) = farm::report("{\"entries\":[],\"samples\":\"\"}");
        store
            .complete(strange, job.job, &job.lease, &sum, &report)
            .await
            .unwrap();
        keep(&farm).await;
        assert_eq!(farm.owner.result_sums(id).await.unwrap().results, 0);
        let failures = farm.owner.recent_failures(5).await.unwrap();
        assert_eq!(failures[0].cause, "refused");
        finish(&farm, "games", &["anna"]).await;
        let sums = farm.owner.result_sums(id).await.unwrap();
        assert_eq!((sums.results, sums.refused), (1, 1));
    });
}

#[test]
fn a_worker_without_room_gives_back_waits_and_goes_on() {
    on_both(async |farm| {
        set_terms(&farm).await;
        let id = add_selfplay(&farm, &selfplay_spec(6, 1), 0.0).await;
        let mut config = config(&farm, "anna");
        config.batch = 3;
        let spool = config.spool.join("anna");
        let stop = Arc::new(StopSignal::default());
        let running = {
            let stop = stop.clone();
            tokio::task::spawn_blocking(move || {
                let (is_full, complaints) = (AtomicBool::new(false), AtomicU64::new(0));
                let tell = |event: WorkerEvent| match event {
                    // No room any more after the first of three results: nothing can be written there.
                    WorkerEvent::Done { .. } if !is_full.swap(true, Relaxed) => {
                        std::fs::rename(&spool, spool.with_extension("away")).unwrap();
                        std::fs::write(&spool, "full").unwrap();
                    }
                    // One about the first result, two about the others, one before the next claim.
                    WorkerEvent::Waiting(..) if complaints.fetch_add(1, Relaxed) == 3 => {
                        std::fs::remove_file(&spool).unwrap();
                        std::fs::rename(spool.with_extension("away"), &spool).unwrap();
                    }
                    _ => {}
                };
                work(&config, &stop, &tell).unwrap()
            })
        };
        while farm.owner.result_sums(id).await.unwrap().results < 6 {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        stop.stop();
        let tally = running.await.unwrap();
        assert_eq!((tally.done, tally.failed, tally.given_back), (6, 0, 2));
    });
}

#[test]
fn what_was_spooled_is_told_after_a_kill() {
    on_both(async |farm| {
        set_terms(&farm).await;
        let id = add_selfplay(&farm, &selfplay_spec(1, 1), 0.0).await;
        let store = Store::open(&farm.worker_address, 1).await.unwrap();
        let (bench, canary) = farm.owner.answers().await.unwrap();
        let who = tesuji_jobs::store::Enrollment {
            bench,
            canary,
            ..farm::enrollment("anna")
        };
        let anna = store.enroll(&who).await.unwrap().unwrap();
        let job = store
            .claim(anna, 1, &[JobKind::Selfplay])
            .await
            .unwrap()
            .remove(0);
        let context = WorkContext {
            files: files(&farm),
            program: PathBuf::new(),
        };
        let (spec, stop) = (selfplay_spec(1, 1), AtomicBool::new(false));
        let text = serde_json::to_string(&spec).unwrap();
        let done = do_job(&context, JobKind::Selfplay, &text, &job.spec, None, &stop).unwrap();
        let result = tesuji_jobs::worker::SpooledResult::new(&job, done.report, done.file);
        let spool = Spool::open(&farm.folder.path().join("spool"), "anna").unwrap();
        spool.keep(&result).unwrap();
        // Killed here: the result is on disk, and nobody was told.
        drop(spool);
        let tallies = finish(&farm, "games", &["anna"]).await;
        assert_eq!(tallies[0].done, 1);
        assert_eq!(farm.owner.result_sums(id).await.unwrap().results, 1);
    });
}

/// Lets two workers work, while every keeper dies after a few milliseconds, wherever it is; the next one
/// begins anew.
async fn finish_while_keepers_die(farm: &TestFarm, campaign: &str) {
    let mut workers = tokio::task::JoinSet::new();
    let over = Arc::new(StopSignal::default());
    for name in ["anna", "bert"] {
        let (config, over) = (config(farm, name), over.clone());
        workers.spawn_blocking(move || work(&config, &over, &|_| ()).unwrap());
    }
    let mut dice = fastrand::Rng::with_seed(1);
    loop {
        let mut keeper = Keeper::new(farm.owner.clone(), files(farm));
        let life = Duration::from_millis(dice.u64(5..150));
        let _ = tokio::time::timeout(life, async {
            loop {
                keeper.round().await.unwrap();
            }
        })
        .await;
        let row = farm.owner.campaign(campaign).await.unwrap();
        if row.state == CampaignState::Done {
            break;
        }
    }
    over.stop();
    workers.join_all().await;
}

/// A tuning of two parameters over so many pairs, four in each iteration.
fn tune_spec(pairs: u64) -> TuneSpec {
    let openings = ["7g7f", "2g2f", "6i7h"].map(|mv| {
        let mut pos = Position::start();
        pos.play(mv.parse().unwrap());
        pos.to_sfen()
    });
    TuneSpec {
        header: TuneHeader {
            method: TuningMethod::Spsa,
            parameters: select_parameters("qsearch_futility_margin,rfp_slope").unwrap(),
            schedule: TuneSchedule::new(pairs, 4),
            seed: 9,
            players: "material".into(),
            openings: "three".into(),
        },
        evals: [MATERIAL, MATERIAL],
        limit: ThinkingLimit::Nodes(20),
        openings: openings.to_vec(),
        table_bytes: 1 << 20,
        max_moves: 40,
        adjudication: Adjudication::default(),
        check_share: 0.3,
    }
}

/// The same tuning on one machine.
fn tuned_alone(spec: &TuneSpec) -> Vec<IterationLine> {
    let eval = AnyEval::new(Material);
    let openings = spec.openings.iter();
    let openings = openings.map(|sfen| Position::from_sfen(sfen).unwrap());
    let mut games = TuningGames::new(
        &spec.header.parameters,
        [eval.clone(), eval],
        spec.limit,
        openings.collect(),
    );
    games.table_bytes = spec.table_bytes;
    games.rules.move_limit = Some(spec.max_moves);
    let mut tuning = Tuning::new(spec.header.clone());
    std::iter::from_fn(|| tuning.step(&mut games).unwrap()).collect()
}

#[test]
fn a_tuning_with_keepers_that_die_is_that_of_one_machine() {
    on_both(async |farm| {
        set_terms(&farm).await;
        let spec = tune_spec(30);
        let new = NewCampaign {
            name: "tune".into(),
            kind: JobKind::Tune,
            spec: serde_json::to_string(&spec).unwrap(),
            prio: 0,
            lease_seconds: 60,
            check_share: 0.0,
            units: 30,
            jobs: Vec::new(),
        };
        let id = farm.owner.add_campaign(&new).await.unwrap();
        finish_while_keepers_die(&farm, "tune").await;
        assert!(farm.owner.disputes().await.unwrap().is_empty());
        let row = farm.owner.campaign("tune").await.unwrap();
        let out = farm.folder.path().join("tune.jsonl");
        for _ in 0..2 {
            let done = collect(&farm.owner, &files(&farm), &row, &out, "tesuji".as_ref()).await;
            assert_eq!(done.unwrap().results, 30);
        }
        let (journal, lines) = Journal::open::<_, IterationLine>(&out, &spec.header).unwrap();
        drop(journal);
        assert_eq!(lines, tuned_alone(&spec));
        assert_eq!(lines.len(), 8);
        // What was heard stays heard, whoever is excluded later.
        let detail = farm.owner.progress(id).await.unwrap().unwrap();
        for name in ["anna", "bert"] {
            let worker = farm.owner.worker_called(name).await.unwrap();
            let excluded = farm
                .owner
                .exclude(worker.id, "in doubt", "owner")
                .await
                .unwrap();
            assert!(excluded.results > 0, "{name} did nothing");
        }
        let out = farm.folder.path().join("again.jsonl");
        let done = collect(&farm.owner, &files(&farm), &row, &out, "tesuji".as_ref()).await;
        assert_eq!(done.unwrap().results, 30);
        assert!(
            detail.contains("rfp_slope") && detail.contains("\"games\":60"),
            "{detail}"
        );
    });
}

#[test]
fn a_book_survives_keepers_that_die() {
    on_both(async |farm| {
        set_terms(&farm).await;
        let spec = BookSpec {
            starts: vec![
                "4k4/9/4P4/9/9/9/9/9/4K4 b G2r2b3g4s4n4l17p 1".into(),
                "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1".into(),
            ],
            budget: (10, 50),
            challengers: [MATERIAL, MATERIAL],
            follows: [true, true],
            repetition: Some('b'),
            exclude: 0.5,
            order: "in-turn".into(),
            wins: None,
            games: Some(10),
            max_moves: 40,
            resign_value: 500,
            table_bytes: 1 << 20,
            mate_nodes: 50,
            seed: 3,
            parallel: Some(3),
            check_share: 0.5,
        };
        let new = NewCampaign {
            name: "book".into(),
            kind: JobKind::Book,
            spec: serde_json::to_string(&spec).unwrap(),
            prio: 0,
            lease_seconds: 60,
            check_share: 0.0,
            units: 10,
            jobs: Vec::new(),
        };
        let id = farm.owner.add_campaign(&new).await.unwrap();
        finish_while_keepers_die(&farm, "book").await;
        let derived = farm.owner.derived(id).await.unwrap();
        assert!(derived.len() > 10);
        let facts = farm.owner.facts_kept(id, 0).await.unwrap();
        let numbers: Vec<i64> = facts.iter().map(|(seq, _, _)| *seq).collect();
        assert_eq!(numbers, (1..=facts.len() as i64).collect::<Vec<_>>());
        assert!(
            farm.owner.disputes().await.unwrap().is_empty(),
            "games depend on nothing else"
        );
        // Thrown away and derived anew, it is the same.
        farm.owner.forget_derived(id).await.unwrap();
        farm.owner
            .set_campaign_state(id, CampaignState::Running)
            .await
            .unwrap();
        keep(&farm).await;
        assert_eq!(farm.owner.derived(id).await.unwrap(), derived);
        let row = farm.owner.campaign("book").await.unwrap();
        let out = farm.folder.path().join("book.tbk");
        let collected = collect(&farm.owner, &files(&farm), &row, &out, "tesuji".as_ref()).await;
        assert_eq!(collected.unwrap().results, facts.len() as u64);
        let mut positions = 0;
        tesuji_book::BookStore::open(&out, |_| positions += 1).unwrap();
        assert!(positions > 10);
    });
}
