//! No text makes the reader of USI panic; what it reads, it writes so that it reads the same again.
#![no_main]

mod records;

use libfuzzer_sys::fuzz_target;
use tesuji_record::TextFormat;

fuzz_target!(|bytes: &[u8]| records::read_and_write(bytes, TextFormat::Usi));
