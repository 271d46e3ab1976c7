//! Every number of the tournament search that can be tuned: name, value, range.
//!
//! USI sets them with `setoption name Tune.X`. The first values follow Stockfish and YaneuraOu.

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
    /// Aspiration: half of the first window around the average value so far.
    aspiration_delta: 5 in 2..=200;
    /// Divides the mean square of the values so far, which widens the first window.
    aspiration_mean_square_divisor: 9000 in 1000..=60000;
    /// Razoring: how far below alpha a position is hopeless, at depth 0 and per squared ply.
    razor_base: 480 in 0..=2000;
    razor_slope: 300 in 0..=1500;
    /// Hindsight reduction: from which sum of two static evaluations on a node that was reduced is
    /// reduced by one more ply.
    hindsight_margin: 175 in 0..=1000;
    /// Reverse futility pruning: up to which depth.
    rfp_depth: 14 in 1..=20;
    /// How far above beta per ply; what is taken off without an entry in the transposition table.
    rfp_slope: 76 in 10..=300;
    rfp_no_tt_entry: 21 in 0..=100;
    /// By how many slopes (1024ths) the margin shrinks when things get better.
    rfp_improving: 2600 in 0..=6000;
    rfp_opponent_worsening: 360 in 0..=2000;
    /// Null move: how far the static evaluation must exceed beta, less with depth.
    null_move_base: 380 in -200..=1200;
    null_move_slope: 16 in 0..=100;
    null_move_improving: 50 in 0..=300;
    /// By how many plies the search after a null move is reduced: base, and one per so many plies.
    null_move_reduction: 7 in 2..=12;
    null_move_divisor: 3 in 2..=10;
    /// From which depth on a null move that fails high is verified without null moves.
    null_move_verification_depth: 16 in 5..=40;
    /// How many nodes of proof search a new position gets, from which depth on: off, because it
    /// costs more than it finds.
    leaf_mate_nodes: 0 in 0..=10000;
    leaf_mate_depth: 2 in 1..=20;
    /// Internal iterative reduction: from which depth on.
    iir_depth: 6 in 2..=12;
    /// ProbCut: how far beyond beta a capture must reach, less when improving; from which depth on,
    /// and by how many plies its search is reduced.
    probcut_margin: 220 in 50..=600;
    probcut_improving: 60 in 0..=300;
    probcut_depth: 3 in 2..=10;
    probcut_reduction: 4 in 2..=8;
    /// Small ProbCut: the same by the value of the transposition table alone.
    small_probcut_margin: 420 in 100..=1200;
    /// Late-move pruning: how many moves are tried at depth 0 before quiet ones are skipped.
    lmp_base: 3 in 1..=20;
    /// Capture futility pruning: what is hoped for beyond the captured piece: base, per ply, by the
    /// capture history; up to which reduced depth.
    capture_futility_base: 220 in 0..=800;
    capture_futility_slope: 225 in 0..=800;
    capture_futility_history: 130 in 0..=500;
    capture_futility_depth: 7 in 1..=15;
    /// SEE pruning of captures and checks: how much they may lose per ply, and by capture history.
    capture_see_slope: 165 in 20..=500;
    capture_see_history: 34 in 0..=200;
    /// Below this alpha no capture or check is pruned so.
    capture_see_min_alpha: 0 in -32000..=1000;
    /// History pruning: below how bad a history per ply a quiet move is pruned.
    quiet_history_pruning: 4100 in 500..=20000;
    /// How much history makes a ply of reduced depth in the prunings below.
    quiet_history_divisor: 3200 in 500..=20000;
    /// Quiet futility pruning: what a quiet move is hoped to gain: base, without a best move so far,
    /// per ply, where the static evaluation is above alpha; up to which reduced depth.
    quiet_futility_base: 45 in -100..=500;
    quiet_futility_no_best_move: 150 in 0..=500;
    quiet_futility_slope: 120 in 20..=400;
    quiet_futility_above_alpha: 85 in 0..=400;
    quiet_futility_depth: 13 in 1..=20;
    /// SEE pruning of quiet moves: how much they may lose, per squared ply.
    quiet_see_slope: 25 in 5..=100;
    /// Singular extension: from which depth on the TT move is tested.
    singular_depth: 6 in 3..=14;
    /// How far the others must fall short, per ply, in 64ths of a point; more where `tt_pv`.
    singular_margin: 70 in 8..=400;
    singular_margin_tt_pv: 75 in 0..=400;
    /// By how much more for a double and a triple extension: base, more in the principal variation,
    /// less if the move is quiet, more where `tt_pv`.
    double_extension_base: 0 in -100..=200;
    double_extension_pv: 210 in 0..=600;
    double_extension_quiet: 180 in 0..=500;
    triple_extension_base: 75 in 0..=400;
    triple_extension_pv: 320 in 0..=800;
    triple_extension_quiet: 215 in 0..=500;
    triple_extension_tt_pv: 90 in 0..=500;
    /// What the TT-move history is divided by.
    double_extension_tt_move_history: 128 in 16..=2000;
    /// By how much less far from the root.
    singular_far_from_root: 45 in 0..=300;
    /// Late-move reductions: the factor of the logarithms in 128ths, less by the width of the window,
    /// base, and a share more when not improving.
    lmr_log: 2780 in 500..=8000;
    lmr_delta: 600 in 0..=2000;
    lmr_base: 1180 in -2000..=4000;
    lmr_not_improving: 240 in 0..=1000;
    /// What changes a reduction, in 1024ths of a ply; `less` where it is taken off.
    lmr_tt_pv: 1000 in 0..=4000;
    lmr_less_tt_pv: 2800 in 0..=6000;
    lmr_less_pv_node: 970 in 0..=4000;
    lmr_less_tt_value: 900 in 0..=4000;
    lmr_less_tt_depth: 935 in 0..=4000;
    lmr_offset: 690 in -2000..=4000;
    lmr_less_per_move: 65 in 0..=300;
    lmr_less_correction: 5 in 0..=60;
    lmr_cut_node: 3600 in 0..=8000;
    lmr_cut_node_no_tt_move: 985 in 0..=4000;
    lmr_tt_capture: 1050 in 0..=4000;
    lmr_cutoff_count: 1100 in 0..=4000;
    lmr_less_tt_move: 2240 in 0..=6000;
    lmr_stat_score: 107 in 0..=500;
    /// Where child nodes failed high more than once; the share at all nodes.
    lmr_few_cutoffs: 250 in 0..=4000;
    lmr_all_node: 273 in 0..=2000;
    /// From which reduction on a move that late-move reductions do not apply to is searched one ply
    /// less, and two; what is added to it without a TT move.
    full_depth_less_one: 4600 in 1000..=20000;
    full_depth_less_two: 5800 in 1000..=20000;
    full_depth_no_tt_move: 1050 in 0..=4000;
    /// The bonus of a reduced move that exceeded alpha after all.
    lmr_research_bonus: 1400 in 0..=6000;
    /// By how much less checks are reduced.
    lmr_less_check: 0 in 0..=3000;
    /// How much better than the best value a reduced move must be to be searched one ply deeper, and
    /// below which margin one ply shallower.
    lmr_deeper_margin: 48 in 0..=300;
    lmr_shallower_margin: 9 in 0..=100;
    /// The bonus of the best move: per ply, less so much, at most; more if it is the TT move; a share
    /// of the prior move's `stat_score`.
    stat_bonus_slope: 128 in 20..=500;
    stat_bonus_offset: 77 in -500..=1000;
    stat_bonus_max: 1500 in 300..=4000;
    stat_bonus_tt_move: 350 in 0..=2000;
    stat_bonus_prior_divisor: 32 in 4..=1000;
    /// The malus of the moves searched before it: per ply, less so much, at most.
    stat_malus_slope: 880 in 50..=2000;
    stat_malus_offset: 200 in -500..=1000;
    stat_malus_max: 2100 in 300..=4000;
    /// How much of it each of them gets, in hundredths: the best move if it is a capture or quiet,
    /// those before it likewise and from one quiet move to the next, the prior move.
    best_capture_bonus: 125 in 0..=400;
    best_quiet_bonus: 80 in 0..=400;
    searched_capture_malus: 150 in 0..=400;
    searched_quiet_malus: 110 in 0..=400;
    searched_quiet_malus_decay: 95 in 0..=100;
    prior_move_malus: 60 in 0..=400;
    /// How much of it the low-ply history takes, in hundredths, and the pawn history, in 1024ths, of
    /// a bonus and of a malus.
    low_ply_history_share: 75 in 0..=400;
    pawn_history_bonus_share: 850 in 0..=4000;
    pawn_history_malus_share: 550 in 0..=4000;
    /// The bonus of a TT move that cuts off, and the malus of the prior move.
    tt_cutoff_bonus_slope: 125 in 0..=500;
    tt_cutoff_bonus_offset: 70 in -500..=1000;
    tt_cutoff_bonus_max: 1200 in 0..=4000;
    tt_cutoff_prior_malus: 2100 in 0..=6000;
    /// TT-move history: the bonus or malus when a node ends, and the malus when other moves exceed
    /// beta too (multi-cut).
    tt_move_history_bonus: 800 in 0..=4000;
    multicut_malus_base: 424 in 0..=4000;
    multicut_malus_slope: 107 in 0..=1000;
    multicut_malus_max: 3375 in 0..=8000;
    /// Correction history: what the error is divided by, with a best move and without.
    correction_divisor_best_move: 10 in 1..=100;
    correction_divisor_no_best_move: 8 in 1..=100;
    /// The bonus of a prior move that nothing refuted: from which scale on, 64ths of it for each
    /// history; what it is for a capture.
    prior_scale_threshold: 232 in 0..=600;
    prior_bonus_continuation: 880 in 0..=3000;
    prior_bonus_main: 470 in 0..=2000;
    prior_bonus_pawn: 2320 in 0..=6000;
    prior_bonus_capture: 1000 in 0..=4000;
    /// The bonus itself: per ply, less so much, at most.
    prior_bonus_slope: 135 in 0..=500;
    prior_bonus_offset: 80 in -500..=1000;
    prior_bonus_max: 1400 in 0..=4000;
    /// What scales it: depth, a bad `stat_score`, a late move, evaluations far above the value.
    prior_scale_depth: 60 in 0..=400;
    prior_scale_depth_max: 450 in 0..=2000;
    prior_scale_stat_score: 108 in 10..=1000;
    prior_scale_move_count: 170 in 0..=1000;
    prior_scale_eval_margin: 110 in 0..=1000;
    prior_scale_eval: 145 in 0..=1000;
    prior_scale_prior_eval_margin: 73 in 0..=1000;
    prior_scale_prior_eval: 155 in 0..=1000;
    /// The bonus by the difference of the static evaluations before and after a quiet move: the most
    /// it may fall and rise, what is added, and how much of it each history takes.
    eval_diff_max_fall: 214 in 0..=1000;
    eval_diff_max_rise: 171 in 0..=1000;
    eval_diff_offset: 60 in -200..=300;
    eval_diff_main: 10 in 0..=40;
    eval_diff_pawn: 12 in 0..=40;
    /// Quiescence: what a capture is hoped to gain beyond the captured piece, and how much it may
    /// lose.
    qsearch_futility_margin: 330 in 50..=900;
    qsearch_see: 73 in 0..=300;
    /// Whether quiescence tries quiet checks at its first ply: nowhere, in principal variations,
    /// everywhere.
    qsearch_checks: 1 in 0..=2;
}
