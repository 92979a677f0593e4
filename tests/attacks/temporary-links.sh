# Leaves links to the checkout and the home where agentd clears up, and swaps folders for links meanwhile.
cd "$TMPDIR" || exit
ln -s "$SCENE/repo" repo
ln -s "$SCENE/home" home
mkdir -p deep/within && ln -s "$SCENE/repo/.git" deep/within/git
(
    setsid sh -c 'while :; do mkdir -p a/b c; touch a/b/file; mv a d; ln -s "$SCENE/repo" a; rm a; mv d a; done' &
) >/dev/null 2>&1
mv "$TMPDIR" "$TMPDIR.moved" && mv "$TMPDIR.moved" "$TMPDIR" && echo "BROKEN the folder for temporary files can be moved" || echo held
