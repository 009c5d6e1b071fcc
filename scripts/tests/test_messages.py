"""Messages: each text that a user can meet is on the page, and each text of the page is in the code."""

import unittest

from scratch import ScratchCase

PAGE = "Sources/Reactor/Reactor.docc/Messages.md"
SWIFT = r'''
public enum LaneError: Error {
  case full(String, count: Int)
  case gone, late
  /// "no text of a comment"
  var description: String {
    switch self {
    case .full(let lane, let count):
      "the lane '\(lane)' has \(count) actions: "
        + (count == 1 ? "one of them waits" : "all of them wait") + "; send less"
    case .gone: "the lane is gone; it was \(name ?? "a lane without name")"
    case .late: #"it says "\#(name)" too late"#
    }
  }
}
'''
LANES = """# Messages

| Message | `LaneError` | When | What to do |
|---|---|---|---|
| `the lane '‹lane›' has ‹number› actions: ‹which›; send less` | `full` | It is full. | Send less. |
| `one of them waits`, `all of them wait` | `full` | Which. | Send less. |
| `the lane is gone; it was ‹lane›` | `gone` | It ended. | Make another. |
| `a lane without name` | `gone` | It ended. | Make another. |
| `it says "‹name›" too late` | `late` | It waited. | Be earlier. |
"""


class Messages(ScratchCase):
    def setUp(self):
        super().setUp()
        self.take("check-messages")
        script = self.root / "scripts/check-messages"
        text = script.read_text()
        # The scratch tree has neither the library's enums nor the texts of OTHERS.
        begins, ends = text.index("OTHERS = {"), text.index("\n}\n")
        text = text[:begins] + 'OTHERS = {"help": ["leave the whole program"]' + text[ends:]
        begins, ends = text.index("ENUMS = ["), text.index("STATEMENT =")
        script.write_text(text[:begins] + "ENUMS = []\n" + text[ends:])
        self.write("Sources/Reactor/Lane.swift", SWIFT)
        self.write("Sources/ReactorREPL/Help.swift", 'let help = "leave the whole program"\n')
        self.write(PAGE, LANES)

    def refuses(self, reason):
        self.assert_refuses(reason, "scripts/check-messages")

    def write_more(self, text):
        self.write("Sources/Reactor/More.swift", text)

    def test_a_page_with_all_of_them_passes(self):
        self.assertIn("6 messages", self.assert_passes("scripts/check-messages"))

    def test_a_text_that_is_not_on_the_page_is_named(self):
        self.write_more('precondition(limit > 0, "a lane is full with \\(limit)")\n')
        self.refuses(f"Sources/Reactor/More.swift: {PAGE} lacks: a lane is full with …")

    def test_a_text_of_several_lines_is_one(self):
        self.write_more('let text = """\n  a lane takes \\\n  one action\n  """\n')
        self.refuses("lacks: a lane takes one action")

    def test_what_is_added_to_a_text_is_computed(self):
        self.write_more('let text = name.joined(", ") + " wait in it: " + lane.name(of: "x")\nlet other = 1\n')
        self.refuses("lacks: … wait in it: …")

    def test_a_text_of_the_page_that_is_gone_is_named(self):
        self.write(PAGE, LANES.replace("Be earlier. |", "Be earlier. |\n| `a lane is no lane` | `late` | Never. | Nothing. |"))
        self.refuses(f"{PAGE}:10: Sources does not say: a lane is no lane")

    def test_a_case_that_is_not_on_the_page_is_named(self):
        self.write("Sources/Reactor/Lane.swift", SWIFT.replace("case gone, late", "case gone, late\n  case early"))
        self.refuses("LaneError has a case early")

    def test_a_case_may_begin_with_a_dot(self):
        self.write(PAGE, LANES.replace("| `late` |", "| `.late` |"))
        self.assert_passes("scripts/check-messages")

    def test_a_span_that_is_no_case_is_named(self):
        self.write(PAGE, LANES.replace("| `late` |", "| `(late)` |"))
        self.refuses(f"{PAGE}:9: (late) is no case of LaneError")

    def test_a_case_of_the_page_that_is_gone_is_named(self):
        self.write("Sources/Reactor/Lane.swift", SWIFT.replace("case gone, late", "case gone"))
        self.refuses("LaneError has no case late")

    def test_an_error_without_a_column_is_named(self):
        self.write_more("public enum InboxError: Error {\n  case full\n}\n")
        self.refuses("InboxError of Sources/Reactor/More.swift is not there")

    def test_an_error_of_the_library_alone_needs_no_column(self):
        self.write_more("enum InboxError: Error {\n  case full\n}\n")
        self.assert_passes("scripts/check-messages")

    def test_each_row_says_when_and_what_to_do(self):
        self.write(PAGE, LANES.replace("Be earlier.", ""))
        self.refuses(f"{PAGE}:9: nothing in the column What to do")

    def test_a_row_has_all_columns(self):
        self.write(PAGE, LANES.replace(" Be earlier. |", ""))
        self.refuses(f"{PAGE}:9: 3 columns; the head has 4")

    def test_a_bar_in_a_text_does_not_end_its_column(self):
        self.write_more('let text = "take the | away"\n')
        self.write(PAGE, LANES + "| `take the \\| away` | `late` | Always. | So. |\n")
        self.assert_passes("scripts/check-messages")

    def test_short_texts_and_statements_to_a_database_do_not_count(self):
        self.write_more('let words = ["two words", "select kind from owner where id = $1", "DELETE FROM entry WHERE id = ?"]\n')
        self.assert_passes("scripts/check-messages")

    def test_a_program_of_this_package_does_not_count(self):
        self.write("Sources/CounterDemo/Counter.swift", 'let text = "there is nothing to undo"\n')
        self.assert_passes("scripts/check-messages")

    def test_what_is_left_out_has_to_be_there(self):
        self.write("Sources/ReactorREPL/Help.swift", "")
        self.refuses("Sources does not say any more: leave the whole program")


if __name__ == "__main__":
    unittest.main()
