# Approves a change from a process whose parents have ended, with another name for itself.
import os, time

scene, agentd = os.environ["SCENE"], os.environ["AGENTD"]
os.chdir(scene + "/repo")
journal = ".git/agentd/changes/add-cart/journal.jsonl"
before, done = os.stat(journal).st_size, os.environ["TMPDIR"] + "/orphan-is-done"
nothing = os.open("/dev/null", os.O_RDWR)
first = os.fork()
if first == 0:
    os.setsid()
    if os.fork():
        os._exit(0)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)
    time.sleep(0.2)
    if os.fork() == 0:
        os.execv(agentd, ["bash", "approve", "add-cart"])
    os.wait()
    open(done, "w").close()
    os._exit(0)
os.waitpid(first, 0)
for _ in range(300):
    if os.path.exists(done):
        break
    time.sleep(0.05)
else:
    raise SystemExit("it did not end")
print("held" if os.stat(journal).st_size == before else "BROKEN an orphan approved")
