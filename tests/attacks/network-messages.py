# Makes sockets for single messages and for packets of its own, and one that listens, in a check that may use no network.
# unconfined: safe
import os, socket

if "AGENTD_OUTBOX" in os.environ:
    print("skipped agents may use the network")
    raise SystemExit
made = []
for family, kind in ((socket.AF_INET, socket.SOCK_DGRAM), (socket.AF_INET, socket.SOCK_RAW), (17, socket.SOCK_RAW)):
    try:
        with socket.socket(family, kind, socket.IPPROTO_UDP):
            made.append(kind.name)
    except OSError:
        pass
try:
    with socket.socket() as own:
        own.bind(("127.0.0.1", 0))
        own.listen()
        made.append("listens")
except OSError:
    pass
print(f"BROKEN it made {made}" if made else "held")
