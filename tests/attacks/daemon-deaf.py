# Leaves a process that ignores every signal that can be ignored.
import os, signal, time

scene = os.environ["SCENE"]


def beat():
    with open(scene + "/notes/beat-deaf", "a") as file:
        file.write("x\n")
    time.sleep(0.05)


def daemon():
    for number in range(1, 65):
        try:
            signal.signal(number, signal.SIG_IGN)
        except (OSError, ValueError):
            pass
    while True:
        beat()


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
    if os.path.exists(scene + "/notes/beat-deaf"):
        print("held")
        break
    time.sleep(0.05)
else:
    print("BROKEN the daemon did not start, so that nothing is shown")
