# Has the server of tmux that agentd itself runs do something outside.
# unconfined: safe
command -v tmux >/dev/null || { echo "skipped tmux is not there"; exit; }
TMUX_TMPDIR=$SCENE
export TMUX_TMPDIR
timeout 5 tmux -L agentd run-shell "echo evil >'$SCENE/tmux-did-it'"
timeout 5 tmux -L agentd new-window -d "echo evil >'$SCENE/tmux-did-it'"
sleep 0.2
[ -e "$SCENE/tmux-did-it" ] && echo "BROKEN tmux did it" || echo held
rm -f "$SCENE/tmux-did-it"
