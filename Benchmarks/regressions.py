"""What got worse: this tree and another are measured side by side, on this machine, now.

Ratios that were measured another day, or elsewhere, differ because of that. So the other tree is
built as well, and the two take turns. All rows are run some times first; what looks worse then is run
again, and only what is worse in *these* runs, which did not choose it, is said to be: by the test of
Mann and Whitney, and by more than a trifle.
"""

import itertools
import os
import random
import shutil
import statistics
import subprocess
import sys

from runs import SEED, Found

HERE = os.path.dirname(os.path.abspath(__file__))
BASES = os.path.join(HERE, ".build", "base")

# A row that looks so much worse, and would by chance in one of so many, is looked at again ...
SUSPICIOUS, SUSPICIOUS_CHANCE = 1.05, 0.05
# ... as often, for each of the two ...
AGAIN = 8
# ... and is worse, if it is so much worse then. The chance is of one check, whatever its rows.
WORSE, CHANCE = 1.05, 0.01
# What is counted rather than timed may vary by so much.
AMOUNT_WORSE = 1.02
FIELDS = {"wall": "", "cpu": ", CPU time"}


def tree_of(revision):
    """The library as of then, measured with the benchmarks of today."""
    name = subprocess.run(["git", "rev-parse", "--short=12", revision], cwd=HERE, check=True,
                          stdout=subprocess.PIPE, text=True).stdout.strip()
    tree = os.path.join(BASES, name)
    if not os.path.isdir(tree):
        shutil.rmtree(BASES, ignore_errors=True)
        os.makedirs(tree)
        archive = subprocess.run(["git", "archive", name], cwd=os.path.join(HERE, ".."), check=True,
                                 stdout=subprocess.PIPE).stdout
        subprocess.run(["tar", "-x", "-C", tree], input=archive, check=True)
    package = os.path.join(tree, "Benchmarks")
    shutil.rmtree(os.path.join(package, "Sources"), ignore_errors=True)
    shutil.copytree(os.path.join(HERE, "Sources"), os.path.join(package, "Sources"))
    for file in ("Package.swift", "Package.resolved"):
        if os.path.exists(os.path.join(HERE, file)):
            shutil.copy2(os.path.join(HERE, file), package)
    return package


def find(rig, base, count, machine):
    """A line for each row that is worse than in the other tree."""
    here, there = side_by_side(rig, base, rig.groups, count, machine)
    suspects = [(row, field) for row in rig.rows for field in FIELDS
                if differs(here, there, row, field, SUSPICIOUS, SUSPICIOUS_CHANCE)]
    for row, field in suspects:
        print(f"looked at again: {description(row, field, here, there)}")
    complaints = []
    if suspects:
        groups = list(dict.fromkeys(row.group for row, _ in suspects))
        here, there = side_by_side(rig, base, groups, AGAIN, machine)
        complaints = [f"worse: {description(row, field, here, there)}" for row, field in suspects
                      if differs(here, there, row, field, WORSE, CHANCE / len(suspects))]
    complaints += heavier(rig, base)
    print(f"{len(rig.rows)} rows, {count} runs of each tree; {machine}")
    return complaints


def side_by_side(rig, base, groups, count, machine):
    """Group by group, the two one after the other, beginning with the one and with the other."""
    here, there = Found(), Found()
    for run in range(count):
        order = groups[:]
        random.Random(SEED + run).shuffle(order)
        for group in order:
            sides = [(rig, here), (base, there)]
            for side, found in sides if run % 2 == 0 else reversed(sides):
                found.add(group, machine.undisturbed(lambda: side.measure(group, run)))
        print(f"run {run + 1} of {count}; {machine}", file=sys.stderr)
    return here, there


def differs(here, there, row, field, factor, chance):
    now, before = here.ratios(row, field), there.ratios(row, field)
    return (statistics.median(now) > factor * statistics.median(before)
            and chance_of(now, before) <= chance)


def chance_of(now, before):
    """How likely `now` lies so far above `before` if the two are alike: of all ways to deal them."""
    values = now + before
    ranks = [sum((value > other) + (value == other) / 2 for other in values) for value in values]
    seen = sum(ranks[:len(now)])
    deals = [sum(deal) for deal in itertools.combinations(ranks, len(now))]
    return sum(deal >= seen for deal in deals) / len(deals)


def description(row, field, here, there):
    before, now = (statistics.median(found.ratios(row, field)) for found in (there, here))
    chance = chance_of(here.ratios(row, field), there.ratios(row, field))
    return (f"{row.name}{FIELDS[field]}: {before:.3g} before, {now:.3g} now, "
            f"by chance in {chance:.2g}")


def heavier(rig, base):
    """Amounts: every one of this tree's is more than any of the other's."""
    for name, _ in rig.amounts:
        now, before = ([side.amount(name) for _ in range(3)] for side in (rig, base))
        if None in now + before:
            continue
        if min(now) > AMOUNT_WORSE * max(before):
            yield f"worse: {name}: {max(before):g} before, {min(now):g} now"
