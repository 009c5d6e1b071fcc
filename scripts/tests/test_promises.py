"""Promises: one numbered list, a file of tests for each, and the READMEs' five are among them."""

import unittest

from scratch import ScratchCase

PAGE = "Sources/Reactor/Reactor.docc/Guarantees.md"
NAMES = ["Order", "Every state", "Errors", "Hooks", "Lifetime", "One per key"]
LIST = "There are 6 promises.\n\n" + "".join(f"{number}. **{name}.** So it is.\n" for number, name in enumerate(NAMES, 1))
README = ("# Reactor\n\n## Promises\n\n" + "".join(f"- **{name}.** So it is.\n" for name in NAMES[:5])
          + "\nFive of [6 promises](Guarantees.md).\n\n## Learn it\n")
TRANSLATION = ("# Reactor\n\n## 約束\n\n" + "".join(f"- **訳（{name}）。** はい。\n" for name in NAMES[:5])
               + "\n[6 の約束](Guarantees.md)\n\n## 学ぶ\n")


class Promises(ScratchCase):
    def setUp(self):
        super().setUp()
        self.take("check-promises")
        self.write(PAGE, LIST)
        self.write("README.md", README)
        self.write("README.ja.md", TRANSLATION)
        for name in ["Order", "EveryState", "Errors", "Hooks", "Lifetime", "OnePerKey"]:
            self.write(f"Tests/ReactorTests/Promises/{name}Tests.swift", "@Test func `it is so`() {}\n")

    def refuses(self, reason):
        self.assert_refuses(reason, "scripts/check-promises")

    def test_a_list_with_its_tests_passes(self):
        self.assert_passes("scripts/check-promises")

    def test_a_promise_without_a_file_is_named(self):
        (self.root / "Tests/ReactorTests/Promises/OnePerKeyTests.swift").unlink()
        self.refuses("promise 6, One per key: there is no Tests/*/Promises/OnePerKeyTests.swift")

    def test_a_file_without_a_test_is_none(self):
        self.write("Tests/ReactorTests/Promises/HooksTests.swift", "// Later.\n")
        self.refuses("HooksTests.swift has no test")

    def test_a_promise_outside_the_list_is_named(self):
        self.write(PAGE, LIST + "\n## Beside these\n\n**Children.** They end with their parent.\n")
        self.refuses("Children stands outside the list")

    def test_numbers_go_on_without_a_gap(self):
        self.write(PAGE, LIST.replace("6. ", "7. "))
        self.refuses("not numbered from 1 on")

    def test_the_page_says_how_many_there_are(self):
        self.write(PAGE, LIST.replace("6 promises", "5 promises"))
        self.refuses("Guarantees.md: says 5 promises; there are 6")

    def test_the_readme_says_how_many_there_are(self):
        self.write("README.md", README.replace("6 promises", "21 promises"))
        self.refuses("README.md: says 21 promises; there are 6")

    def test_the_readme_shows_five(self):
        self.write("README.md", README.replace("- **Hooks.** So it is.\n", ""))
        self.refuses("README.md: it shows 4 promises, not 5")

    def test_the_readme_shows_them_by_their_names(self):
        self.write("README.md", README.replace("**Hooks.**", "**Hook.**"))
        self.refuses("README.md: Hook is no promise")

    def test_the_translation_shows_the_same(self):
        self.write("README.ja.md", TRANSLATION.replace("（Hooks）", "（One per key）"))
        self.refuses("README.ja.md: it shows Order, Every state, Errors, One per key, Lifetime")


if __name__ == "__main__":
    unittest.main()
