//! What must hold whatever workers, clocks, disks and databases do: nothing acknowledged is lost, nothing
//! counts twice. Every test runs on a file and on a server.
#![allow(clippy::unwrap_used)] // Helpers of tests may fail like tests.

mod farm;
mod postgres;

use farm::{
    BENCH, TestFarm, address, campaign, connect, enrollment, execute, on_both, on_server, report,
    stored_jobs,
};
use sqlx::Executor;
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};
use tesuji_jobs::spec::JobKind;
use tesuji_jobs::store::{CampaignState, Completion, Enrollment, RoleKind, Store, StoreError};

const KINDS: [JobKind; 1] = [JobKind::Selfplay];

async fn worker(farm: &TestFarm, name: &str) -> (Store, i64) {
    let store = Store::open(&farm.worker_address, 2).await.unwrap();
    let id = store.enroll(&enrollment(name)).await.unwrap().unwrap();
    (store, id)
}

#[test]
fn a_result_is_stored_once_and_the_first_one_stays() {
    on_both(async |farm| {
        farm.owner
            .add_campaign(&campaign("one", 2, 300))
            .await
            .unwrap();
        let (store, anna) = worker(&farm, "anna").await;
        let jobs = store.claim(anna, 1, &KINDS).await.unwrap();
        assert_eq!((jobs.len(), jobs[0].seconds), (1, 300));
        let (first, sum) = report("first");
        let (job, lease) = (jobs[0].job, jobs[0].lease.as_str());
        let complete = store.complete(anna, job, lease, &sum, &first).await;
        assert_eq!(complete.unwrap(), Completion::Stored);
        // The answer was lost, and the worker tells it again; then it tells another one.
        let complete = store.complete(anna, job, lease, &sum, &first).await;
        assert_eq!(complete.unwrap(), Completion::NotTaken);
        let (second, sum) = report("second");
        let complete = store.complete(anna, job, lease, &sum, &second).await;
        assert_eq!(complete.unwrap(), Completion::NotTaken);
        let kept = farm.owner.counted(1, -1).await.unwrap();
        assert_eq!(kept.len(), 1);
        assert_eq!(kept[0].1, b"first");
    });
}

#[test]
fn a_lease_that_ran_out_belongs_to_the_next() {
    on_both(async |farm| {
        farm.owner
            .add_campaign(&campaign("one", 1, 1))
            .await
            .unwrap();
        let (store, anna) = worker(&farm, "anna").await;
        let bert = store.enroll(&enrollment("bert")).await.unwrap().unwrap();
        let late = store.claim(anna, 1, &KINDS).await.unwrap().remove(0);
        assert!(store.claim(bert, 1, &KINDS).await.unwrap().is_empty());
        let mine = store
            .beat(anna, std::slice::from_ref(&late.lease))
            .await
            .unwrap();
        assert_eq!(mine, std::slice::from_ref(&late.lease));
        let next = loop {
            match store.claim(bert, 1, &KINDS).await.unwrap().pop() {
                Some(job) => break job,
                None => tokio::time::sleep(Duration::from_millis(50)).await,
            }
        };
        assert_eq!(next.job, late.job);
        assert_ne!(next.lease, late.lease);
        assert!(
            store
                .beat(anna, std::slice::from_ref(&late.lease))
                .await
                .unwrap()
                .is_empty()
        );
        let (slow, sum) = report("late");
        let complete = store
            .complete(anna, late.job, &late.lease, &sum, &slow)
            .await;
        assert_eq!(complete.unwrap(), Completion::NotTaken);
        assert!(
            !store
                .fail(anna, late.job, &late.lease, "late")
                .await
                .unwrap()
        );
        assert!(!store.give_back(anna, late.job, &late.lease).await.unwrap());
        let (good, sum) = report("in time");
        let complete = store
            .complete(bert, next.job, &next.lease, &sum, &good)
            .await;
        assert_eq!(complete.unwrap(), Completion::Stored);
        assert_eq!(farm.owner.counted(1, -1).await.unwrap()[0].1, b"in time");
    });
}

