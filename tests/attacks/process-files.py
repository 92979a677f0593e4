# Sets what the kernel keeps of other processes: how soon they are ended for want of memory, their names, their groups.
# unconfined: safe
import os

victim, done = int(os.environ["VICTIM"]), []
before = open(f"/proc/{victim}/oom_score_adj").read()
for file, text in (("oom_score_adj", "7"), ("comm", "evil"), ("autogroup", "5"), ("coredump_filter", "0x7f")):
    try:
        with open(f"/proc/{victim}/{file}", "w") as opened:
            opened.write(text)
        done.append(file)
    except OSError:
        pass
if open(f"/proc/{victim}/oom_score_adj").read() != before:
    done.append("oom_score_adj")
print(f"BROKEN it wrote {done}" if done else "held")
