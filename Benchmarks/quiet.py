"""Whether others use the machine: two threads need two processors to run at the same time."""

import os
import resource
import time

# Processors that others may use, on average, while something is measured.
ALLOWED = 0.15
# How often something is measured that others disturb.
TRIES = 3


class Machine:
    """Measures when others are quiet.

    It waits for that so many seconds in all; then it measures as things are, and says so.
    """

    def __init__(self, patience):
        self.patience = patience
        self.measured, self.disturbed, self.foreign = 0, 0, 0.0
        self.load_before = os.getloadavg()[0]

    def undisturbed(self, body):
        """What `body` returns of the time when others did least, of a few."""
        best = None
        for _ in range(TRIES):
            self.wait()
            before = Usage()
            result = body()
            foreign = Usage().foreign_since(before)
            if best is None or foreign < best[0]:
                best = (foreign, result)
            if best[0] <= ALLOWED or self.patience <= 0:
                break
        self.measured += 1
        self.disturbed += best[0] > ALLOWED
        self.foreign += best[0]
        return best[1]

    def wait(self):
        while self.patience > 0:
            before, pause = Usage(), 0.3
            time.sleep(pause)
            if Usage().foreign_since(before) <= ALLOWED:
                return
            self.patience -= pause

    @property
    def was_busy(self):
        return self.disturbed > self.measured / 10

    def __str__(self):
        if not self.measured:
            return "nothing was measured"
        return (f"others used {self.foreign / self.measured:.2f} processors; "
                f"{self.disturbed} of {self.measured} measurements were disturbed; "
                f"load {self.load_before:.1f} before, {os.getloadavg()[0]:.1f} after")


class Usage:
    """Of the processors, in seconds: by all, and by what this process has started."""

    def __init__(self):
        self.time = time.monotonic()
        own = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.own = own.ru_utime + own.ru_stime
        self.all = busy_seconds()

    def foreign_since(self, before):
        if self.all is None:
            return 0.0
        others = (self.all - before.all) - (self.own - before.own)
        return max(0.0, others / (self.time - before.time))


def busy_seconds():
    """All but idle and waiting for a disk; with stolen time; `None` where nobody says."""
    try:
        with open("/proc/stat") as file:
            fields = [int(field) for field in file.readline().split()[1:9]]
    except (OSError, ValueError):
        return None
    return (sum(fields) - fields[3] - fields[4]) / os.sysconf("SC_CLK_TCK")
