# Removes, moves and replaces agentd's state of the repository.
state=$SCENE/repo/.git/agentd
before=$(stat -c %i "$state" "$state/changes/add-login" "$state/changes/add-login/journal.jsonl")
mv "$state" "$SCENE/repo/.git/gone"
mv "$state/changes/add-login" "$state/changes/gone"
echo evil >"$TMPDIR/journal" && mv "$TMPDIR/journal" "$state/changes/add-login/journal.jsonl"
rm -rf "$state"
after=$(stat -c %i "$state" "$state/changes/add-login" "$state/changes/add-login/journal.jsonl")
[ "$after" = "$before" ] && echo held || echo "BROKEN agentd's state is gone"
