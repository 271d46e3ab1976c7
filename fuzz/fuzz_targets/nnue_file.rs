//! No bytes make the reader of networks panic or allocate without bound; what it reads, it writes
//! back byte for byte.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tesuji_eval::nnue::NetworkFile;

fuzz_target!(|bytes: &[u8]| {
    match NetworkFile::read(bytes) {
        Ok(file) => assert_eq!(file.write(), bytes),
        Err(error) => {
            let message = error.to_string();
            assert!(!message.is_empty() && message.len() < 4000, "{message}");
        }
    }
});
