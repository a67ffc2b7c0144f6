//! The numbers of the search that only matches can settle, one line each; margins in centistones, depths in plies.
//!
//! They are constants, unless the crate is built with the feature `tune`: then each is an option of the protocol,
//! so that matches can try other values.

/// Declares the parameters: `name = default, least..=greatest;` with a doc comment each.
macro_rules! parameters {
    ($($(#[$doc:meta])* $name:ident = $default:literal, $min:literal..=$max:literal;)*) => {
        /// The parameters' values: always the defaults without the feature `tune`.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Parameters {
            $(#[cfg(feature = "tune")] $name: i32,)*
        }

        impl Default for Parameters {
            fn default() -> Parameters {
                Parameters { $(#[cfg(feature = "tune")] $name: $default,)* }
            }
        }

        #[cfg(feature = "tune")]
        impl Parameters {
            /// All parameters: name, default, least and greatest value.
            pub const ALL: &'static [(&'static str, i32, i32, i32)] =
                &[$((stringify!($name), $default, $min, $max),)*];

            /// The place of a parameter's value; none if no parameter has this name.
            pub fn get_mut(&mut self, name: &str) -> Option<&mut i32> {
                match name {
                    $(stringify!($name) => Some(&mut self.$name),)*
                    _ => None,
                }
            }
        }

        impl Parameters {
            $(
                $(#[$doc])*
                #[cfg(feature = "tune")]
                #[inline(always)]
                pub(super) const fn $name(&self) -> i32 { self.$name }

                $(#[$doc])*
                #[cfg(not(feature = "tune"))]
                #[inline(always)]
                pub(super) const fn $name(&self) -> i32 { $default }
            )*
        }
    };
}

parameters! {
    /// The half width of the first aspiration window.
    aspiration_width = 54, 5..=500;
    /// How much a window that failed is widened, in hundredths.
    aspiration_growth = 300, 110..=500;
    /// The first iteration with an aspiration window.
    aspiration_depth = 5, 2..=20;

    /// The least depth at which late moves are reduced.
    lmr_depth = 3, 2..=8;
    /// A reduction is base + ln(depth) × ln(moves tried before) / divisor, all in hundredths of a ply...
    lmr_base = 40, -100..=200;
    /// ...with this divisor.
    lmr_divisor = 107, 50..=400;
    /// What a capture is reduced less, in hundredths of a ply...
    lmr_capture = 0, 0..=400;
    /// ...and what remains, in percent.
    lmr_capture_share = 37, 0..=100;
    /// What is reduced less on the principal variation, in hundredths of a ply.
    lmr_pv = 83, 0..=300;
    /// What the best history takes from a reduction and the worst adds, in hundredths of a ply.
    lmr_history = 0, 0..=800;
    /// What is reduced more when the static evaluation has not improved since the mover's last turn.
    lmr_worsening = 22, 0..=300;
    /// What is reduced more where the parent's search expects a cut-off.
    lmr_cut_node = 0, 0..=300;
    /// What a killer is reduced less.
    lmr_killer = 0, 0..=300;

    /// The greatest depth of reverse futility pruning...
    reverse_futility_depth = 6, 0..=20;
    /// ...its margin for each ply...
    reverse_futility_margin = 195, 20..=400;
    /// ...and what the margin shrinks when the static evaluation has improved.
    reverse_futility_improving = 0, 0..=400;

    /// The greatest depth of razoring (0: off)...
    razoring_depth = 0, 0..=8;
    /// ...its margin...
    razoring_base = 300, 0..=2000;
    /// ...and what each ply adds.
    razoring_margin = 200, 0..=1000;

    /// The greatest depth of futility pruning...
    futility_depth = 4, 0..=16;
    /// ...its margin...
    futility_base = 37, 0..=800;
    /// ...and what each ply adds.
    futility_margin = 100, 0..=500;

    /// The greatest depth of late move pruning (0: off)...
    lmp_depth = 0, 0..=10;
    /// ...after this many moves, in hundredths...
    lmp_base = 200, 0..=900;
    /// ...and what each ply adds to them.
    lmp_slope = 100, 0..=400;
    /// What is subtracted from them when the static evaluation has not improved.
    lmp_worsening = 0, 0..=400;

    /// The least depth of a null move (99: off)...
    null_move_depth = 99, 2..=99;
    /// ...its reduction...
    null_move_base = 300, 100..=600;
    /// ...what each ply of depth adds, in hundredths...
    null_move_slope = 25, 0..=60;
    /// ...how far the static evaluation must be above the window...
    null_move_margin = 0, -300..=1500;
    /// ...how many stones must be left in the pits...
    null_move_stones = 40, 0..=162;
    /// ...and the least depth at which a cut-off is verified.
    null_move_verification = 8, 2..=99;

    /// The least depth of probcut (99: off)...
    probcut_depth = 99, 3..=99;
    /// ...how far above the window a capture must come...
    probcut_margin = 300, 50..=1500;
    /// ...and how much less deep it is searched.
    probcut_reduction = 4, 1..=8;

    /// The least depth of singular extensions (99: off)...
    singular_depth = 99, 4..=99;
    /// ...how much less deep the table entry may be...
    singular_table_depth = 3, 0..=8;
    /// ...the margin for each ply, in hundredths...
    singular_margin = 300, 0..=2000;
    /// ...the share of the depth that the other moves are searched, in percent...
    singular_share = 50, 25..=80;
    /// ...how far below the others must stay for a double extension...
    singular_double = 200, 0..=2000;
    /// ...whether others above the window cut the node off...
    singular_multi_cut = 1, 0..=1;
    /// ...and how much less deep the table's move is searched when others are as good.
    singular_negative = 0, 0..=3;

    /// How much deeper a move that makes a tuzdyq is searched, in plies.
    tuzdyq_extension = 0, 0..=1;

    /// The least depth at which the opponent's threats to make a tuzdyq are looked for.
    threats_depth = 3, 1..=99;
    /// Plies that every other helper starts deeper.
    helper_offset = 1, 0..=4;
    /// The least depth at which a move that another thread is searching is put off (99: off).
    defer_depth = 4, 1..=99;
    /// The least depth at which a node without a table move is searched one ply less deep.
    iir_depth = 4, 2..=99;

    /// What a cut-off teaches the history, for each ply squared...
    history_square = 6, 0..=40;
    /// ...for each ply...
    history_linear = 0, 0..=600;
    /// ...and at most.
    history_most = 2048, 200..=8192;
    /// The weight of the continuation history in the order of moves, in percent.
    continuation_weight = 30, 0..=400;
    /// The weight of the capture history in the order of moves, in percent.
    capture_history_weight = 80, 0..=400;
    /// What the killers are worth in the order of moves, in units of the history.
    killer_bonus = 14500, 0..=65536;
    /// What a counter-move is worth in the order of moves.
    counter_bonus = 0, 0..=65536;

    /// The weight of the correction of the static evaluation, in percent (0: off).
    correction_weight = 65, 0..=400;
    /// Whether the static evaluation is bettered by what the table knows.
    table_estimate = 1, 0..=1;
    /// Whether the quiescence search asks the table.
    quiescence_table = 0, 0..=1;
    /// Down to what depth the quiescence search tries escapes from a new tuzdyq (0: never).
    quiescence_escapes = 0, 0..=8;
    /// At how many stones in the pits the quiescence search still tries all moves once.
    quiescence_stones = 0, 0..=60;

    /// The share of the soft time limit that a move takes which nothing casts doubt on, in percent...
    time_base = 100, 20..=150;
    /// ...what each late change of the best move adds...
    time_changes = 50, 0..=150;
    /// ...what it takes less, in all, the more of the nodes the best move has had...
    time_share = 0, 0..=250;
    /// ...and what a loss of a stone between two iterations adds.
    time_drop = 0, 0..=200;
}
