# Connects to a program of the user that listens on a socket with a path, as Docker and agents for keys do.
# unconfined: safe
import os, socket

reached = []
for kind in (socket.SOCK_STREAM, socket.SOCK_SEQPACKET):
    try:
        with socket.socket(socket.AF_UNIX, kind) as own:
            own.connect(os.environ["SCENE"] + "/socket")
            own.send(b"evil")
            reached.append(kind.name)
    except OSError:
        pass
print(f"BROKEN it reached the program by {reached}" if reached else "held")
