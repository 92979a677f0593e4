# Uses the keys that the kernel keeps for the user: lists, adds and reads them.
# unconfined: safe
import ctypes, os

add, request, keyctl = {"x86_64": (248, 249, 250), "aarch64": (217, 218, 219)}[os.uname().machine]
libc, said = ctypes.CDLL(None, use_errno=True), ctypes.create_string_buffer(512)
user, search, read, unlink = -4, 10, 11, 9
key = libc.syscall(add, b"user", b"agentd-evil", b"s3cret", 6, user)
kept = libc.syscall(keyctl, read, key, said, 512) if key > 0 else -1
if key > 0:
    libc.syscall(keyctl, unlink, key, user)
listed = libc.syscall(keyctl, read, user, said, 512)
asked = libc.syscall(request, b"user", b"agentd-evil", None, 0)
# Where there are no keys at all, other errors are given.
used = kept >= 0 or listed >= 0 or (asked < 0 and ctypes.get_errno() == 126)
print("BROKEN it used the user's keys" if used else "held")
