//! Fixed positions to a fixed depth: the number of nodes is the signature of the search.
//!
//! After the `bench` of Stockfish.

use std::fmt;
use std::time::{Duration, Instant};
use tesuji_search::{NoListener, Search, SearchControl, SearchLimits, SearchRequest};
use tesuji_shogi::Position;

/// How deep the bench searches unless told otherwise.
pub const DEPTH: u32 = 12;

/// How large the table is, so that the signature is the same everywhere.
pub const TABLE_BYTES: usize = 16 << 20;

/// From the start position over openings, middle games and attacks on both kings to an entered one.
pub const POSITIONS: [&str; 20] = [
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "l4k1nl/1r2g1gb1/p1nssp1p1/2ppp1p2/1p6p/P1PPP1P2/1PSG1PN1P/1BG2S1R1/LN1K4L b P 37",
    "ln2k2nl/1r1sg1g2/3pppspp/p1p3p2/1p5P1/P1P3P2/1PSPPPN1P/2G2GSR1/LN2K3L w Bb 24",
    "ln1g2snl/2s1k1gb1/2pppp1p1/pr4p1p/1p7/P1P3R1P/1P1PPPP2/1BG1K1S2/LNS2G1NL w P 24",
    "lr6l/2skg1g1P/5pn2/p1pPps2p/3n5/PpP2S3/1P2PP1RN/2GSG4/LN1K4L b B2Pb3p 51",
    "lr5nl/4g1k2/p4gsp1/3sp3p/5P1P1/PpppP4/G5S1P/1KG4R1/LN5NL b BSN5Pbp 71",
    "ln1g2snl/1+Rs1k4/p1ppppg1p/9/4b4/2r3P2/P1NPPPN1P/2G1K4/L1S2GS1L w B3P3p 44",
    "lnsg4+P/1pk1s2+N1/p1ppp1B1p/4r4/9/4bPP+R1/P2P+n1N1P/1SG2pS2/L2KG3L b GL4Pp 61",
    "ln2k1gnl/1sg2s3/pp2pp1+B1/2ppb4/3P5/9/P3PPPP+p/3SK4/LNG2GSNL b R3Pr2p 41",
    "lng3+R1l/1k4+P2/ppsplB2p/2p2p+S2/P1P2n3/1N1GP2p1/1PSPpPP1P/2KS3+r1/LNG6 w Pbg 92",
    "ln6l/1r3kg2/p2ppgnp1/4nb1Pp/1p7/P1SP1Sp1P/1P2P4/2GK2G2/LN5RL w BS3Ps2p 62",
    "r6nl/3s2gk1/2np1gsp1/2p1ppp1P/1p5PS/2PPPPP2/1+lSG5/2GB3R1/2K4NL b BLn4p 67",
    "l2g4l/2s1k2g1/p1n1p1n1p/5pB2/4+b4/2Pp2S1P/P1G1P1P1N/1PKG3r1/LNS2R2+p w S3Pl3p 68",
    "2+L2k2l/4p1g2/2gp1ns2/ps2+B1spp/1n7/P4P3/1PpPP3P/4KG3/LNG4RL b BS5Prnp 81",
    "ln4snk/1r4g1l/2p1+R1bs1/p4pppp/9/P1PB2P1P/1+p3PNP1/6GSL/LN4G1K w G2Ps3p 58",
    "l4sknl/1+P2sr1p1/p1p1p1p1p/2n2p3/3+BN1P+b1/1P3P3/PSNp4P/2GP2S2/LKPr1G2L b 2GPp 75",
    "1nkg4l/p1s1s4/1p1p1pn+B1/1n2pb2p/2P4P1/LP1P4P/1SGGP1P2/1KG6/1N6+r w R3Ps2l2p 84",
    "ln1Sk3l/1r2gg3/p1p+B1+Bp2/3p1p2p/9/2P1PP2P/P1NGKSP2/9/+r4s1+lL b G6Ps2n 81",
    "3g4+P/2s6/p2ppp3/7+P1/5n+R2/6P2/P2+bPPS2/1+bkg5/L1+p2G1KL w S4Prgs3n2l3p 128",
    "2+P2+P1+RK/1g1+S1G+B2/2+N1P1+P1+P/9/9/9/2p1p1p1p/3g1s3/3gk2r1 b BS2L3P3n2l3p 201",
];

/// What one position took.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BenchRow {
    /// The position.
    pub sfen: &'static str,
    /// How many positions were visited.
    pub nodes: u64,
    /// How long it took.
    pub time: Duration,
}

/// What all positions took. Written out, the first number is the signature.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Total {
    /// How many positions were visited.
    pub nodes: u64,
    /// How long it took.
    pub time: Duration,
}

impl Total {
    /// Nodes per second.
    pub fn nps(&self) -> u64 {
        (self.nodes as f64 / self.time.as_secs_f64().max(1e-6)) as u64
    }
}

impl fmt::Display for Total {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "Total time (ms) : {}", self.time.as_millis())?;
        writeln!(f, "Nodes searched  : {}", self.nodes)?;
        write!(f, "Nodes/second    : {}", self.nps())
    }
}

/// Searches every position anew, and tells what each took. Stops early if the control says so.
pub fn run(
    search: &mut (impl Search + ?Sized),
    depth: u32,
    control: &SearchControl,
    mut each: impl FnMut(&BenchRow),
) -> Total {
    let mut total = Total::default();
    for sfen in POSITIONS {
        if control.is_stopped() {
            break;
        }
        let position = Position::from_sfen(sfen).expect("every position of the bench is sound");
        search.new_game();
        let start = Instant::now();
        let request = SearchRequest::new(position).with_limits(SearchLimits::depth(depth));
        let best = search.think(&request, control, &mut NoListener);
        let row = BenchRow {
            sfen,
            nodes: best.nodes,
            time: start.elapsed(),
        };
        total.nodes += row.nodes;
        total.time += row.time;
        each(&row);
    }
    total
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_shogi::Board;

    #[test]
    fn every_position_is_sound_and_has_moves() {
        for sfen in POSITIONS {
            let pos = Position::from_sfen(sfen).unwrap_or_else(|error| panic!("{sfen}: {error}"));
            assert!(pos.legal_moves().len() > 1, "{sfen}");
            assert_eq!(pos.to_sfen(), sfen);
        }
    }
}
