# Leaves a process that adopts the orphans beneath it, and some that it has adopted.
import ctypes, os, time

scene, libc = os.environ["SCENE"], ctypes.CDLL(None)


def beat():
    with open(scene + "/notes/beat-adopting", "a") as file:
        file.write("x\n")
    time.sleep(0.05)


def daemon():
    libc.prctl(36, 1, 0, 0, 0)
    for _ in range(3):
        if os.fork() == 0:
            os.setsid()
            if os.fork():
                os._exit(0)
            break
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
    if os.path.exists(scene + "/notes/beat-adopting"):
        print("held")
        break
    time.sleep(0.05)
else:
    print("BROKEN the daemon did not start, so that nothing is shown")
