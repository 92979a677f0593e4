//! A screen like those of the real CLIs: what was said stands above an input box, and reads just like what is typed. The box
//! is drawn late, and Enter right behind a letter is a line break.

use std::fs;

use super::{Live, message};
use crate::project::AGENTD;

/// The screen, as a shell script. A read that brings nothing has waited for 0.2 seconds. `ENTER` and `LETTERS` are run
/// when Enter and when text arrives, and `$sent` says how many messages were sent.
const SCREEN: &str = r#"stty -echo -icanon -icrnl min 0 time 2
enter=$(printf '\r')
gone=$(printf '\177')
said= text= idle=0 sent=0 pressed=0 asks=
draw() {
  printf '\033[H\033[2J%s' "$said"
  [ -z "$asks" ] || { printf '%s\n ● 1. Yes\n   2. No\n' "$asks"; return; }
  printf -- '-----\n > %s\n-----\n /model\n' "${text:- Type your message}"
}
send() {
  said="$said > $text
"
  text= pressed=0 sent=$((sent + 1))
  draw
  printf '%s\n' "$line" >> FOLDER/typed
  printf '%s\n' "$line" | AGENTD offline-agent > FOLDER/answer 2>&1
  said="$said * done
"
}
draw
while :; do
  chunk=$(dd bs=4096 count=1 2> /dev/null; printf x)
  chunk=${chunk%x}
  case $chunk in
    '') idle=$((idle + 1)); [ "$idle" -ne 3 ] || draw; continue ;;
    "$enter")
      case $asks in
        '') ;;
        *trust*) asks=; draw; continue ;;
        *) echo answered >> FOLDER/typed; exit 1 ;;
      esac
      pressed=$((pressed + 1)) line=$text
      ENTER
      if [ "$idle" -eq 0 ]; then text="$text
   "; elif [ -n "$text" ]; then send; fi ;;
    "$gone"*) while [ -n "$chunk" ]; do chunk=${chunk#?} text=${text%?}; done ;;
    *) LETTERS
      text="$text$(printf '%s' "$chunk" | tr '\r' '\n')" ;;
  esac
  idle=0
done
"#;

impl Live {
    /// Describes an agent with an input box.
    fn boxed(&self, enter: &str, letters: &str) {
        let script = self.scene.home.path("boxed.sh");
        let folder = self.scene.home.path("").to_string_lossy().into_owned();
        let text = SCREEN.replace("ENTER", enter).replace("LETTERS", letters);
        let text = text.replace("FOLDER", &folder).replace("AGENTD", AGENTD);
        fs::write(&script, text).expect("written");
        let script = script.to_string_lossy();
        self.scene.config(&format!(
            "[agents.boxed]\ncli = \"gemini\"\ncommand = [\"sh\", {script:?}]\nretries = 0\ntimeout = \"20s\"\n"
        ));
    }

    /// The messages that a reviewer gets whose first review fails.
    fn reviews(&self) -> Vec<String> {
        let prompts = [
            "07_review/review_prompt.md",
            "07_review/review_prompt.md",
            "08_completion/summary_prompt.md",
        ];
        prompts.map(|prompt| message(self, prompt)).to_vec()
    }

    fn typed_lines(&self) -> Vec<String> {
        self.typed().lines().map(str::to_owned).collect()
    }
}

#[test]
fn seed_002_a_message_that_stands_on_the_screen_already_is_typed_and_sent_once_more() {
    let Some(live) = Live::new() else { return };
    live.boxed(":", ":");
    live.scene.run(&["--tmux", "--agent", "reviewer=boxed"]).exits(0);
    assert_eq!(live.typed_lines(), live.reviews());
    live.is_gone();
}

#[test]
fn an_enter_that_is_lost_is_pressed_again_while_the_message_stands_in_the_box() {
    let Some(live) = Live::new() else { return };
    live.boxed("[ \"$pressed\" -ne 1 ] || { idle=0; continue; }", ":");
    live.scene.run(&["--tmux", "--agent", "reviewer=boxed"]).exits(0);
    assert_eq!(live.typed_lines(), live.reviews(), "each is sent once");
    live.is_gone();
}

#[test]
fn a_question_that_comes_up_while_the_same_message_is_typed_again_is_not_answered() {
    let Some(live) = Live::new() else { return };
    live.boxed(":", "case $sent$text in 1?*) asks='May I run it?' ;; esac");
    let ran = live.scene.run(&["--tmux", "--agent", "reviewer=boxed"]).exits(5);
    ran.says("agent `boxed` does not accept input in its window `reviewer`");
    assert_eq!(live.typed_lines(), live.reviews()[..1], "it is asked, and not answered");
    live.is_gone();
}

#[test]
fn a_word_that_an_input_kept_while_it_asked_something_is_not_sent_twice() {
    let Some(live) = Live::new() else { return };
    live.boxed(
        ":",
        "[ -n \"$begun\" ] || { begun=yes; asks='Do you trust the following folders?'; }",
    );
    live.scene.run(&["--tmux", "--agent", "reviewer=boxed"]).exits(0);
    assert_eq!(live.typed_lines(), live.reviews());
    live.is_gone();
}
