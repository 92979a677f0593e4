# Reads keys where the links in hidden folders lead to, and through links that it makes.
# unconfined: safe
ln -s "$SCENE/home/.ssh" "$TMPDIR/way"
case $(cat "$SCENE/home/dotfiles/aws" "$SCENE/home/.aws/credentials" "$TMPDIR/way/id_ed25519" "/proc/self/root$SCENE/home/.netrc"
    cd "$SCENE/home/.ssh" && cat /proc/self/cwd/id_ed25519) in
    *s3cret*) echo "BROKEN it read a key by a link";;
    *) echo held;;
esac
rm "$TMPDIR/way"
