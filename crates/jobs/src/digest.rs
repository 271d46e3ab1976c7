//! SHA-256 as text: the name of a file and the fingerprint of a result.

use sha2::{Digest, Sha256};
use std::fmt::Write;

/// SHA-256 of some bytes, as 64 hexadecimal digits.
///
/// ```
/// let empty = tesuji_jobs::sha256_hex(b"");
/// assert!(empty.starts_with("e3b0c44298fc1c14"));
/// ```
pub fn sha256_hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(64);
    for byte in Sha256::digest(bytes) {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// Whether a text could be a SHA-256.
pub(crate) fn is_sha256(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}
