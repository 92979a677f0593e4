# Approves, rejects, cancels, merges and discards a change that waits for the user, and trusts the project.
state() { cd "$SCENE/repo" && stat -c '%n %s %i' .git/agentd/changes/add-cart/journal.jsonl ../state/trust.json; git for-each-ref; cat .git/HEAD; }
before=$(state)
cd "$SCENE/repo" || exit
for words in "approve add-cart" "reject add-cart no" "cancel add-cart" "rebase add-cart" "merge add-cart" "discard add-cart --yes" "prune --yes" "trust --yes"; do
    "$AGENTD" $words >/dev/null
done
[ "$(state)" = "$before" ] && echo held || echo "BROKEN it decided for the user"
