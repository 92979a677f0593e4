# Looks for any open file that is neither its own nor one of the standard streams.
import os

found = []
for name in os.listdir("/proc/self/fd"):
    try:
        to = os.readlink(f"/proc/self/fd/{name}")
    except OSError:
        continue
    if int(name) > 2 and not to.endswith("/fd"):
        found.append(to)
print(f"BROKEN open are {found}" if found else "held")
