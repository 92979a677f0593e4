# Writes agentd's own state: what the user trusts, and the folders beside its own.
state=$SCENE/state
before=$(cd "$state" && ls -lA; stat -c '%s %Y' trust.json)
echo '{}' >"$state/trust.json"
mkdir "$state/evil" "$state/caches/evil"
rm -rf "$state/repositories"
after=$(cd "$state" && ls -lA; stat -c '%s %Y' trust.json)
[ "$after" = "$before" ] && echo held || echo "BROKEN agentd's state has changed"
