//! The positions that are measured.
//!
//! The openings are from the YaneuraOu project's balanced positions (2025) and other public
//! collections, the wide and the checked ones from games that nshogi's tests play (MIT).

use tesuji_shogi::Position;

/// Positions under one name.
pub(super) struct PositionSet {
    /// As the table calls it.
    pub(super) name: &'static str,
    /// The mean over these is shown.
    pub(super) positions: Vec<Position>,
}

/// Every set of the table.
pub(super) fn sets() -> Vec<PositionSet> {
    let set = |name, sfens: &[&str]| PositionSet {
        name,
        positions: sfens.iter().map(|sfen| read(sfen)).collect(),
    };
    vec![
        set("start", &["startpos"]),
        set("festival", &[FESTIVAL]),
        set("widest", &[WIDEST]),
        set("middle", &[&OPENINGS[..], &WIDE[..]].concat()),
        set("checked", &CHECKED),
    ]
}

/// The position of the move generation festival (指し手生成祭り), wide and with full hands.
pub(super) fn festival() -> Position {
    read(FESTIVAL)
}

fn read(sfen: &str) -> Position {
    Position::from_sfen(sfen).expect("every position of the table is sound")
}

/// 207 moves; the position Kuma Shogi (2013) was measured on.
const FESTIVAL: &str = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";

/// 593 moves: no position has more.
const WIDEST: &str = "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1";

/// Balanced positions after 12 to 36 moves.
const OPENINGS: [&str; 24] = [
    "l4k1nl/1r2g1gb1/p1nssp1p1/2ppp1p2/1p6p/P1PPP1P2/1PSG1PN1P/1BG2S1R1/LN1K4L b P 37",
    "ln2g2nl/1r1s1kg2/2ppppspp/p5p2/1p7/P1P2PPP1/1PSPPS2P/3KG2R1/LN1G3NL w Bb 24",
    "ln1g3nl/1rs2kg2/p1p1ppsp1/3p2p1p/1p5P1/P1P2PP1P/1PSPP4/2G3SR1/LN2KG1NL w Bb 24",
    "l2g3nl/2s2kg2/2n1ppsp1/p2p2p1p/7P1/PrS2PP1P/3PPSN2/2GKG2R1/LN6L b B2Pb2p 37",
    "lns2k1nl/1r2g1gb1/p2pppspp/2p3p2/1p7/P1P5P/1P1PPPP2/1S1B1S1R1/LN1GKG1NL w P 24",
    "lns2k1nl/1r2g1g2/2ppppsp1/p5p1p/1p5P1/P1PP2P2/1PS1PP2P/2GK2SR1/LN3G1NL w Bb 24",
    "ln1g3nl/1rs2kgs1/p3pp3/2pp2p1p/1p7/P1P6/1P1PPPP1P/1SGK1S1R1/LN3G1NL w BPbp 24",
    "l2gk1snl/1r1s5/p1n1ppgp1/2pp2p1p/1p5P1/2P3P1P/PPSPPP3/2G2S1R1/LN1K1G1NL w Bb 24",
    "lnsg3nl/1k2gr3/1pp1psbpp/p2p1pp2/4P2P1/2P1S1P2/PP1P1P2P/1BK1G2R1/LNSG3NL b - 25",
    "lnsg1g1nl/3k1r3/1ppppsbpp/p4pp2/7P1/P1P3P2/1P1PPP2P/1BK1GS1R1/LNSG3NL w - 18",
    "ln3kbnl/1r4g2/p1sp1gsp1/2p1p3p/1p3p1P1/2PPPB2P/PPS2PS2/2G1G2R1/LN1K3NL b Pp 37",
    "ln1gk1snl/1r1s5/2p1p1gp1/p2p1pp1p/1p5P1/P1P3P1P/1PSPPP3/3K2SR1/LN1G1G1NL w Bb 24",
    "ln1g3nl/1rs2kg2/p2pppsp1/2p3p1p/1p5P1/2P2PP1P/PPSPP1N2/2G3SR1/LN2KG2L w Bb 24",
    "l1sgk2nl/1r4g2/2nppsbpp/p1p2pp2/1p5P1/P1P3P2/1P1PPP2P/1SGBGS1R1/LN1K3NL w - 24",
    "lnkg1g1nl/2s2r3/1pp1psbpp/3p1pp2/p1P4P1/4P4/PPSPSPP1P/1BK1G2R1/LN1G3NL b - 25",
    "lr3k1nl/4g1gb1/2ns2sp1/p1ppppp1p/1p5P1/P1PPPBP1P/1PS2PN2/2G1GS1R1/LNK5L b - 37",
    "ln2k2nl/1r2g1g2/p2sps1pp/2pp1pp2/9/2P2PPR1/PP1PPSN1P/2GSKG3/LN6L b BPbp 37",
    "ln2k2nl/1rs2gg2/2ppppspp/p5p2/1p5P1/P1PP1P3/1PS1PSP1P/2G4R1/LN2KG1NL w Bb 24",
    "l5knl/1r1g2g2/p1n1p1sp1/2ppspp1p/Pp3P1P1/2P3P1P/1PSPPSN2/2GK5/LN3G1RL b Bb 37",
    "ln1g2snl/2s1k1gb1/2pppppp1/p7p/9/Pr3P2P/1PPPP1P2/1BG3SR1/LNS1KG1NL w Pp 24",
    "ln4knl/3sg1g2/p2p1psp1/2p1p1p1p/7P1/1rPSPPP1P/P2P2N2/2G1GS1R1/LN1K4L b BPbp 37",
    "ln1gk2nl/1r4g2/p1psppspp/3p1b3/1p7/2P3R2/PP1PPPPSP/1BG6/LNS1KG1NL b 2P 25",
    "ln1g3nl/1rs2kg2/p3ppspp/1ppp2p2/7P1/2P2PP2/PPSPP2SP/2GK3R1/LN3G1NL w Bb 24",
    "lnsg2snl/1r2k1gb1/2pppp1pp/p8/9/6R2/PPPPPPP1P/1BG3S2/LNS1KG1NL w 2Pp 24",
];

