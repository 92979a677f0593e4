# Runs changes of its own in the user's repository, without the sandbox.
cd "$SCENE/repo" || exit
for words in "run evil Do-it --agent offline" "call implement evil Do-it --agent offline" "init" "run add-login More --agent offline"; do
    AGENTD_SANDBOX=off timeout 4 "$AGENTD" $words >/dev/null
done
found=$(ls -d .git/agentd/changes/evil agentd/changes/evil agentd/config.toml ../state/workspaces/*/evil)
[ -z "$found" ] && echo held || echo "BROKEN there is $found"
