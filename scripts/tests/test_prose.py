"""Prose: Swift's own words, in pages and in comments."""

import unittest

from scratch import ScratchCase


class Prose(ScratchCase):
    def setUp(self):
        super().setUp()
        self.take("check-prose")

    def refuses(self, path, text, reason):
        self.write(path, text)
        self.assert_refuses(reason, "scripts/check-prose")

    def passes(self, path, text):
        self.write(path, text)
        self.assert_passes("scripts/check-prose")

    def test_swifts_own_words_pass(self):
        self.passes("README.md", "It is released, queued and specialised.\n")

    def test_what_is_released_is_not_let_go(self):
        self.refuses("README.md", "One.\nThen it is let go.\n", "README.md:2: 'let go': say released")

    def test_what_is_queued_is_not_in_line(self):
        self.refuses("docs/page.md", "It waits in line.\n", "'waits in line': say queued, inlined")

    def test_a_comment_is_read(self):
        self.refuses("Sources/Kit/A.swift", 'let a = 1  // Let go of.\n', "A.swift:1: 'Let go'")

    def test_code_is_not_read(self):
        self.passes("Sources/Kit/A.swift", 'print("let go")\nlet url = "https://let go"\n')

    def test_a_block_of_a_page_is_not_read(self):
        self.passes("README.md", "So:\n\n```\nlet go\n```\n")


if __name__ == "__main__":
    unittest.main()
