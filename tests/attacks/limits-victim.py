# Sets the limits of an unrelated process, also by the numbers of calls of other kinds of programs.
# unconfined: safe
import ctypes, os, resource

victim, libc = int(os.environ["VICTIM"]), ctypes.CDLL(None)
kind = resource.RLIMIT_CORE
before = resource.prlimit(victim, kind)
soft = 4096 if before[0] != 4096 else 8192
limits = (ctypes.c_uint64 * 2)(soft, 2**64 - 1 if before[1] == -1 else before[1])
try:
    resource.prlimit(victim, kind, (soft, before[1]))
except (OSError, ValueError):
    pass
if os.uname().machine == "x86_64":
    libc.syscall(302 | 0x40000000, victim, kind, limits, None)
    libc.syscall(302 | 0x7FFFFFFF00000000, victim, kind, limits, None)
print("held" if resource.prlimit(victim, kind) == before else "BROKEN the limits of another process are set")
