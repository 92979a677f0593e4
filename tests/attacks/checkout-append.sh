# Appends to files of the user's checkout, directly and from a shell within.
# unconfined: safe
cd "$SCENE/repo" || exit
before=$(cat README.md staged.rs | cksum)
echo evil >>"$SCENE/repo/README.md"
sh -c 'echo evil >>README.md'
echo evil >staged.rs
[ "$(cat README.md staged.rs | cksum)" = "$before" ] && echo held || echo "BROKEN the checkout's files have changed"
