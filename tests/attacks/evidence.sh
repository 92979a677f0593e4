# Writes the evidence of its own run and of earlier ones: how they ended, what they were asked and what they said.
runs=$SCENE/repo/.git/agentd/changes/add-login/runs
before=$(cd "$runs" && stat -c '%n %i' */*)
for run in "$runs"/*; do
    echo '{}' >"$run/end.json"; echo '{}' >"$run/forged"; rm -f "$run/prompt.xml" "$run/sandbox.json"
    mkdir "$run/folder"; mv "$run/stdout" "$run/gone"
done
mkdir "$runs/999-review"
rm -f "$runs"/*/stderr
after=$(cd "$runs" && stat -c '%n %i' */*; ls -d "$runs/999-review")
[ "$after" = "$before" ] && echo held || echo "BROKEN the evidence of runs has changed"
