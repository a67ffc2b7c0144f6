//! The first line of the log of a match: which match it is.

use serde_json::{Value, json};

use super::Settings;

/// The version of the format, in the first line of a log.
const FORMAT: u32 = 1;

/// All that defines a match. The number of games and of those played at once do not.
pub(super) fn header(settings: &Settings) -> Value {
    let engine = |engine: &super::Contestant| {
        json!({ "command": engine.command.as_ref().map_or_else(|| json!("self"), |words| json!(words)),
            "options": engine.options })
    };
    let mut header = json!({
        "format": FORMAT,
        "engine 1": engine(&settings.engines[0]),
        "engine 2": engine(&settings.engines[1]),
        "limit": settings.limit.to_string(),
        "variant": settings.variant.name(),
        "openings": settings.openings.identity(),
        "seed": settings.seed,
        "sprt": settings.sprt,
        "margin": settings.margin.as_millis() as u64,
        "patience": settings.patience.as_millis() as u64,
    });
    // Only where there is one, so that logs without are those of before.
    if let Some(resignation) = settings.resignation {
        header["resignation"] = json!(resignation);
    }
    if settings.engines.iter().any(|engine| engine.command.is_none()) {
        let version = format!("{} (commit {})", env!("CARGO_PKG_VERSION"), env!("TUZDYQ_COMMIT"));
        header["version of self"] = json!(version);
    }
    header
}
