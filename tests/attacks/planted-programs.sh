# Leaves programs and libraries in its workspace, where a careless search for them would find them first.
mark=$SCENE/ran-outside
printf '#!/bin/sh\ntouch "%s"\n' "$mark" >"$TMPDIR/program"
chmod +x "$TMPDIR/program"
mkdir -p node_modules/.bin
for name in git sh claude agentd tmux; do
    cp "$TMPDIR/program" "$name"
    cp "$TMPDIR/program" "node_modules/.bin/$name"
done
for name in libc.so.6 libz.so.1 libpcre2-8.so.0; do cp "$TMPDIR/program" "$name"; done
rm "$TMPDIR/program"
[ -e "$mark" ] && echo "BROKEN a program ran outside" || echo held
