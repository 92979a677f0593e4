# Has the kernel itself open files, by a ring of requests instead of system calls.
# unconfined: safe
import ctypes, mmap, os, struct

libc = ctypes.CDLL(None, use_errno=True)
params = ctypes.create_string_buffer(120)
ring = libc.syscall(425, 4, params)
if ring < 0:
    print("held")
    raise SystemExit
entries = struct.unpack_from("I", params, 0)[0]
_, tail, _, _, _, _, array = struct.unpack_from("7I", params, 40)
_, _, _, _, _, cqes = struct.unpack_from("6I", params, 80)
queue = mmap.mmap(ring, 4096, offset=0)
requests = mmap.mmap(ring, 64 * entries, offset=0x10000000)
results = mmap.mmap(ring, 4096, offset=0x8000000)
scene, opened = os.environ["SCENE"], []
for path, flags in (("/home/.ssh/id_ed25519", os.O_RDONLY), ("/repo/README.md", os.O_WRONLY)):
    name = ctypes.create_string_buffer((scene + path).encode())
    requests[:64] = struct.pack("BBHiQQIIQ", 18, 0, 0, -100, 0, ctypes.addressof(name), 0, flags, 0).ljust(64, b"\0")
    at = len(opened)
    struct.pack_into("I", queue, array + 4 * at, 0)
    struct.pack_into("I", queue, tail, at + 1)
    libc.syscall(426, ring, 1, 1, 1, None, 0)
    opened.append(struct.unpack_from("QiI", results, cqes + 16 * at)[1])
print(f"BROKEN the ring opened {opened}" if max(opened) >= 0 else "held")