#[test]
fn a_poisoned_job_dies_after_three_workers_and_the_queue_moves_on() {
    on_both(async |farm| {
        farm.owner
            .add_campaign(&campaign("one", 2, 300))
            .await
            .unwrap();
        let (store, _) = worker(&farm, "anna").await;
        for name in ["anna", "bert", "carl"] {
            let id = store.enroll(&enrollment(name)).await.unwrap().unwrap();
            let job = store.claim(id, 1, &KINDS).await.unwrap().remove(0);
            assert_eq!(job.job, 1, "{name}");
            assert!(
                store
                    .fail(id, job.job, &job.lease, "segmentation\0 fault")
                    .await
                    .unwrap()
            );
            // Whoever failed is not asked again at once: the next job comes.
            let other = store.claim(id, 1, &KINDS).await.unwrap().remove(0);
            assert_eq!(other.job, 2);
            assert!(store.give_back(id, other.job, &other.lease).await.unwrap());
        }
        let dora = store.enroll(&enrollment("dora")).await.unwrap().unwrap();
        let jobs = store.claim(dora, 10, &KINDS).await.unwrap();
        assert_eq!(jobs.iter().map(|job| job.job).collect::<Vec<_>>(), [2]);
        let queue = farm.owner.queue(1).await.unwrap();
        assert_eq!((queue.dead, queue.leased), (1, 1));
        assert_eq!(farm.owner.recent_failures(10).await.unwrap().len(), 3);
        assert_eq!(farm.owner.retry(1).await.unwrap(), 1);
        assert_eq!(farm.owner.queue(1).await.unwrap().ready, 1);
    });
}

#[test]
fn wrong_signatures_and_corrupt_results_are_refused_and_recorded() {
    on_both(async |farm| {
        farm.owner
            .add_campaign(&campaign("one", 1, 300))
            .await
            .unwrap();
        let store = Store::open(&farm.worker_address, 2).await.unwrap();
        let wrong_bench = Enrollment {
            bench: BENCH + 1,
            ..enrollment("wrong")
        };
        let wrong_canary = Enrollment {
            canary: "d".repeat(64),
            ..enrollment("wrong")
        };
        for who in [wrong_bench, wrong_canary] {
            assert!(store.enroll(&who).await.unwrap().is_err());
        }
        let terms = store.terms().await.unwrap();
        assert!(
            terms.keys().all(|name| !name.starts_with("answer")),
            "answers stay secret"
        );
        let (_, anna) = worker(&farm, "anna").await;
        let job = store.claim(anna, 1, &KINDS).await.unwrap().remove(0);
        let (mut corrupt, sum) = report("result");
        corrupt.payload[0] ^= 1;
        let complete = store
            .complete(anna, job.job, &job.lease, &sum, &corrupt)
            .await;
        assert_eq!(complete.unwrap(), Completion::Refused);
        assert!(farm.owner.counted(1, -1).await.unwrap().is_empty());
        assert_eq!(farm.owner.queue(1).await.unwrap().ready, 1);
        let events = farm.owner.events(None, None, 100).await.unwrap();
        let count = |what| events.iter().filter(|event| event.what == what).count();
        assert_eq!((count("worker refused"), count("result refused")), (2, 1));
        assert!(
            store.claim(anna + 100, 1, &KINDS).await.is_err(),
            "nobody has that number"
        );
    });
}

#[test]
fn nothing_is_handed_out_while_a_campaign_pauses_and_urgent_ones_come_first() {
    on_both(async |farm| {
        let low = farm
            .owner
            .add_campaign(&campaign("low", 3, 300))
            .await
            .unwrap();
        let mut urgent = campaign("urgent", 1, 300);
        urgent.prio = 5;
        let high = farm.owner.add_campaign(&urgent).await.unwrap();
        assert!(
            farm.owner.add_campaign(&urgent).await.is_err(),
            "one of each name"
        );
        let (store, anna) = worker(&farm, "anna").await;
        let first = store.claim(anna, 10, &KINDS).await.unwrap();
        assert!(first.iter().all(|job| job.campaign == high) && first.len() == 1);
        assert!(
            store
                .claim(anna, 1, &[JobKind::Book])
                .await
                .unwrap()
                .is_empty()
        );
        farm.owner
            .set_campaign_state(low, CampaignState::Paused)
            .await
            .unwrap();
        assert!(store.claim(anna, 1, &KINDS).await.unwrap().is_empty());
        farm.owner
            .set_campaign_state(low, CampaignState::Running)
            .await
            .unwrap();
        assert_eq!(store.claim(anna, 10, &KINDS).await.unwrap().len(), 3);
    });
}

#[test]
fn many_clients_never_get_the_same_job() {
    on_both(async |farm| {
        farm.owner
            .add_campaign(&campaign("one", 200, 300))
            .await
            .unwrap();
        let store = Store::open(&farm.worker_address, 8).await.unwrap();
        let mut tasks = tokio::task::JoinSet::new();
        for client in 0..8 {
            let store = store.clone();
            tasks.spawn(async move {
                let who = enrollment(&format!("client {client}"));
                let id = store.enroll(&who).await.unwrap().unwrap();
                let mut done = Vec::new();
                loop {
                    let jobs = store.claim(id, 3, &KINDS).await.unwrap();
                    if jobs.is_empty() {
                        return done;
                    }
                    for job in jobs {
                        let (result, sum) = report(&job.spec);
                        let told = store.complete(id, job.job, &job.lease, &sum, &result).await;
                        assert_eq!(told.unwrap(), Completion::Stored);
                        done.push(job.job);
                    }
                }
            });
        }
        let done: Vec<i64> = tasks.join_all().await.into_iter().flatten().collect();
        assert_eq!(done.len(), 200);
        assert_eq!(done.iter().collect::<HashSet<_>>().len(), 200);
    });
}

