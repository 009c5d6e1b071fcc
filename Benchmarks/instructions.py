#!/usr/bin/env python3
"""Counts the instructions of the hot paths under callgrind and compares them with the kept ones.

    instructions.py           count, print, and say what needs more than before
    instructions.py --keep    ... and keep the counts in instructions.json
    instructions.py <name>…   only these

Of each path it counts a short run and a longer one; the difference, divided by how many more there
were, leaves out starting and ending the process. It is on one core, with hashing that does not vary,
and each run counts as the least of several: a thread that the system happens to switch to early sends
a program another way round now and then, which only ever adds. So it repeats to within a hundredth,
whatever else the machine does.
"""

import json
import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
KEPT = os.path.join(HERE, "instructions.json")
SHORT, LONG = 1000, 4000
# Cheap, and with two values in short runs, by whether an array has to grow in between.
LONGER = dict.fromkeys(
    ("send", "send-observed-nothing", "settled", "ask", "floor-ask", "lane", "lane-none"),
    (20_000, 40_000))
LONGER["create-use-release"] = (4000, 16_000)
LONGER["registry"] = (20_000, 40_000)
LONGER |= dict.fromkeys(
    ("group-3-of-1000", "group-3-of-3", "group-3-of-1000-settled", "floor-three-sends",
     "floor-three-sends-settled", "floor-broadcast"),
    (4000, 16_000))
TRIES = 3
# What is more than this is another program, not another order of events.
TOLERANCE = 0.02


def build():
    swift = os.environ.get("SWIFT", "swift")
    subprocess.run([swift, "build", "-c", "release", "--product", "Instructions"], cwd=HERE,
                   check=True, stdout=sys.stderr)
    path = subprocess.run([swift, "build", "-c", "release", "--show-bin-path"], cwd=HERE, check=True,
                          stdout=subprocess.PIPE, text=True).stdout.strip()
    # Valgrind gives up on the debug information of this compiler.
    stripped = os.path.join(path, "Instructions-stripped")
    subprocess.run(["strip", "--strip-debug", "-o", stripped, os.path.join(path, "Instructions")],
                   check=True)
    return stripped


def collected(binary, name, count):
    return min(collected_once(binary, name, count) for _ in range(TRIES))


def collected_once(binary, name, count):
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", binary, name,
               str(count)]
    if shutil.which("taskset"):
        command = ["taskset", "-c", "0"] + command
    result = subprocess.run(command, env=dict(os.environ, SWIFT_DETERMINISTIC_HASHING="1"),
                            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                            errors="replace")
    match = re.search(r"Collected : (\d+)", result.stderr)
    if not match:
        sys.exit(result.stderr)
    return int(match.group(1))


def main():
    if not shutil.which("valgrind"):
        sys.exit("valgrind was not found")
    binary = build()
    wanted = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
    names = wanted or subprocess.run([binary], stdout=subprocess.PIPE, text=True).stdout.split()
    kept = {}
    if os.path.exists(KEPT):
        with open(KEPT) as file:
            kept = json.load(file)

    counts, worse = {}, []
    print("| path | instructions | before | |\n|---|---|---|---|")
    for name in names:
        few, many = LONGER.get(name, (SHORT, LONG))
        counts[name] = round(
            (collected(binary, name, many) - collected(binary, name, few)) / (many - few))
        before = kept.get(name)
        if before and counts[name] > before * (1 + TOLERANCE) + 2 and not name.startswith("floor"):
            worse.append(name)
        change = f"{counts[name] / before * 100 - 100:+.1f} %" if before else "new"
        print(f"| {name} | {counts[name]} | {before or '–'} | {change} |", flush=True)

    if "--keep" in sys.argv:
        kept.update(counts)
        with open(KEPT, "w") as file:
            json.dump(kept, file, indent=2, sort_keys=True)
            file.write("\n")
    elif worse:
        sys.exit("needs more than before: " + ", ".join(worse))


main()
