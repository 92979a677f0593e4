//! Which names are those of secrets: of variables, of settings, and of fields in what is printed.

/// The names of secrets have one of these among their words.
const WORDS: [&str; 15] = [
    "KEY",
    "KEYS",
    "TOKEN",
    "SECRET",
    "PASSWORD",
    "PASSWD",
    "PASSPHRASE",
    "CREDENTIAL",
    "CREDENTIALS",
    "PAT",
    "AUTH",
    "PASS",
    "SSHPASS",
    "COOKIE",
    "JWT",
];

/// A word may be written together with what comes before these.
const ENDINGS: [&str; 6] = ["PASSWORD", "PASSWD", "PASSPHRASE", "TOKEN", "SECRET", "APIKEY"];

/// Returns whether a variable of this name holds a secret, by the words of its name.
pub(crate) fn names_a_secret(name: &str) -> bool {
    words(name).any(is_secret) || is_password(name)
}

/// Returns whether a field of this name holds a secret wherever it stands: `key` and `pass` by themselves are ordinary words
/// in code and in reports, `api_key` is not.
pub(super) fn is_a_secret_field(name: &str) -> bool {
    match words(name).count() {
        0 => false,
        1 => words(name).any(ends_like_a_secret),
        _ => names_a_secret(name),
    }
}

fn words(name: &str) -> impl Iterator<Item = &str> {
    name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty())
}

fn is_secret(word: &str) -> bool {
    WORDS.iter().any(|secret| word.eq_ignore_ascii_case(secret)) || ends_like_a_secret(word)
}

fn ends_like_a_secret(word: &str) -> bool {
    ENDINGS.iter().any(|ending| {
        let end = word.len().checked_sub(ending.len()).and_then(|start| word.get(start..));
        end.is_some_and(|end| end.eq_ignore_ascii_case(ending))
    })
}

/// Returns whether a name ends in `PWD` as in `MYSQL_PWD`; by itself that is the working folder.
fn is_password(name: &str) -> bool {
    words(name).count() > 1
        && words(name).last().is_some_and(|last| last.eq_ignore_ascii_case("PWD"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_secrets_are_known_by_their_words() {
        for name in [
            "ANTHROPIC_API_KEY",
            "GH_TOKEN",
            "github_token",
            "DB_PASSWORD",
            "AWS_SECRET_ACCESS_KEY",
            "X-API-KEY",
            "APIKEY",
            "PGPASSWORD",
            "MYSQL_PWD",
            "SSHPASS",
            "ACCESSTOKEN",
            "npm_config__authToken",
            "SIGNING_KEYS",
        ] {
            assert!(names_a_secret(name), "{name}");
        }
        for name in [
            "PATH",
            "PWD",
            "OLDPWD",
            "GIT_AUTHOR_NAME",
            "GIT_ASKPASS",
            "KEYBOARD",
            "MAX_THINKING_TOKENS",
            "MONKEY",
            "TOKENIZERS_PARALLELISM",
            "COMPASS",
            "é",
            "",
        ] {
            assert!(!names_a_secret(name), "{name}");
        }
    }

    #[test]
    fn an_ordinary_word_is_no_field_of_a_secret() {
        for name in ["api_key", "x-api-key", "password", "secret", "accessToken", "_authToken"] {
            assert!(is_a_secret_field(name), "{name}");
        }
        for name in ["key", "pass", "auth", "cookie", "keys", "tokens", ""] {
            assert!(!is_a_secret_field(name), "{name}");
        }
    }
}
