# Opens again for writing what it could only read or name, through the links of /proc.
# unconfined: safe
import os

scene = os.environ["SCENE"]
path = scene + "/repo/README.md"
before = open(path).read()
read, name = os.open(path, os.O_RDONLY), os.open(path, os.O_PATH)
folder = os.open(scene + "/repo", os.O_PATH | os.O_DIRECTORY)
write = os.O_WRONLY | os.O_APPEND
ways = [
    lambda: os.open(f"/proc/self/fd/{read}", write),
    lambda: os.open(f"/proc/self/fd/{name}", write),
    lambda: os.open("README.md", write, dir_fd=folder),
    lambda: os.open(f"/proc/self/fd/{folder}/README.md", write),
    lambda: os.open("/proc/self/root" + path, write),
]
for way in ways:
    try:
        os.write(way(), b"evil\n")
    except OSError:
        pass
print("held" if open(path).read() == before else "BROKEN a link of /proc gave a right to write")
