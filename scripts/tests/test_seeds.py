"""The tables of seeds: every row has a test, and every test that a row names exists."""

import unittest

from scratch import ScratchCase

PAGE = "docs/seeds.md"
TEXT = """# The seeds

There are 2 concepts and 1 parts.

## Concepts

| Seed | Concept | Here | Test |
|---|---|---|---|
| Flux | a dispatcher | a group | `GroupTests`: *every store gets every action* |
| Saga | take | a stream | `GroupTests`, *a stream has actions*; `OtherTests` |

## The GitHub app

| Part | Here | Test |
|---|---|---|
| a list | a reactor | `test_a_list`; *a stream has actions* |
"""
SUITE = """@Suite(.bounded)
@MainActor struct GroupTests {
  @Test func `every store gets every action`() {}
  @Test(arguments: [1, 2]) func `a stream has actions`(number: Int) {}
}
"""


class Seeds(ScratchCase):
    def setUp(self):
        super().setUp()
        self.take("check-seeds")
        self.write(PAGE, TEXT)
        self.write("Tests/ReactorTests/GroupTests.swift", SUITE)
        self.write("Tests/ReactorTests/OtherTests.swift", "@Suite(.bounded) struct OtherTests {}\n")
        self.write("Examples/Demo/Tests/Browser/test_pages.py", "class Pages:\n    def test_a_list(self):\n        pass\n")

    def refuses(self, reason):
        self.assert_refuses(reason, "scripts/check-seeds")

    def change(self, old, new):
        self.assertIn(old, TEXT)
        self.write(PAGE, TEXT.replace(old, new))

    def test_tables_whose_tests_exist_pass(self):
        self.assertIn("3 rows of seeds", self.assert_passes("scripts/check-seeds"))

    def test_a_title_that_no_suite_has_is_named(self):
        self.change("*every store gets every action*", "*every store gets none*")
        self.refuses("a dispatcher: GroupTests has no test 'every store gets none'")

    def test_a_title_of_another_suite_does_not_count(self):
        self.change("*a stream has actions*; `OtherTests`", "`OtherTests`: *a stream has actions*")
        self.refuses("take: OtherTests has no test 'a stream has actions'")

    def test_a_suite_that_does_not_exist_is_named(self):
        self.change("`OtherTests`", "`GoneTests`")
        self.refuses("take: there is no suite GoneTests")

    def test_a_suite_that_is_only_mentioned_is_none(self):
        self.write("Tests/ReactorTests/OtherTests.swift", "// OtherTests are gone.\nstruct OtherTests {}\n")
        self.refuses("take: there is no suite OtherTests")

    def test_a_function_that_does_not_exist_is_named(self):
        self.change("`test_a_list`", "`test_two_lists`")
        self.refuses("a list: there is no function test_two_lists")

    def test_a_title_alone_is_of_any_suite(self):
        self.change("`test_a_list`; *a stream has actions*", "`test_a_list`; *a stream has none*")
        self.refuses("a list: there is no test 'a stream has none'")

    def test_a_row_without_a_test_is_named(self):
        self.change("`test_a_list`; *a stream has actions*", "")
        self.refuses("a list: it has no test")

    def test_words_outside_of_names_are_refused(self):
        self.change("`OtherTests` |", "`OtherTests` and more |")
        self.refuses("take: 'a' is outside of names")

    def test_the_page_says_how_many_rows_there_are(self):
        self.change("2 concepts", "51 concepts")
        self.refuses("Concepts has 2 rows; the page says 51")

    def test_a_concept_is_in_one_row(self):
        self.change("| Saga | take |", "| Saga | a dispatcher |")
        self.refuses("a dispatcher is twice under Concepts")


if __name__ == "__main__":
    unittest.main()
