#!/usr/bin/env python3
"""Measures asks of reactors on one host and on three, on a PostgreSQL server of its own, beside their floors.

cluster.py [--runs N] [--seconds S] [--program PATH]

Prints the tables of docs/performance.md. Hosts are processes, and HTTP is between them; the floors, in the same
run, are a prepared INSERT for each batch of the same size over as many connections, and a bare HTTP request.
"""

import argparse
import glob
import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
KEYS = 360
CONNECTIONS = 4  # Of a host, by default.


def build():
    os.environ["REACTOR_BENCH"] = "1"
    command = ["swift", "build", "-c", "release"]
    subprocess.run([*command, "--product", "ClusterBench"], cwd=ROOT, check=True, stdout=sys.stderr)
    path = subprocess.run([*command, "--show-bin-path"], cwd=ROOT, check=True, stdout=subprocess.PIPE,
                          text=True).stdout.strip()
    return os.path.join(path, "ClusterBench")


def free_port():
    with socket.socket() as place:
        place.bind(("127.0.0.1", 0))
        return place.getsockname()[1]


class Database:
    """A server in a temporary folder, which goes with it."""

    def __enter__(self):
        found = sorted(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda path: int(path.split("/")[4]))
        if not found:
            sys.exit("error: PostgreSQL is not installed; try: make setup-postgres")
        self.programs, self.folder, self.port = found[-1], tempfile.mkdtemp(), free_port()
        if os.getuid() == 0:
            shutil.chown(self.folder, "postgres")
        self.run("initdb", "-D", "data", "-A", "trust", "-U", "postgres", "-E", "UTF8", "--locale=C")
        self.run("pg_ctl", "-D", "data", "-l", "server.log", "-w", "-o",
                 f"-k {self.folder} -h 127.0.0.1 -p {self.port} -c max_connections=300", "start")
        self.info = f"host=127.0.0.1 port={self.port} user=postgres dbname=postgres"
        return self

    def __exit__(self, *_):
        self.run("pg_ctl", "-D", "data", "-m", "immediate", "stop")
        shutil.rmtree(self.folder, ignore_errors=True)

    def run(self, program, *arguments):
        """As another user where this is root, which it refuses to run as."""
        user = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
        subprocess.run([*user, os.path.join(self.programs, program), *arguments], cwd=self.folder, check=True,
                       stdout=subprocess.DEVNULL)

    def ask(self, sql):
        return subprocess.run([os.path.join(self.programs, "psql"), self.info, "-Atc", sql], check=True,
                              stdout=subprocess.PIPE, text=True).stdout.strip()


