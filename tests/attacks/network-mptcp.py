# Opens a connection by the variant of TCP that uses several ways at once, from a check that may use no network.
# unconfined: safe
import os, socket

if "AGENTD_OUTBOX" in os.environ:
    print("skipped agents may use the network")
    raise SystemExit
port, reached = int(open(os.environ["SCENE"] + "/port").read()), []
for family, protocol in ((socket.AF_INET, 262), (43, 0), (socket.AF_INET, 132)):
    try:
        with socket.socket(family, socket.SOCK_STREAM, protocol) as own:
            own.settimeout(2)
            own.connect(("127.0.0.1", port))
            reached.append(protocol)
    except OSError:
        pass
print(f"BROKEN it reached a program by {reached}" if reached else "held")
