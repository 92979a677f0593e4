# Sends messages to a program of the user from one of a pair of sockets, which is made by another call.
# unconfined: safe
import os, socket

reached = []
for kind in (socket.SOCK_STREAM, socket.SOCK_SEQPACKET, socket.SOCK_DGRAM, socket.SOCK_RAW):
    for place in ("/socket", "/datagrams"):
        try:
            own, _ = socket.socketpair(socket.AF_UNIX, kind)
            own.connect(os.environ["SCENE"] + place)
            own.send(b"evil")
            reached.append(kind.name)
        except OSError:
            pass
print(f"BROKEN a pair of sockets {reached} reached a program" if reached else "held")