#[test]
fn what_happened_cannot_be_changed() {
    on_both(async |farm| {
        farm.owner
            .add_campaign(&campaign("one", 1, 300))
            .await
            .unwrap();
        let (store, anna) = worker(&farm, "anna").await;
        let job = store.claim(anna, 1, &KINDS).await.unwrap().remove(0);
        let (result, sum) = report("result");
        store
            .complete(anna, job.job, &job.lease, &sum, &result)
            .await
            .unwrap();
        for text in [
            "UPDATE event SET what = 'nothing'",
            "DELETE FROM event",
            "UPDATE result SET games = 100",
            "DELETE FROM result",
        ] {
            assert!(execute(&farm.owner_address, text).await.is_err(), "{text}");
        }
        let events = farm.owner.events(None, None, 100).await.unwrap();
        let told: Vec<&str> = events
            .iter()
            .rev()
            .map(|event| event.what.as_str())
            .collect();
        let expected = ["campaign added", "worker enrolled", "claimed", "completed"];
        assert!(told.ends_with(&expected), "{told:?}");
    });
}

#[test]
fn a_stopped_server_forgets_nothing_that_it_acknowledged() {
    on_server(async |farm| {
        farm.owner
            .add_campaign(&campaign("one", 4000, 2))
            .await
            .unwrap();
        let server = farm.server.as_ref().unwrap();
        let stop = Arc::new(AtomicBool::new(false));
        let store = Store::open(&farm.worker_address, 8).await.unwrap();
        let mut tasks = tokio::task::JoinSet::new();
        for client in 0..8 {
            let (store, stop) = (store.clone(), stop.clone());
            tasks.spawn(async move { acknowledged(store, client, stop).await });
        }
        for _ in 0..2 {
            tokio::time::sleep(Duration::from_millis(700)).await;
            server.stop_at_once();
            server.go();
        }
        tokio::time::sleep(Duration::from_millis(700)).await;
        stop.store(true, Relaxed);
        let told: Vec<i64> = tasks.join_all().await.into_iter().flatten().collect();
        assert!(!told.is_empty());
        assert_eq!(
            told.iter().collect::<HashSet<_>>().len(),
            told.len(),
            "acknowledged twice"
        );
        let stored = stored_jobs(&farm.owner_address).await;
        assert!(
            told.iter().all(|job| stored.contains(job)),
            "an acknowledged result is lost"
        );
        println!("{} acknowledged, {} stored", told.len(), stored.len());
    });
}

