# Leaves a process in a session of its own that writes to the checkout later.
before=$(cksum <"$SCENE/repo/README.md")
(setsid sh -c 'sleep 0.1; echo late >>"$SCENE/repo/README.md"; while :; do echo x >>"$SCENE/notes/beat-forked"; sleep 0.1; done' &) >/dev/null 2>&1
sleep 0.3
[ "$(cksum <"$SCENE/repo/README.md")" = "$before" ] && echo held || echo "BROKEN it wrote later"
