//! Where a farm is: a file of SQLite, or a database of PostgreSQL whose password is nowhere to be seen.
//!
//! Whoever can list processes sees their arguments, so an address with a password in it is only taken
//! from the environment or a file. Beyond this machine the connection is encrypted and the server's
//! certificate checked, or there is no connection.

use std::fmt;
use std::path::{Path, PathBuf};

/// The variable that may hold the address of the store, password and all.
pub const STORE_VARIABLE: &str = "TESUJI_STORE";

/// Why a text is no address of a store.
#[derive(Debug, thiserror::Error)]
pub enum AddressError {
    /// Others could read the password.
    #[error(
        "a password on the command line is seen by everybody on this machine: put it into a file \
         (--password-file), into ~/.pgpass, or put the whole address into {STORE_VARIABLE}"
    )]
    Password,
    /// The connection would not be safe.
    #[error(
        "{host} is another machine and sslmode is {mode}: beyond this machine only verify-full and \
         verify-ca are taken"
    )]
    Unsafe {
        /// Which machine.
        host: String,
        /// What was asked for.
        mode: String,
    },
    /// It cannot be read.
    #[error("{0:?} is no address: expected postgres://USER@HOST/DATABASE, or the path of a file")]
    Malformed(String),
    /// A file with a secret cannot be read.
    #[error("{}: {source}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// Others can read a file with a secret.
    #[error("{}: others can read this password: chmod 600 {}", path.display(), path.display())]
    Public {
        /// Which.
        path: PathBuf,
    },
}

/// Where a farm is.
#[derive(Clone, PartialEq, Eq)]
pub enum StoreAddress {
    /// A file of SQLite.
    File(PathBuf),
    /// A database of PostgreSQL.
    Postgres {
        /// The address as the driver takes it, perhaps with a password.
        url: String,
        /// The same without one.
        shown: String,
    },
}

impl fmt::Debug for StoreAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StoreAddress({self})")
    }
}

impl fmt::Display for StoreAddress {
    /// Never with a password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => path.display().fmt(f),
            Self::Postgres { shown, .. } => f.write_str(shown),
        }
    }
}

/// How far a source of an address can be trusted with a password.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AddressSource {
    /// Seen by everybody.
    CommandLine,
    /// Seen by the user alone.
    Environment,
}

impl StoreAddress {
    /// Reads an address; a password comes from the file, if one is named.
    ///
    /// # Errors
    /// If it is none, if a password stands on the command line, or if the connection would not be safe.
    pub fn read(
        text: &str,
        source: AddressSource,
        password_file: Option<&Path>,
    ) -> Result<Self, AddressError> {
        let Some((_, rest)) = text
            .split_once("://")
            .filter(|(scheme, _)| matches!(*scheme, "postgres" | "postgresql"))
        else {
            return match text.contains("://") || text.is_empty() {
                true => Err(AddressError::Malformed(text.chars().take(60).collect())),
                false => Ok(Self::File(text.into())),
            };
        };
        let end = rest.find('/').unwrap_or(rest.len());
        let (authority, path) = rest.split_at(end);
        let (user, host) = match authority.rsplit_once('@') {
            Some((user, host)) => (Some(user), host),
            None => (None, authority),
        };
        let (user, mut password) = match user.and_then(|user| user.split_once(':')) {
            Some((user, password)) => (Some(user), Some(password.to_owned())),
            None => (user, None),
        };
        let hidden = path.contains("password=");
        if source == AddressSource::CommandLine && (password.is_some() || hidden) {
            return Err(AddressError::Password);
        }
        if let Some(file) = password_file {
            password = Some(percent_encoded(&read_secret(file)?));
        }
        let path = safe_path(host, path)?;
        let at = |secret: &str| match user {
            Some(user) => format!("postgres://{user}{secret}@{host}{path}"),
            None => format!("postgres://{host}{path}"),
        };
        let secret = password.map_or(String::new(), |password| format!(":{password}"));
        Ok(Self::Postgres {
            url: at(&secret),
            shown: match hidden {
                true => format!("postgres://{host}"),
                false => at(""),
            },
        })
    }
}

