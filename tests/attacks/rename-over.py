# Renames a file of its own over one of the user's, exchanges both, and moves one of the user's to itself.
# unconfined: safe
import ctypes, os

number = {"x86_64": 316, "aarch64": 276}[os.uname().machine]
scene, own = os.environ["SCENE"], os.environ["TMPDIR"] + "/renamed"
path, libc = scene + "/repo/README.md", ctypes.CDLL(None)
before = open(path).read()


def attempt(way):
    open(own, "w").write("evil")
    try:
        way()
    except OSError:
        pass


attempt(lambda: libc.syscall(number, -100, own.encode(), -100, path.encode(), 2))
changed = open(path).read() != before
if changed:
    open(path, "w").write(before)
attempt(lambda: os.rename(own, path))
changed |= open(path).read() != before
open(path, "w").write(before) if changed else None
attempt(lambda: os.rename(path, own))
changed |= not os.path.exists(path)
open(path, "w").write(before) if changed else None
print("BROKEN a file of the checkout was replaced" if changed else "held")
