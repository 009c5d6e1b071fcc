#!/usr/bin/env python3
"""Measures a service on reactors beside the same one on bare actors, in one process, by wrk in turns.

service.py [--runs N] [--seconds S] [--live N,N…] [--rooms N]

Prints the tables of docs/performance.md; needs wrk. Each run takes the two in another order; a ratio is of
two readings next to each other, and what is shown is the median of all runs.
"""

import argparse
import os
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)

# What clients do: its name, the path, and the body of what they post.
REQUESTS = [
    ("GET a state", "rooms/%d", None),
    ("POST an action", "rooms/%d/actions", '{"book":{"_0":1}}'),
    ("POST that asks", "rooms/%d/tickets", '{"seats":1}'),
]
# Where the reactor runs, and under which path such rooms are.
PLACES = {"the pool (default)": "rooms", "an event loop": "loop", "a queue of its own": "own",
          "the main actor": "main"}

# Every request to another one of a hundred rooms.
SCRIPT = """
local number = 0
request = function()
  number = (number + 7) %% 100
  return wrk.format(%s, "/" .. string.format("%s", number), %s, %s)
end
"""


def build():
    os.environ["REACTOR_BENCH"] = "1"
    subprocess.run(["swift", "build", "-c", "release", "--product", "ServiceBench"], cwd=ROOT,
                   check=True, stdout=sys.stderr)
    path = subprocess.run(["swift", "build", "-c", "release", "--show-bin-path"], cwd=ROOT,
                          check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
    return os.path.join(path, "ServiceBench")


def cpu(process):
    """Seconds of processor time that it has used."""
    with open(f"/proc/{process.pid}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Server:
    """Both services; a process that is ended when it goes."""

    def __init__(self, program, *arguments):
        self.process = subprocess.Popen([program, "serve", *arguments], stdout=subprocess.PIPE,
                                        text=True)
        self.ports = dict(self.process.stdout.readline().split() for _ in range(2))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()


def wrk(server, name, path, body, seconds, connections=32):
    """Requests per second, the 99th percentile in milliseconds, processor time for each in µs."""
    method, text, headers = '"GET"', "nil", "nil"
    if body:
        method, text, headers = '"POST"', f"'{body}'", '{["Content-Type"] = "application/json"}'
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as script:
        script.write(SCRIPT % (method, path, headers, text))
        script.flush()
        before = cpu(server.process)
        out = subprocess.run(
            ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--latency", "-s", script.name,
             f"http://127.0.0.1:{server.ports[name]}"], check=True, stdout=subprocess.PIPE, text=True).stdout
    if "Non-2xx" in out:
        sys.exit(f"error: {path}: {out}")
    number, unit = re.search(r"99%\s+([\d.]+)(us|ms|s)\b", out).groups()
    scale = {"us": 1e-3, "ms": 1, "s": 1e3}[unit]
    count = int(re.search(r"(\d+) requests in", out).group(1))
    return (float(re.search(r"Requests/sec:\s+([\d.]+)", out).group(1)), float(number) * scale,
            (cpu(server.process) - before) / count * 1e6)


def beside(server, path, body, runs, seconds, other="bare"):
    """Readings of the two, in turns: (ours, the other's), each as by wrk."""
    found = []
    for run in range(runs):
        order = ["reactors", other] if run % 2 else [other, "reactors"]
        reading = {name: wrk(server, name, path, body, seconds) for name in order}
        found.append((reading["reactors"], reading[other]))
    return found


def median(values):
    return statistics.median(list(values))


def compare(program, runs, seconds):
    print("\n| requests | requests/s | bare actor | ratio | runs | p99 ms | bare actor | ratio "
          "| CPU µs | bare actor | ratio |\n|---|---|---|---|---|---|---|---|---|---|---|")
    with Server(program) as server:
        for path in {path for _, path, _ in REQUESTS}:  # Warm: rooms are made, code is mapped.
            for port in server.ports:
                wrk(server, port, "rooms/%d", None, 1)
        for name, path, body in REQUESTS:
            found = beside(server, path, body, runs, seconds)
            ratios = [ours[0] / bare[0] for ours, bare in found]
            late = [ours[1] / bare[1] for ours, bare in found]
            print(f"| {name} | {median(o[0] for o, _ in found):.0f} | "
                  f"{median(b[0] for _, b in found):.0f} | {median(ratios):.2f} | "
                  f"{min(ratios):.2f} – {max(ratios):.2f} | {median(o[1] for o, _ in found):.2f} | "
                  f"{median(b[1] for _, b in found):.2f} | {median(late):.2f} | "
                  f"{median(o[2] for o, _ in found):.1f} | {median(b[2] for _, b in found):.1f} | "
                  f"{median(o[2] / b[2] for o, b in found):.2f} |", flush=True)


def observe(program, runs, seconds):
    print("\n| POST that asks | requests/s | CPU µs |\n|---|---|---|")
    found = {name: [] for name in ("nobody observes", "an observer that counts")}
    _, path, body = REQUESTS[2]
    for _ in range(runs):
        for name, arguments in zip(found, ([], ["observer"])):
            with Server(program, *arguments) as server:
                wrk(server, "reactors", path, body, 1)
                found[name].append(wrk(server, "reactors", path, body, seconds))
    for name, readings in found.items():
        print(f"| {name} | {median(r[0] for r in readings):.0f} | "
              f"{median(r[2] for r in readings):.1f} |", flush=True)


def run_on(program, runs, seconds):
    print("\n| where the reactor runs | requests/s | p99 ms | CPU µs |\n|---|---|---|---|")
    found = {place: [] for place in PLACES}
    with Server(program) as server:
        for _ in range(runs):
            for place in PLACES:
                found[place].append(
                    wrk(server, "reactors", f"{PLACES[place]}/%d/tickets", REQUESTS[2][2], seconds))
    for place, readings in found.items():
        print(f"| {place} | {median(r[0] for r in readings):.0f} | "
              f"{median(r[1] for r in readings):.2f} | {median(r[2] for r in readings):.1f} |",
              flush=True)


def numbers(program, *arguments):
    out = subprocess.run([program, *map(str, arguments)], check=True, stdout=subprocess.PIPE,
                         text=True).stdout
    return {word: float(value) for word, value in (line.split() for line in out.splitlines())}


def live(program, counts):
    print("\n| clients of one room | p50 ms | p99 ms | bytes for each state |\n|---|---|---|---|")
    for count in counts:
        with Server(program) as server:
            found = numbers(program, "live", count, 20, server.ports["reactors"])
        print(f"| {count} | {found['p50']:.1f} | {found['p99']:.1f} | {found['bytes']:.0f} |",
              flush=True)


def weigh(program, count):
    print(f"\n| {count} rooms | MB | bytes each |\n|---|---|---|")
    for kind in ("bare", "reactors"):
        found = numbers(program, "rooms", count, kind)
        print(f"| {kind} | {found['megabytes']:.0f} | {found['bytes']:.0f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--seconds", type=int, default=4)
    parser.add_argument("--live", default="1000,10000")
    parser.add_argument("--rooms", type=int, default=100_000)
    parser.add_argument("--only", choices=["compare", "observe", "executors", "live", "rooms"])
    parser.add_argument("--program", help="one that is built already")
    options = parser.parse_args()
    if not shutil.which("wrk"):
        sys.exit("error: install wrk, as with: apt-get install wrk")
    program = options.program or build()
    parts = {
        "compare": lambda: compare(program, options.runs, options.seconds),
        "observe": lambda: observe(program, options.runs, options.seconds),
        "executors": lambda: run_on(program, options.runs, options.seconds),
        "live": lambda: live(program, [int(count) for count in options.live.split(",")]),
        "rooms": lambda: weigh(program, options.rooms),
    }
    for name, part in parts.items():
        if options.only in (None, name):
            part()
    print(f"\nThe medians of {options.runs} runs in turns, {options.seconds} s each; load "
          f"{os.getloadavg()[0]:.1f} at the end.")


if __name__ == "__main__":
    main()
