//! The tables of exact endgames that the engine uses: those built in, and those in a folder.

use std::path::Path;
use std::sync::Arc;

use crate::endgame::Endgames;
use crate::endgame::format::{FormatError, Layer};
use crate::game::Variant;
use crate::options::Options;
use crate::with_rules;

use super::folder;

macro_rules! files {
    ($variant:literal: $($stones:literal)*) => {
        &[$(include_bytes!(concat!("../../endgames/", $variant, "-", $stones, ".tqe"))),*]
    };
}

/// Made by `tuzdyq endgame build`, see endgames/README.md.
const TOGYZQUMALAQ: &[&[u8]] = files!("togyzqumalaq": "00" "01" "02" "03" "04" "05" "06" "07" "08");
const KOZDATU: &[&[u8]] = files!("kozdatu": "00" "01" "02" "03" "04" "05" "06");
const BESTEMSHE: &[&[u8]] = files!("bestemshe": "00" "01" "02" "03" "04" "05" "06" "07" "08" "09" "10" "11");

/// The layers of a game that are part of the program.
#[must_use]
pub fn built_in(variant: Variant) -> Vec<Layer> {
    let files = match variant {
        Variant::Togyzqumalaq => TOGYZQUMALAQ,
        Variant::Bestemshe => BESTEMSHE,
        Variant::Kozdatu => KOZDATU,
    };
    let parse = |&file: &&'static [u8]| -> Result<Layer, FormatError> { Layer::parse(Arc::new(file)) };
    files
        .iter()
        .filter_map(|file| parse(file).inspect_err(|error| log::error!("built in: {error}")).ok())
        .collect()
}

/// The tables that the options ask for: those built in, and from the folder, if there is one, the layers beyond. Also
/// what is wrong with the folder, a line for each problem.
#[must_use]
pub fn of_options(options: &Options) -> (Endgames, Vec<String>) {
    let variant = options.variant;
    // Those built in first: they have the same values and no block can be damaged.
    let mut layers = if options.endgame { built_in(variant) } else { Vec::new() };
    let mut problems = Vec::new();
    if options.endgame && !options.endgame_path.is_empty() {
        let path = Path::new(&options.endgame_path);
        match folder::look(path, variant) {
            Ok((found, wrong)) => {
                layers.extend(found.into_iter().map(|found| found.layer));
                problems.extend(wrong.iter().map(ToString::to_string));
            }
            Err(error) => problems.push(format!("{}: {error}", path.display())),
        }
    }
    layers.retain(|layer| u64::from(layer.header().stones) <= options.endgame_stones);
    let cache = options.endgame_cache << 20;
    (with_rules!(variant, R => Endgames::new::<R>(layers, cache)), problems)
}

/// What is at hand, in one line.
#[must_use]
pub fn describe(endgames: &Endgames) -> String {
    let layers: Vec<u32> = endgames.layers().map(|layer| layer.header().stones).collect();
    let variant = endgames.variant();
    match layers.last() {
        None => format!("endgames of {variant}: none"),
        Some(&most) if layers.len() as u32 == most + 1 => {
            format!("endgames of {variant}: up to {most} stones")
        }
        Some(_) => {
            let list: Vec<String> = layers.iter().map(ToString::to_string).collect();
            format!("endgames of {variant}: {} stones", list.join(", "))
        }
    }
}
