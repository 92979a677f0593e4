# Crashes in a folder of the user, so that the kernel writes its memory there.
# unconfined: safe
import os, resource

folder = os.environ["SCENE"] + "/repo"
before = set(os.listdir(folder))
child = os.fork()
if child == 0:
    try:
        resource.setrlimit(resource.RLIMIT_CORE, (-1, -1))
    except (OSError, ValueError):
        pass
    os.chdir(folder)
    os.abort()
os.waitpid(child, 0)
new = set(os.listdir(folder)) - before
for name in new:
    os.unlink(f"{folder}/{name}")
print(f"BROKEN the kernel wrote {new}" if new else "held")
