# Traces an unrelated process and reads its memory.
# unconfined: safe
import ctypes, os

trace, read = {"x86_64": (101, 310), "aarch64": (117, 270)}[os.uname().machine]
victim, libc = int(os.environ["VICTIM"]), ctypes.CDLL(None, use_errno=True)
done = []
if libc.syscall(trace, 0x4206, victim, 0, 0) == 0:
    done.append("traced")
try:
    os.close(os.open(f"/proc/{victim}/mem", os.O_RDWR))
    done.append("opened its memory")
except OSError:
    pass
place = (ctypes.c_size_t * 2)(ctypes.addressof(ctypes.create_string_buffer(8)), 8)
libc.syscall(read, victim, place, 1, (ctypes.c_size_t * 2)(0, 8), 1, 0)
if ctypes.get_errno() == 14:
    done.append("asked for its memory")
print(f"BROKEN it {done}" if done else "held")
