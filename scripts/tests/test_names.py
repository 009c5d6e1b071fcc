"""Names: each name between backticks in a page is in the code, or in the list of other names."""

import unittest

from scratch import ScratchCase

PAGE = "Sources/Reactor/Reactor.docc/Page.md"
SWIFT = """
public struct Lane {  // Not a `Queue`.
  case failed(String, code: Int)
  public func debounced<C: Clock>(for time: Duration = .zero, _ then: (Int, Int) -> Void, clock: C) -> Lane {}
}
"""


class Names(ScratchCase):
    def setUp(self):
        super().setUp()
        self.take("check-names")
        self.write("Sources/Reactor/Lane.swift", SWIFT)
        self.write("Sources/Reactor/Lane+Times.swift", "")
        self.write("Package.swift", 'let package = Package(name: "Reactor")\n')
        self.write("scripts/other-names", "# Whose.\n\nOurs: Elsewhere\n")
        self.write("Sources/Reactor/Reactor.docc/Other.md", "`Elsewhere` has " + "many words " * 30)

    def says(self, page):
        self.write(PAGE, page)
        return self.assert_passes("scripts/check-names")

    def refuses(self, page, name):
        self.write(PAGE, page)
        self.assert_refuses(f"{PAGE}: there is no {name}", "scripts/check-names")

    def test_what_is_there_may_be_said(self):
        self.says("`Lane`, `.failed`, ``Lane/debounced(for:_:clock:)``, `Lane.clock`, `failed(_:code:)`")

    def test_a_type_that_is_not_there_is_named(self):
        self.refuses("A `Lanes` holds them.", "Lanes")

    def test_a_method_that_is_not_there_is_named(self):
        self.refuses("Call `throttled`.", "throttled")

    def test_a_link_is_a_name_too(self):
        self.refuses("See ``Lane/throttled(for:)``.", "Lane/throttled(for:)")

    def test_a_label_that_is_not_there_is_named(self):
        self.refuses("Call `debounced(by:)`.", "debounced(by:)")

    def test_labels_stand_in_their_order(self):
        self.refuses("Call `debounced(clock:for:)`.", "debounced(clock:for:)")

    def test_an_argument_with_a_default_may_be_left_out(self):
        self.says("Call `debounced(_:clock:)`.")

    def test_a_comment_is_no_proof(self):
        self.refuses("It was a `Queue`.", "Queue")

    def test_a_block_of_the_page_is_code(self):
        self.says("The `Counter`:\n\n```swift\nactor Counter {}\n```\n")

    def test_a_block_is_not_looked_at_for_names(self):
        self.says("So:\n\n```\n`Nothing`\n```\n")

    def test_an_example_that_the_page_names_is_code(self):
        self.write("Examples/Office/main.swift", "actor Room {}\n")
        self.says("`Examples/Office` has a `Room`.")

    def test_what_is_no_name_is_passed_by(self):
        self.says("`kill -9`, `make demo`, `await emit(m)`, `send { $0 }`, `main.swift`")

    def test_other_peoples_names_are_on_the_list(self):
        self.says("Like `Elsewhere`.")

    def test_a_name_on_the_list_that_nobody_says_is_named(self):
        self.write("scripts/other-names", "Ours: Elsewhere Nobody\n")
        self.assert_refuses("no page names Nobody any more", "scripts/check-names")

    def test_a_file_that_a_page_of_a_program_names_is_there(self):
        self.write("Sources/Demo/Screens/List.swift", "")
        self.write("Sources/Demo/README.md", "`Screens/List.swift`, `List.swift`, `Screens/Editor.swift`\n")
        said = self.assert_refuses("there is no file Screens/Editor.swift", "scripts/check-names")
        self.assertNotIn("List.swift", said)

    def test_a_word_of_the_glossary_is_one_that_the_code_uses(self):
        rows = "| Word | What it means |\n|---|---|\n| lane | one |\n| canal | another |\n\n"
        self.write("CONTRIBUTING.md", rows)
        said = self.assert_refuses("no code uses the word canal", "scripts/check-names")
        self.assertNotIn("word lane", said)

    def test_pages_on_testing_are_a_third_at_most(self):
        self.write("Sources/Reactor/Reactor.docc/TestingMore.md", "word " * 40)
        self.assert_refuses("40 of 102 words; not over a third", "scripts/check-names")


if __name__ == "__main__":
    unittest.main()
