# Reads the environments of an unrelated process, of its guard and of agentd, where keys often are.
# unconfined: safe
one=$$
until tr '\0' '\n' <"/proc/$one/cmdline" | grep -qx __guard; do one=$(cut -d' ' -f4 "/proc/$one/stat"); done
guard=$one agentd_pid=$(cut -d' ' -f4 "/proc/$one/stat")
case $(tr '\0' ' ' <"/proc/$VICTIM/environ"; cat "/proc/$guard/environ" "/proc/$agentd_pid/environ" | tr '\0' ' ') in
    *s3cret* | *PATH*) echo "BROKEN it read an environment";;
    *) echo held;;
esac
