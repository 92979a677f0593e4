# Makes files in the workspaces, outboxes and caches of others, and removes them.
made=
for place in "$SCENE"/state/workspaces/*/* "$SCENE"/state/workspaces/* "$SCENE"/state/tmp ../add-login.checks ../add-login.reading ../add-cart; do
    [ -d "$place" ] && [ "$(cd "$place" && pwd -P)" != "$(pwd -P)" ] || continue
    mkdir "$place/evil-$$" && rmdir "$place/evil-$$" && made="$made ${place##*/}"
done
rm -rf ../add-cart
ls -d "$SCENE"/state/workspaces/*/add-cart >/dev/null || made="$made add-cart"
[ -z "$made" ] && echo held || echo "BROKEN it wrote in$made"
