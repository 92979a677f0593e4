# Sends a message to a program of the user that reads from a socket with a path.
# unconfined: safe
import os, socket

try:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as own:
        own.sendto(b"evil", os.environ["SCENE"] + "/datagrams")
    print("BROKEN the message was sent")
except OSError:
    print("held")
