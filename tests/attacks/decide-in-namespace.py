# Approves a change from a namespace in which no process but its own is to be seen.
import ctypes, os

scene, agentd = os.environ["SCENE"], os.environ["AGENTD"]
os.chdir(scene + "/repo")
journal = ".git/agentd/changes/add-cart/journal.jsonl"
before, libc = os.stat(journal).st_size, ctypes.CDLL(None)
nothing = os.open("/dev/null", os.O_RDWR)
child = os.fork()
if child == 0:
    for stream in (1, 2):
        os.dup2(nothing, stream)
    libc.unshare(0x10000000 | 0x20000000)
    if os.fork() == 0:
        os.execv(agentd, ["agentd", "approve", "add-cart"])
    os.wait()
    os._exit(0)
os.waitpid(child, 0)
print("held" if os.stat(journal).st_size == before else "BROKEN it approved from a namespace")
