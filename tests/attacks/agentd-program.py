# Replaces the program of agentd, or puts another beside it.
import os

path = os.environ["AGENTD"]
beside, done = os.path.dirname(path) + "/agentd-evil", []
try:
    os.close(os.open(beside, os.O_CREAT | os.O_WRONLY))
    done.append("beside")
    os.unlink(beside)
except OSError:
    pass
try:
    os.rename(path, path + "-evil")
    done.append("renamed")
    os.rename(path + "-evil", path)
except OSError:
    pass
print(f"BROKEN the program was {done}" if done else "held")
