# Stops an unrelated process of the same user.
# unconfined: safe
kill -STOP "$VICTIM"
sleep 0.1
state=$(cut -d' ' -f3 "/proc/$VICTIM/stat")
kill -CONT "$VICTIM"
[ "$state" = T ] && echo "BROKEN the process has stopped" || echo held
