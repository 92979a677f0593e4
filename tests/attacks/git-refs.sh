# Moves, makes and replaces branches of the user's repository, also by a push from its own.
# unconfined: safe
all() { git -C "$SCENE/repo" for-each-ref; cat "$SCENE/repo/.git/HEAD" "$SCENE/repo/.git/packed-refs"; }
before=$(all)
commit=$(git -C "$SCENE/repo" rev-parse HEAD)
git -C "$SCENE/repo" update-ref refs/heads/evil "$commit"
git -C "$SCENE/repo" branch evil-branch
git -C "$SCENE/repo" tag evil-tag
git push -q "$SCENE/repo" HEAD:refs/heads/evil-push
echo "$commit" >"$SCENE/repo/.git/refs/heads/evil-by-hand"
after=$(all)
for branch in evil evil-branch evil-push evil-by-hand; do git -C "$SCENE/repo" branch -D "$branch"; done >/dev/null
git -C "$SCENE/repo" tag -d evil-tag >/dev/null
[ -n "$commit" ] && [ "$after" = "$before" ] && echo held || echo "BROKEN the repository has other branches"