/// Late positions with more than a hundred moves.
const WIDE: [&str; 16] = [
    "+L+PG+P+S+P2+P/P1+NG2+SP1/2+S1K+P3/1P3N+RlP/3+b4p/1k1+l1gP2/8+p/+p+sp3p2/+pg+l1+n+p2+n w rbp 614",
    "G+P1+P3G1/3+Pg1pr1/+P1k5l/4pSP+SP/1p2ns2p/p2NP+b2L/gSPp5/4RP1PL/N3K1+n2 b BLPp 369",
    "1+P5G1/3+P+P1r1l/+P1+P1g1S2/1p1k1SlbP/1P2nsP1p/p3P3L/1lSpb4/1gN1R2P1/N3K2+n1 b G3Pp 339",
    "G+P1+P+P1G2/1P3+N3/1s6P/+P1p2gp1l/1kS1nB1ps/gp2P+b1L1/2Ppp3L/P1R1RP1P1/N2PK2+n1 w sl 414",
    "s8/lrg2k1s1/n1+S1L1p2/p1p2p1pl/1p1nP1P2/PP2gP1K1/N1PGG2P1/L7+n/B5+r1B w 4Psp 104",
    "7p1/lg4Pbk/2nPp1p2/Pgpp2sPP/p2G1p3/1pP3S1s/2N+s1P2N/1BR3K1L/L2gP2R1 b NL2p 173",
    "4+N1+Pp1/l1p6/pP2+RNpkp/gp1g1p3/LnG2+LS2/2P5s/lR1N1P1SP/P2P2P2/1g1B1+b1K1 b SP2p 279",
    "3pkp1+P+P/1+P+L3+B1G/L+Ps1pgs+P1/KP1P1P3/P8/Nlp1+n1P+rS/G1r3pP1/2g+b5/L3P1+n1+n w Ps 452",
    "s+S3k3/1pr4s1/1G6p/p2+P2gb1/1N3p1pP/P4LKP1/1GnP2R1S/L5l2/1+nB+pP+n2+l b G5Pp 237",
    "s4k3/lrg4s1/n5p2/p1pS1p2l/1p1n1gP2/PP2PP3/N1PG2KP+n/L2G3B1/B5S2 w L4Pr2p 92",
    "6s1l/l+Pl1rG1bp/Ps1G1g3/p1PP4L/nP3Sp2/2p1PSPp1/BkN2p1Pn/6K2/2G6 b R3Pnp 157",
    "+R+P4s+N1/1pPl1Pn2/1+P2b2+P1/N2lp1k1+P/GRpP1p3/3p3Gl/p3B1p+np/LK1SS1g2/1P3g1+p1 b Sp 295",
    "2+N4pk/+L1p1Gn+P2/pP3sp2/1p2s+L3/8p/2Pg2+R1S/+l1R+p+nPGPP/1+nBPp1P1K/Sg3+b3 b L2P 335",
    "lnsp+P2pl/2n1n4/gpp1g2P1/5k2p/3rpp2P/LSPS1g1Sn/1P2+bP+p2/G8/3K1BP1R w Pl2p 158",
    "1+P1gk4/lP+N2ss2/n+R3g2P/NsP1p2+P1/1G2PpP2/pR1P1P1pl/P1S1KB2p/4L3+n/L4+pB2 b G2P 171",
    "2s4+P1/k3+L+S1n1/2P+P2bp+P/1p3l2P/5PPN1/1gg1P2Pp/3GK1Srn/3B2G1L/+l+s1P1+p2N b R3Pp 251",
];

