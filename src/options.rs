//! The one table of options: name, type, range, default, effect.

use crate::endgame::index::MAX_STONES;
use crate::game::Variant;
use crate::search::Parameters;
use crate::strength::{MAX_ELO, MAX_SKILL, MIN_ELO, Strength};
use crate::text::quoted;

/// The options' values; what each does is said in [`SPECS`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Megabytes (2²⁰ bytes) of the transposition table.
    pub hash: usize,
    /// Threads of a search.
    pub threads: usize,
    /// Lines to find and to report.
    pub multi_pv: usize,
    /// Whether the engine will be allowed to think on the opponent's time.
    pub ponder: bool,
    /// Milliseconds that a move costs outside the engine.
    pub move_overhead: u64,
    /// The game to play.
    pub variant: Variant,
    /// Whether scores come with chances of win, draw and loss.
    pub show_wdl: bool,
    /// The level to play at, from 1; the highest is the full strength.
    pub skill: u64,
    /// Whether to play at the rating `elo` instead.
    pub limit_strength: bool,
    /// The rating to play at.
    pub elo: u64,
    /// Whether the tables of exact endgames are used.
    pub endgame: bool,
    /// A folder with tables beside those built in; none if empty.
    pub endgame_path: String,
    /// The most stones in the pits for which the tables are asked.
    pub endgame_stones: u64,
    /// Megabytes (2²⁰ bytes) of unpacked endgame values to keep at hand.
    pub endgame_cache: usize,
    /// Whether the neural evaluation is used, where there is one.
    pub use_network: bool,
    /// A file with a network instead of the one built in; none if empty.
    pub eval_file: String,
    /// Whether moves are played from the opening book.
    pub own_book: bool,
    /// A file with a book instead of the one built in; none if empty.
    pub book_file: String,
    /// Half-moves from the start up to which the book is asked.
    pub book_depth: u64,
    /// How far behind the best a move of the book may be, in centistones.
    pub book_variety: u64,
    /// The numbers of the search.
    pub parameters: Parameters,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            hash: 16,
            threads: 1,
            multi_pv: 1,
            ponder: false,
            move_overhead: 10,
            variant: Variant::Togyzqumalaq,
            show_wdl: false,
            skill: MAX_SKILL,
            limit_strength: false,
            elo: MAX_ELO,
            endgame: true,
            endgame_path: String::new(),
            endgame_stones: MAX_ENDGAME_STONES,
            endgame_cache: 128,
            use_network: true,
            eval_file: String::new(),
            own_book: false,
            book_file: String::new(),
            book_depth: 30,
            book_variety: 0,
            parameters: Parameters::default(),
        }
    }
}

/// The type and the range of an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A whole number in a range.
    Spin {
        /// The least value.
        min: u64,
        /// The greatest value.
        max: u64,
    },
    /// `true` or `false`.
    Check,
    /// The name of a game.
    Variant,
    /// Any text, also none.
    Text,
    /// An action without a value.
    Button,
}

/// What an option sets, for code that must act on a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Id {
    /// `Hash`
    Hash,
    /// `Threads`
    Threads,
    /// `MultiPV`
    MultiPv,
    /// `Ponder`
    Ponder,
    /// `Move Overhead`
    MoveOverhead,
    /// `UCI_Variant`
    Variant,
    /// `UCI_ShowWDL`
    ShowWdl,
    /// `Skill`
    Skill,
    /// `UCI_LimitStrength`
    LimitStrength,
    /// `UCI_Elo`
    Elo,
    /// `Endgame`
    Endgame,
    /// `EndgamePath`
    EndgamePath,
    /// `EndgameStones`
    EndgameStones,
    /// `EndgameCache`
    EndgameCache,
    /// `UseNetwork`
    UseNetwork,
    /// `EvalFile`
    EvalFile,
    /// `OwnBook`
    OwnBook,
    /// `BookFile`
    BookFile,
    /// `BookDepth`
    BookDepth,
    /// `BookVariety`
    BookVariety,
    /// `Clear Hash`
    ClearHash,
}

