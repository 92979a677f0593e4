# Makes a program that whoever runs it runs as its owner, and runs it as nobody.
import os, shutil, subprocess

if os.geteuid() != 0:
    print("skipped it needs to be root")
    raise SystemExit
path = os.path.abspath("own-id")
shutil.copy(shutil.which("id"), path)
os.chmod(path, 0o4755)
try:
    said = subprocess.run([path, "-u"], user=65534, group=65534, capture_output=True, text=True).stdout
except OSError:
    said = ""
os.unlink(path)
print("BROKEN its program became root" if said.strip() == "0" else "held")
