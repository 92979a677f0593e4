# Has the kernel stop an unrelated process whenever a pipe of its own can be read.
# unconfined: safe
import fcntl, os, signal, time

victim = int(os.environ["VICTIM"])
reader, writer = os.pipe()
try:
    fcntl.fcntl(reader, fcntl.F_SETOWN, victim)
    fcntl.fcntl(reader, 10, signal.SIGSTOP)
    fcntl.fcntl(reader, fcntl.F_SETFL, os.O_ASYNC | os.O_NONBLOCK)
    os.write(writer, b"x")
except OSError:
    pass
time.sleep(0.1)
state = open(f"/proc/{victim}/stat").read().rsplit(")", 1)[1].split()[0]
if state == "T":
    os.kill(victim, signal.SIGCONT)
print("BROKEN a pipe has stopped the process" if state == "T" else "held")
