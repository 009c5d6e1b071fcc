"""The ratios of the last time that somebody kept them: ratios.json."""

import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
PATH = os.path.join(HERE, "ratios.json")


def write(rig, found):
    rows = {row.name: found.summary(row) for row in rig.rows}
    amounts = {name: found.amounts[name] for name, _ in rig.amounts}
    with open(PATH, "w") as file:
        everything = {"machine": str(found.machine), "rows": rows, "amounts": amounts}
        json.dump(everything, file, indent=1, sort_keys=True, ensure_ascii=False)
        file.write("\n")


def differences(rig):
    """What is here and was not kept, or was kept and is not here: neither can be compared."""
    with open(PATH) as file:
        before = json.load(file)
    was = set(before["rows"]) | set(before["amounts"])
    now = {row.name for row in rig.rows} | {name for name, _ in rig.amounts}
    return ([f"missing: {name}" for name in sorted(was - now)]
            + [f"new, and not kept yet: {name}" for name in sorted(now - was)])


def revision():
    """The commit that kept them."""
    result = subprocess.run(["git", "log", "-1", "--format=%H", "--", PATH], cwd=HERE,
                            stdout=subprocess.PIPE, text=True)
    if not result.stdout.strip():
        sys.exit("there is no commit that kept the ratios; is all of the history here?")
    return result.stdout.strip()
