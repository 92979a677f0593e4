//! An answer that comes in pieces: gathered up to a limit, beyond which nothing of it is kept.

use super::AgentError;

/// The longest answer that is gathered from pieces, in bytes.
pub(super) const LONGEST: usize = 8 << 20;

/// An answer so far.
#[derive(Default)]
pub(super) struct BoundedText {
    text: String,
    overflowed: bool,
}

impl BoundedText {
    /// Begins anew.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Adds a piece.
    pub(super) fn push(&mut self, piece: &str) {
        if self.overflowed || self.text.len() + piece.len() > LONGEST {
            *self = Self { text: String::new(), overflowed: true };
        } else {
            self.text.push_str(piece);
        }
    }

    /// Takes the whole, unless it was too long.
    pub(super) fn take(&mut self) -> Result<String, AgentError> {
        let Self { text, overflowed } = std::mem::take(self);
        if overflowed { Err(AgentError::AnswerTooLarge { limit: LONGEST }) } else { Ok(text) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_beyond_the_limit_is_not_kept_and_a_new_one_is() {
        let mut answer = BoundedText::default();
        let piece = "x".repeat(LONGEST / 4);
        for _ in 0..4 {
            answer.push(&piece);
        }
        answer.push("");
        assert_eq!(answer.take().map(|text| text.len()), Ok(LONGEST));
        for _ in 0..5 {
            answer.push(&piece);
            assert!(answer.text.len() <= LONGEST);
        }
        answer.push("end");
        assert_eq!(answer.take(), Err(AgentError::AnswerTooLarge { limit: LONGEST }));
        answer.push("next");
        assert_eq!(answer.take(), Ok("next".to_owned()));
    }
}
