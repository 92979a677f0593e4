# Reads the disks and the memory of the machine past all files, by devices that are there and by some that it makes.
# unconfined: safe
import os, stat

found = []
for number in ((254, 0), (8, 0), (259, 0), (7, 0)):
    path = os.environ["TMPDIR"] + "/disk"
    try:
        os.mknod(path, 0o600 | stat.S_IFBLK, os.makedev(*number))
        os.read(os.open(path, os.O_RDONLY), 1)
        found.append(f"a disk {number} of its own")
    except OSError:
        pass
    if os.path.exists(path):
        os.unlink(path)
devices = [name for name in os.listdir("/dev") if name[:2] in ("sd", "vd", "nv", "dm", "xv", "lo")]
for name in ["mem", "kmem", "port", "kmsg", "fuse", "kvm", "uinput", *devices]:
    try:
        os.close(os.open("/dev/" + name, os.O_RDONLY | os.O_NONBLOCK))
        found.append(name)
    except OSError:
        pass
try:
    os.read(os.open("/proc/kcore", os.O_RDONLY), 1)
    found.append("kcore")
except OSError:
    pass
print(f"BROKEN it opened {found}" if found else "held")
