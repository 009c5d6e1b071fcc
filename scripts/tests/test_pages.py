"""Pages: a block of Swift is in code that is compiled, and a translation has the blocks of its original."""

import unittest

from scratch import ScratchCase

DOCC = "Sources/Reactor/Reactor.docc"
BLOCK = "```swift\nlet lane = Lane()  // one\nlane.open()\n```\n"
CODE = "func test() {\n  let lane = Lane()\n  check(lane)\n  lane.open()\n}\n"


class Pages(ScratchCase):
    def setUp(self):
        super().setUp()
        self.take("check-pages", "readme-package")
        self.write("Tests/DocumentationTests/PageTests.swift", CODE)
        pages = [f"{DOCC}/{name}{end}.md" for name in ["GettingStarted", "ComingFromReactorKit"] for end in ["", "InJapanese"]]
        for path in ["README.md", "README.ja.md", *pages]:
            self.write(path, f"# A page\n\n## A part\n\n{BLOCK}")
        self.write("docs/decisions/README.md", "# Decisions\n")

    def refuses(self, reason):
        self.assert_refuses(reason, "scripts/check-pages")

    def test_blocks_that_are_compiled_pass(self):
        self.assertIn("6 blocks of Swift, all compiled", self.assert_passes("scripts/check-pages"))

    def test_a_line_that_is_compiled_nowhere_is_named(self):
        self.write(f"{DOCC}/Lanes.md", BLOCK.replace("open", "close"))
        self.refuses("Lanes.md:2: no compiled file has all of this")

    def test_lines_stand_in_their_order(self):
        self.write(f"{DOCC}/Lanes.md", "```swift\nlane.open()\nlet lane = Lane()\n```\n")
        self.refuses("Lanes.md:2: no compiled file has all of this")

    def test_a_block_of_somebody_elses_is_passed_by(self):
        self.write(f"{DOCC}/Lanes.md", "<!-- not ours: Rx -->\n```swift\nlane.subscribe()\n```\n")
        self.assert_passes("scripts/check-pages")

    def test_a_block_of_swift_is_marked_as_such(self):
        self.write(f"{DOCC}/Lanes.md", "So:\n\n```\nlet lane = Lane()\n```\n")
        self.refuses("Lanes.md: a block looks like Swift, and is not marked: let l…")

    def test_a_block_of_another_language_is_passed_by(self):
        self.write(f"{DOCC}/Lanes.md", "So:\n\n```js\nlet lane = 1\n```\n\n```\nlane: opened\n```\n")
        self.assert_passes("scripts/check-pages")

    def test_a_block_behind_one_of_another_language_is_looked_at(self):
        self.write(f"{DOCC}/Lanes.md", "So:\n\n```js\nlane = 1\n```\n\nThen:\n\n```\nlet lane = Lane()\n```\n")
        self.refuses("Lanes.md: a block looks like Swift, and is not marked: let l…")

    def test_a_translation_has_the_blocks_of_its_original(self):
        self.write("README.ja.md", "# 訳\n\n## 部\n\n```swift\nlane.open()\n```\n")
        self.refuses("README.ja.md: block 1 of Swift is not that of README.md")

    def test_a_block_is_not_left_out_of_a_translation(self):
        self.write(f"{DOCC}/GettingStarted.md", f"# A page\n\n## A part\n\n{BLOCK}\n{BLOCK}")
        self.refuses("GettingStartedInJapanese.md: block 2 of Swift")

    def test_a_part_is_not_left_out_of_a_translation(self):
        self.write("README.md", f"# A page\n\n## A part\n\n{BLOCK}\n## Another\n")
        self.refuses("README.ja.md: 1 headings; README.md has 2")

    def test_a_link_leads_to_a_file(self):
        self.write("CONTRIBUTING.md", "See [the page](docs/nothing.md).\n")
        self.refuses("CONTRIBUTING.md: there is no docs/nothing.md")

    def test_a_link_by_name_leads_to_a_file(self):
        self.write("CONTRIBUTING.md", "See [the page][page].\n\n[page]: docs/nothing.md\n")
        self.refuses("CONTRIBUTING.md: there is no docs/nothing.md")

    def test_a_link_leads_to_a_heading(self):
        self.write("CONTRIBUTING.md", "See [a part](README.md#a-part) and [another](README.md#another-part).\n")
        said = self.assert_refuses("README.md has no heading #another-part", "scripts/check-pages")
        self.assertNotIn("#a-part", said)

    def test_a_link_to_elsewhere_is_passed_by(self):
        self.write("CONTRIBUTING.md", "See [there](https://example.org/nothing).\n")
        self.assert_passes("scripts/check-pages")

    def test_a_page_that_is_not_there_is_named(self):
        self.write(f"{DOCC}/Lanes.md", "See <doc:GettingStarted>, <doc:/Reactor/Effects>.\n")
        said = self.assert_refuses("Lanes.md: there is no page Effects", "scripts/check-pages")
        self.assertNotIn("page GettingStarted", said)

    def test_each_decision_is_in_the_index(self):
        self.write("docs/decisions/0001-lanes.md", "# Lanes\n")
        self.refuses("0001-lanes.md is not in the index")

    def test_the_readmes_package_is_written_file_by_file(self):
        self.write("README.md", "`Counter/Package.swift`\n\n```swift\n// one\n```\n\n"
                   "`Counter/Sources/Counter/main.swift`\n\n```swift\n// two\n```\n")
        self.assert_passes("scripts/readme-package", str(self.root / "new"))
        self.assertEqual((self.root / "new/Package.swift").read_text(), "// one\n")
        self.assertEqual((self.root / "new/Sources/Counter/main.swift").read_text(), "// two\n")

    def test_a_readme_without_a_package_is_an_error(self):
        self.assert_refuses("README.md has no block of Swift below the name", "scripts/readme-package", "new")


if __name__ == "__main__":
    unittest.main()
