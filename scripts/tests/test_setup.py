"""Setup: a target installs what it needs and nothing else, and prints one line."""

import os
import unittest

from scratch import ScratchCase

HEADERS = {
    "libreadline-dev": "usr/include/readline/readline.h", "libsqlite3-dev": "usr/include/sqlite3.h",
    "libedit-dev": "usr/include/histedit.h",
    "libpq-dev": "usr/include/postgresql/libpq-fe.h",
    "libcmark-gfm-dev libcmark-gfm-extensions-dev": "usr/include/cmark-gfm-core-extensions.h",
    "libssl-dev": "usr/include/openssl/evp.h",
    "postgresql": "usr/lib/postgresql/17/bin/initdb",
}
NEEDS = {
    "demo": "libreadline-dev libsqlite3-dev", "service": "libsqlite3-dev",
    "web": "libsqlite3-dev libcmark-gfm-dev libcmark-gfm-extensions-dev libssl-dev",
    "cluster": "libreadline-dev libsqlite3-dev libpq-dev postgresql", "test": "libreadline-dev libpq-dev libsqlite3-dev",
    "console": "libreadline-dev libedit-dev",
    "postgres": "libreadline-dev libedit-dev libpq-dev libsqlite3-dev postgresql",
}


class Setup(ScratchCase):
    """In a temporary file system, whose `apt-get` records its arguments."""

    def setUp(self):
        super().setUp()
        self.take("setup")
        self.tool("swift", "")
        self.tool("uname", "echo Linux")
        self.tool("id", "echo 0")
        self.tool("apt-get", 'echo "$@" >>installed')
        for name in ["sh", "env", "ls"]:
            os.symlink(f"/bin/{name}", self.root / "bin" / name)

    def tool(self, name, body):
        self.write(f"bin/{name}", f"#!/bin/sh\n{body}\n", executable=True)

    def has(self, *packages):
        for package in packages:
            self.write(f"system/{HEADERS[package]}", "")

    def set_up(self, *target):
        return self.run_here(
            "/bin/sh", "scripts/setup", *target, PATH=str(self.root / "bin"), REACTOR_ROOT=str(self.root / "system"),
            SWIFT="swift")

    def installed(self):
        place = self.root / "installed"
        return place.read_text().splitlines() if place.exists() else []

    def test_a_target_gets_what_it_needs_and_says_so_in_one_line(self):
        for target, packages in NEEDS.items():
            with self.subTest(target):
                (self.root / "installed").unlink(missing_ok=True)
                status, said = self.set_up(target)
                self.assertEqual((status, said), (0, f"Installing what is missing for '{target}': {packages}\n"))
                self.assertEqual(self.installed(), [f"install -y -qq {packages}"])

    def test_without_a_target_it_is_what_the_tests_need(self):
        self.assertIn(NEEDS["test"], self.set_up()[1])

    def test_what_is_there_is_not_installed(self):
        self.has("libreadline-dev")
        self.set_up("demo")
        self.assertEqual(self.installed(), ["install -y -qq libsqlite3-dev"])

    def test_where_all_is_there_it_is_silent(self):
        self.has(*HEADERS)
        for target in NEEDS:
            self.assertEqual(self.set_up(target), (0, ""))
        self.assertEqual(self.installed(), [])

    def test_a_target_that_does_not_exist_is_an_error(self):
        status, said = self.set_up("demos")
        self.assertEqual(status, 1)
        self.assertIn("nothing is known of 'demos'", said)

    def test_without_swift_it_says_where_to_get_it(self):
        (self.root / "bin/swift").unlink()
        self.assertIn("install Swift 6.2 or later from swift.org", self.set_up("demo")[1])

    def test_without_apt_it_names_what_is_missing(self):
        (self.root / "bin/apt-get").unlink()
        status, said = self.set_up("demo")
        self.assertEqual(status, 1)
        self.assertIn("install what your system calls these: libreadline-dev libsqlite3-dev", said)

    def test_without_root_and_sudo_it_says_what_to_run(self):
        self.tool("id", "echo 1000")
        status, said = self.set_up("demo")
        self.assertEqual(status, 1)
        self.assertIn("as root: apt-get install libreadline-dev libsqlite3-dev", said)

    def test_without_root_it_asks_sudo(self):
        self.tool("id", "echo 1000")
        self.tool("sudo", 'echo sudo >>installed\nexec "$@"')
        self.set_up("demo")
        self.assertEqual(self.installed(), ["sudo", "install -y -qq libreadline-dev libsqlite3-dev"])

    def test_an_old_list_of_packages_is_brought_up_to_date_once(self):
        self.tool("apt-get", 'echo "$1" >>installed\n[ "$1" = update ] || grep -q update installed')
        os.symlink("/bin/grep", self.root / "bin/grep")
        self.assertEqual(self.set_up("demo")[0], 0)
        self.assertEqual(self.installed(), ["install", "update", "install"])

    def test_what_cannot_be_installed_is_an_error(self):
        self.tool("apt-get", "exit 100")
        status, said = self.set_up("demo")
        self.assertEqual(status, 1)
        self.assertIn("try: apt-get install libreadline-dev libsqlite3-dev", said)

    def test_on_apple_platforms_there_is_nothing_to_do(self):
        self.tool("uname", "echo Darwin")
        self.assertEqual(self.set_up("demo"), (0, ""))


if __name__ == "__main__":
    unittest.main()
