//! The input of an agent's screen. What was said before stands on the same screen, often word for word and drawn alike, and
//! it moves: so a message counts as typed only where its first word was seen to appear. Pure: screens go in as text.

/// A message on its way into an input: its first word, which is typed alone, and the rest.
#[derive(Clone, Copy, Debug)]
pub(super) struct Draft<'m> {
    /// A menu passes over letters; the rest may hold digits, which choose something there.
    pub(super) first: &'m str,
    pub(super) rest: &'m str,
}

/// Where the first word of a message stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// The screen that showed the first word and not yet the rest.
    screen: Squeezed,
    /// Where the word begins in it.
    at: usize,
    /// How often the word stands again behind it. An input is at the end of a screen, so this stays when all moves up.
    again: usize,
}

impl<'m> Draft<'m> {
    pub(super) fn of(message: &'m str) -> Self {
        let (first, rest) = message.split_at(message.find(' ').unwrap_or(message.len()));
        Self { first, rest }
    }

    /// Finds the first word where it was typed: in the last line that has it and was not on the screen before. A word that
    /// the rest follows already is an earlier message, which was drawn anew.
    pub(super) fn begun(&self, before: &str, now: &str) -> Option<Place> {
        let mut old = Squeezed::of(before).lines;
        let screen = Squeezed::of(now);
        let (mut start, mut found) = (0, None);
        for line in &screen.lines {
            match old.iter().position(|other| other == line) {
                Some(at) => drop(old.swap_remove(at)),
                None => found = line.rfind(self.first).map(|at| start + at).or(found),
            }
            start += line.len();
        }
        let (at, text, rest) = (found?, screen.text(), squeezed(self.rest));
        let behind = text.get(at + self.first.len()..)?;
        if !rest.is_empty() && behind.starts_with(&rest) {
            return None;
        }
        let again = behind.matches(self.first).count();
        Some(Place { screen, at, again })
    }

    /// Returns how many letters stand right before a place because the same word was typed there before.
    pub(super) fn letters_before(&self, place: &Place) -> usize {
        let text = place.screen.text();
        let before = text.get(..place.at).unwrap_or_default();
        let others = before.trim_end_matches(self.first);
        before.chars().count() - others.chars().count()
    }

    /// Finds the whole message at the place of its first word. A message that stood elsewhere before this one was typed is
    /// not the one: the place may show a question by now.
    pub(super) fn standing(&self, place: &Place, now: &str) -> Option<Standing> {
        let (screen, rest) = (Squeezed::of(now), squeezed(self.rest));
        let text = screen.text();
        let again = place.again + rest.matches(self.first).count();
        let (at, _) = text.rmatch_indices(self.first).nth(again)?;
        let behind = text.get(at + self.first.len()..)?.strip_prefix(rest.as_str())?.to_owned();
        let line = screen.line_of(at);
        let earlier_line = line + place.screen.scrolled(&screen);
        let whole = self.whole();
        let earlier = place.screen.text();
        let mut earlier = earlier.match_indices(&whole).filter(|(at, _)| *at != place.at);
        let is_earlier = earlier.any(|(at, _)| place.screen.line_of(at) == earlier_line);
        (!is_earlier).then_some(Standing { screen, line, behind })
    }

    /// Returns whether a message that stood in an input has left it. One that was sent has more behind it, such as an empty
    /// input; a line break that Enter made does not count, nor a list of suggestions that closes.
    pub(super) fn is_sent(&self, standing: &Standing, now: &str) -> bool {
        let (screen, whole) = (Squeezed::of(now), self.whole());
        let text = screen.text();
        let scrolled = standing.screen.scrolled(&screen);
        let stays = |at: usize| {
            let behind = text.get(at + whole.len()..).unwrap_or_default();
            screen.line_of(at) + scrolled == standing.line && standing.behind.ends_with(behind)
        };
        !text.match_indices(&whole).any(|(at, _)| stays(at))
    }

    fn whole(&self) -> String {
        format!("{}{}", self.first, squeezed(self.rest))
    }
}

/// A whole message in an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Standing {
    /// The screen that showed it.
    screen: Squeezed,
    /// The line that it begins in.
    line: usize,
    /// What stood behind it.
    behind: String,
}

