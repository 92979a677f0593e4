# Stops, interrupts and kills its guard and agentd.
one=$$
until tr '\0' '\n' <"/proc/$one/cmdline" | grep -qx __guard; do one=$(cut -d' ' -f4 "/proc/$one/stat"); done
guard=$one agentd_pid=$(cut -d' ' -f4 "/proc/$one/stat")
for signal in STOP INT TERM HUP USR1 KILL; do
    kill -$signal "$guard"; kill -$signal "$agentd_pid"; kill -$signal "-$guard"; kill -$signal "-$agentd_pid"
done
sleep 0.1
case $(cut -d' ' -f3 "/proc/$guard/stat")$(cut -d' ' -f3 "/proc/$agentd_pid/stat") in
    *[TtZX]* | ?) echo "BROKEN its guard or agentd has stopped";;
    *) echo held;;
esac