impl Id {
    /// Whether it says which tables of endgames are used.
    #[must_use]
    pub const fn is_of_endgames(self) -> bool {
        use Id::{Endgame, EndgameCache, EndgamePath, EndgameStones};
        matches!(self, Endgame | EndgamePath | EndgameStones | EndgameCache)
    }

    /// Whether it says which evaluation is used.
    #[must_use]
    pub const fn is_of_evaluation(self) -> bool {
        matches!(self, Id::UseNetwork | Id::EvalFile)
    }

    /// Whether it says which opening book is used.
    #[must_use]
    pub const fn is_of_book(self) -> bool {
        matches!(self, Id::OwnBook | Id::BookFile)
    }
}

/// One option.
#[derive(Clone, Copy, Debug)]
pub struct Spec {
    /// What it sets.
    pub id: Id,
    /// Its name in the protocol; case does not count.
    pub name: &'static str,
    /// Its type and range.
    pub kind: Kind,
    /// What it does, in one sentence.
    pub effect: &'static str,
}

/// The most threads that can be asked for.
pub const MAX_THREADS: u64 = 256;
/// The largest transposition table, in MB.
pub const MAX_HASH: u64 = 65_536;
/// The most stones in the pits of a position in a table of endgames.
pub const MAX_ENDGAME_STONES: u64 = MAX_STONES as u64;
/// The most half-moves up to which the book can be asked.
const MAX_BOOK_DEPTH: u64 = 1_000;
/// The furthest behind the best that a move of the book may be, in centistones.
const MAX_BOOK_VARIETY: u64 = 1_000;
/// How the protocol writes an empty text.
const EMPTY: &str = "<empty>";

/// All options, in the order in which they are listed.
pub const SPECS: [Spec; 21] = [
    Spec {
        id: Id::Hash,
        name: "Hash",
        kind: Kind::Spin { min: 1, max: MAX_HASH },
        effect: "Size of the transposition table in MB; setting it empties the table.",
    },
    Spec {
        id: Id::Threads,
        name: "Threads",
        kind: Kind::Spin { min: 1, max: MAX_THREADS },
        effect: "Threads of a search; with one, the same input gives the same node count.",
    },
    Spec {
        id: Id::MultiPv,
        name: "MultiPV",
        kind: Kind::Spin { min: 1, max: 9 },
        effect: "How many lines to find and to report, at most one for each legal move.",
    },
    Spec {
        id: Id::Ponder,
        name: "Ponder",
        kind: Kind::Check,
        effect: "Tells that the GUI will ponder: moves may then take a quarter more of the clock.",
    },
    Spec {
        id: Id::MoveOverhead,
        name: "Move Overhead",
        kind: Kind::Spin { min: 0, max: 10_000 },
        effect: "Milliseconds kept back from the clock and from movetime for the way to the GUI.",
    },
    Spec {
        id: Id::Variant,
        name: "UCI_Variant",
        kind: Kind::Variant,
        effect: "The game to play; setting another sets up its start position.",
    },
    Spec {
        id: Id::ShowWdl,
        name: "UCI_ShowWDL",
        kind: Kind::Check,
        effect: "Adds the chances of win, draw and loss to each score, in thousandths.",
    },
    Spec {
        id: Id::Skill,
        name: "Skill",
        kind: Kind::Spin { min: 1, max: MAX_SKILL },
        effect: "The level to play at; the highest is the full strength.",
    },
    Spec {
        id: Id::LimitStrength,
        name: "UCI_LimitStrength",
        kind: Kind::Check,
        effect: "Plays at the rating of UCI_Elo, whatever Skill says.",
    },
    Spec {
        id: Id::Elo,
        name: "UCI_Elo",
        kind: Kind::Spin { min: MIN_ELO, max: MAX_ELO },
        effect: "The rating to play at when UCI_LimitStrength is on.",
    },
    Spec {
        id: Id::Endgame,
        name: "Endgame",
        kind: Kind::Check,
        effect: "Uses the tables of exact endgames.",
    },
    Spec {
        id: Id::EndgamePath,
        name: "EndgamePath",
        kind: Kind::Text,
        effect: "Folder with tables made by `tuzdyq endgame build`, beside those built in.",
    },
    Spec {
        id: Id::EndgameStones,
        name: "EndgameStones",
        kind: Kind::Spin { min: 0, max: MAX_ENDGAME_STONES },
        effect: "The most stones in the pits for which the tables are asked.",
    },
    Spec {
        id: Id::EndgameCache,
        name: "EndgameCache",
        kind: Kind::Spin { min: 1, max: MAX_HASH },
        effect: "Megabytes of unpacked endgame values to keep at hand.",
    },
    Spec {
        id: Id::UseNetwork,
        name: "UseNetwork",
        kind: Kind::Check,
        effect: "Evaluates positions with the neural network; otherwise with the handcrafted evaluation.",
    },
    Spec {
        id: Id::EvalFile,
        name: "EvalFile",
        kind: Kind::Text,
        effect: "File with a network to use instead of the one built in.",
    },
    Spec {
        id: Id::OwnBook,
        name: "OwnBook",
        kind: Kind::Check,
        effect: "Plays moves from the opening book where it knows one.",
    },
    Spec {
        id: Id::BookFile,
        name: "BookFile",
        kind: Kind::Text,
        effect: "File with a book made by `tuzdyq book build`, instead of the one built in.",
    },
    Spec {
        id: Id::BookDepth,
        name: "BookDepth",
        kind: Kind::Spin { min: 0, max: MAX_BOOK_DEPTH },
        effect: "Half-moves from the start for which the book is asked.",
    },
    Spec {
        id: Id::BookVariety,
        name: "BookVariety",
        kind: Kind::Spin { min: 0, max: MAX_BOOK_VARIETY },
        effect: "Centistones by which a move of the book may be worse than the best; with 0 the best is played.",
    },
    Spec {
        id: Id::ClearHash,
        name: "Clear Hash",
        kind: Kind::Button,
        effect: "Empties the transposition table.",
    },
];