/// The lines of a screen without what it puts between the letters of a long line.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Squeezed {
    lines: Vec<String>,
}

impl Squeezed {
    fn of(screen: &str) -> Self {
        Self { lines: screen.lines().map(squeezed).collect() }
    }

    /// Returns all lines as one text.
    fn text(&self) -> String {
        self.lines.concat()
    }

    /// Returns the number of the line that a place in the text belongs to.
    fn line_of(&self, at: usize) -> usize {
        let ends = self.lines.iter().scan(0, |end, line| {
            *end += line.len();
            Some(*end)
        });
        ends.take_while(|end| *end <= at).count()
    }

    /// Returns by how many lines a later screen has most likely moved up: as many as leave the most lines alike.
    fn scrolled(&self, later: &Self) -> usize {
        let alike = |by: &usize| {
            let pairs = self.lines.iter().skip(*by).zip(&later.lines);
            pairs.filter(|(one, other)| one == other && !one.is_empty()).count()
        };
        // Of several the last is taken: nothing has moved unless more speaks for it.
        (0..self.lines.len()).rev().max_by_key(alike).unwrap_or_default()
    }
}

/// Leaves out blanks and the borders of boxes.
fn squeezed(text: &str) -> String {
    let is_border = |letter: &char| ('\u{2500}'..='\u{259f}').contains(letter);
    text.chars().filter(|letter| !letter.is_whitespace() && !is_border(letter)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MESSAGE: &str = "Read and follow the instructions in /a/b.md";

    const IDLE: &str = "Tips: Read more\n> Read and follow the instructions in /a/b.md\n✦ Done.\n────\n > Type here\n────\n /model\n";
    const BEGUN: &str = "Tips: Read more\n> Read and follow the instructions in /a/b.md\n✦ Done.\n────\n > Read\n────\n /model\n";
    const WHOLE: &str =
        "✦ Done.\n────\n > Read and follow the instruct\n   ions in /a/b.md\n────\n /model\n";

    fn draft() -> Draft<'static> {
        Draft::of(MESSAGE)
    }

    #[test]
    fn a_message_begins_where_its_first_word_appears() {
        let place = draft().begun(IDLE, BEGUN).unwrap();
        assert_eq!((place.again, place.screen.line_of(place.at)), (0, 4));
        let above = "Read me\n> Read\nRead me, too\n";
        let place = draft().begun("Read me\n>\nRead me, too\n", above).unwrap();
        assert_eq!(place.again, 1, "the word that was there below is another");
        assert_eq!(draft().begun(IDLE, IDLE), None);
    }

    #[test]
    fn a_line_that_only_moves_is_nothing_that_was_typed() {
        let asked =
            "> Read and follow the instructions in /a/b.md\n✦ Done.\n────\nRun it?\n > 1. Yes\n";
        assert_eq!(draft().begun(IDLE, asked), None, "a question has come up");
        let narrow =
            "> Read and follow the\ninstructions in /a/b.md\n✦ Done.\n────\n > Type here\n";
        assert_eq!(draft().begun(IDLE, narrow), None, "an earlier message is wrapped anew");
    }

    #[test]
    fn an_earlier_message_is_not_the_one_that_is_typed() {
        let place = draft().begun(IDLE, BEGUN).unwrap();
        assert_eq!(draft().standing(&place, BEGUN), None, "the rest is not drawn yet");
        assert_eq!(
            draft().standing(&place, &BEGUN.replace("> Read\n", "> Read and follow\n")),
            None
        );
        let both = BEGUN.replace("> Read\n", "> Read and follow the instructions in /a/b.md\n");
        assert_eq!(draft().standing(&place, &both).map(|it| it.behind).as_deref(), Some("/model"));
        assert_eq!(
            draft().standing(&place, WHOLE).map(|it| it.behind).as_deref(),
            Some("/model"),
            "it has scrolled out"
        );
    }

    #[test]
    fn a_question_in_place_of_the_input_leaves_only_earlier_messages() {
        let place = draft().begun(IDLE, BEGUN).unwrap();
        for lines_lost in 0..2 {
            let (transcript, _) = IDLE.split_once("────").unwrap();
            let shown: Vec<_> = transcript.lines().skip(lines_lost).collect();
            let asked = format!("{}\nMay I?\n > 1. Yes\n", shown.join("\n"));
            assert_eq!(draft().standing(&place, &asked), None, "{asked}");
        }
    }

    #[test]
    fn a_screen_full_of_the_same_messages_is_told_from_one_more() {
        let said = format!("> {MESSAGE}\n* done\n").repeat(3);
        let place = draft().begun(&format!("{said}>\n"), &format!("{said}> Read\n")).unwrap();
        for lines_lost in 0..6 {
            let shown: Vec<_> = said.lines().skip(lines_lost).collect();
            let shown = shown.join("\n");
            let asked = format!("{shown}\nMay I?\n > 1. Yes\n");
            assert_eq!(draft().standing(&place, &asked), None, "{asked}");
        }
        for lines_lost in 0..2 {
            let shown: Vec<_> = said.lines().skip(lines_lost).collect();
            let typed = format!("{}\n> {MESSAGE}\n", shown.join("\n"));
            assert_eq!(
                draft().standing(&place, &typed).map(|it| it.behind).as_deref(),
                Some(""),
                "{typed}"
            );
        }
    }

    #[test]
    fn a_message_that_repeats_its_first_word_is_seen_only_whole() {
        let draft = Draft::of("Read /Read/Read.md");
        let idle = "> Read /Read/Read.md\n> \n";
        let place = draft.begun(idle, &idle.replace("> \n", "> Read\n")).unwrap();
        for typed in ["Read", "Read /Read", "Read /Read/Read.m"] {
            let now = idle.replace("> \n", &format!("> {typed}\n"));
            assert_eq!(draft.standing(&place, &now), None, "{typed}");
        }
        let now = idle.replace("> \n", "> Read /Read/Read.md\n");
        assert_eq!(draft.standing(&place, &now).map(|it| it.behind).as_deref(), Some(""));
    }

    #[test]
    fn a_message_is_seen_through_the_wraps_and_borders_of_a_box() {
        let now = "│ > Read and follow the instruct │\n│   ions in /a/b.md              │";
        let place = draft().begun("│ >  │", "│ > Read  │").unwrap();
        assert_eq!(draft().standing(&place, now).map(|it| it.behind).as_deref(), Some(""));
    }

    #[test]
    fn a_message_is_sent_when_it_has_left_its_place() {
        let place = draft().begun(IDLE, BEGUN).unwrap();
        let standing = draft().standing(&place, WHOLE).unwrap();
        let is_sent = |now: &str| draft().is_sent(&standing, now);
        assert!(!is_sent(WHOLE));
        assert!(!is_sent(&WHOLE.replace("b.md\n", "b.md\n   \n")), "Enter was a line break");
        assert!(!is_sent(&WHOLE.replace("✦ Done.\n", "")), "all has moved up");
        assert!(is_sent(IDLE), "it stands above an empty input");
        assert!(is_sent(" > Type here\n────\n /model\n"), "it is gone");
        let listed = WHOLE.replace(" /model\n", "suggestion\n /model\n");
        let standing = draft().standing(&place, &listed).unwrap();
        assert!(!draft().is_sent(&standing, WHOLE), "suggestions below it were closed");
    }

    #[test]
    fn a_message_that_is_repeated_below_was_sent() {
        let place = draft().begun("ready\n", "ready\nRead\n").unwrap();
        let typed = format!("ready\n{MESSAGE}\n");
        let standing = draft().standing(&place, &typed).unwrap();
        assert!(!draft().is_sent(&standing, &typed));
        assert!(draft().is_sent(&standing, &format!("{typed}working\n{MESSAGE}\n")));
    }

    #[test]
    fn a_word_that_the_input_kept_is_counted() {
        for (now, letters) in [("> Read\n", 0), ("> ReadRead\n", 4), ("> ReadReadRead\n", 8)] {
            let place = draft().begun(">\n", now).unwrap();
            assert_eq!(draft().letters_before(&place), letters, "{now}");
        }
    }

    #[test]
    fn one_word_is_a_whole_message() {
        let draft = Draft::of("/fleet");
        let place = draft.begun("> \n", "> /fleet\n  /fleet  spreads work\n").unwrap();
        assert!(draft.standing(&place, "> /fleet\n  /fleet  spreads work\n").is_some());
    }
}
