"""Runs the tests of the browser, several at once: `run.py [--width N] [TEST…]`; `scripts/test-web` runs it.

A test waits most of its time, for a server, for a browser, or for a clock. Each is a thread with a server and
browsers of its own. It prints how long each test took.
"""

import argparse
import os
import pathlib
import sys
import time
import unittest
from concurrent.futures import ThreadPoolExecutor, as_completed

HERE = pathlib.Path(__file__).parent


def tests(suite):
    for one in suite:
        if isinstance(one, unittest.TestSuite):
            yield from tests(one)
        else:
            yield one


def run(test):
    start, result = time.monotonic(), unittest.TestResult()
    test.run(result)
    problems = [text for _, text in result.errors + result.failures]
    return test.id(), time.monotonic() - start, problems


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--width", type=int, default=1 + (os.cpu_count() or 1))
    parser.add_argument("tests", nargs="*")
    options = parser.parse_args()
    loader, start = unittest.TestLoader(), time.monotonic()
    if options.tests:
        suite = loader.loadTestsFromNames(options.tests)
    else:
        suite = loader.discover(str(HERE))
    failed, count = [], 0
    with ThreadPoolExecutor(options.width) as pool:
        for done in as_completed([pool.submit(run, test) for test in tests(suite)]):
            name, seconds, problems = done.result()
            count += 1
            print(f"{seconds:5.1f} s: {name}{' FAILED' if problems else ''}", *problems, sep="\n", flush=True)
            if problems:
                failed.append(name)
    for name in failed:
        print(f"failed: {name}")
    print(f"{count - len(failed)} passed, {len(failed)} failed, in {time.monotonic() - start:.0f} s, "
          f"{options.width} at once")
    sys.exit(1 if failed or not count else 0)


if __name__ == "__main__":
    main()
