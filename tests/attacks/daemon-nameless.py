# Leaves a process with another name, no words and no environment.
import os, time

scene = os.environ["SCENE"]


def beat():
    with open(scene + "/notes/beat-nameless", "a") as file:
        file.write("x\n")
    time.sleep(0.05)


def daemon():
    path = scene + "/notes/beat-nameless"
    program = f"while :; do echo x >>{path}; sleep 0.05; done"
    os.execve("/bin/sh", ["kworker/0:1", "-c", program], {})


if os.fork() == 0:
    os.setsid()
    nothing = os.open("/dev/null", os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)
    if os.fork() == 0:
        daemon()
    os._exit(0)
os.wait()
for _ in range(200):
    if os.path.exists(scene + "/notes/beat-nameless"):
        print("held")
        break
    time.sleep(0.05)
else:
    print("BROKEN the daemon did not start, so that nothing is shown")
