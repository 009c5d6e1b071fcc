"""A temporary tree for a test: the files that scripts read, in a folder that is deleted when the test ends."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

SCRIPTS = pathlib.Path(__file__).resolve().parent.parent


class ScratchCase(unittest.TestCase):
    """A test with a tree into which scripts are copied, and in which they run."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)

    def take(self, *names):
        (self.root / "scripts").mkdir(exist_ok=True)
        for name in names:
            shutil.copy2(SCRIPTS / name, self.root / "scripts" / name)

    def write(self, path, text, executable=False):
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
        if executable:
            place.chmod(0o755)

    def run_here(self, *command, **environment):
        """A command's status and output."""
        done = subprocess.run(
            command, cwd=self.root, env={**os.environ, **environment}, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        return done.returncode, done.stdout

    def assert_passes(self, *command, **environment):
        status, said = self.run_here(*command, **environment)
        self.assertEqual(status, 0, said)
        return said

    def assert_refuses(self, reason, *command, **environment):
        status, said = self.run_here(*command, **environment)
        self.assertNotEqual(status, 0, f"it passes, and says {said!r}")
        self.assertIn(reason, said)
        return said
