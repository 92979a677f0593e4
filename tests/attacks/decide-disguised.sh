# Approves a change as another program, in another session, without an environment and with another state.
state() { cd "$SCENE/repo" && stat -c '%n %s %i' .git/agentd/changes/add-cart/journal.jsonl ../state/trust.json; git for-each-ref; }
before=$(state)
ln -s "$AGENTD" "$TMPDIR/other-name"
cd "$SCENE/repo" || exit
for disguise in "$TMPDIR/other-name" "setsid -w $AGENTD" "env -i PATH=$PATH HOME=$HOME AGENTD_STATE=$SCENE/state $AGENTD" \
    "env AGENTD_SANDBOX=off $AGENTD" "env AGENTD_STATE=$TMPDIR/state XDG_STATE_HOME=$TMPDIR $AGENTD" "env GIT_DIR=$SCENE/repo/.git $AGENTD" "nohup $AGENTD"; do
    $disguise approve add-cart >/dev/null
done
setsid -w "$AGENTD" discard add-cart --yes >/dev/null
rm -f "$TMPDIR/other-name"
[ "$(state)" = "$before" ] && echo held || echo "BROKEN it decided in disguise"
