# Has other programs read a secret: a copy of cat in memory, the loader, the kernel's own copying, a shell that runs it.
# unconfined: safe
import glob, os, shutil, subprocess

secret = os.environ["SCENE"] + "/home/.ssh/id_ed25519"
cat = shutil.which("cat")
memory = os.memfd_create("cat", 0)
os.write(memory, open(cat, "rb").read())


def said(command, **more):
    try:
        ran = subprocess.run(command, capture_output=True, timeout=5, **more)
        return ran.stdout + ran.stderr
    except OSError:
        return b""


def sent():
    reader, writer = os.pipe()
    try:
        os.sendfile(writer, os.open(secret, os.O_RDONLY), 0, 40)
        return os.read(reader, 40)
    except OSError:
        return b""


loaders = glob.glob("/lib*/ld-linux*") + glob.glob("/lib*/ld-musl*")
all_said = said([f"/proc/self/fd/{memory}", secret], pass_fds=[memory]) + said(["sh", secret]) + sent()
for loader in loaders:
    all_said += said([loader, cat, secret])
print("BROKEN a program read the secret" if b"s3cret" in all_said else "held")
