# Changes its root in a namespace of its own, and reads and writes from there.
# unconfined: safe
command -v unshare >/dev/null || { echo "skipped unshare is not there"; exit; }
before=$(cat "$SCENE/repo/README.md" | cksum)
said=$(unshare -Ur chroot / cat "$SCENE/home/.ssh/id_ed25519"
    unshare -Ur sh -c 'echo evil >>"$SCENE/repo/README.md"; cat "$SCENE/home/.netrc"'
    unshare -Urpf cat "$SCENE/home/.ssh/id_ed25519")
[ "$(cat "$SCENE/repo/README.md" | cksum)" = "$before" ] || said=s3cret
case $said in *s3cret*) echo "BROKEN a namespace gave it rights";; *) echo held;; esac
