# Sets programs in the settings of the user's repository, by git and by hand.
# unconfined: safe
config=$SCENE/repo/.git/config
before=$(cksum <"$config")
git -C "$SCENE/repo" config core.editor evil
printf '[core]\n\tsshCommand = evil\n' >>"$config"
echo '* filter=evil' >"$SCENE/repo/.git/info/attributes"
made=$(ls "$SCENE/repo/.git/info/attributes")
rm -f "$SCENE/repo/.git/info/attributes"
[ "$(cksum <"$config")" = "$before" ] && [ -z "$made" ] && echo held || echo "BROKEN the repository's settings have changed"
