# Changes its root to the home and the checkout, where the paths of secrets are others.
# unconfined: safe
import os

scene = os.environ["SCENE"]
before, broken = open(scene + "/repo/README.md").read(), False


def from_within(root, attempt):
    child = os.fork()
    if child == 0:
        try:
            os.chroot(root)
            os._exit(1 if attempt() else 0)
        except OSError:
            os._exit(0)
    return os.waitpid(child, 0)[1] != 0


broken |= from_within(scene + "/home", lambda: "s3cret" in open("/.ssh/id_ed25519").read())
broken |= from_within(scene + "/repo", lambda: open("/README.md", "a").write("evil"))
broken |= open(scene + "/repo/README.md").read() != before
print("BROKEN another root gave it rights" if broken else "held")
