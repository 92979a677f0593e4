# Connects to a program of the user that listens on a socket with a name, by single sockets and by pairs.
# unconfined: safe
import os, socket

name, reached = "\0" + os.environ["SCENE"] + "/abstract", []
ways = [
    lambda: socket.socket(socket.AF_UNIX, socket.SOCK_STREAM).connect(name),
    lambda: socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(b"evil", name + "-datagrams"),
    lambda: socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)[0].sendto(b"evil", name + "-datagrams"),
]
for number, way in enumerate(ways):
    try:
        way()
        reached.append(number)
    except OSError:
        pass
print(f"BROKEN the ways {reached} reached a program" if reached else "held")
