#!/usr/bin/env python3
"""Weighs reactors that do nothing, by what they have done before, and checks that it is little.

    weights.py           print the table; fails if one holds more than it may
    weights.py --keep    ... and put it on the page
"""

import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
PAGE = os.path.join(HERE, "..", "docs", "performance-notes.md")
# Bytes of the heap beside its state, whatever it has done. What the author has declared, a hook, a
# limit of the inbox, children, stays with the reactor and is shown, but has no limit here.
MOST, USED = 500, 300
BEGIN, END = "<!-- weights, by make bench-weights -->", "<!-- end of weights -->"


def build():
    swift = os.environ.get("SWIFT", "swift")
    subprocess.run([swift, "build", "-c", "release", "--product", "Weights"], cwd=HERE,
                   check=True, stdout=sys.stderr)
    path = subprocess.run([swift, "build", "-c", "release", "--show-bin-path"], cwd=HERE,
                          check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
    return os.path.join(path, "Weights")


def said(binary, *arguments):
    return subprocess.run([binary, *arguments], stdout=subprocess.PIPE, text=True,
                          check=True).stdout


def main():
    binary = build()
    lines = ["| what it has done | heap | resident |", "|---|---|---|"]
    heavy = []
    print("\n".join(lines), flush=True)
    for name in said(binary).splitlines():
        heap, resident = map(int, said(binary, name).split())
        lines.append(f"| {name} | {heap} | {resident} |")
        print(lines[-1], flush=True)
        most = USED if name in ("made", "used once, awaited") else MOST
        if heap > most and not name.startswith(("hook:", "declared:")):
            heavy.append(f"{name}: {heap} bytes, {most} at most")
    if "--keep" in sys.argv:
        with open(PAGE) as file:
            page = file.read()
        table = "\n\n".join([BEGIN, "\n".join(lines), END])
        page = re.sub(re.escape(BEGIN) + ".*?" + re.escape(END), lambda _: table, page, flags=re.S)
        with open(PAGE, "w") as file:
            file.write(page)
    if heavy:
        sys.exit("too heavy: " + "; ".join(heavy))


main()
