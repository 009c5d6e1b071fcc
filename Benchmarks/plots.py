#!/usr/bin/env python3
"""Draws how cost grows, from what the product `Growth` prints: docs/performance.svg.

    plots.py                measure and draw
    plots.py --from <file>  draw what has been measured
"""

import collections
import os
import subprocess
import sys

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plot

HERE = os.path.dirname(os.path.abspath(__file__))
DRAWING = os.path.join(HERE, "..", "docs", "performance.svg")
POINTS = os.path.join(HERE, "growth.csv")
CURVES = ["observers", "reactors", "effects", "lanes", "queued", "memory"]


def measure():
    swift = os.environ.get("SWIFT", "swift")
    subprocess.run([swift, "build", "-c", "release", "--product", "Growth"], cwd=HERE, check=True)
    path = subprocess.run([swift, "build", "-c", "release", "--show-bin-path"], cwd=HERE, check=True,
                          stdout=subprocess.PIPE, text=True).stdout.strip()
    # A process for each: what one leaves behind is not the next one's cost.
    lines = [subprocess.run([os.path.join(path, "Growth"), curve], check=True,
                            stdout=subprocess.PIPE, text=True).stdout for curve in CURVES]
    with open(POINTS, "w") as file:
        file.write("".join(lines))


def read(path):
    curves = collections.defaultdict(list)
    with open(path) as file:
        for line in file:
            # The name of a curve may have commas of its own.
            name, x, value = line.strip().rsplit(",", 2)
            curves[name].append((int(x), float(value)))
    return curves


def draw(curves):
    plot.rcParams.update({"font.size": 9, "svg.hashsalt": "reactor", "svg.fonttype": "none"})
    figure, panels = plot.subplots(3, 2, figsize=(10, 11), constrained_layout=True)
    titles = {
        "observers": "Observers: per mutation",
        "reactors": "Reactors: per action",
        "effects": "Effects in flight",
        "lanes": "Lanes in use: per action",
        "queued": "Queued actions: per action",
        "bytes": "Memory: per reactor",
    }
    for panel, (prefix, title) in zip(panels.flat, titles.items()):
        for name, points in curves.items():
            if not name.startswith(prefix):
                continue
            label = name.partition(", ")[2] or name
            panel.plot(*zip(*points), marker="o", markersize=3, label=label)
        panel.set(xscale="log", title=title, ylabel="bytes" if prefix == "bytes" else "ns")
        if prefix == "bytes":
            panel.set_ylim(bottom=0)
        else:
            panel.set_yscale("log")
        panel.grid(True, alpha=0.3)
        panel.legend(fontsize=8)
    figure.savefig(DRAWING, metadata={"Date": None})


source = POINTS
if len(sys.argv) == 3 and sys.argv[1] == "--from":
    source = sys.argv[2]
else:
    measure()
draw(read(source))
