# Traces its guard and agentd, and reads and writes their memory.
import ctypes, os


def parent(process):
    return int(open(f"/proc/{process}/stat").read().rsplit(")", 1)[1].split()[1])


guard = os.getpid()
while b"__guard" not in open(f"/proc/{guard}/cmdline", "rb").read().split(b"\0"):
    guard = parent(guard)
trace = {"x86_64": 101, "aarch64": 117}[os.uname().machine]
libc, done = ctypes.CDLL(None), []
for process in (guard, parent(guard)):
    for request in (16, 0x4206):
        if libc.syscall(trace, request, process, 0, 0) == 0:
            done.append("traced")
    for file in ("mem", "maps", "syscall", "stack", "fd/0", "fdinfo/0"):
        try:
            os.read(os.open(f"/proc/{process}/{file}", os.O_RDONLY), 8)
            done.append(file)
        except OSError as error:
            if error.errno == 5:
                done.append(file)
print(f"BROKEN it used {done} of its guard or agentd" if done else "held")
