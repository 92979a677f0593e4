//! What a prompt says about questions: none where nobody can answer, one about preferences where a person is there.

use askama::Template;

use super::facts::Audience;

#[derive(Template)]
#[template(path = "blocks/questions.md.j2", escape = "none")]
struct Questions {
    audience: Audience,
}

#[derive(Template)]
#[template(path = "blocks/preference-approval.md.j2", escape = "none")]
struct PreferenceApproval {
    audience: Audience,
}

impl Audience {
    /// Returns the rule about questions.
    pub(super) fn questions(self) -> String {
        Questions { audience: self }.to_string().trim().to_owned()
    }

    /// Returns who approves preferences, and what becomes of them.
    pub(super) fn preference_approval(self) -> String {
        PreferenceApproval { audience: self }.to_string().trim().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_nobody_is_there_nothing_is_asked() {
        let questions = Audience::Nobody.questions();
        for words in ["The run is unattended", "never ask", "write it down as an\n  assumption"] {
            assert!(questions.contains(words), "{words}: {questions}");
        }
        let approval = Audience::Nobody.preference_approval();
        assert!(
            approval.contains("Do not ask") && approval.contains("pending until a person approves")
        );
        assert!(!approval.contains("propose"), "{approval}");
    }

    #[test]
    fn where_a_person_is_there_preferences_are_approved_and_nothing_else_is_asked() {
        let questions = Audience::Person.questions();
        for words in
            ["One question only", "never ask anything else", "write it down as an assumption"]
        {
            assert!(questions.contains(words), "{words}: {questions}");
        }
        assert!(!questions.contains("unattended"), "{questions}");
        let approval = Audience::Person.preference_approval();
        for words in [
            "Before the final submit, propose the candidates",
            "approve, reword or drop",
            "Only approved entries",
        ] {
            assert!(approval.contains(words), "{words}: {approval}");
        }
        assert!(!approval.contains("pending"), "{approval}");
    }
}
