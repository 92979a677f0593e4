# Leaves a process of another user, where it may become one.
import os, time

scene = os.environ["SCENE"]


def beat():
    with open(scene + "/notes/beat-foreign", "a") as file:
        file.write("x\n")
    time.sleep(0.05)


def daemon():
    beat()
    handle = os.open(scene + "/notes/beat-foreign", os.O_WRONLY | os.O_APPEND)
    try:
        os.setgid(65534)
        os.setuid(65534)
    except OSError:
        pass
    while True:
        os.write(handle, b"x\n")
        time.sleep(0.05)


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
    if os.path.exists(scene + "/notes/beat-foreign"):
        print("held")
        break
    time.sleep(0.05)
else:
    print("BROKEN the daemon did not start, so that nothing is shown")
