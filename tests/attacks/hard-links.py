# Writes files of the user through hard links that it makes in its own folder, by name and by descriptor.
# unconfined: safe
import ctypes, os

scene, own = os.environ["SCENE"], os.environ["TMPDIR"]
path, libc = scene + "/repo/README.md", ctypes.CDLL(None)
before = open(path).read()
handle = os.open(path, os.O_PATH)
ways = [
    lambda to: os.link(path, to),
    lambda to: os.link(f"/proc/self/fd/{handle}", to, follow_symlinks=True),
    lambda to: libc.linkat(handle, b"", -100, to.encode(), 0x1000),
    lambda to: os.link(os.path.dirname(to) + "/mine", scene + "/repo/evil-link"),
]
open(own + "/mine", "w").write("evil")
for number, way in enumerate(ways):
    to = f"{own}/hard-{number}"
    try:
        way(to)
        open(to, "a").write("evil\n")
    except OSError:
        pass
    if os.path.exists(to):
        os.unlink(to)
made = os.path.exists(scene + "/repo/evil-link")
if made:
    os.unlink(scene + "/repo/evil-link")
print("held" if open(path).read() == before and not made else "BROKEN a hard link leads out")
