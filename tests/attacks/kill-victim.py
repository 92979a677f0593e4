# Kills an unrelated process of the same user by each call that sends a signal.
import ctypes, os, signal, struct, time

tgkill, queue = {"x86_64": (234, 129), "aarch64": (131, 138)}[os.uname().machine]
victim, libc = int(os.environ["VICTIM"]), ctypes.CDLL(None)
about = ctypes.create_string_buffer(struct.pack("iii", 9, 0, -1).ljust(128, b"\0"))
ways = [
    lambda: os.kill(victim, signal.SIGKILL),
    lambda: os.killpg(os.getpgid(victim), signal.SIGKILL),
    lambda: signal.pidfd_send_signal(os.pidfd_open(victim), signal.SIGKILL),
    lambda: libc.syscall(tgkill, victim, victim, 9),
    lambda: libc.syscall(queue, victim, 9, about),
]
for way in ways:
    try:
        way()
    except OSError:
        pass
time.sleep(0.1)
try:
    state = open(f"/proc/{victim}/stat").read().rsplit(")", 1)[1].split()[0]
except OSError:
    state = "X"
print("BROKEN the process was killed" if state in "ZX" else "held")
