# Opens a connection from a check that may use no network.
# unconfined: safe
import os, socket

if "AGENTD_OUTBOX" in os.environ:
    print("skipped agents may use the network")
    raise SystemExit
port, reached = int(open(os.environ["SCENE"] + "/port").read()), []
for family, host in ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::ffff:127.0.0.1")):
    try:
        with socket.socket(family, socket.SOCK_STREAM) as own:
            own.settimeout(2)
            own.connect((host, port))
            reached.append(host)
    except OSError:
        pass
print(f"BROKEN it reached {reached}" if reached else "held")
