//! No bytes make the readers of data files panic; what they read, they write so that it reads the
//! same again. The first byte chooses the format.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tesuji_record::packed::PackedLayout;
use tesuji_record::samples::SampleFormat;
use tesuji_record::sbinpack::{ChainWriter, Chains};
use tesuji_record::trace::TraceFormat;

fuzz_target!(|bytes: &[u8]| {
    let Some((&choice, bytes)) = bytes.split_first() else {
        return;
    };
    if let Some(packed) = bytes.first_chunk::<32>() {
        for layout in [PackedLayout::PackedSfen, PackedLayout::Hcp] {
            if let Ok(pos) = layout.unpack(packed) {
                let again = layout.pack(&pos).expect("both kings are there");
                assert_eq!(layout.unpack(&again), Ok(pos));
            }
        }
    }
    match choice % 6 {
        0 => samples(SampleFormat::Psv, bytes),
        1 => samples(SampleFormat::Hcp, bytes),
        2 => samples(SampleFormat::Hcpe, bytes),
        3 => traces(TraceFormat::Hcpe3, bytes),
        4 => traces(TraceFormat::Pack, bytes),
        _ => chains(bytes),
    }
});

fn samples(format: SampleFormat, bytes: &[u8]) {
    for sample in format.samples(bytes).map_while(Result::ok) {
        let written = format.write(&sample).expect("what was read can be written");
        let again = format
            .read(&written, format.moves())
            .expect("what was written can be read");
        assert_eq!(again, sample);
    }
}

fn traces(format: TraceFormat, bytes: &[u8]) {
    for trace in format.traces(bytes).map_while(Result::ok) {
        let written = format.write(&trace).expect("what was read can be written");
        let again = format
            .traces(&written[..])
            .next()
            .expect("a trace was written");
        assert_eq!(again.expect("what was written can be read"), trace);
        let game = trace.to_game().expect("a trace has legal moves");
        assert_eq!(game.result(), Some(trace.result));
    }
}

fn chains(bytes: &[u8]) {
    let list: Vec<_> = Chains::new(bytes).map_while(Result::ok).collect();
    let mut writer = ChainWriter::new(Vec::new());
    if list.iter().all(|sample| writer.write(sample).is_ok()) {
        let written = writer.finish().expect("memory can be written to");
        let again: Result<Vec<_>, _> = Chains::new(&written[..]).collect();
        assert_eq!(again.expect("what was written can be read"), list);
    }
}
