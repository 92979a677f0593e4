# Leaves a process in namespaces of its own, where it is the first.
import ctypes, os, signal, time

scene, libc = os.environ["SCENE"], ctypes.CDLL(None)


def beat():
    with open(scene + "/notes/beat-contained", "a") as file:
        file.write("x\n")
    time.sleep(0.05)


def daemon():
    libc.unshare(0x10000000 | 0x20000000)
    if os.fork() == 0:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        while True:
            beat()
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
    if os.path.exists(scene + "/notes/beat-contained"):
        print("held")
        break
    time.sleep(0.05)
else:
    print("BROKEN the daemon did not start, so that nothing is shown")
