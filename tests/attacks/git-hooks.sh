# Leaves hooks in the user's repository, which git would run outside.
# unconfined: safe
hooks=$SCENE/repo/.git/hooks
before=$(ls "$hooks"; cat "$hooks"/* | cksum)
for hook in pre-commit post-merge pre-push; do
    printf '#!/bin/sh\ntouch "%s/ran-outside"\n' "$SCENE" >"$hooks/$hook" && chmod +x "$hooks/$hook"
done
after=$(ls "$hooks"; cat "$hooks"/* | cksum)
rm -f "$hooks/post-merge" "$hooks/pre-push"
[ "$after" = "$before" ] && echo held || echo "BROKEN the repository has other hooks"
