# Joins the namespaces of other processes.
import ctypes, os

libc, setns = ctypes.CDLL(None), {"x86_64": 308, "aarch64": 268}[os.uname().machine]
joined = []
for process in (int(os.environ["VICTIM"]), 1):
    for kind in ("mnt", "pid", "net"):
        child = os.fork()
        if child == 0:
            try:
                os._exit(libc.syscall(setns, os.open(f"/proc/{process}/ns/{kind}", os.O_RDONLY), 0) == 0)
            except OSError:
                os._exit(0)
        if os.waitpid(child, 0)[1]:
            joined.append(kind)
print(f"BROKEN it joined {joined}" if joined else "held")
