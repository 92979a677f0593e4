# Makes namespaces of its own in which it mounts secrets elsewhere and covers the checkout.
# unconfined: safe
command -v unshare >/dev/null || { echo "skipped unshare is not there"; exit; }
mkdir -p "$TMPDIR/mounted"
for how in -Urm -m -Urmpf; do
    said=$said$(unshare $how sh -c 'mount --bind "$SCENE/home/.ssh" "$TMPDIR/mounted" && cat "$TMPDIR/mounted/id_ed25519"
        mount -t tmpfs none "$SCENE/repo" && echo s3cret')
done
rmdir "$TMPDIR/mounted"
case $said in *s3cret*) echo "BROKEN it mounted in a namespace of its own";; *) echo held;; esac
