//! Every number that can be tuned: name, value, range.

/// One number, for a tuner to list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Param {
    /// Its name.
    pub name: &'static str,
    /// Its value.
    pub value: i32,
    /// The least it may be.
    pub least: i32,
    /// The most it may be.
    pub most: i32,
}

macro_rules! params {
    ($($(#[$doc:meta])* $name:ident: $value:literal in $least:literal..=$most:literal;)*) => {
        /// The numbers of the tournament search. Depths count plies, reductions count 1024ths of a
        /// ply, margins count points.
        #[derive(Clone, PartialEq, Eq, Debug)]
        #[allow(missing_docs, reason = "numbers that belong together share one sentence")]
        pub struct Params {
            $($(#[$doc])* pub $name: i32,)*
        }

        impl Default for Params {
            fn default() -> Self {
                Self { $($name: $value,)* }
            }
        }

        impl Params {
            /// All of them, with their present values.
            pub fn list(&self) -> Vec<Param> {
                vec![$(Param {
                    name: stringify!($name),
                    value: self.$name,
                    least: $least,
                    most: $most,
                },)*]
            }

            /// Changes one by its name; `false` if there is no such number or the value is out of
            /// its range.
            pub fn set(&mut self, name: &str, value: i32) -> bool {
                match name {
                    $(stringify!($name) if ($least..=$most).contains(&value) => {
                        self.$name = value;
                        true
                    })*
                    _ => false,
                }
            }
        }
    };
}

params! {
    /// Half of the first window around the value of the last iteration.
    window_start: 5 in 2..=200;
    /// Divides the mean square of the values so far and widens the first window.
    window_spread: 9000 in 1000..=60000;
    /// How far below alpha a position is hopeless: at depth 0, and per squared ply.
    razor_base: 480 in 0..=2000;
    razor_slope: 300 in 0..=1500;
    /// From which sum of two evaluations on a reduced move was good enough to be searched less.
    hindsight_margin: 175 in 0..=1000;
    /// Up to which depth a position that is far too good is left alone.
    futility_depth: 14 in 1..=20;
    /// How much too good per ply; what is taken off without an entry in the table.
    futility_slope: 76 in 10..=300;
    futility_unseen: 21 in 0..=100;
    /// By how many slopes (1024ths) the margin shrinks when things get better.
    futility_improving: 2600 in 0..=6000;
    futility_worsening: 360 in 0..=2000;
    /// What must be had beyond beta, less with depth, before passing is tried.
    pass_base: 380 in -200..=1200;
    pass_slope: 16 in 0..=100;
    pass_improving: 50 in 0..=300;
    /// By how many plies the search after a pass is shallower: base, and one per so many plies.
    pass_reduction: 7 in 2..=12;
    pass_divisor: 3 in 2..=10;
    /// From which depth on a pass that holds is checked by a search without passes.
    pass_verify: 16 in 5..=40;
    /// How many nodes of proof search a new position gets, from which depth on: off, because it
    /// costs more than it finds.
    leaf_nodes: 0 in 0..=10000;
    leaf_depth: 2 in 1..=20;
    /// From which depth on a node without a move in the table is searched one ply less.
    internal_depth: 6 in 2..=12;
    /// How far beyond beta a capture must reach to cut at once.
    probcut_margin: 220 in 50..=600;
    probcut_improving: 60 in 0..=300;
    probcut_depth: 3 in 2..=10;
    probcut_reduction: 4 in 2..=8;
    /// The same by an entry of the table alone.
    small_probcut: 420 in 100..=1200;
    /// How many quiet moves are tried at depth 0.
    late_base: 3 in 1..=20;
    /// What a capture is hoped to gain beyond what it takes: base, per ply, by its history.
    capture_base: 220 in 0..=800;
    capture_slope: 225 in 0..=800;
    capture_history: 130 in 0..=500;
    capture_depth: 7 in 1..=15;
    /// How much a capture or check may lose per ply.
    capture_see: 165 in 20..=500;
    capture_see_history: 34 in 0..=200;
    /// Below this alpha losing captures and checks are tried nevertheless.
    capture_see_alpha: 0 in -32000..=1000;
    /// Below how bad a past per ply a quiet move is not tried.
    quiet_history: 4100 in 500..=20000;
    /// What of the past of a quiet move makes a ply of depth.
    quiet_depth_share: 3200 in 500..=20000;
    /// What a quiet move is hoped to gain: base, without a best move so far, per ply, above alpha.
    quiet_base: 45 in -100..=500;
    quiet_no_best: 150 in 0..=500;
    quiet_slope: 120 in 20..=400;
    quiet_above: 85 in 0..=400;
    quiet_depth: 13 in 1..=20;
    /// How much a quiet move may lose, per squared ply.
    quiet_see: 25 in 5..=100;
    /// From which depth on the move of the table is tested for being the only one.
    singular_depth: 6 in 3..=14;
    /// How far the others must fall short, per ply and 64ths of a point.
    singular_margin: 70 in 8..=400;
    singular_margin_pv: 75 in 0..=400;
    /// By how much more for two plies and for three; in the principal variation; if the move is
    /// quiet.
    double_base: 0 in -100..=200;
    double_pv: 210 in 0..=600;
    double_quiet: 180 in 0..=500;
    triple_base: 75 in 0..=400;
    triple_pv: 320 in 0..=800;
    triple_quiet: 215 in 0..=500;
    triple_was_pv: 90 in 0..=500;
    /// What the trust in the move of the table is divided by.
    double_trust: 128 in 16..=2000;
    /// By how much less far from the root.
    singular_far: 45 in 0..=300;
    /// The logarithm that reductions grow with, in 128ths.
    reduction_log: 2780 in 500..=8000;
    reduction_window: 600 in 0..=2000;
    reduction_base: 1180 in -2000..=4000;
    reduction_worsening: 240 in 0..=1000;
    /// What changes a reduction, in 1024ths of a ply.
    reduce_was_pv: 1000 in 0..=4000;
    unreduce_was_pv: 2800 in 0..=6000;
    unreduce_pv: 970 in 0..=4000;
    unreduce_value: 900 in 0..=4000;
    unreduce_depth: 935 in 0..=4000;
    reduce_offset: 690 in -2000..=4000;
    unreduce_move: 65 in 0..=300;
    unreduce_doubt: 5 in 0..=60;
    reduce_cut: 3600 in 0..=8000;
    reduce_cut_blind: 985 in 0..=4000;
    reduce_table_takes: 1050 in 0..=4000;
    reduce_cutoffs: 1100 in 0..=4000;
    unreduce_table: 2240 in 0..=6000;
    reduce_history: 107 in 0..=500;
    /// Where nodes below cut more than once; where all moves are expected to fail, a share.
    reduce_few_cutoffs: 250 in 0..=4000;
    reduce_all: 273 in 0..=2000;
    /// From which reduction on a move that is not reduced is searched one ply less, and two; what is
    /// added to it without a move in the table.
    less_one: 4600 in 1000..=20000;
    less_two: 5800 in 1000..=20000;
    less_blind: 1050 in 0..=4000;
    /// What a reduced move that was good after all gains.
    deeper_lesson: 1400 in 0..=6000;
    /// What checks get: a share of a ply.
    unreduce_check: 0 in 0..=3000;
    /// How much better than the best a reduced move must be to be searched deeper, and shallower.
    deeper_margin: 48 in 0..=300;
    shallower_margin: 9 in 0..=100;
    /// What a cut teaches: per ply, less so much, at most; more if the table knew the move; a share
    /// of the past of the move before.
    bonus_slope: 128 in 20..=500;
    bonus_offset: 77 in -500..=1000;
    bonus_most: 1500 in 300..=4000;
    bonus_table: 350 in 0..=2000;
    bonus_past: 32 in 4..=1000;
    /// What it costs the moves tried before: per ply, less so much, at most.
    malus_slope: 880 in 50..=2000;
    malus_offset: 200 in -500..=1000;
    malus_most: 2100 in 300..=4000;
    /// How much of it each of them gets, in hundredths: the best move if it takes or not, those
    /// before it if they take or not and from one quiet move to the next, the move that led here.
    teach_capture: 125 in 0..=400;
    teach_quiet: 80 in 0..=400;
    blame_capture: 150 in 0..=400;
    blame_quiet: 110 in 0..=400;
    blame_next: 95 in 0..=100;
    blame_before: 60 in 0..=400;
    /// How much of a lesson about a quiet move the history of shallow plies takes, in hundredths, and
    /// that of pawns, in 1024ths, when it is praised and when it is blamed.
    teach_shallow: 75 in 0..=400;
    praise_structure: 850 in 0..=4000;
    blame_structure: 550 in 0..=4000;
    /// What a cut by the table teaches about its move, and costs the move before.
    table_slope: 125 in 0..=500;
    table_offset: 70 in -500..=1000;
    table_most: 1200 in 0..=4000;
    table_blame: 2100 in 0..=6000;
    /// What is learnt about the trust in the move of the table: when a node ends, and when others
    /// were good enough too.
    trust_lesson: 800 in 0..=4000;
    trust_base: 424 in 0..=4000;
    trust_slope: 107 in 0..=1000;
    trust_most: 3375 in 0..=8000;
    /// What the error of an evaluation is divided by before it is learnt, with a best move and without.
    correction_best: 10 in 1..=100;
    correction_none: 8 in 1..=100;
    /// What a move that nothing refuted gains: from which surprise on, and 64ths of the lesson for
    /// each history; what it gains if it took something.
    praise_threshold: 232 in 0..=600;
    praise_follow: 880 in 0..=3000;
    praise_quiet: 470 in 0..=2000;
    praise_pawns: 2320 in 0..=6000;
    praise_capture: 1000 in 0..=4000;
    /// The lesson itself: per ply, less so much, at most.
    praise_slope: 135 in 0..=500;
    praise_offset: 80 in -500..=1000;
    praise_most: 1400 in 0..=4000;
    /// What makes it a surprise: depth, a bad past, a late move, evaluations far above the value.
    surprise_slope: 60 in 0..=400;
    surprise_most: 450 in 0..=2000;
    surprise_past: 108 in 10..=1000;
    surprise_late: 170 in 0..=1000;
    surprise_margin: 110 in 0..=1000;
    surprise_fall: 145 in 0..=1000;
    surprise_margin_before: 73 in 0..=1000;
    surprise_fall_before: 155 in 0..=1000;
    /// What the evaluation before and after a quiet move teaches about it: the most it may fall and
    /// rise, what is added, and how much of it each history takes.
    swing_fall: 214 in 0..=1000;
    swing_rise: 171 in 0..=1000;
    swing_base: 60 in -200..=300;
    swing_quiet: 10 in 0..=40;
    swing_pawns: 12 in 0..=40;
    /// What standing still is worth less than what a capture must reach in quiescence.
    quiescence_margin: 330 in 50..=900;
    quiescence_see: 73 in 0..=300;
    /// Whether quiescence tries quiet checks at its first ply: nowhere, in principal variations,
    /// everywhere.
    quiescence_checks: 1 in 0..=2;
}