/// Why an option was not set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// No option has this name.
    #[error("there is no option '{0}'")]
    Unknown(String),
    /// An option other than a button needs a value.
    #[error("option {0} needs a value")]
    NoValue(&'static str),
    /// A button takes no value.
    #[error("option {name} takes no value, found '{value}'")]
    ButtonValue {
        /// The button.
        name: &'static str,
        /// What was given.
        value: String,
    },
    /// The value is not of the option's type or out of its range.
    #[error("option {name} takes {expected}, not '{value}'")]
    Value {
        /// The option.
        name: &'static str,
        /// What it takes.
        expected: String,
        /// What was given.
        value: String,
    },
}

impl Options {
    /// The strength to play at; none is the full one.
    #[must_use]
    pub fn strength(&self) -> Option<Strength> {
        if self.limit_strength { Some(Strength::of_elo(self.elo)) } else { Strength::of_skill(self.skill) }
    }

    /// Sets an option by its name in the protocol, and says which it was; with the feature `tune` also a number of the
    /// search, which is none of the table.
    ///
    /// # Errors
    /// When there is none of this name, or the value is refused: nothing has changed then.
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Result<Option<Id>, OptionError> {
        #[cfg(feature = "tune")]
        if let Some(result) = self.set_parameter(name, value) {
            return result.map(|()| None);
        }
        let spec = Spec::find(name)?;
        *self = spec.set(self, value)?;
        Ok(Some(spec.id))
    }
}

#[cfg(feature = "tune")]
impl Options {
    /// Sets a number of the search by its name; `None` when there is none of this name.
    ///
    /// # Errors
    /// When the value is missing, no number, or out of range.
    fn set_parameter(&mut self, name: &str, value: Option<&str>) -> Option<Result<(), OptionError>> {
        let &(name, _, min, max) = Parameters::ALL.iter().find(|(known, ..)| *known == name)?;
        let place = self.parameters.get_mut(name)?;
        let Some(text) = value else { return Some(Err(OptionError::NoValue(name))) };
        Some(match text.parse().ok().filter(|number| (min..=max).contains(number)) {
            Some(number) => {
                *place = number;
                Ok(())
            }
            None => {
                let expected = format!("a whole number from {min} to {max}");
                Err(OptionError::Value { name, expected, value: quoted(text) })
            }
        })
    }
}

