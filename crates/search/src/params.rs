//! Every number of the search that can be tuned: name, value, range.
//!
//! Search, ordering, the vote of the threads and time management have their numbers here and nowhere
//! else; `tesuji tune` moves them by games, USI sets them with `setoption name Tune.X`. A range
//! reaches from where a term has no effect, or prunes everything, to where it decides alone: whatever
//! lies inside is a search that works, so that a tuner may go anywhere. docs/search.md tells how each
//! group was found.

/// One number, for a tuner to list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Param {
    /// Its name.
    pub name: &'static str,
    /// The numbers it belongs to.
    pub group: &'static str,
    /// Its value.
    pub value: i32,
    /// The least it may be.
    pub least: i32,
    /// The most it may be.
    pub most: i32,
}

macro_rules! params {
    ($($(#[$about:meta])* $group:ident {
        $($(#[$doc:meta])* $name:ident: $value:literal in $least:literal..=$most:literal;)*
    })*) => {
        /// The numbers of the tournament search. Depths count plies, reductions count 1024ths of a
        /// ply, margins count points.
        #[derive(Clone, PartialEq, Eq, Debug)]
        #[allow(missing_docs, reason = "numbers that belong together share one sentence")]
        pub struct Params {
            $($($(#[$doc])* pub $name: i32,)*)*
        }

        impl Default for Params {
            fn default() -> Self {
                Self { $($($name: $value,)*)* }
            }
        }

        impl Params {
            /// All of them, with their present values.
            pub fn list(&self) -> Vec<Param> {
                vec![$($(Param {
                    name: stringify!($name),
                    group: stringify!($group),
                    value: self.$name,
                    least: $least,
                    most: $most,
                },)*)*]
            }

            /// Changes one by its name; `false` if there is no such number or the value is out of
            /// its range.
            pub fn set(&mut self, name: &str, value: i32) -> bool {
                match name {
                    $($(stringify!($name) if ($least..=$most).contains(&value) => {
                        self.$name = value;
                        true
                    })*)*
                    _ => false,
                }
            }
        }
    };
}

/// The numbers that share out a clock before a search begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeParams {
    /// The least and the most moves that a side has yet to play.
    pub moves: (u32, u32),
    /// A game of so many plies is a long one.
    pub long_game: u32,
    /// How many times the fair share one difficult move may take.
    pub stretch: u32,
    /// How much of the main time one difficult move may take, in percent.
    pub largest_share: u32,
    /// How many of the worst delays a clock should survive.
    pub reserved_delays: u32,
}

impl Params {
    /// The numbers that share out a clock.
    pub fn time(&self) -> TimeParams {
        let count = |number: i32| u32::try_from(number).unwrap_or(0);
        let least = count(self.time_least_moves);
        TimeParams {
            moves: (least, count(self.time_most_moves).max(least)),
            long_game: count(self.time_long_game),
            stretch: count(self.time_stretch),
            largest_share: count(self.time_largest_share),
            reserved_delays: count(self.time_reserved_delays),
        }
    }

    /// The text of this file, for whoever writes a change of it.
    pub const SOURCE: &'static str = include_str!("params.rs");
    /// Where it stands in the repository.
    pub const PATH: &'static str = "crates/search/src/params.rs";
}

impl Default for TimeParams {
    fn default() -> Self {
        Params::default().time()
    }
}

params! {
    /// Aspiration windows: half of the first window, in points. Between one point and a minor
    /// piece.
    aspiration {
        /// Aspiration: half of the first window around the average value so far.
        aspiration_delta: 5 in 2..=200;
        /// Divides the mean square of the values so far, which widens the first window.
        aspiration_mean_square_divisor: 9000 in 1000..=60_000;
        /// A window that fails is widened by this part of itself: from doubling to a twelfth.
        aspiration_widening_divisor: 3 in 1..=12;
        /// Helper threads begin with windows wider by up to so many points, less one, so that
        /// they differ.
        aspiration_thread_spread: 8 in 1..=32;
    }
    /// Razoring: margins from nothing to two rooks.
    razoring {
        /// Razoring: how far below alpha a position is hopeless, at depth 0 and per squared ply.
        razor_base: 480 in 0..=2000;
        razor_slope: 300 in 0..=1500;
    }
    /// Hindsight reduction: margins from nothing to a rook, reductions that occur.
    hindsight {
        /// Hindsight reduction: from which sum of two static evaluations on a node that was
        /// reduced is reduced by one more ply.
        hindsight_margin: 175 in 0..=1000;
        /// From which reduction on a node is searched one ply deeper if the opponent does not do
        /// worse, and one ply shallower if both evaluations are that good.
        hindsight_deeper_reduction: 3 in 1..=8;
        hindsight_shallower_reduction: 2 in 1..=8;
    }
    /// Reverse futility pruning: from a tenth of a pawn to three pawns for each ply.
    reverse_futility {
        /// Reverse futility pruning: up to which depth.
        rfp_depth: 14 in 1..=20;
        /// How far above beta per ply; what is taken off without an entry in the transposition
        /// table.
        rfp_slope: 76 in 10..=300;
        rfp_no_tt_entry: 21 in 0..=100;
        /// By how many slopes (1024ths) the margin shrinks when things get better.
        rfp_improving: 2600 in 0..=6000;
        rfp_opponent_worsening: 360 in 0..=2000;
        /// How much of the correction magnitude (1024ths) is added to the margin: what is
        /// uncertain is not pruned.
        rfp_correction: 683 in 0..=4096;
        /// How much more beta counts than the evaluation in the value that is returned.
        rfp_beta_weight: 2 in 0..=8;
    }
    /// Null move: the plies saved must leave a search, the margins are those of reverse
    /// futility.
    null_move {
        /// Null move: how far the static evaluation must exceed beta, less with depth.
        null_move_base: 380 in -200..=1200;
        null_move_slope: 16 in 0..=100;
        null_move_improving: 50 in 0..=300;
        /// By how many plies the search after a null move is reduced: base, and one per so many
        /// plies.
        null_move_reduction: 7 in 2..=12;
        null_move_divisor: 3 in 2..=10;
        /// From which depth on a null move that fails high is verified without null moves.
        null_move_verification_depth: 16 in 5..=40;
        /// For how much of the reduced depth (1024ths) a verification goes without null moves.
        null_move_verification_share: 768 in 0..=1024;
    }
    /// Mates at the nodes: up to as many nodes as a whole search of a quick game has.
    mate {
        /// How many nodes of proof search a new position gets, from which depth on: off, because
        /// it costs more than it finds.
        leaf_mate_nodes: 0 in 0..=10_000;
        leaf_mate_depth: 2 in 1..=20;
        /// How many plies deeper than its node a mate, or a node without moves, is stored in the
        /// transposition table.
        decided_tt_extra_depth: 6 in 0..=20;
    }
    /// Internal iterative reduction: depths that are searched often.
    internal_iterative_reduction {
        /// Internal iterative reduction: from which depth on.
        iir_depth: 6 in 2..=12;
        /// Not where the move that led here was reduced by more than so many plies.
        iir_prior_reduction: 3 in 0..=10;
    }
    /// ProbCut: margins from half a pawn to a bishop, depths that are searched often.
    probcut {
        /// ProbCut: how far beyond beta a capture must reach, less when improving; from which
        /// depth on, and by how many plies its search is reduced.
        probcut_margin: 220 in 50..=600;
        probcut_improving: 60 in 0..=300;
        probcut_depth: 3 in 2..=10;
        probcut_reduction: 4 in 2..=8;
        /// Small ProbCut: the same by the value of the transposition table alone.
        small_probcut_margin: 420 in 100..=1200;
        /// How many plies shallower than the node the entry of the table may be for it.
        small_probcut_depth: 4 in 0..=10;
    }
    /// Cutoffs by the transposition table.
    tt_cutoff {
        /// Up to which depth only a cutoff of the expected kind is trusted.
        tt_cutoff_depth: 5 in 0..=20;
        /// The bonus of a TT move that cuts off, and the malus of the prior move.
        tt_cutoff_bonus_slope: 125 in 0..=500;
        tt_cutoff_bonus_offset: 70 in -500..=1000;
        tt_cutoff_bonus_max: 1200 in 0..=4000;
        tt_cutoff_prior_malus: 2100 in 0..=6000;
        /// Up to which number among its siblings the prior move gets that malus.
        tt_cutoff_prior_move_count: 4 in 1..=30;
    }
    /// Pruning in the move loop: from pruning nearly everything to nearly nothing; margins from
    /// nothing to a minor piece for each ply.
    pruning {
        /// Late-move pruning: how many moves are tried at depth 0 before quiet ones are skipped.
        lmp_base: 3 in 1..=20;
        /// What that number is divided by when not improving.
        lmp_not_improving_divisor: 2 in 1..=6;
        /// Capture futility pruning: what is hoped for beyond the captured piece: base, per ply,
        /// by the capture history; up to which reduced depth.
        capture_futility_base: 220 in 0..=800;
        capture_futility_slope: 225 in 0..=800;
        capture_futility_history: 130 in 0..=500;
        capture_futility_depth: 7 in 1..=15;
        /// SEE pruning of captures and checks: how much they may lose per ply, and by capture
        /// history.
        capture_see_slope: 165 in 20..=500;
        capture_see_history: 34 in 0..=200;
        /// Below this alpha no capture or check is pruned so.
        capture_see_min_alpha: 0 in -32_000..=1000;
        /// History pruning: below how bad a history per ply a quiet move is pruned.
        quiet_history_pruning: 4100 in 500..=20_000;
        /// How much history makes a ply of reduced depth in the prunings below.
        quiet_history_divisor: 3200 in 500..=20_000;
        /// How much main history counts there beside continuation and pawn history, in 32nds.
        quiet_history_main: 71 in 0..=256;
        /// Quiet futility pruning: what a quiet move is hoped to gain: base, without a best move
        /// so far, per ply, where the static evaluation is above alpha; up to which reduced
        /// depth.
        quiet_futility_base: 45 in -100..=500;
        quiet_futility_no_best_move: 150 in 0..=500;
        quiet_futility_slope: 120 in 20..=400;
        quiet_futility_above_alpha: 85 in 0..=400;
        quiet_futility_depth: 13 in 1..=20;
        /// SEE pruning of quiet moves: how much they may lose, per squared ply.
        quiet_see_slope: 25 in 5..=100;
    }
    /// Singular extensions: margins from a fraction of a point to a minor piece at usual
    /// depths.
    singular {
        /// Singular extension: from which depth on the TT move is tested.
        singular_depth: 6 in 3..=14;
        /// How many plies shallower than the node the entry of its move may be.
        singular_tt_depth: 3 in 0..=8;
        /// What the depth is divided by for the search without the move.
        singular_depth_divisor: 2 in 1..=4;
        /// No node beyond so many times the depth of the iteration is extended.
        singular_ply_factor: 2 in 1..=6;
        /// How far the others must fall short, per ply, in 64ths of a point; more where `tt_pv`.
        singular_margin: 70 in 8..=400;
        singular_margin_tt_pv: 75 in 0..=400;
        /// By how much more for a double and a triple extension: base, more in the principal
        /// variation, less if the move is quiet, more where `tt_pv`.
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
        /// What is the correction magnitude divided by that makes an extension likelier.
        singular_correction_divisor: 2 in 1..=32;
        /// By how many plies a move that is not singular is searched less: where the table
        /// expects it above beta, and at cut nodes.
        singular_less_above_beta: 3 in 0..=6;
        singular_less_cut_node: 2 in 0..=6;
    }
    /// Late-move reductions: each term from nothing to about four plies, in 1024ths.
    late_move_reductions {
        /// Late-move reductions: the factor of the logarithms in 128ths, less by the width of the
        /// window, base, and a share more when not improving.
        lmr_log: 2780 in 500..=8000;
        /// More threads reduce more: what the logarithm of their number is divided by.
        lmr_log_threads_divisor: 2 in 1..=16;
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
        /// What counts in that history: main history, and the captured piece for captures.
        lmr_stat_score_main: 2 in 0..=16;
        lmr_stat_score_capture: 6 in 0..=32;
        /// Where child nodes failed high more than once; the share at all nodes.
        lmr_few_cutoffs: 250 in 0..=4000;
        lmr_all_node: 273 in 0..=1000;
        /// What that share is divided by, for each ply and besides.
        lmr_all_node_depth: 256 in 32..=1024;
        lmr_all_node_base: 260 in 16..=2048;
        /// From which reduction on a move that late-move reductions do not apply to is searched
        /// one ply less, and two; what is added to it without a TT move.
        full_depth_less_one: 4600 in 1000..=20_000;
        full_depth_less_two: 5800 in 1000..=20_000;
        full_depth_no_tt_move: 1050 in 0..=4000;
        /// The bonus of a reduced move that exceeded alpha after all.
        lmr_research_bonus: 1400 in 0..=6000;
        /// By how much less checks are reduced.
        lmr_less_check: 0 in 0..=3000;
        /// How much better than the best value a reduced move must be to be searched one ply
        /// deeper, and below which margin one ply shallower.
        lmr_deeper_margin: 48 in 0..=300;
        lmr_shallower_margin: 9 in 0..=100;
        /// The most plies that a negative reduction adds.
        lmr_most_extra: 2 in 0..=3;
    }
    /// After a move has raised alpha the others are searched less, between these depths.
    alpha_raise {
        alpha_raise_least_depth: 3 in 1..=20;
        alpha_raise_most_depth: 13 in 1..=40;
        alpha_raise_reduction: 2 in 0..=4;
    }
    /// Updates of the histories: from nothing to about twice the limit of an entry.
    history_updates {
        /// The bonus of the best move: per ply, less so much, at most; more if it is the TT move;
        /// a share of the prior move's `stat_score`.
        stat_bonus_slope: 128 in 20..=500;
        stat_bonus_offset: 77 in -500..=1000;
        stat_bonus_max: 1500 in 300..=4000;
        stat_bonus_tt_move: 350 in 0..=2000;
        stat_bonus_prior_divisor: 32 in 4..=1000;
        /// The malus of the moves searched before it: per ply, less so much, at most.
        stat_malus_slope: 880 in 50..=2000;
        stat_malus_offset: 200 in -500..=1000;
        stat_malus_max: 2100 in 300..=4000;
        /// How much of it each of them gets, in hundredths: the best move if it is a capture or
        /// quiet, those before it likewise and from one quiet move to the next, the prior move.
        best_capture_bonus: 125 in 0..=400;
        best_quiet_bonus: 80 in 0..=400;
        searched_capture_malus: 150 in 0..=400;
        searched_quiet_malus: 110 in 0..=400;
        searched_quiet_malus_decay: 95 in 0..=100;
        prior_move_malus: 60 in 0..=400;
        /// How much of it the low-ply history takes, in hundredths, and the pawn history, in
        /// 1024ths, of a bonus and of a malus.
        low_ply_history_share: 75 in 0..=400;
        pawn_history_bonus_share: 850 in 0..=4000;
        pawn_history_malus_share: 550 in 0..=4000;
        /// How much of it the continuation histories of the last six plies take, in 1024ths.
        continuation_share_1: 1150 in 0..=4096;
        continuation_share_2: 650 in 0..=4096;
        continuation_share_3: 290 in 0..=4096;
        continuation_share_4: 575 in 0..=4096;
        continuation_share_5: 140 in 0..=4096;
        continuation_share_6: 440 in 0..=4096;
        /// To be tried at all speaks for a move: what the nearest of them gains whatever happens.
        continuation_offset: 88 in -500..=1000;
    }
    /// History of the TT move: from nothing to half of the limit of its entry.
    tt_move_history {
        /// TT-move history: the bonus or malus when a node ends, and the malus when other moves
        /// exceed beta too (multi-cut).
        tt_move_history_bonus: 800 in 0..=4000;
        multicut_malus_base: 424 in 0..=4000;
        multicut_malus_slope: 107 in 0..=1000;
        multicut_malus_max: 3375 in 0..=8000;
    }
    /// The bonus of a prior move that nothing refuted: from nothing to the limit of an entry.
    prior_move {
        /// The bonus of a prior move that nothing refuted: from which scale on, 64ths of it for
        /// each history; what it is for a capture.
        prior_scale_threshold: 232 in 0..=600;
        prior_bonus_continuation: 880 in 0..=3000;
        prior_bonus_main: 470 in 0..=2000;
        prior_bonus_pawn: 2320 in 0..=6000;
        prior_bonus_capture: 1000 in 0..=4000;
        /// The bonus itself: per ply, less so much, at most.
        prior_bonus_slope: 135 in 0..=500;
        prior_bonus_offset: 80 in -500..=1000;
        prior_bonus_max: 1400 in 0..=4000;
        /// What scales it: depth, a bad `stat_score`, a late move, evaluations far above the
        /// value.
        prior_scale_depth: 60 in 0..=400;
        prior_scale_depth_max: 450 in 0..=2000;
        prior_scale_stat_score: 108 in 10..=1000;
        prior_scale_move_count: 170 in 0..=1000;
        /// A move is late after so many others.
        prior_scale_late_move: 8 in 1..=60;
        prior_scale_eval_margin: 110 in 0..=1000;
        prior_scale_eval: 145 in 0..=1000;
        prior_scale_prior_eval_margin: 73 in 0..=1000;
        prior_scale_prior_eval: 155 in 0..=1000;
        /// The scale is at most so much.
        prior_scale_max: 1000 in 100..=4000;
    }
    /// The bonus by the difference of two evaluations: a few pawns at most.
    eval_difference {
        /// The bonus by the difference of the static evaluations before and after a quiet move:
        /// the most it may fall and rise, what is added, and how much of it each history takes.
        eval_diff_max_fall: 214 in 0..=1000;
        eval_diff_max_rise: 171 in 0..=1000;
        eval_diff_offset: 60 in -200..=300;
        eval_diff_main: 10 in 0..=40;
        eval_diff_pawn: 12 in 0..=40;
    }
    /// The largest entries of the histories, in 16 bits, and what an entry is before anything
    /// is known.
    history_limits {
        main_history_limit: 7200 in 1000..=16_000;
        continuation_history_limit: 30_000 in 5000..=32_000;
        pawn_history_limit: 8200 in 1000..=16_000;
        capture_history_limit: 10_700 in 1000..=16_000;
        tt_move_history_limit: 8192 in 1000..=32_000;
        /// Too low a start hides moves, too high a start wastes nodes on them.
        capture_history_start: -600 in -4000..=4000;
        continuation_history_start: -500 in -4000..=4000;
        pawn_history_start: -1000 in -4000..=4000;
        low_ply_history_start: 90 in -4000..=4000;
    }
    /// Correction history: from ignoring a table to trusting it alone.
    correction_history {
        /// Correction history: what the error is divided by, with a best move and without.
        correction_divisor_best_move: 10 in 1..=100;
        correction_divisor_no_best_move: 8 in 1..=100;
        /// The most that one node changes an entry by is the limit divided by this.
        correction_max_divisor: 4 in 1..=32;
        /// The largest entry.
        correction_limit: 1024 in 128..=4000;
        /// How much each table says, in 131072nds of a point: pawns, the shelter of each king,
        /// hands, the last move with the one before, and with the one three before that.
        correction_weight_pawns: 12_000 in 0..=60_000;
        correction_weight_shelter: 12_300 in 0..=60_000;
        correction_weight_hands: 8600 in 0..=60_000;
        correction_weight_moves_1_2: 8000 in 0..=60_000;
        correction_weight_moves_1_4: 8000 in 0..=60_000;
        /// How much of a bonus each of them takes, in 128ths.
        correction_share_pawns: 128 in 0..=512;
        correction_share_shelter: 187 in 0..=512;
        correction_share_hands: 153 in 0..=512;
        correction_share_moves_1_2: 126 in 0..=512;
        correction_share_moves_1_4: 63 in 0..=512;
    }
    /// The order of moves: what a history or a captured piece counts, from nothing to the most
    /// that the score of a move holds.
    ordering {
        /// Captures: how much the captured piece counts beside capture history.
        capture_score_worth: 7 in 0..=40;
        /// A capture waits behind the quiet moves if it loses more, by static exchange
        /// evaluation, than its score divided by this.
        good_capture_divisor: 18 in 2..=200;
        /// Below this score a quiet move waits behind the captures that lose.
        good_quiet_threshold: -14_000 in -100_000..=20_000;
        /// Answers to a check: captures first, the more the larger the piece, a little less the
        /// larger the taker.
        evasion_capture_base: 180_000 in 0..=250_000;
        evasion_capture_worth: 8 in 0..=40;
        evasion_taker_divisor: 4 in 1..=40;
        /// Quiet moves: how much main history, pawn history and, near the root, low-ply history
        /// count beside continuation history.
        quiet_score_main: 2 in 0..=8;
        quiet_score_pawn: 2 in 0..=8;
        quiet_score_low_ply: 8 in 0..=16;
        /// What a check adds that loses no more than so much.
        quiet_score_check: 16_000 in 0..=100_000;
        quiet_check_see: 75 in 0..=600;
    }
    /// Quiescence: margins from half a pawn to a major piece.
    quiescence {
        /// Quiescence: what a capture is hoped to gain beyond the captured piece, and how much it
        /// may lose.
        qsearch_futility_margin: 330 in 50..=900;
        qsearch_see: 73 in 0..=300;
        /// Whether quiescence tries quiet checks at its first ply: nowhere, in principal
        /// variations, everywhere.
        qsearch_checks: 1 in 0..=2;
        /// How many captures are tried that neither recapture nor give check.
        qsearch_moves: 2 in 1..=40;
        /// How much the value counts against beta where it exceeds it.
        qsearch_best_weight: 1 in 0..=8;
    }
    /// The vote of the threads: from the best value alone to depth alone.
    vote {
        /// What is added to how far a value lies above the worst one before it is multiplied with
        /// the depth.
        vote_offset: 14 in 0..=500;
    }
    /// Time before a search begins: how a clock is shared out.
    time_before {
        /// How many moves a side has yet to play is not known: between so many.
        time_least_moves: 25 in 8..=60;
        time_most_moves: 60 in 20..=150;
        /// A game of so many plies is a long one.
        time_long_game: 150 in 60..=300;
        /// How many times the fair share one difficult move may take, and how much of the main
        /// time, in percent.
        time_stretch: 5 in 1..=12;
        time_largest_share: 35 in 5..=80;
        /// How many of the worst delays a clock should survive.
        time_reserved_delays: 5 in 1..=20;
    }
    /// Time while it runs: each factor, in percent, from ending at once to thinking three times
    /// as long.
    time_during {
        /// A value that falls deserves more time: since how many iterations, by how many points
        /// at least and at most, how many points double it, and the least and most that comes of
        /// it.
        time_fall_iterations: 3 in 1..=10;
        time_fall_least: -300 in -2000..=0;
        time_fall_most: 600 in 0..=2000;
        time_fall_points: 400 in 50..=3000;
        time_fall_least_factor: 60 in 10..=100;
        time_fall_most_factor: 170 in 100..=400;
        /// So does a best move that keeps changing: with no change, for each change, at most.
        time_stable_base: 85 in 30..=150;
        time_change_factor: 60 in 0..=300;
        time_change_most_factor: 220 in 100..=500;
        /// And one that has not been the best for so many iterations; less one that has.
        time_stable_iterations: 8 in 2..=30;
        time_stable_factor: 75 in 20..=150;
        time_unstable_factor: 110 in 50..=250;
        /// A move that took so many nodes of a hundred has no rival.
        time_effort_share: 93 in 50..=100;
        time_effort_factor: 70 in 10..=100;
        /// How deep a position with one legal move is searched on the clock.
        only_move_depth: 6 in 1..=30;
    }
}
