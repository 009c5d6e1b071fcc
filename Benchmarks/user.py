#!/usr/bin/env python3
"""Measures what a program of ten lines that depends on Reactor alone costs its author, beside one without it.

Prints the processor time of a clean debug build, the processor time of a clean release build, and the size of the
stripped release binary, whose standard library is dynamic.

Needs: a tree whose changes are committed (the program depends on the last commit), and both processors free.
"""

import os
import resource
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SWIFT = os.environ.get("SWIFT", "swift")

WITH = """import Reactor

actor Counter: Reactor {
  typealias Mutation = Int
  let initialState = 0
  let pipeline = Pipeline()
  func reduce(state: inout Int, mutation: Int) { state += mutation }
}
let counter = Counter()
await counter.send(3).settled
print(await counter.currentState)
"""
WITHOUT = """actor Counter {
  var state = 0
  func add(_ number: Int) { state += number }
}
let counter = Counter()
await counter.add(3)
print(await counter.state)
"""


def package(place, name, source, reactor):
    """A package of one program; `reactor` is the repository that it depends on, if it depends on one."""
    folder = os.path.join(place, name)
    os.makedirs(os.path.join(folder, "Sources", "App"))
    depends = f'.package(url: "file://{reactor}", from: "1.0.0")' if reactor else ""
    products = '.product(name: "Reactor", package: "reactor")' if reactor else ""
    with open(os.path.join(folder, "Package.swift"), "w", encoding="utf-8") as file:
        file.write(f"""// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "{name}", platforms: [.macOS(.v26)], dependencies: [{depends}],
  targets: [.executableTarget(name: "App", dependencies: [{products}])])
""")
    with open(os.path.join(folder, "Sources", "App", "main.swift"), "w", encoding="utf-8") as file:
        file.write(source)
    run(folder, "package", "resolve")
    return folder


def run(folder, *command):
    done = subprocess.run([SWIFT, *command], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False)
    if done.returncode != 0:
        sys.exit(f"error: `{SWIFT} {' '.join(command)}` failed:\n{done.stdout}")
    return done.stdout.strip()


def build(folder, configuration):
    """The processor time of a clean build, in seconds."""
    shutil.rmtree(os.path.join(folder, ".build", "x86_64-unknown-linux-gnu"), ignore_errors=True)
    for name in os.listdir(os.path.join(folder, ".build")):
        if name not in ("checkouts", "repositories", "workspace-state.json"):
            path = os.path.join(folder, ".build", name)
            os.unlink(path) if os.path.islink(path) or os.path.isfile(path) else shutil.rmtree(path)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run(folder, "build", "--configuration", configuration)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def binary(folder):
    """The size of the stripped release binary, in kilobytes."""
    path = os.path.join(run(folder, "build", "--configuration", "release", "--show-bin-path"), "App")
    subprocess.run(["strip", path], check=True)
    return os.path.getsize(path) // 1000


def main():
    with tempfile.TemporaryDirectory() as place:
        reactor = os.path.join(place, "reactor")
        subprocess.run(["git", "clone", "--quiet", ROOT, reactor], check=True)
        subprocess.run(["git", "-C", reactor, "tag", "--force", "1.0.0"], check=True, stdout=subprocess.DEVNULL)
        print("| a program of ten lines | clean debug build, CPU s | clean release build, CPU s | stripped binary, kB |")
        print("|---|---|---|---|")
        for name, source, where in (("without", WITHOUT, None), ("with", WITH, reactor)):
            folder = package(place, name, source, where)
            debug = build(folder, "debug")
            release = build(folder, "release")
            print(f"| {name} Reactor | {debug:.0f} | {release:.0f} | {binary(folder)} |", flush=True)


if __name__ == "__main__":
    main()
