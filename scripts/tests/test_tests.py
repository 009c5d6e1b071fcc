"""Time limits: each suite has one, few have a longer one, and a run prints failures and where a test waits."""

import json
import unittest

from scratch import ScratchCase, SCRIPTS

SUITE = "@Suite(.bounded) struct AskTests {\n  @Test func `it asks`() {}\n}\n"


class Limits(ScratchCase):
    """`check-tests`, over a tree with the suites that it lists and one more."""

    def setUp(self):
        super().setUp()
        text = (SCRIPTS / "check-tests").read_text()
        head, rest = text.split("LONGER = {", 1)
        rest = rest.split("TYPE = ", 1)[1]
        self.write("scripts/check-tests", head + 'LONGER = {"CoreTests.SoakTests": "runs for long"}\n'
                   'ALONE = ["CoreTests.HostTests"]\nTYPE = ' + rest, executable=True)
        self.write("Tests/CoreTests/SoakTests.swift",
                   "@Suite(.serialized, .bounded(minutes: 10))\nstruct SoakTests {\n  @Test func runs() {}\n}\n")
        self.write("Tests/CoreTests/HostTests.swift", SUITE.replace("AskTests", "HostTests"))
        self.write("Tests/CoreTests/AskTests.swift", SUITE)

    def refuses(self, reason, text):
        self.write("Tests/CoreTests/AskTests.swift", text)
        self.assert_refuses(reason, "scripts/check-tests")

    def test_bounded_suites_pass(self):
        self.assert_passes("scripts/check-tests")

    def test_a_suite_without_a_limit_is_named(self):
        self.refuses("Tests/CoreTests/AskTests.swift:1: AskTests has no time limit", SUITE.replace("(.bounded)", ""))
        self.refuses("AskTests has no time limit", SUITE.replace("@Suite(.bounded) ", ""))

    def test_a_longer_limit_is_for_those_in_the_list(self):
        self.refuses("AskTests has a longer time limit", SUITE.replace(".bounded", ".bounded(minutes: 5)"))

    def test_the_library_s_own_limit_is_refused(self):
        self.refuses("not by `.timeLimit`", SUITE.replace(".bounded", ".timeLimit(.minutes(40))"))

    def test_a_test_outside_a_suite_is_named(self):
        self.refuses("a test belongs to a suite", "@Test func `it asks`() {}\n")

    def test_a_suite_that_is_listed_and_gone_is_named(self):
        (self.root / "Tests/CoreTests/HostTests.swift").unlink()
        self.assert_refuses("there is no CoreTests.HostTests", "scripts/check-tests")

    def test_those_that_run_alone_are_a_filter(self):
        self.assertEqual(self.assert_passes("scripts/check-tests", "--alone"), "^(CoreTests\\.HostTests/)\n")


def event(kind, test, **more):
    return json.dumps({"kind": "event", "payload": {"kind": kind, "testID": test, **more}})


def known(test):
    return json.dumps({"kind": "test", "payload": {"kind": "function", "id": test, "name": test.split("/")[1]}})


class Runs(ScratchCase):
    """`test`, with a program that writes such events as a run would."""

    def setUp(self):
        super().setUp()
        self.take("test")

    def run_tests(self, events, output="", status=0):
        self.write("events", "\n".join(events) + "\n")
        self.write("output", output)
        self.write("bundle", "#!/bin/sh\nwhile [ $# -gt 0 ]; do\n"
                   '  [ "$1" != --event-stream-output-path ] || cat events >"$2"\n  shift\ndone\n'
                   f"cat output\nexit {status}\n", executable=True)
        return self.run_here("scripts/test", "--bundle", "bundle", "--name", "here")

    def test_a_run_that_passes_ends_in_its_counts(self):
        test = "Core.Ask/asks()"
        status, said = self.run_tests(
            [known(test), event("testStarted", test), event("testEnded", test)], output="noise\n" * 500)
        self.assertEqual(status, 0, said)
        self.assertIn("1 passed, 0 failed, 0 skipped", said)
        self.assertNotIn("noise", said)
        self.assertIn("noise", (self.root / ".build/logs/here.log").read_text())

    def test_what_fails_says_where_and_why(self):
        test = "Core.Ask/asks()"
        issue = {"isKnown": False, "sourceLocation": {"fileID": "Core/Ask.swift", "line": 7}}
        status, said = self.run_tests(
            [known(test), event("testStarted", test),
             event("issueRecorded", test, issue=issue, messages=[{"text": "1 is not 2"}]), event("testEnded", test)],
            status=1)
        self.assertEqual(status, 1)
        self.assertIn("Core/Ask.swift:7: 1 is not 2", said)
        self.assertIn("0 passed, 1 failed", said)

    def test_a_known_issue_is_none(self):
        test = "Core.Ask/asks()"
        status, said = self.run_tests(
            [known(test), event("issueRecorded", test, issue={"isKnown": True}), event("testEnded", test)])
        self.assertEqual(status, 0, said)
        self.assertIn("1 known issues", said)

    def test_a_program_that_crashes_shows_its_last_words(self):
        test = "Core.Ask/asks()"
        status, said = self.run_tests([known(test), event("testStarted", test)], "Fatal error: gone\n", status=132)
        self.assertNotEqual(status, 0)
        self.assertIn("Fatal error: gone", said)

    def test_a_run_of_no_test_fails(self):
        self.assertEqual(self.run_tests([])[0], 1)

    def test_what_a_stalled_test_waits_in_is_printed(self):
        test = "Core.Ask/asks()"
        _, said = self.run_tests(
            [known(test)], "error: Core/Ask.swift:7 › asks has run for 120.0 seconds and waits in:\n"
            "  /nowhere/program+0x10\nIt is cancelled now.\nnoise\n", status=1)
        self.assertIn("asks has run for 120.0 seconds", said)
        self.assertIn("/nowhere/program", said)
        self.assertIn("It is cancelled now.", said)


class Quietly(ScratchCase):
    def setUp(self):
        super().setUp()
        self.take("quietly")

    def test_a_command_that_succeeds_prints_two_lines(self):
        said = self.assert_passes("scripts/quietly", "build", "sh", "-c", "seq 1000")
        self.assertEqual(len(said.splitlines()), 2)
        self.assertIn("1000", (self.root / ".build/logs/build.log").read_text())

    def test_one_that_fails_prints_what_it_said_from_its_first_error_on(self):
        said = self.assert_refuses(
            "error: no such type", "scripts/quietly", "build", "sh", "-c",
            "seq 999; echo a.swift:1: error: no such type; exit 3")
        self.assertNotIn("998", said)


if __name__ == "__main__":
    unittest.main()
