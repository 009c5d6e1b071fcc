"""The tables, in Markdown: ten rows to begin with, and all of them."""

import os
import platform
import re
import statistics
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
DOCS = os.path.join(HERE, "..", "docs")
# The page begins with ten rows; its appendix has all of them.
PAGES = {"ten": "performance.md", "all": "performance-notes.md"}

# What a program sees first; the page begins with it.
TEN = [
    "send, no observer ÷ await actor.method()",
    "send, no observer ÷ a locked array that two threads use",
    "send from 8 producers ÷ send from 1 producer",
    "await send(…).settled, idle ÷ await actor.method()",
    "effect that suspends once ÷ Task { } that suspends once",
    "keystroke, latest wins ÷ OpenCombine switchToLatest with a task",
    "keystroke, debounced ÷ OpenCombine debounce",
    "made, used once, released ÷ ReSwift's shape",
    "sent and observed on main, reactor on main ÷ ReSwift's shape, on main",
    "10000 instances, 8 tasks ÷ 10000 actors",
]


def ten(rig, found):
    rows = {row.name: row for row in rig.rows}
    lines = ["| what | ÷ | ratio | target | | ns | ÷ ns | CPU ns | ÷ CPU ns | one pool thread |",
             "|" + "---|" * 10]
    for row in (rows[name] for name in TEN):
        ratio = statistics.median(found.ratios(row))
        subject, floor = found.median(row, row.subject), found.median(row, row.floor)
        lines.append(joined(
            row.subject, row.floor, number(ratio), f"≤ {row.target:g}", verdict(ratio, row.target),
            f"{subject.wall:.0f}", f"{floor.wall:.0f}", f"{subject.cpu:.0f}", f"{floor.cpu:.0f}",
            alone(row, found)))
    return lines + footer(found)


def all_rows(rig, found):
    lines = ["| what | ÷ | ratio | runs | target | | CPU ratio | one pool thread | ns | ÷ ns "
             "| threads busy | ÷ busy | waits | preempted |", "|" + "---|" * 14]
    for row in sorted(rig.rows, key=lambda row: row.target is None):
        ratios = found.ratios(row)
        ratio = statistics.median(ratios)
        subject, floor = found.median(row, row.subject), found.median(row, row.floor)
        lines.append(joined(
            row.subject, row.floor, number(ratio),
            f"{number(min(ratios))} – {number(max(ratios))}",
            "–" if row.target is None else f"≤ {row.target:g}", verdict(ratio, row.target),
            number(statistics.median(found.ratios(row, "cpu"))), alone(row, found),
            f"{subject.wall:.0f}", f"{floor.wall:.0f}", busy(subject), busy(floor),
            f"{1000 * subject.waits:.1f}", f"{1000 * subject.preemptions:.1f}"))
    if rig.amounts:
        lines += ["", "| amount | | target | |", "|---|---|---|---|"]
    for name, target in rig.amounts:
        amount = found.amounts[name]
        text = "not known here" if amount is None else f"{amount:g}"
        lines.append(joined(name, text, f"≤ {target:g}", verdict(amount, target)))
    return lines + footer(found)


def footer(found):
    count = max(map(len, found.readings.values()), default=0)
    lines = ["", f"The median of {count} whole runs on {description()}. "
             f"{str(found.machine).capitalize()}."]
    if found.machine.was_busy:
        lines += ["", "**The machine was not quiet: what needs two processors had fewer.**"]
    return lines


def write_page(rig, found):
    """Writes each table between its marks, on its page in docs."""
    for name, lines in (("ten", ten(rig, found)), ("all", all_rows(rig, found))):
        path = os.path.join(DOCS, PAGES[name])
        with open(path) as file:
            page = file.read()
        begin, end = f"<!-- {name} rows, by make bench-keep -->", f"<!-- end of {name} rows -->"
        if begin not in page or end not in page:
            sys.exit(f"docs/{PAGES[name]} has no marks for {name} rows")
        before, after = page.split(begin)[0], page.split(end)[1]
        page = before + "\n".join([begin, "", *lines, "", end]) + after
        with open(path, "w") as file:
            file.write(page)


def alone(row, found):
    ratios = found.ratios(row, one_thread=True)
    return number(statistics.median(ratios)) if ratios else "–"


def busy(reading):
    """How many threads ran, on average: more than one, where producer and reactor overlap."""
    return f"{reading.cpu / reading.wall:.2f}"


def joined(*cells):
    return "| " + " | ".join(cells) + " |"


def number(value):
    return f"{value:.0f}" if value >= 100 else f"{value:.2f}"


def verdict(value, target):
    if target is None or value is None:
        return "–"
    # As it is printed: what cannot be seen there is not told apart.
    return "met" if float(number(value)) <= target else "**missed**"


def description():
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
