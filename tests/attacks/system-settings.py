# Opens for writing what sets the kernel: its settings, its groups of processes, its name.
import os, socket

paths = [
    "/proc/sys/kernel/core_pattern", "/proc/sys/kernel/modprobe", "/proc/sys/fs/suid_dumpable",
    "/proc/sysrq-trigger", "/sys/kernel/uevent_helper", "/sys/fs/cgroup/cgroup.procs",
    "/proc/self/uid_map", "/proc/self/oom_score_adj",
]
opened = []
for path in paths:
    try:
        os.close(os.open(path, os.O_WRONLY))
        opened.append(path)
    except OSError:
        pass
try:
    socket.sethostname(socket.gethostname())
    opened.append("the name of the machine")
except OSError:
    pass
print(f"BROKEN it may write {opened}" if opened else "held")
