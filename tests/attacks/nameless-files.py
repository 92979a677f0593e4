# Makes files without a name in folders of the user and gives them one.
# unconfined: safe
import os

scene, made = os.environ["SCENE"], []
for folder in ("/repo", "/repo/.git", "/home", "/state"):
    to = scene + folder + "/evil-nameless"
    try:
        handle = os.open(scene + folder, os.O_TMPFILE | os.O_RDWR)
        os.write(handle, b"evil")
        made.append(folder)
        os.link(f"/proc/self/fd/{handle}", to, follow_symlinks=True)
        os.unlink(to)
    except OSError:
        pass
print(f"BROKEN a file was made in {made}" if made else "held")
