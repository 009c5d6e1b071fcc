"""The cluster: when the script ends in any way, its processes have ended and its folder is deleted."""

import os
import pathlib
import pty
import re
import signal
import subprocess
import time
import unittest

from scratch import ScratchCase

BIN = "system/usr/lib/postgresql/17/bin"
# A process that ends only by a signal; it writes a file named by its process identifier.
STAYS = 'sh -c \'echo $$ >"$STARTED/$$"; exec sleep 600\''


class Cluster(ScratchCase):
    """With a server, a demo and a `tmux` that only start a process, and record their arguments."""

    def setUp(self):
        super().setUp()
        self.take("cluster")
        self.started = self.root / "started"
        self.started.mkdir()
        self.write("said", "")
        self.tool("bin/id", "echo 1000")
        self.tool(f"{BIN}/initdb", 'mkdir -p data; echo "initdb $PWD" >>"$SAID"')
        self.tool(f"{BIN}/pg_ctl", f"""echo "pg_ctl $*" >>"$SAID"
for word in "$@"; do last=$word; done
if [ "$last" = start ]; then
  {STAYS} >/dev/null 2>&1 &
  echo $! >data/pid
else
  kill -9 $(cat data/pid)
fi""")
        # It prints nothing, so that the script waits for its first output.
        self.tool("demo", 'echo "demo $*" >>"$SAID"; echo $$ >"$STARTED/$$"; exec sleep 600')
        # Its server is one process; an attached client waits until that ends.
        self.tool("bin/tmux", f"""echo "tmux $*" >>"$SAID"
case " $* " in
*" new-session "*)
  {STAYS} >/dev/null 2>&1 &
  echo $! >"$STARTED/server" ;;
*" attach "*)
  echo attached >>"$SAID"
  while kill -0 $(cat "$STARTED/server"); do sleep 0.05; done ;;
*" kill-server "*)
  [ ! -f "$STARTED/server" ] || kill -9 $(cat "$STARTED/server") ;;
esac 2>/dev/null""")

    def tool(self, path, body):
        self.write(path, f"#!/bin/sh\n{body}\n", executable=True)

    def said(self):
        return (self.root / "said").read_text().splitlines()

    def begin(self, **options):
        (self.root / "tmp").mkdir()
        environment = {
            **os.environ, "PATH": f"{self.root}/bin:{os.environ['PATH']}", "REACTOR_ROOT": f"{self.root}/system",
            "SAID": f"{self.root}/said", "STARTED": str(self.started), "TMPDIR": f"{self.root}/tmp"}
        script = subprocess.Popen(
            ["scripts/cluster", f"{self.root}/demo"], cwd=self.root, env=environment, start_new_session=True, **options)
        self.addCleanup(script.wait)
        self.addCleanup(script.kill)
        return script

    def wait(self, is_so, what):
        end = time.monotonic() + 30
        while not is_so():
            self.assertLess(time.monotonic(), end, f"{what}; there has been: {self.said()}")
            time.sleep(0.01)

    def alive(self):
        """The started processes that still run, without zombies."""
        return [place.name for place in self.started.iterdir() if place.name != "server" and runs(int(place.name))]

    def assert_ends(self, script, by, started):
        self.wait(lambda: len(self.alive()) == started, f"{started} are to run")
        script.send_signal(by)
        try:
            self.assertEqual(script.wait(30), 128 + by)
            self.wait(lambda: not self.alive(), "nothing is to run")
        finally:
            for name in self.alive():
                os.kill(int(name), signal.SIGKILL)
        self.assertEqual(list((self.root / "tmp").iterdir()), [])
        socket = f"tmux -L reactor-{script.pid} "
        self.assertIn(f"{socket}kill-server", self.said())
        self.assertEqual([line for line in self.said() if line.startswith("tmux ") and not line.startswith(socket)], [])

    def test_without_a_terminal_it_takes_all_with_it(self):
        for by in [signal.SIGTERM, signal.SIGHUP]:
            with self.subTest(by.name):
                script = self.begin(stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
                # The database's server, and three hosts.
                self.assert_ends(script, by, started=4)
                self.assertRegex(self.said()[-1], r"pg_ctl -D \S+/data -m immediate stop")
            self.tidy()

    def test_at_a_terminal_it_takes_all_with_it(self):
        for by in [signal.SIGTERM, signal.SIGHUP]:
            with self.subTest(by.name):
                outer, inner = pty.openpty()
                self.addCleanup(os.close, outer)
                self.addCleanup(os.close, inner)
                script = self.begin(stdin=inner, stdout=inner, stderr=subprocess.DEVNULL)
                self.wait(lambda: "attached" in self.said(), "it is to be attached")
                # The database's server, and the terminal's.
                self.assert_ends(script, by, started=2)
            self.tidy()

    def tidy(self):
        for place in self.started.iterdir():
            place.unlink()
        for place in (self.root / "tmp").iterdir():
            self.fail(f"{place} is still there")
        (self.root / "tmp").rmdir()
        self.write("said", "")


def runs(process):
    try:
        status = pathlib.Path(f"/proc/{process}/status").read_text()
    except FileNotFoundError:
        return False
    return not re.search(r"^State:\s+Z", status, re.MULTILINE)


if __name__ == "__main__":
    unittest.main()
