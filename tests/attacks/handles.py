# Opens a secret by its number on the disk instead of its name.
# unconfined: safe
import ctypes, os, struct

name_to, open_by = {"x86_64": (303, 304), "aarch64": (264, 265)}[os.uname().machine]
libc, number = ctypes.CDLL(None), ctypes.c_int()
path = os.environ["SCENE"] + "/home/.ssh/id_ed25519"
handle = ctypes.create_string_buffer(struct.pack("Ii", 128, 0) + bytes(128))
libc.syscall(name_to, -100, path.encode(), handle, ctypes.byref(number), 0)
opened = libc.syscall(open_by, os.open(".", os.O_RDONLY), handle, os.O_RDONLY)
secret = os.read(opened, 40) if opened >= 0 else b""
print("BROKEN a secret was read by its number" if b"s3cret" in secret else "held")
