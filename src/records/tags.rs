//! What a record says of its game: names and values, in order.

/// The tags that come first, in this order, when a record is written; the result stands among them, after the players.
const ROSTER: [&str; 6] = ["Event", "Site", "Date", "Round", "White", "Black"];

/// Names with their values, in the order of the record. A name counts in either case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tags(Vec<(String, String)>);

impl Tags {
    /// The value of a tag.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(other, _)| other.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// Sets a tag: in its place if it is there, at the end if not.
    pub fn set(&mut self, name: &str, value: impl Into<String>) {
        match self.0.iter_mut().find(|(other, _)| other.eq_ignore_ascii_case(name)) {
            Some((_, old)) => *old = value.into(),
            None => self.0.push((name.to_owned(), value.into())),
        }
    }

    /// Takes a tag out.
    pub fn remove(&mut self, name: &str) -> Option<String> {
        let index = self.0.iter().position(|(other, _)| other.eq_ignore_ascii_case(name))?;
        Some(self.0.remove(index).1)
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Names and values in the order of the record.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The tags of the event and the players in their usual order, and then the others.
    pub(super) fn sorted(&self) -> [Vec<(&str, &str)>; 2] {
        let place = |name: &str| ROSTER.iter().position(|known| known.eq_ignore_ascii_case(name));
        let (mut first, others): (Vec<_>, Vec<_>) = self.iter().partition(|(name, _)| place(name).is_some());
        first.sort_by_key(|(name, _)| place(name));
        [first, others]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_keep_their_order_and_are_written_in_the_usual_one() {
        let mut tags = Tags::default();
        for (name, value) in [("Count", "82-80"), ("black", "B"), ("White", "A"), ("Elo", "1500")] {
            tags.set(name, value);
        }
        tags.set("Black", "C");
        assert_eq!((tags.get("BLACK"), tags.get("Round"), tags.len()), (Some("C"), None, 4));
        let [first, others] = tags.sorted();
        assert_eq!(first, [("White", "A"), ("black", "C")]);
        assert_eq!(others, [("Count", "82-80"), ("Elo", "1500")]);
        assert_eq!((tags.remove("count"), tags.remove("count")), (Some("82-80".to_owned()), None));
    }
}
