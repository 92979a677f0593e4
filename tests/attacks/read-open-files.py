# Reads what an unrelated process has open, through its descriptors.
# unconfined: safe
import ctypes, os

victim, libc = int(os.environ["VICTIM"]), ctypes.CDLL(None)
read = b""
try:
    read += os.read(os.open(f"/proc/{victim}/fd/0", os.O_RDONLY), 40)
except OSError:
    pass
try:
    taken = libc.syscall(438, os.pidfd_open(victim), 0, 0)
    read += os.pread(taken, 40, 0) if taken >= 0 else b""
except OSError:
    pass
print("BROKEN it read what another has open" if b"s3cret" in read else "held")
