//! Who may do what on PostgreSQL: an owner who cannot log in, workers who may call functions, readers
//! who may read, and nobody else.

use super::{Dialect, Store, StoreError};
use sqlx::{AssertSqlSafe, Row};

/// What workers call. They have no rights on tables.
const WORKER_FUNCTIONS: &str = "tesuji.terms(), \
    tesuji.enroll(text, text, text, bigint, bigint, text), \
    tesuji.claim(bigint, bigint, text), tesuji.beat(bigint, text), \
    tesuji.complete(bigint, bigint, text, text, text, bytea, text, bigint, bigint, bigint, bigint, bigint), \
    tesuji.fail(bigint, bigint, text, text), tesuji.give_back(bigint, bigint, text), \
    tesuji.campaign_spec(bigint, bigint), tesuji.facts(bigint, bigint, bigint, bigint)";

/// What a role is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RoleKind {
    /// Takes jobs and hands in results.
    Worker,
    /// Looks, as the status page does.
    Reader,
}

/// A role that was made, with its password.
#[derive(Clone)]
pub struct WorkerRole {
    /// How it logs in.
    pub name: String,
    /// Its password; it is not kept anywhere else.
    pub password: String,
}

/// A name inside a statement.
pub(super) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

impl Store {
    async fn database(&self) -> Result<String, StoreError> {
        let row = sqlx::query("SELECT current_database()::text")
            .fetch_one(&self.pool)
            .await?;
        Ok(row.try_get(0)?)
    }

    /// Makes the owner and the two groups; they cannot log in.
    pub(super) async fn prepare_roles(&self) -> Result<(), StoreError> {
        let database = self.database().await?;
        for role in ["owner", "worker", "reader"] {
            let name = format!("{database}_{role}");
            let found = sqlx::query("SELECT 1 FROM pg_roles WHERE rolname = $1")
                .bind(&name)
                .fetch_optional(&self.pool)
                .await?;
            if found.is_none() {
                let text = format!("CREATE ROLE {} NOLOGIN", quoted(&name));
                sqlx::raw_sql(AssertSqlSafe(text))
                    .execute(&self.pool)
                    .await?;
            }
        }
        let text = format!(
            "GRANT {owner} TO CURRENT_USER; GRANT CREATE ON DATABASE {database} TO {owner}; \
             REVOKE ALL ON DATABASE {database} FROM PUBLIC; \
             GRANT CONNECT ON DATABASE {database} TO {worker}, {reader}",
            owner = quoted(&format!("{database}_owner")),
            worker = quoted(&format!("{database}_worker")),
            reader = quoted(&format!("{database}_reader")),
            database = quoted(&database),
        );
        sqlx::raw_sql(AssertSqlSafe(text))
            .execute(&self.pool)
            .await?;
        Ok(())
    }

    pub(super) async fn grant_rights(&self) -> Result<(), StoreError> {
        let database = self.database().await?;
        let text = format!(
            "GRANT USAGE ON SCHEMA tesuji TO {worker}, {reader}; \
             GRANT EXECUTE ON FUNCTION {WORKER_FUNCTIONS} TO {worker}; \
             GRANT EXECUTE ON FUNCTION tesuji.terms(), tesuji.now_ms() TO {reader}; \
             GRANT SELECT ON ALL TABLES IN SCHEMA tesuji TO {reader}",
            worker = quoted(&format!("{database}_worker")),
            reader = quoted(&format!("{database}_reader")),
        );
        sqlx::raw_sql(AssertSqlSafe(text))
            .execute(&self.pool)
            .await?;
        Ok(())
    }

    /// Makes a role that can log in, or gives an old one a new password.
    ///
    /// # Errors
    /// If the store is a file, the name is strange, or the database refuses.
    pub async fn add_role(&self, name: &str, kind: RoleKind) -> Result<WorkerRole, StoreError> {
        if self.dialect == Dialect::Sqlite {
            let why = "a file needs no roles: whoever may write it may work";
            return Err(StoreError::Refused(why.into()));
        }
        let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        if name.is_empty() || name.len() > 50 || !name.chars().all(is_plain) {
            let why = format!("{name:?}: a role has letters a–z, digits and _ only");
            return Err(StoreError::Refused(why));
        }
        let database = self.database().await?;
        let (group, limit) = match kind {
            RoleKind::Worker => (format!("{database}_worker"), 64),
            RoleKind::Reader => (format!("{database}_reader"), 8),
        };
        let password = password()?;
        let found = sqlx::query("SELECT 1 FROM pg_roles WHERE rolname = $1")
            .bind(name)
            .fetch_optional(&self.pool)
            .await?;
        let verb = if found.is_some() { "ALTER" } else { "CREATE" };
        let role = quoted(name);
        let text = format!(
            "{verb} ROLE {role} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE CONNECTION LIMIT {limit} \
             PASSWORD '{password}'; GRANT {group} TO {role}; \
             ALTER ROLE {role} SET statement_timeout = '10s'; \
             ALTER ROLE {role} SET idle_in_transaction_session_timeout = '10s'; \
             ALTER ROLE {role} SET search_path = tesuji, pg_temp",
            group = quoted(&group),
        );
        sqlx::raw_sql(AssertSqlSafe(text))
            .execute(&self.pool)
            .await?;
        self.record("role made", None, Some(name)).await?;
        Ok(WorkerRole {
            name: name.into(),
            password,
        })
    }
}

/// A password nobody can guess: 160 bits of the system's randomness.
fn password() -> Result<String, StoreError> {
    let mut bytes = [0; 20];
    getrandom::fill(&mut bytes)
        .map_err(|error| StoreError::Refused(format!("no randomness for a password: {error}")))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
