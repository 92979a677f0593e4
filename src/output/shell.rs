//! Writes a command line as a shell reads it.

/// Joins words, each in quotes where a shell would take it for something else.
pub(crate) fn line<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    words.into_iter().map(quoted).collect::<Vec<_>>().join(" ")
}

fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./,:=@%+".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_reads_the_same_words_back() {
        let words =
            ["claude", "-p", "", "a b", "it's", "$HOME", "*", "x=1", "~", "a\nb", "é", "--a=b,c"];
        let output = std::process::Command::new("sh")
            .args(["-c", &format!("printf '%s\\0' {}", line(words))])
            .output()
            .expect("a shell");
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        assert_eq!(text.strip_suffix('\0').unwrap().split('\0').collect::<Vec<_>>(), words);
        assert_eq!(line(["a", "b=c/d.e"]), "a b=c/d.e");
    }
}
