"""Whole runs: each group of contenders in a process of its own, in another order each time."""

import collections
import os
import random
import statistics
import subprocess
import sys

# What one took: nanoseconds by the clock and of all threads together; how often a thread had to
# wait, and how often it was taken off its processor.
Reading = collections.namedtuple("Reading", "wall cpu waits preemptions")

# Seconds after which a process will not come to its end; the longest takes a tenth on a busy machine.
HANGS = 600

# The seed is told, so that an order that matters can be had again.
SEED = 20


class Row(collections.namedtuple("Row", "group subject floor target")):
    @property
    def name(self):
        return f"{self.subject} ÷ {self.floor}"


class Rig:
    """The built program of one tree, and what it can measure."""

    def __init__(self, package, only=None):
        self.binary = build(package)
        self.rows, self.amounts = [], []
        for line in self.output("list"):
            if line[0] == "row":
                group, subject, floor, target = line[1:]
                self.rows.append(Row(group, subject, floor, float(target) if target else None))
            else:
                self.amounts.append((line[1], float(line[2])))
        if only:
            wanted = {row.group for row in self.rows if only.search(row.name)}
            self.rows = [row for row in self.rows if row.group in wanted]
            self.amounts = [amount for amount in self.amounts if only.search(amount[0])]

    @property
    def groups(self):
        return list(dict.fromkeys(row.group for row in self.rows))

    def output(self, *arguments):
        try:
            result = subprocess.run([self.binary, *arguments], stdout=subprocess.PIPE,
                                    stderr=subprocess.PIPE, text=True, errors="replace",
                                    timeout=HANGS)
        except subprocess.TimeoutExpired:
            sys.exit(f"{' '.join(arguments)} hangs")
        if result.returncode != 0:
            sys.exit(f"{' '.join(arguments)} did not come to its end:\n{result.stderr}")
        return [line.split("\t") for line in result.stdout.splitlines()]

    def measure(self, group, run, one_thread=False):
        """Each contender's readings, the median of the tries of one process."""
        tries = collections.defaultdict(list)
        for kind, name, *numbers in self.output(
                "group", group, str(run), *(["one-thread"] if one_thread else [])):
            if kind == "reading":
                tries[name].append(Reading(*map(float, numbers)))
            elif kind == "overlap" and name == "no" and not one_thread and processors() > 1:
                sys.exit("tasks do not run at the same time: a thread of the pool is blocked")
        return {name: Reading(*map(statistics.median, zip(*readings)))
                for name, readings in tries.items()}

    def amount(self, name):
        """`None` where the system does not say."""
        lines = self.output("amount", name)
        return float(lines[0][2]) if lines else None


class Found:
    """What runs have found."""

    def __init__(self):
        # (group, contender): a reading for each run.
        self.readings = collections.defaultdict(list)
        self.alone = collections.defaultdict(list)
        self.amounts = {}

    def add(self, group, measured, one_thread=False):
        for name, reading in measured.items():
            (self.alone if one_thread else self.readings)[group, name].append(reading)

    def ratios(self, row, field="wall", one_thread=False):
        """One of each run; subject and floor were measured in the same process."""
        readings = self.alone if one_thread else self.readings
        return [getattr(subject, field) / getattr(floor, field) for subject, floor in
                zip(readings[row.group, row.subject], readings[row.group, row.floor])]

    def median(self, row, name):
        return Reading(*map(statistics.median, zip(*self.readings[row.group, name])))

    def summary(self, row):
        ratios = self.ratios(row)
        subject, floor = self.median(row, row.subject), self.median(row, row.floor)
        return {
            "ratio": round(statistics.median(ratios), 3),
            "runs": sorted(round(ratio, 3) for ratio in ratios),
            "ns": round(subject.wall, 1), "floor ns": round(floor.wall, 1),
            "cpu ns": round(subject.cpu, 1), "floor cpu ns": round(floor.cpu, 1),
        }


def measure(rig, count, machine):
    """So many whole runs, and a third as many with one thread of the pool."""
    found = Found()
    plan = [(run, False) for run in range(count)] + [(run, True) for run in range(count // 3 or 1)]
    for run, one_thread in plan:
        groups = rig.groups
        random.Random(SEED + run).shuffle(groups)
        for group in groups:
            measured = machine.undisturbed(lambda: rig.measure(group, run, one_thread))
            found.add(group, measured, one_thread)
        print(f"run {run + 1}{', one thread' if one_thread else ''}; {machine}", file=sys.stderr)
    for name, _ in rig.amounts:
        found.amounts[name] = rig.amount(name)
    found.machine = machine
    return found


def build(package):
    swift = os.environ.get("SWIFT", "swift")
    command = [swift, "build", "-c", "release", "--product", "Ratios"]
    if subprocess.run(command, cwd=package, stdout=sys.stderr).returncode != 0:
        sys.exit(f"the benchmarks do not build in {package}")
    path = subprocess.run([swift, "build", "-c", "release", "--show-bin-path"], cwd=package,
                          check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
    return os.path.join(path, "Ratios")


def processors():
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count()
