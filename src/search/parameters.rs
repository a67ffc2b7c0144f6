//! The numbers of the search that only matches can settle, one line each; margins in centistones, depths in plies.

/// The half width of the first aspiration window.
pub(super) const ASPIRATION: i32 = 60;
/// The first iteration with an aspiration window.
pub(super) const ASPIRATION_DEPTH: u32 = 5;

/// The least depth at which late moves are reduced.
pub(super) const REDUCTION_DEPTH: i32 = 3;
/// A reduction is BASE + ln(depth) × ln(moves tried before) / DIVISOR.
pub(super) const REDUCTION_BASE: f64 = 0.5;
pub(super) const REDUCTION_DIVISOR: f64 = 1.2;

/// The greatest depth of reverse futility pruning, and its margin for each ply.
pub(super) const REVERSE_FUTILITY_DEPTH: i32 = 6;
pub(super) const REVERSE_FUTILITY_MARGIN: i32 = 150;

/// The greatest depth of futility pruning, its margin, and what each ply adds.
pub(super) const FUTILITY_DEPTH: i32 = 4;
pub(super) const FUTILITY_BASE: i32 = 100;
pub(super) const FUTILITY_MARGIN: i32 = 150;

/// The least depth at which the opponent's threats to make a tuzdyq are looked for.
pub(super) const THREATS_DEPTH: i32 = 3;

/// The least depth at which a node without a table move is searched one ply less deep.
pub(super) const UNKNOWN_DEPTH: i32 = 4;
