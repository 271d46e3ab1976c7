//! What the tests of the command line share.

use std::process::Output;

/// The program did not do what it was asked: it says why and ends with 2.
#[track_caller]
pub(crate) fn assert_refused(output: &Output, message: &str) {
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(error.contains(message), "{message:?} is not in: {error}");
}
