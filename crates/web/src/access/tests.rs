//! Who comes in: from this machine, from elsewhere, with the token and without.

use super::*;

fn check(
    access: &AccessPolicy,
    lines: &[(&'static str, &str)],
    path: &str,
) -> Result<(), AccessDenied> {
    let mut headers = HeaderMap::new();
    for &(name, value) in lines {
        headers.append(name, value.parse().unwrap());
    }
    access.check(&headers, &path.parse().unwrap(), path == "/socket")
}

#[test]
fn only_our_own_names_and_pages_come_in() {
    let access = AccessPolicy {
        host: [127, 0, 0, 1].into(),
        port: 8765,
        token: None,
    };
    let own = ("host", "127.0.0.1:8765");
    assert_eq!(check(&access, &[own], "/"), Ok(()));
    assert_eq!(check(&access, &[("host", "localhost:8765")], "/"), Ok(()));
    let page = ("origin", "http://127.0.0.1:8765");
    assert_eq!(check(&access, &[own, page], "/socket"), Ok(()));
    let secure = ("origin", "https://127.0.0.1:8765");
    assert_eq!(check(&access, &[own, secure], "/socket"), Ok(()));
    for host in ["evil.example:8765", "127.0.0.1:80", "127.0.0.1", ""] {
        assert_eq!(
            check(&access, &[("host", host)], "/"),
            Err(AccessDenied::Host)
        );
    }
    for origin in [
        "https://127.0.0.1",
        "http://evil.example",
        "null",
        "http://localhost:8765",
        "",
    ] {
        let found = check(&access, &[own, ("origin", origin)], "/");
        assert_eq!(found, Err(AccessDenied::Origin), "{origin}");
    }
    assert_eq!(check(&access, &[own], "/socket"), Err(AccessDenied::Origin));
    assert_eq!(check(&access, &[own, own], "/"), Err(AccessDenied::Host));
    assert_eq!(
        check(&access, &[own, page, page], "/"),
        Err(AccessDenied::Origin)
    );
}

#[test]
fn only_this_machine_itself_is_local() {
    let local = |peer: &str, lines: &[(&'static str, &str)]| {
        let mut headers = HeaderMap::new();
        for &(name, value) in lines {
            headers.append(name, value.parse().unwrap());
        }
        is_local(peer.parse().unwrap(), &headers)
    };
    let own = ("host", "127.0.0.1:8765");
    assert!(local("127.0.0.1", &[own]));
    assert!(local("::1", &[("host", "[::1]:8765")]));
    assert!(local("::ffff:127.0.0.1", &[("host", "localhost:80")]));
    assert!(!local("192.168.0.7", &[own]));
    assert!(!local("127.0.0.1", &[("host", "192.168.0.7:8765")]));
    assert!(!local("127.0.0.1", &[("host", "shogi.example")]));
    assert!(!local("127.0.0.1", &[own, ("x-forwarded-for", "10.0.0.1")]));
    assert!(!local("127.0.0.1", &[]));
}

#[test]
fn from_elsewhere_the_token_opens() {
    let access = AccessPolicy {
        host: [0, 0, 0, 0].into(),
        port: 80,
        token: Some("0123456789abcdef".into()),
    };
    let own = ("host", "192.168.0.7");
    assert_eq!(check(&access, &[own], "/"), Err(AccessDenied::Token));
    assert_eq!(check(&access, &[own], "/?token=0123456789abcdef"), Ok(()));
    assert_eq!(
        check(&access, &[own], "/?token=0123"),
        Err(AccessDenied::Token)
    );
    let cookie = ("cookie", "a=b; tesuji-token=0123456789abcdef");
    assert_eq!(check(&access, &[own, cookie], "/"), Ok(()));
    assert!(is_good_token("0123456789abcdef"));
    assert!(!is_good_token("short") && !is_good_token("0123456789 abcdef"));
}
