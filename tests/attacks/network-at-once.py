# Opens a connection by sending without connecting before, from a check that may use no network.
# unconfined: safe
import os, socket

if "AGENTD_OUTBOX" in os.environ:
    print("skipped agents may use the network")
    raise SystemExit
port, reached = int(open(os.environ["SCENE"] + "/port").read()), False
try:
    with socket.socket() as own:
        own.sendto(b"evil", 0x20000000, ("127.0.0.1", port))
        reached = bool(own.getpeername())
except OSError:
    pass
print("BROKEN it reached a program" if reached else "held")
