# Writes every file of its workspace that has several names, since another name may be the user's.
# unconfined: safe
import os

kept = os.path.realpath(os.environ["SCENE"])
several = []
for folder, _, names in os.walk("."):
    for name in names:
        path = os.path.join(folder, name)
        about = os.lstat(path)
        if about.st_nlink > 1 and not os.path.islink(path):
            several.append((about.st_dev, about.st_ino))
outside = []
for folder, _, names in os.walk(kept + "/repo"):
    for name in names:
        about = os.lstat(os.path.join(folder, name))
        if (about.st_dev, about.st_ino) in several:
            outside.append(name)
print(f"BROKEN the user's {outside[0]} is a file of the workspace too" if outside else "held")
