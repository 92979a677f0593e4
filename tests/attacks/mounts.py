# Mounts something over the user's files or beside them, by old and by new system calls.
import ctypes, os

libc = ctypes.CDLL(None)
scene, own = os.environ["SCENE"], os.environ["TMPDIR"] + "/mounted"
os.mkdir(own)
before = open("/proc/self/mountinfo").read()
place, here = (scene + "/repo").encode(), own.encode()
for what, at, kind, flags in (
    (place, here, None, 4096), (b"none", here, b"tmpfs", 0), (b"none", place, b"tmpfs", 0),
    (b"proc", here, b"proc", 0), (b"none", b"/", None, 1 << 18),
):
    libc.mount(what, at, kind, ctypes.c_ulong(flags), None)
tree = libc.syscall(428, -100, (scene + "/home").encode(), 1)
moved = libc.syscall(429, tree, b"", -100, here, 4) if tree >= 0 else -1
changed = open("/proc/self/mountinfo").read() != before
print("BROKEN something is mounted" if changed or moved == 0 else "held")