/// The path with its options, one of which makes the connection safe where that matters.
fn safe_path(host: &str, path: &str) -> Result<String, AddressError> {
    let (database, query) = path.split_once('?').unwrap_or((path, ""));
    let option = |name: &str| {
        let mut pairs = query.split('&').filter_map(|pair| pair.split_once('='));
        pairs.find_map(|(key, value)| (key == name).then(|| value.to_owned()))
    };
    let target = option("host").or(option("hostaddr"));
    let target = target.unwrap_or_else(|| host_name(host).to_owned());
    let mode = option("sslmode").or(option("ssl-mode"));
    if is_loopback(&target) {
        return Ok(path.to_owned());
    }
    match mode.as_deref() {
        Some("verify-full" | "verify-ca") => Ok(path.to_owned()),
        Some(mode) => Err(AddressError::Unsafe {
            host: target,
            mode: mode.into(),
        }),
        None if query.is_empty() => Ok(format!("{database}?sslmode=verify-full")),
        None => Ok(format!("{database}?{query}&sslmode=verify-full")),
    }
}

/// The host without its port.
fn host_name(host: &str) -> &str {
    match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or(rest),
        None => host.rsplit_once(':').map_or(host, |(name, _)| name),
    }
}

/// Whether nobody on a network can listen: this machine, or a socket in its file system.
fn is_loopback(host: &str) -> bool {
    let decoded = host.replace("%2F", "/").replace("%2f", "/");
    decoded.is_empty()
        || decoded == "localhost"
        || decoded.starts_with('/')
        || decoded
            .parse::<std::net::IpAddr>()
            .is_ok_and(|address| address.is_loopback())
}

/// A secret from a file that only its owner can read.
fn read_secret(path: &Path) -> Result<String, AddressError> {
    let failed = |source| AddressError::File {
        path: path.into(),
        source,
    };
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(path)
            .map_err(failed)?
            .permissions()
            .mode();
        if mode & 0o077 != 0 {
            return Err(AddressError::Public { path: path.into() });
        }
    }
    let text = std::fs::read_to_string(path).map_err(failed)?;
    Ok(text.trim_end_matches(['\r', '\n']).to_owned())
}

fn percent_encoded(text: &str) -> String {
    let encode = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' => {
            char::from(byte).to_string()
        }
        _ => format!("%{byte:02X}"),
    };
    text.bytes().map(encode).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use AddressSource::{CommandLine, Environment};

    fn read(text: &str, source: AddressSource) -> Result<StoreAddress, AddressError> {
        StoreAddress::read(text, source, None)
    }

    #[test]
    fn a_password_is_taken_from_the_environment_alone_and_never_shown() {
        for text in [
            "postgres://anna:secret@localhost/farm",
            "postgres://localhost/farm?user=anna&password=secret",
        ] {
            assert!(matches!(
                read(text, CommandLine),
                Err(AddressError::Password)
            ));
            let address = read(text, Environment).unwrap();
            assert!(!format!("{address} {address:?}").contains("secret"));
        }
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("password");
        std::fs::write(&file, "se/cret\n").unwrap();
        let text = "postgres://anna@localhost/farm";
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let found = StoreAddress::read(text, CommandLine, Some(&file));
            assert!(matches!(found, Err(AddressError::Public { .. })));
            let mode = std::fs::Permissions::from_mode(0o600);
            std::fs::set_permissions(&file, mode).unwrap();
        }
        let address = StoreAddress::read(text, CommandLine, Some(&file)).unwrap();
        assert!(matches!(&address, StoreAddress::Postgres { url, .. }
            if url == "postgres://anna:se%2Fcret@localhost/farm"));
        assert_eq!(address.to_string(), text);
    }

    #[test]
    fn beyond_this_machine_the_server_shows_who_it_is() {
        let url = |text| match read(text, CommandLine).unwrap() {
            StoreAddress::Postgres { url, .. } => url,
            StoreAddress::File(path) => panic!("{}", path.display()),
        };
        assert_eq!(
            url("postgres://anna@farm.example:5433/farm"),
            "postgres://anna@farm.example:5433/farm?sslmode=verify-full"
        );
        for local in [
            "postgres://anna@127.0.0.1/farm",
            "postgres://anna@[::1]:5433/farm",
            "postgres:///farm?host=/run/postgresql",
            "postgres://%2Ftmp%2Fpg/farm",
        ] {
            assert_eq!(url(local), local);
        }
        for plain in [
            "postgres://anna@farm.example/farm?sslmode=disable",
            "postgres://anna@farm.example/farm?sslmode=require",
            "postgres:///farm?host=farm.example&sslmode=prefer",
        ] {
            let found = read(plain, Environment);
            assert!(matches!(found, Err(AddressError::Unsafe { .. })), "{plain}");
        }
        assert!(read("mysql://anna@localhost/farm", CommandLine).is_err());
        let file = read("farm.db", CommandLine).unwrap();
        assert_eq!(file, StoreAddress::File("farm.db".into()));
    }
}
