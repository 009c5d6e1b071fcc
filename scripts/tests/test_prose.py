"""Prose: each rule of scripts/check-prose, its exception, what is read and what is not, and the counts."""

import unittest

from scratch import ScratchCase


class Tree(ScratchCase):
    def setUp(self):
        super().setUp()
        self.take("check-prose")

    def refuses(self, text, reason, path="README.md"):
        self.write(path, text)
        self.assert_refuses(reason, "scripts/check-prose")

    def passes(self, text, path="README.md"):
        self.write(path, text)
        self.assert_passes("scripts/check-prose")

    def each_is_refused(self, words, path="README.md"):
        for word in words:
            with self.subTest(word):
                self.refuses(f"Then it has {word} in it.\n", f"'{word}'", path)


class Rules(Tree):
    def test_plain_words_pass(self):
        self.passes("The action is released, queued and specialised; its observers are notified.\n")

    def test_a_thing_is_no_person(self):
        self.each_is_refused(["who", "whom", "whoever", "nobody", "somebody", "anybody", "everybody", "someone", "anyone"])

    def test_a_person_may_be_one(self):
        self.passes("An author who writes `reduce` knows it. Two users of whom one waits. People who read.\n")

    def test_the_person_is_in_the_same_sentence(self):
        self.refuses("A user waits. Nobody answers.\n", "README.md:1: 'Nobody'")
        self.refuses("- A user waits\n- nobody answers\n", "README.md:2: 'nobody'")
        self.refuses("| the user | nobody |\n", "'nobody'")

    def test_what_a_person_has_is_a_thing(self):
        self.refuses("The user's task, whoever made it.\n", "'whoever'")

    def test_the_person_comes_first(self):
        self.refuses("Whoever calls the user's closure.\n", "'Whoever'")

    def test_what_is_released_is_not_let_go(self):
        self.refuses("One.\nThen it is let go.\n", "README.md:2: 'let go': say released")
        self.each_is_refused(["lets it go", "letting go", "lets its old stream go"])

    def test_an_effect_may_go_on(self):
        self.passes("Returning would let the effect go on.\n")

    def test_an_observer_is_not_told(self):
        self.refuses("Each observer is told.\n", "'told': say notified")

    def test_a_value_does_not_stand(self):
        self.each_is_refused(["stand", "stands", "stood", "standing"])

    def test_a_sign_may_stand_for_something(self):
        self.passes("`…` stands for anything, and a stand-in stands in for the disk of the standby.\n")

    def test_no_private_terms(self):
        self.each_is_refused(["luggage", "company", "companions", "mail", "door", "doors", "errand", "heirs", "kitchen",
                              "twin", "newcomers", "passenger"])

    def test_an_email_is_one(self):
        self.passes("An e-mail is written to `mail`.\n")

    def test_a_letter_is_one_of_a_word(self):
        self.passes("/// Whatever the case of its letters.\n", "Sources/CommandShell/A.swift")
        self.passes("/// It has letters, digits and hyphens.\n", "Sources/Reactor/A.swift")

    def test_a_request_is_no_letter(self):
        self.refuses("/// Each letter is answered.\n", "'letter': say request", "Sources/Reactor/A.swift")

    def test_a_room_may_be_one(self):
        self.passes("Each room is a reactor; a room of two rooms, and a chat room.\n")

    def test_capacity_is_no_room(self):
        self.refuses("The inbox has room for two.\n", "'has room': say capacity")
        self.refuses("It waits for\nroom.\n", "'for room'")
        self.refuses("Room for two calls.\n", "'Room for'")

    def test_what_is_queued_is_not_in_line(self):
        self.refuses("It is in line.\n", "'is in line': say queued, inlined")

    def test_spelling(self):
        self.refuses("It is specialized.\n", "say specialised")


class Places(Tree):
    def test_pages_are_read(self):
        for path in ["CONTRIBUTING.md", "docs/page.md", "docs/decisions/0001-one.md", "Sources/Kit/Kit.docc/Kit.md",
                     "Sources/Demo/README.md", "Examples/Demo/README.md"]:
            with self.subTest(path):
                self.refuses("Nobody waits.\n", f"{path}:1: 'Nobody'", path)

    def test_comments_of_every_folder_are_read(self):
        for path in ["Sources/Kit/A.swift", "Sources/Reactor/Engine/A.swift", "Examples/Demo/A.swift"]:
            with self.subTest(path):
                self.refuses("let a = 1  // Let go of.\n", "A.swift:1: 'Let go'", path)

    def test_a_phrase_goes_on_in_the_next_line(self):
        self.refuses("/// It is let\n/// go.\n", "A.swift:1: 'let go'", "Sources/Kit/A.swift")

    def test_scripts_are_read(self):
        self.refuses("# Nobody waits.\n", ".ci/run:1: 'Nobody'", ".ci/run")
        self.refuses('"""One.\n\nNobody waits.\n"""\n', "scripts/a:3: 'Nobody'", "scripts/a")

    def test_names_of_tests_are_read(self):
        self.names_are_read("Tests/KitTests/A.swift")
        self.names_are_read("Examples/Demo/Tests/DemoTests/A.swift")

    def names_are_read(self, path):
        self.refuses("@Test func `nobody waits`() {}\n", f"{path}:1: 'nobody'", path)
        self.refuses("@Test\nfunc nobodyWaits() {}\n", f"{path}:2: 'nobody'", path)
        self.refuses('@Test("nobody waits", .bounded) func a() {}\n', "'nobody'", path)
        self.refuses('@Suite("nobody waits") struct A {}\n', "'nobody'", path)
        self.refuses("struct `nobody waits` {}\n", "'nobody'", path)

    def test_each_name_is_a_sentence_of_its_own(self):
        self.refuses("func aUserWaits() {}; func nobodyWaits() {}\n", "'nobody'", "Tests/KitTests/A.swift")

    def test_code_is_not_read(self):
        self.passes('print("let go")\nlet url = "https://nobody"\nlet nobody = """\n  // let go\n  """\n',
                    "Sources/Kit/A.swift")
        self.passes('// A comment: nobody waits.\nlet nobody = "told"\n', "Tests/KitTests/A.swift")

    def test_the_name_of_a_parameter_is_code(self):
        self.passes("/// - Parameter letters: All.\n/// - Parameters:\n///   - letters: All.\n", "Sources/Reactor/A.swift")

    def test_a_block_of_a_page_is_not_read(self):
        self.passes("So:\n\n```\nlet go\n```\n\nHere `nobody` and [this](nobody.md).\n")

    def test_a_block_of_a_comment_is_not_read(self):
        self.passes("/// So:\n/// ```swift\n/// // let go\n/// ```\n", "Sources/Kit/A.swift")

    def test_what_is_built_is_not_read(self):
        self.passes("// Nobody.\n", "Sources/Kit/.build/A.swift")


class Counts(Tree):
    def test_they_are_of_each_folder(self):
        self.write("README.md", "Nobody, and nobody.\n")
        self.write("Sources/Kit/A.swift", "// Nobody.\n")
        self.write("Sources/Kit/B/A.swift", "// Nobody is told.\n")
        self.write("docs/a.md", "Nobody.\n")
        counts = self.assert_passes("scripts/check-prose", "--count")
        self.assertEqual([line.split() for line in counts.splitlines()],
                         [["2", "README.md"], ["3", "Sources"], ["3", "Sources/Kit"], ["1", "docs"], ["6", "all"]])

    def test_no_other_option_is_known(self):
        self.assert_refuses("usage: scripts/check-prose", "scripts/check-prose", "--all")


if __name__ == "__main__":
    unittest.main()
