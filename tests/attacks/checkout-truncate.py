# Cuts files of the checkout to nothing by system calls that open nothing for writing.
# unconfined: safe
import os

path = os.environ["SCENE"] + "/repo/.gitignore"
before = os.stat(path).st_size
for cut in (lambda: os.truncate(path, 0), lambda: os.open(path, os.O_RDONLY | os.O_TRUNC)):
    try:
        cut()
    except OSError:
        pass
print("held" if os.stat(path).st_size == before else "BROKEN a file of the checkout is cut")
