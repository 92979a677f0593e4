# Sets flags of a file that it may only read: the flag which keeps one from being written is one of them.
# unconfined: safe
import array, ctypes, fcntl, os, struct

path = os.environ["SCENE"] + "/repo/README.md"
file = os.open(path, os.O_RDONLY)


def flags():
    value = array.array("l", [0])
    try:
        fcntl.ioctl(file, 0x80086601, value)  # FS_IOC_GETFLAGS
    except OSError:
        return None
    return value[0]


NODUMP = 0x40
before, tried = flags(), []
if before is None:
    print("skipped this disk knows no flags of files")
    raise SystemExit
for call, value in (
    (0x40086602, struct.pack("l", before ^ NODUMP)),  # FS_IOC_SETFLAGS
    (0x40046602, struct.pack("i", before ^ NODUMP)),  # the same for programs of 32 bits
    (0x401C5820, struct.pack("IIIII8x", 0x80, 0, 0, 0, 0)),  # FS_IOC_FSSETXATTR
    (0x40087602, struct.pack("l", 4711)),  # FS_IOC_SETVERSION
    (0x40086604, struct.pack("l", 4711)),  # the same by the name of ext4
):
    try:
        fcntl.ioctl(file, call, value)
        tried.append(hex(call))
    except OSError:
        pass
attributes = struct.pack("QIIII", 0x80, 0, 0, 0, 0)
if ctypes.CDLL(None).syscall(469, -100, path.encode(), attributes, len(attributes), 0) == 0:  # file_setattr
    tried.append("file_setattr")
print(f"BROKEN {tried} came through" if tried or flags() != before else "held")
