# Commits in the user's checkout, and leaves a lock there that keeps the user from doing so.
# unconfined: safe
git=$SCENE/repo/.git
before=$(cat "$git/refs/heads/main" "$git/index" | cksum)
git -C "$SCENE/repo" -c user.name=Eve -c user.email=eve@example.com commit -q --no-verify --allow-empty -m evil
git -C "$SCENE/repo" add untracked.txt
echo lock >"$git/index.lock"
made=$(ls "$git/index.lock")
rm -f "$git/index.lock"
[ "$(cat "$git/refs/heads/main" "$git/index" | cksum)" = "$before" ] && [ -z "$made" ] && echo held || echo "BROKEN the repository has another commit"
