#!/usr/bin/env python3
"""Measures, and prints one table: what, its floor, their ratio, the target, met or not.

    ratios.py             measure and print
    ratios.py --keep      ... and keep the ratios in ratios.json, and the tables in docs
    ratios.py --check     measure this tree beside the one whose ratios were kept; fails if a row
                          of this one is worse, or is missing on either side

    --runs <n>            whole runs, in processes of their own; for --check, of each tree
    --only <regexp>       only groups that have such a row; nothing is kept or missing then
    --base <revision>     what --check compares with, instead of the commit that kept the ratios
    --patience <seconds>  how long to wait, in all, until nobody else uses the machine
"""

import argparse
import os
import re
import sys

import kept
import regressions
import runs
import table
from quiet import Machine

HERE = os.path.dirname(os.path.abspath(__file__))


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--runs", type=int)
    parser.add_argument("--only", type=re.compile)
    parser.add_argument("--base")
    parser.add_argument("--patience", type=float, default=300)
    options = parser.parse_args()

    rig = runs.Rig(HERE, options.only)
    if options.check:
        missing = [] if options.only else kept.differences(rig)
        base = runs.Rig(regressions.tree_of(options.base or kept.revision()), options.only)
        worse = regressions.find(rig, base, options.runs or 5, Machine(options.patience))
        for complaint in missing + worse:
            print(complaint)
        if missing or worse:
            sys.exit(1)
        print("nothing got worse")
        return

    found = runs.measure(rig, options.runs or 7, Machine(options.patience))
    print("\n".join(table.all_rows(rig, found)))
    if options.keep and not options.only:
        kept.write(rig, found)
        table.write_page(rig, found)


main()
