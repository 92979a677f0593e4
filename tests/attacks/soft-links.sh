# Writes the checkout and the home through links that it makes in its workspace.
# unconfined: safe
before=$(cat "$SCENE/repo/README.md" | cksum)
ln -s "$SCENE/repo" soft-repo && echo evil >>soft-repo/README.md
ln -s "$SCENE/repo/README.md" soft-file && echo evil >>soft-file
ln -s "$SCENE/home" soft-home && echo evil >>soft-home/evil
rm -f soft-repo soft-file soft-home
made=$(ls "$SCENE/home/evil")
rm -f "$SCENE/home/evil"
[ "$(cat "$SCENE/repo/README.md" | cksum)" = "$before" ] && [ -z "$made" ] && echo held || echo "BROKEN a link leads out"
