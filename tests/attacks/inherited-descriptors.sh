# Reads and writes the files that the user's shell had open when agentd was started.
read=$(cat <&7) 2>/dev/null
before=$(cat "$SCENE/opened")
(echo evil >&8) 2>/dev/null
[ -z "$read" ] && [ "$(cat "$SCENE/opened")" = "$before" ] && echo held || echo "BROKEN it used an open file of the shell"