impl Spec {
    /// The option with this name, whatever its case.
    ///
    /// # Errors
    /// When there is none.
    pub fn find(name: &str) -> Result<&'static Spec, OptionError> {
        SPECS
            .iter()
            .find(|spec| spec.name.eq_ignore_ascii_case(name))
            .ok_or_else(|| OptionError::Unknown(quoted(name)))
    }

    /// The value in these options, as the protocol writes it; none for a button.
    #[must_use]
    pub fn value(&self, options: &Options) -> Option<String> {
        match self.id {
            Id::Hash => Some(options.hash.to_string()),
            Id::Threads => Some(options.threads.to_string()),
            Id::MultiPv => Some(options.multi_pv.to_string()),
            Id::Ponder => Some(options.ponder.to_string()),
            Id::MoveOverhead => Some(options.move_overhead.to_string()),
            Id::Variant => Some(options.variant.to_string()),
            Id::ShowWdl => Some(options.show_wdl.to_string()),
            Id::Skill => Some(options.skill.to_string()),
            Id::LimitStrength => Some(options.limit_strength.to_string()),
            Id::Elo => Some(options.elo.to_string()),
            Id::Endgame => Some(options.endgame.to_string()),
            Id::EndgamePath => Some(written(&options.endgame_path)),
            Id::EndgameStones => Some(options.endgame_stones.to_string()),
            Id::EndgameCache => Some(options.endgame_cache.to_string()),
            Id::UseNetwork => Some(options.use_network.to_string()),
            Id::EvalFile => Some(written(&options.eval_file)),
            Id::OwnBook => Some(options.own_book.to_string()),
            Id::BookFile => Some(written(&options.book_file)),
            Id::BookDepth => Some(options.book_depth.to_string()),
            Id::BookVariety => Some(options.book_variety.to_string()),
            Id::ClearHash => None,
        }
    }

    /// The options with this one set to a value given as text.
    ///
    /// # Errors
    /// When the value is missing, of another type, or out of range.
    pub fn set(&self, options: &Options, value: Option<&str>) -> Result<Options, OptionError> {
        let mut options = options.clone();
        match self.id {
            Id::Hash => options.hash = self.number(value)? as usize,
            Id::Threads => options.threads = self.number(value)? as usize,
            Id::MultiPv => options.multi_pv = self.number(value)? as usize,
            Id::Ponder => options.ponder = self.flag(value)?,
            Id::MoveOverhead => options.move_overhead = self.number(value)?,
            Id::Variant => options.variant = self.parse(value, |text| text.parse().ok())?,
            Id::ShowWdl => options.show_wdl = self.flag(value)?,
            Id::Skill => options.skill = self.number(value)?,
            Id::LimitStrength => options.limit_strength = self.flag(value)?,
            Id::Elo => options.elo = self.number(value)?,
            Id::Endgame => options.endgame = self.flag(value)?,
            Id::EndgamePath => options.endgame_path = read(value),
            Id::EndgameStones => options.endgame_stones = self.number(value)?,
            Id::EndgameCache => options.endgame_cache = self.number(value)? as usize,
            Id::UseNetwork => options.use_network = self.flag(value)?,
            Id::EvalFile => options.eval_file = read(value),
            Id::OwnBook => options.own_book = self.flag(value)?,
            Id::BookFile => options.book_file = read(value),
            Id::BookDepth => options.book_depth = self.number(value)?,
            Id::BookVariety => options.book_variety = self.number(value)?,
            Id::ClearHash => match value {
                None | Some("") => {}
                Some(value) => {
                    return Err(OptionError::ButtonValue { name: self.name, value: quoted(value) });
                }
            },
        }
        Ok(options)
    }

    fn number(&self, value: Option<&str>) -> Result<u64, OptionError> {
        let Kind::Spin { min, max } = self.kind else { return self.parse(value, |_| None) };
        self.parse(value, |text| text.parse().ok().filter(|number| (min..=max).contains(number)))
    }

    fn flag(&self, value: Option<&str>) -> Result<bool, OptionError> {
        self.parse(value, |text| text.to_ascii_lowercase().parse().ok())
    }

    fn parse<T>(&self, value: Option<&str>, read: impl Fn(&str) -> Option<T>) -> Result<T, OptionError> {
        let text = value.filter(|text| !text.is_empty()).ok_or(OptionError::NoValue(self.name))?;
        read(text).ok_or_else(|| OptionError::Value {
            name: self.name,
            expected: self.kind.expected(),
            value: quoted(text),
        })
    }
}