class Host:
    """A process that is a host of the cluster."""

    def __init__(self, program, database, schema):
        address = f"http://127.0.0.1:{free_port()}"
        self.process = subprocess.Popen(
            [program, "host", database.info, schema, address, str(KEYS)], text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.bare = self.heard("bare")[0]

    def say(self, *words):
        print(*words, file=self.process.stdin, flush=True)

    def heard(self, word):
        line = self.process.stdout.readline().split()
        if not line or line[0] != word:
            sys.exit(f"error: a host said {line} and not {word}")
        return line[1:]

    def leave(self):
        self.process.stdin.close()
        self.process.wait()


class Load:
    """What came of some senders: how many a second, and how many milliseconds each took."""

    def __init__(self, words):
        self.count, self.seconds, self.p50, self.p99 = int(words[0]), *map(float, words[1:4])

    @property
    def rate(self):
        return self.count / self.seconds


def together(loads):
    """Of several hosts: all of it, and the worse of their times."""
    whole = Load([sum(load.count for load in loads), max(load.seconds for load in loads),
                  max(load.p50 for load in loads), max(load.p99 for load in loads)])
    return whole


def ask(hosts, senders, seconds, keys):
    """So many senders in all, in equal parts at each of the hosts."""
    for host in hosts:
        host.say("ask", senders // len(hosts), seconds, ",".join(keys))
    return together([Load(host.heard("did")) for host in hosts])


def bare(host, other, senders, seconds):
    host.say("bare", senders, seconds, other.bare)
    return Load(host.heard("did"))


def rows(program, database, connections, seconds, batch):
    out = subprocess.run([program, "rows", database.info, str(connections), str(seconds), str(batch)], check=True,
                         stdout=subprocess.PIPE, text=True).stdout.split()
    return Load(out[1:])


def batch_size(database, since):
    """How many entries a statement has written, and how many entries there are."""
    count, batches = database.ask(
        "select count(*), count(distinct xmin::text) from reactor.reactor_journal "
        f"where at > {since}").split("|")
    return int(count) / max(1, int(batches))


def median(values):
    return statistics.median(list(values))


def settled(hosts):
    """Which keys are at which host, once each has its share: it knows of the others by its next renewals."""
    here = []
    while min(map(len, here), default=0) < KEYS // 4 or sum(map(len, here)) != KEYS:
        time.sleep(0.5)
        hosts[0].say("touch")
        hosts[0].heard("touched")
        for host in hosts:
            host.say("here")
        here = [sorted(",".join(host.heard("here")).split(","), key=lambda key: int(key or 0)) for host in hosts]
    return here


def measure(program, database, runs, seconds):
    hosts = [Host(program, database, "reactor") for _ in range(3)]
    here = settled(hosts)
    own, other = here[0][:63], here[1][:63]
    spread = [key for keys in zip(*(keys[:21] for keys in here)) for key in keys]
    # Its name, who asks, how many at a time, and for which reactors.
    shapes = [
        ("on the own host", hosts[:1], 1, own[:1]),
        ("on another host", hosts[:1], 1, other[:1]),
        ("on the own host", hosts[:1], 63, own),
        ("on another host", hosts[:1], 63, other),
        ("over three hosts, asked at one", hosts[:1], 63, spread),
        ("over three hosts, asked at each", hosts, 63, spread),
        ("on the own host, 3 reactors", hosts[:1], 63, own[:3]),
        ("over three hosts, 3 reactors, asked at each", hosts, 63, spread[:3]),
    ]
    ask(hosts, 63, 2, spread)
    found = {place: [] for place in range(len(shapes))}
    plain, floors = {1: [], 63: []}, {}
    for _ in range(runs):
        for place, (_, askers, senders, keys) in enumerate(shapes):
            since = database.ask("select extract(epoch from clock_timestamp()) - 978307200")
            load = ask(askers, senders, seconds, keys)
            batch = batch_size(database, since)
            owners = len({number for number in range(3) for key in keys if key in here[number]})
            connections = min(senders, len(keys), CONNECTIONS * owners)
            size = max(1, round(batch))
            floor = rows(program, database, connections, seconds, size)
            found[place].append((load, floor.rate * size, batch, connections, floor))
        for senders in plain:
            plain[senders].append(bare(hosts[0], hosts[1], senders, seconds))
    for host in hosts:
        host.leave()
    base = median(load.rate for load, *_ in found[2])
    print("\n| asked, and answered when it is kept | senders | actions/s | ÷ own host, 63 | p50 ms | p99 ms "
          "| rows in a batch | connections | plain rows/s | ratio |\n|---|---|---|---|---|---|---|---|---|---|")
    for place, (name, _, senders, _) in enumerate(shapes):
        seen = found[place]
        rate = median(load.rate for load, *_ in seen)
        print(f"| {name} | {senders} | {rate:,.0f} | {rate / base:.2f} | {median(s[0].p50 for s in seen):.2f} | "
              f"{median(s[0].p99 for s in seen):.2f} | {median(s[2] for s in seen):.1f} | {seen[0][3]} | "
              f"{median(s[1] for s in seen):,.0f} | {median(s[0].rate / s[1] for s in seen):.2f} |")
    print("\n| bare HTTP between two hosts | senders | requests/s | p50 ms | p99 ms |\n|---|---|---|---|---|")
    for senders, seen in plain.items():
        print(f"| 200 bytes there and back | {senders} | {median(load.rate for load in seen):,.0f} | "
              f"{median(load.p50 for load in seen):.2f} | {median(load.p99 for load in seen):.2f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--seconds", type=int, default=3)
    parser.add_argument("--program", help="one that is built already")
    options = parser.parse_args()
    program = options.program or build()
    before = os.getloadavg()[0]
    with Database() as database:
        measure(program, database, options.runs, options.seconds)
        version = database.ask("show server_version")
    print(f"\nThe medians of {options.runs} runs in turns, {options.seconds} s each; PostgreSQL {version}; load "
          f"{before:.1f} before, {os.getloadavg()[0]:.1f} after.")


if __name__ == "__main__":
    main()