/// A client that goes on whatever the server does; the jobs whose results were acknowledged.
async fn acknowledged(store: Store, client: usize, stop: Arc<AtomicBool>) -> Vec<i64> {
    let (mut id, mut told) = (None, Vec::new());
    while !stop.load(Relaxed) {
        let worked: Result<(), StoreError> = async {
            if id.is_none() {
                let who = enrollment(&format!("client {client}"));
                id = store.enroll(&who).await?.ok();
            }
            let worker = id.unwrap_or(0);
            for job in store.claim(worker, 2, &KINDS).await? {
                let (result, sum) = report(&job.spec);
                let told_now = store
                    .complete(worker, job.job, &job.lease, &sum, &result)
                    .await?;
                if told_now == Completion::Stored {
                    told.push(job.job);
                }
            }
            Ok(())
        }
        .await;
        if worked.is_err() {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
    told
}

#[test]
fn five_hundred_workers_come_back_at_once_and_no_lease_is_lost() {
    on_server(async |farm| {
        farm.owner
            .add_campaign(&campaign("one", 20, 5))
            .await
            .unwrap();
        // One role may have 64 connections: eight friends come back together.
        let mut addresses = Vec::new();
        for friend in 0..8 {
            let name = format!("friend_{friend}");
            let role = farm.owner.add_role(&name, RoleKind::Worker).await.unwrap();
            let server = farm.server.as_ref().unwrap();
            addresses.push(server.address(&role.name, &role.password, "farm"));
        }
        let (store, anna) = worker(&farm, "anna").await;
        let jobs = store.claim(anna, 20, &KINDS).await.unwrap();
        let leases: Vec<String> = jobs.iter().map(|job| job.lease.clone()).collect();
        let mut tasks = tokio::task::JoinSet::new();
        for number in 0..500 {
            let text = addresses[number % 8].clone();
            tasks.spawn(async move {
                let place = address(&text);
                let store = loop {
                    match Store::open(&place, 1).await {
                        Ok(store) => break store,
                        Err(error) => assert!(error.is_transient(), "{error}"),
                    }
                };
                let who = enrollment(&format!("worker {number}"));
                let id = store.enroll(&who).await.unwrap().unwrap();
                store.beat(id, &[]).await.unwrap();
                store.close().await;
            });
        }
        let mut times = Vec::new();
        while !tasks.is_empty() {
            let begun = Instant::now();
            let mine = store.beat(anna, &leases).await.unwrap();
            times.push(begun.elapsed());
            assert_eq!(mine.len(), 20, "a lease was lost in the crowd");
            tokio::time::sleep(Duration::from_millis(100)).await;
            while let Some(done) = tasks.try_join_next() {
                done.unwrap();
            }
        }
        assert_eq!(farm.owner.workers().await.unwrap().len(), 501);
        times.sort_unstable();
        let (half, most) = (times[times.len() / 2], times[times.len() - 1]);
        println!(
            "{} beats meanwhile, median {half:?}, at most {most:?}",
            times.len()
        );
    });
}

#[test]
fn a_long_reader_holds_nobody_up() {
    on_both(async |farm| {
        farm.owner
            .add_campaign(&campaign("one", 50, 300))
            .await
            .unwrap();
        let mut reader = connect(&farm.owner_address).await;
        for text in ["BEGIN", "SELECT count(*) FROM job"] {
            reader.execute(sqlx::raw_sql(text)).await.unwrap();
        }
        let (store, anna) = worker(&farm, "anna").await;
        let mut done = 0;
        loop {
            let jobs = store.claim(anna, 5, &KINDS).await.unwrap();
            if jobs.is_empty() {
                break;
            }
            for job in jobs {
                let (result, sum) = report(&job.spec);
                let told = store
                    .complete(anna, job.job, &job.lease, &sum, &result)
                    .await;
                assert_eq!(told.unwrap(), Completion::Stored);
                done += 1;
            }
        }
        assert_eq!(done, 50);
        drop(reader);
    });
}

#[test]
fn workers_may_call_functions_and_nothing_else() {
    on_server(async |farm| {
        farm.owner
            .add_campaign(&campaign("one", 1, 300))
            .await
            .unwrap();
        let (store, anna) = worker(&farm, "anna").await;
        for text in [
            "SELECT * FROM tesuji.job",
            "SELECT * FROM tesuji.setting",
            "INSERT INTO tesuji.event (what) VALUES ('x')",
            "UPDATE tesuji.worker SET state = 'proven'",
            "SELECT tesuji.reap()",
            "SELECT tesuji.failed(1, 1, 1, 1, 'error', '')",
            "CREATE TABLE mine (x int)",
            "CREATE TABLE tesuji.mine (x int)",
            "SET ROLE farm_owner",
        ] {
            assert!(execute(&farm.worker_address, text).await.is_err(), "{text}");
        }
        let server = farm.server.as_ref().unwrap();
        let place = async |kind, name| {
            let role = farm.owner.add_role(name, kind).await.unwrap();
            address(&server.address(&role.name, &role.password, "farm"))
        };
        // Nobody works in the name of somebody else's worker.
        let other = Store::open(&place(RoleKind::Worker, "bert").await, 1)
            .await
            .unwrap();
        assert!(other.claim(anna, 1, &KINDS).await.is_err());
        assert!(other.beat(anna, &[]).await.is_err());
        let look = place(RoleKind::Reader, "look").await;
        let reader = Store::open(&look, 1).await.unwrap();
        tesuji_jobs::status::FarmStatus::read(&reader)
            .await
            .unwrap();
        assert!(reader.claim(anna, 1, &KINDS).await.is_err());
        assert!(execute(&look, "DELETE FROM tesuji.job").await.is_err());
        let (mut big, _) = report("");
        big.payload = vec![0; tesuji_jobs::store::LARGEST_PAYLOAD + 1];
        let job = store.claim(anna, 1, &KINDS).await.unwrap().remove(0);
        let sum = tesuji_jobs::sha256_hex(&big.payload);
        let told = store.complete(anna, job.job, &job.lease, &sum, &big).await;
        assert_eq!(told.unwrap(), Completion::Refused);
    });
}

#[test]
fn an_old_farm_is_brought_up_to_date_once() {
    on_both(async |farm| {
        farm.owner
            .add_campaign(&campaign("one", 3, 300))
            .await
            .unwrap();
        let again = Store::init(&farm.owner_address).await.unwrap();
        assert_eq!(again.campaigns().await.unwrap().len(), 1);
        farm.owner.set("terms.schema", "99").await.unwrap();
        let newer = Store::open(&farm.worker_address, 1).await;
        assert!(matches!(newer, Err(StoreError::Version { found: 99, .. })));
    });
}
