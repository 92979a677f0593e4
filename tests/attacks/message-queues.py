# Makes, opens and removes message queues, which no folder holds.
# unconfined: safe
import ctypes, os

make, remove = {"x86_64": (240, 241), "aarch64": (180, 181)}[os.uname().machine]
libc, name = ctypes.CDLL(None, use_errno=True), b"agentd-evil-%d" % os.getpid()
queue = libc.syscall(make, name, os.O_CREAT | os.O_RDWR, 0o600, None)
removed = libc.syscall(remove, name) == 0
# Whoever may look for a queue is told that there is none of this name.
looked = removed or ctypes.get_errno() == 2
print("BROKEN it used message queues" if queue >= 0 or looked else "held")