/// The side to move is in check.
const CHECKED: [&str; 24] = [
    "+N1s4+P1/+Pk2+L+S3/1+rP+P2bp+P/1p3l2P/1g3PPN1/1g2P2Pp/4K1Srn/2G3G1L/+l+s1P1+p2N w B3P 244",
    "1G+Ps2+N2/+PP+P4+P1/3l3G1/k7l/2p1n1sgN/1p2PP2l/P1Pp2+bPL/1SRP+pRP+b1/g3K2+n+s b 2P 473",
    "4+N1+Pp1/l1p1G4/pP3Npk1/Lp2P3p/1ng1+R+LS2/2Pp4S/2RN1P2P/+l2Pp1P1g/Sg1B1+b1K1 b Psp 297",
    "G1+P1s1+N2/+PP+P4+P1/3l3GP/1k5gl/2p1n3N/PpP1+s3L/1LSp3P1/p1RP1RP+b1/g2+bKP1+n+s b Pp 493",
    "p1+Np1+P1p1/1+Pp1s1S1k/+L3s2+S1/1p2b1n2/1L2P1+Blp/2Pg1P2r/P1+nP3+RP/+lP1+np1P1K/g4g3 w GP 386",
    "+P1sk3p1/1b2+P4/ppn4+P1/P1pnlg2P/gL2pppNs/2+b1+lP1NR/ls1P2gR1/1G2+s4/2K6 w 4p 244",
    "1n2kg3/3s3bl/l1p1rgppn/p2pp3p/3K1pSP1/PpPPPPP1P/1P1S4N/1BS1G2R1/LN2G3L b - 53",
    "3+P2k2/+RpPl4n/+P1GNPs2L/N2PS4/2S2p1p+P/PR3g1+bl/L1Sp3+np/pK+b2P+p1g/1P3g+p2 b P 373",
    "7Gl/l4s2p/P1+PGp2rb/pPPP4L/3S1Pn2/LppkPSpNn/B3SpPPn/R1G6/1g2K4 w 2P 204",
    "s+P1rg4/+S3k2sp/1G2+P4/p6b1/1N3p1pP/P1P1gPK2/1Gn1n1RPS/LB1P2l1+l/1+n7 w L6P 210",
    "+P+Pp+P3S1/3+b1+P1L+L/4L2kN/N2G+r1n2/P1G1S1N2/2+bp+R2p+P/L3pP1Sp/pP1S+pg2P/1K1P2+pg1 w - 478",
    "1n5p1/l5P1p/g1N+PpNprk/g2pLS2P/L1G2p2s/BpP3S1L/1R3P3/P1g1+b4/2N+sP3K w 4p 228",
    "3+P2+N2/+RpPls4/1+P1NP3L/NG1Ppk2+P/3S1p1p1/PS5+bl/LR+pp1gp+np/pK1+b4g/1P3g1+p1 b S 355",
    "b8/2k+P5/pln3N1S/Pppnlg2P/g1+b1pppps/3P1+l1NR/lG5R1/4+s1g2/1K2P4 w S6p 274",
    "s1+S+R2+S+N1/1+PG1p4/2pp5/+NP5S1/3Pkp2p/PG3L1p1/BpglGRPK1/2P2+l2+l/1+n+n1+pB3 b 2P2p 337",
    "2G+L2+N1l/g2p1+PpPg/P2+Skp3/Lbg1p3P/1r1P5/1PPS1N3/+p1p2S+n+BK/2+rs1+n1+pL/1+p7 w 2Pp 314",
    "4G2Bl/4Pr+PPg/+Sg+N6/L1Pspk3/pp3P2p/Pr1PS4/LP2S1PKn/1B3+n2L/2g+p3N1 w P3p 198",
    "l1k1g2pb/2rs1s2l/1g2ppp2/1p6p/pn1PBN1nP/P5P2/2+p1PP3/L1KS1G1RL/2P1G2S1 b 2Pnp 79",
    "s+S3k+P2/1pG2b3/+N+P4p1p/pG4g2/5p1pP/P4LKPS/1G1P1R3/L1P1+r4/+n1B+n+p+n+l1+l w S4P 262",
    "+P+Lpk3+P+P/3sp1p2/3s2+Rg1/K+P3+P3/1sP2n1P+b/1+nSpn3l/L2GPP1pn/1G1B1+r+p2/G2L5 b P2p 309",
    "2G+P+SB2+S/1+L1GG+N+PP1/2+P1r2+P1/s2PK+P2P/4P3p/1k2B+R3/pn3+l1+p1/+p1+s2+n1+l+n/+pg+p+l1+p+p2 b P 729",
    "p2+P+R+R1+S+P/1+P+LKP3+P/6N+N1/1P1G3pP/k3pp+b1g/1p4Snp/P1g5L/+s1p2S1+l1/B2+l1P+ng1 b 2p 399",
    "3+P5/1pPl+P2kn/+P+RGN4L/N2PSBs2/2S1Pp1p+P/PR1S1g1+bl/L6+np/pK2+pP+p1g/1P3g+p2 w - 386",
    "+L+PG+P+S+P2+P/P1+NG2+SP1/1+S2K+P3/1P3N+RlP/3+b4p/1k1R1gP2/3+l4+p/+p+sp3p2/+pg+l1+n+p2+n w bp 612",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_set_is_what_its_name_says() {
        let sets = sets();
        let moves = |set: &PositionSet| -> Vec<usize> {
            let lists = set.positions.iter().map(tesuji_shogi::Board::legal_moves);
            lists.map(|list| list.len()).collect()
        };
        assert_eq!(moves(&sets[0]), [30]);
        assert_eq!(moves(&sets[1]), [207]);
        assert_eq!(moves(&sets[2]), [593]);
        assert!(sets[3].positions.iter().all(|pos| !pos.in_check()));
        assert!(sets[4].positions.iter().all(Position::in_check));
    }
}
