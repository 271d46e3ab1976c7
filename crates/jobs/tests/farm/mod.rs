//! Farms for tests: the same test on a file and on a server.

#![allow(dead_code, reason = "each file of tests uses a part of it")]

use crate::postgres::TestPostgres;
use sqlx::AnyConnection;
use sqlx::{Connection, Executor, Row};
use std::collections::HashSet;
use tesuji_jobs::address::{AddressSource, StoreAddress};
use tesuji_jobs::sha256_hex;
use tesuji_jobs::spec::JobKind;
use tesuji_jobs::store::{Enrollment, JobReport, NewCampaign, RoleKind, Store};

/// A farm, as its owner and as a worker see it.
pub(crate) struct TestFarm {
    /// With all rights.
    pub(crate) owner: Store,
    /// The address of the owner.
    pub(crate) owner_address: StoreAddress,
    /// The address of a worker; on a server one that may only call functions.
    pub(crate) worker_address: StoreAddress,
    /// The server, where there is one.
    pub(crate) server: Option<TestPostgres>,
    /// Where everything lies.
    pub(crate) folder: tempfile::TempDir,
}

/// The signature and the canary's answer of made-up farms.
pub(crate) const BENCH: i64 = 42;

/// The canary's answer of made-up farms.
pub(crate) fn canary() -> String {
    "c".repeat(64)
}

/// Reads an address, password and all.
pub(crate) fn address(text: &str) -> StoreAddress {
    StoreAddress::read(text, AddressSource::Environment, None).unwrap()
}

/// Runs a test on a file and on a server, with made-up terms.
pub(crate) fn on_both(test: impl AsyncFn(TestFarm)) {
    on_file(&test);
    on_server(&test);
}

/// Runs a test on a file.
pub(crate) fn on_file(test: impl AsyncFn(TestFarm)) {
    let folder = tempfile::tempdir().unwrap();
    let place = address(folder.path().join("farm.db").to_str().unwrap());
    tesuji_jobs::block_on(async {
        let owner = Store::init(&place).await.unwrap();
        set_terms(&owner).await;
        owner.close().await;
        let owner = Store::open(&place, 4).await.unwrap();
        test(TestFarm {
            owner,
            owner_address: place.clone(),
            worker_address: place,
            server: None,
            folder,
        })
        .await;
    })
    .unwrap();
}

/// Runs a test on a server.
pub(crate) fn on_server(test: impl AsyncFn(TestFarm)) {
    let server = TestPostgres::start();
    server.create_database("farm");
    let place = address(&server.owner_address("farm"));
    tesuji_jobs::block_on(async {
        let owner = Store::init(&place).await.unwrap();
        set_terms(&owner).await;
        let role = owner.add_role("anna", RoleKind::Worker).await.unwrap();
        owner.close().await;
        let owner = Store::open(&place, 4).await.unwrap();
        let worker_address = address(&server.address(&role.name, &role.password, "farm"));
        test(TestFarm {
            owner,
            owner_address: place,
            worker_address,
            server: Some(server),
            folder: tempfile::tempdir().unwrap(),
        })
        .await;
    })
    .unwrap();
}

/// A connection without the store's ways, as somebody has who does not use this program.
pub(crate) async fn connect(address: &StoreAddress) -> AnyConnection {
    let url = match address {
        StoreAddress::File(path) => format!("sqlite://{}", path.display()),
        StoreAddress::Postgres { url, .. } => url.clone(),
    };
    let mut connection = AnyConnection::connect(&url).await.unwrap();
    if matches!(address, StoreAddress::Postgres { .. }) {
        let text = "SET search_path = tesuji";
        connection.execute(sqlx::raw_sql(text)).await.unwrap();
    }
    connection
}

/// Runs a statement.
pub(crate) async fn execute(address: &StoreAddress, text: &'static str) -> Result<(), sqlx::Error> {
    let mut connection = connect(address).await;
    connection.execute(sqlx::raw_sql(text)).await?;
    Ok(())
}

/// The jobs that have results.
pub(crate) async fn stored_jobs(address: &StoreAddress) -> HashSet<i64> {
    let mut connection = connect(address).await;
    let rows = sqlx::query("SELECT job FROM result")
        .fetch_all(&mut connection)
        .await;
    rows.unwrap().iter().map(|row| row.get(0)).collect()
}

async fn set_terms(store: &Store) {
    store.set("answer.bench", &BENCH.to_string()).await.unwrap();
    store.set("answer.canary", &canary()).await.unwrap();
}

/// A worker that shows what is asked.
pub(crate) fn enrollment(name: &str) -> Enrollment {
    Enrollment {
        name: name.into(),
        cpu: "made up".into(),
        program: "test".into(),
        threads: 1,
        bench: BENCH,
        canary: canary(),
    }
}

/// A campaign of made-up jobs.
pub(crate) fn campaign(name: &str, jobs: i64, lease_seconds: i64) -> NewCampaign {
    NewCampaign {
        name: name.into(),
        kind: JobKind::Selfplay,
        spec: "{}".into(),
        prio: 0,
        lease_seconds,
        check_share: 0.0,
        units: jobs,
        jobs: (0..jobs)
            .map(|unit| (unit, format!("{{\"unit\":{unit}}}")))
            .collect(),
    }
}

/// A made-up result and its sum.
pub(crate) fn report(text: &str) -> (JobReport, String) {
    let report = JobReport {
        digest: sha256_hex(text.as_bytes()),
        payload: text.as_bytes().to_vec(),
        games: 1,
        ..JobReport::default()
    };
    let sum = sha256_hex(&report.payload);
    (report, sum)
}
