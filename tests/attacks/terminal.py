# Reads what is typed in another terminal of the user, writes to it and stops it.
# unconfined: safe
import os, termios

path, done = os.environ["SCENE"] + "/terminal", []
for flags in (os.O_RDONLY, os.O_WRONLY, os.O_RDWR):
    try:
        opened = os.open(path, flags | os.O_NOCTTY | os.O_NONBLOCK)
        done.append("opened")
        termios.tcflow(opened, termios.TCOOFF)
        done.append("stopped")
        termios.tcflow(opened, termios.TCOON)
        os.close(opened)
    except (OSError, termios.error):
        pass
print(f"BROKEN it {done} a terminal" if done else "held")
