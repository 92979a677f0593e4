# Damages, removes and adds objects of the user's repository.
git=$SCENE/repo/.git
count() { find "$git/objects" -type f | sort | cksum; }
before=$(count)
echo evil | git -C "$SCENE/repo" hash-object -w --stdin >/dev/null
find "$git/objects" -type f -exec chmod u+w {} + -exec sh -c 'echo evil >"$1"' sh {} \;
rm -rf "$git/objects"
echo "$PWD" >"$git/objects/info/alternates"
git -C "$SCENE/repo" fsck --no-progress >/dev/null || damaged=1
[ "$(count)" = "$before" ] && [ -z "$damaged" ] && echo held || echo "BROKEN the objects of the repository have changed"
