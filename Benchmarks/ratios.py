#!/usr/bin/env python3
"""Runs the benchmarks and prints one table: what, its floor, their ratio, the target, met or not.

    ratios.py            measure and print
    ratios.py --keep     ... and keep the ratios in ratios.json
    ratios.py --check    ... and say what got worse than the kept ones; the exit status says so too
    --from <file>        read an export of an earlier run instead of measuring
    --filter <regexp>    only benchmarks whose name matches as a whole
"""

import argparse
import json
import os
import platform
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
KEPT = os.path.join(HERE, "ratios.json")
RATIO, SUBJECT, FLOOR, AMOUNT = (
    "ratio in thousandths", "nanoseconds", "nanoseconds of the floor", "amount")


def measure(pattern):
    """The tool's export: a JSON array on a line of its own."""
    swift = os.environ.get("SWIFT", "swift")
    command = [swift, "package", "benchmark", "--no-progress", "--target", "ReactorBenchmarks",
               "--format", "jmh", "--path", "stdout"]
    if pattern:
        command += ["--filter", pattern]
    result = subprocess.run(command, cwd=HERE, stdout=subprocess.PIPE, text=True)
    if result.returncode != 0:
        sys.exit(result.stdout + "\nthe benchmarks did not run to their end")
    return result.stdout


def quantile(values, part):
    place = (len(values) - 1) * part
    low = int(place)
    high = min(low + 1, len(values) - 1)
    return values[low] + (values[high] - values[low]) * (place - low)


def spread(metric, scale):
    values = sorted(value / scale for value in metric["rawData"][0])
    return [quantile(values, part) for part in (0.5, 0.25, 0.75)] + [len(values)]


def rows(export):
    lines = [line for line in export.splitlines() if line.startswith("[{")]
    if not lines:
        sys.exit(export + "\nthere is no export to read")
    for element in json.loads(lines[-1]):
        name = element["benchmark"].split(".", 3)[3].replace("_", " ")
        name, _, target = name.partition(" ≤ ")
        metrics = element["secondaryMetrics"]
        # The tool hands metrics on to those after that have none of the kind.
        is_amount = " ÷ " not in name
        if (AMOUNT if is_amount else RATIO) not in metrics:
            continue
        row = {"name": name, "target": float(target) if target else None, "is_amount": is_amount}
        key, scale = (AMOUNT, 1) if is_amount else (RATIO, 1000)
        row["median"], row["low"], row["high"], row["rounds"] = spread(metrics[key], scale)
        if not is_amount:
            row["ns"] = spread(metrics[SUBJECT], 1)[0]
            row["floor_ns"] = spread(metrics[FLOOR], 1)[0]
        yield row


def number(value):
    return f"{value:.0f}" if value >= 100 else f"{value:.2f}"


def verdict(row):
    if row["target"] is None:
        return "–"
    # As it is printed: what cannot be seen there is not told apart.
    return "met" if float(number(row["median"])) <= row["target"] else "**missed**"


def table(found):
    print("| what | ÷ floor | ratio | quartiles | target | | ns | floor, ns | rounds |")
    print("|---|---|---|---|---|---|---|---|---|")
    for row in sorted(found, key=lambda row: (row["target"] is None, row["is_amount"], row["name"])):
        what, _, floor = row["name"].partition(" ÷ ")
        target = "–" if row["target"] is None else f"≤ {row['target']:g}"
        ns, floor_ns = (f"{row[key]:.0f}" if key in row else "–" for key in ("ns", "floor_ns"))
        print(f"| {what} | {floor or '–'} | {number(row['median'])} "
              f"| {number(row['low'])} – {number(row['high'])} | {target} | {verdict(row)} "
              f"| {ns} | {floor_ns} | {row['rounds']} |")


def machine():
    model = platform.processor() or platform.machine()
    try:
        with open("/proc/cpuinfo") as file:
            match = re.search(r"model name\s*:\s*(.*)", file.read())
            model = match.group(1) if match else model
    except OSError:
        pass
    swift = subprocess.run([os.environ.get("SWIFT", "swift"), "--version"], stdout=subprocess.PIPE,
                           stderr=subprocess.DEVNULL, text=True).stdout.splitlines()[0]
    return f"{model}, {os.cpu_count()} cores, {platform.system()} {platform.release()}; {swift}"


def worse(found):
    """What got worse: its quartiles lie above the kept ones, and by more than they are apart."""
    with open(KEPT) as file:
        kept = json.load(file)
    for row in found:
        before = kept.get(row["name"])
        if before is None:
            print(f"new: {row['name']}")
            continue
        tolerance = max(0.1 * before["median"], before["high"] - before["low"])
        if row["low"] > before["high"] and row["median"] > before["median"] + tolerance:
            yield row, before


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--from", dest="source")
    parser.add_argument("--filter")
    options = parser.parse_args()

    export = open(options.source).read() if options.source else measure(options.filter)
    found = list(rows(export))
    table(found)
    print(f"\nMeasured on {machine()}.\nA round is the shortest of three tries of each of the two, "
          "which take turns; the ratio is the median of the rounds.")
    if options.keep:
        with open(KEPT, "w") as file:
            kept = {row["name"]: {key: round(row[key], 3) for key in ("median", "low", "high")}
                    for row in found}
            json.dump(kept, file, indent=2, sort_keys=True, ensure_ascii=False)
            file.write("\n")
    if options.check:
        worsened = list(worse(found))
        for row, before in worsened:
            print(f"worse: {row['name']}: {number(before['median'])} before, "
                  f"{number(row['median'])} now")
        if worsened:
            sys.exit(1)
        print("nothing got worse")


main()
