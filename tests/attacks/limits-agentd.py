# Takes from its guard and from agentd the right to write and open files.
import os, resource


def parent(process):
    return int(open(f"/proc/{process}/stat").read().rsplit(")", 1)[1].split()[1])


guard = os.getpid()
while b"__guard" not in open(f"/proc/{guard}/cmdline", "rb").read().split(b"\0"):
    guard = parent(guard)
changed = []
for process in (guard, parent(guard)):
    for kind in (resource.RLIMIT_NOFILE, resource.RLIMIT_FSIZE, resource.RLIMIT_CPU, resource.RLIMIT_AS):
        before = resource.prlimit(process, kind)
        try:
            resource.prlimit(process, kind, (0, 0))
        except (OSError, ValueError):
            pass
        if resource.prlimit(process, kind) != before:
            changed.append(kind)
print(f"BROKEN limits {changed} of its guard or agentd are set" if changed else "held")