/// A text as the protocol writes it.
fn written(text: &str) -> String {
    if text.is_empty() { EMPTY.to_owned() } else { text.to_owned() }
}

/// A text as it was written in the protocol.
fn read(value: Option<&str>) -> String {
    value.filter(|&text| text != EMPTY).unwrap_or_default().to_owned()
}

impl Kind {
    fn expected(self) -> String {
        match self {
            Kind::Spin { min, max } => format!("a whole number from {min} to {max}"),
            Kind::Check => "true or false".to_owned(),
            Kind::Variant => Variant::ALL.map(Variant::name).join(" or "),
            Kind::Text => "any text".to_owned(),
            Kind::Button => "no value".to_owned(),
        }
    }

    /// The type as the `uci` command declares it, with the range and the default.
    #[must_use]
    pub fn declaration(self, default: Option<String>) -> String {
        let default = default.map(|default| format!(" default {default}")).unwrap_or_default();
        match self {
            Kind::Spin { min, max } => format!("spin{default} min {min} max {max}"),
            Kind::Check => format!("check{default}"),
            Kind::Variant => {
                let names = Variant::ALL.map(|variant| format!(" var {variant}")).concat();
                format!("combo{default}{names}")
            }
            Kind::Text => format!("string{default}"),
            Kind::Button => "button".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_can_be_set_to_its_default_and_read_back() {
        let defaults = Options::default();
        for spec in &SPECS {
            let value = spec.value(&defaults);
            assert_eq!(spec.set(&defaults, value.as_deref()).as_ref(), Ok(&defaults), "{}", spec.name);
        }
    }

    #[test]
    fn bad_values_are_refused_with_the_reason() {
        let refuse = |name: &str, value: Option<&str>| {
            Spec::find(name).and_then(|spec| spec.set(&Options::default(), value)).unwrap_err().to_string()
        };
        assert_eq!(
            refuse("Threads", Some("x8")),
            "option Threads takes a whole number from 1 to 256, not 'x8'"
        );
        assert_eq!(refuse("hash", Some("0")), "option Hash takes a whole number from 1 to 65536, not '0'");
        assert_eq!(refuse("ponder", Some("maybe")), "option Ponder takes true or false, not 'maybe'");
        assert_eq!(refuse("multipv", None), "option MultiPV needs a value");
        assert_eq!(refuse("clear hash", Some("now")), "option Clear Hash takes no value, found 'now'");
        assert_eq!(refuse("NoSuch Option", None), "there is no option 'NoSuch Option'");
    }

    #[cfg(feature = "tune")]
    #[test]
    fn numbers_of_the_search_are_options_too() {
        let mut options = Options::default();
        for &(name, default, min, max) in Parameters::ALL {
            assert!((min..=max).contains(&default), "{name}");
            assert_eq!(options.set_parameter(name, Some(&default.to_string())), Some(Ok(())), "{name}");
        }
        assert_eq!(options, Options::default());
        assert_eq!(options.set_parameter("lmr_depth", Some("4")), Some(Ok(())));
        assert_ne!(options, Options::default());
        assert_eq!(options.set_parameter("Hash", Some("16")), None);
        let refused = options.set_parameter("lmr_depth", Some("x")).unwrap().unwrap_err();
        assert_eq!(refused.to_string(), "option lmr_depth takes a whole number from 2 to 8, not 'x'");
    }
}
