"""Samples: each feature of the core is in the table, and its samples use it."""

import re
import unittest

from scratch import ScratchCase

DOCC = "Sources/Reactor/Reactor.docc"
PAGE = f"{DOCC}/Samples.md"
TABLE = """# Samples

| Program | What it is |
|---|---|
| `Examples/Bar` | a bar |

| Feature | Names | Sample |
|---|---|---|
| lanes | `Lane`, `depth(ofLane:)` | `Examples/Bar` |
| stopping | `stop(_:)` | <doc:Ending> |
| several as one | `sendTogether(_:)` | `Tests/DocumentationTests/EndingTests.swift` |
"""
BAR = """
let lane = Lane("bar")  // never Shelf
let depth = await bar.depth(ofLane: lane)
print("no Shelf")
"""


class Samples(ScratchCase):
    def setUp(self):
        super().setUp()
        self.take("check-samples")
        script = self.root / "scripts/check-samples"
        text = re.sub(r"PASSIVE = \{.*?\n\}\n", 'PASSIVE = {"inferred": ["StopReceipt"]}\n', script.read_text(), flags=re.S)
        script.write_text(text)
        for product in ["ReactorComposition", "ReactorDependencies", "ReactorObservation"]:
            self.write(f"Sources/{product}/{product}.docc/{product}.md", "# Product\n\n## Topics\n\n- <doc:Ending>\n")
        self.write_topics("Lane", "Reactor/Reactor/depth(ofLane:)", "Reactor/Reactor/stop(_:within:)", "StopReceipt",
                          "Reactor/Reactor/sendTogether(_:)")
        self.write("Examples/Bar/Bar.swift", BAR)
        self.write(f"{DOCC}/Ending.md", "# Ending\n\nCall `drain()`.\n\n```swift\nbar.stop(.drain)\n```\n")
        self.write("Tests/DocumentationTests/EndingTests.swift", "bar.sendTogether([1, 2])\n")
        self.write(PAGE, TABLE)

    def write_topics(self, *symbols):
        listed = "".join(f"- ``{symbol}``\n" for symbol in symbols)
        self.write(f"{DOCC}/Reactor.md", f"# Reactor\n\n## Topics\n\n### All\n\n{listed}")

    def add_row(self, row):
        self.write(PAGE, TABLE + row + "\n")

    def refuses(self, reason):
        self.assert_refuses(reason, "scripts/check-samples")

    def test_a_table_whose_samples_use_all_of_it_passes(self):
        self.assert_passes("scripts/check-samples")

    def test_a_feature_without_a_row_is_named(self):
        self.write_topics("Lane", "Reactor/Reactor/depth(ofLane:)", "Reactor/Reactor/stop(_:within:)", "StopReceipt",
                          "Reactor/Reactor/sendTogether(_:)", "SharedState")
        self.refuses("no row has SharedState")

    def test_a_name_that_no_sample_uses_is_named(self):
        self.add_row("| shelves | `Lane`, `Shelf` | `Examples/Bar` |")
        self.refuses("no sample of the row uses Shelf")

    def test_a_sample_that_uses_no_name_is_named(self):
        self.add_row("| lanes | `Lane` | `Examples/Bar`, <doc:Ending> |")
        self.refuses("Ending uses none of Lane")

    def test_a_function_has_its_labels(self):
        self.add_row("| depth | `depth(ofInbox:)` | `Examples/Bar` |")
        self.refuses("no sample of the row uses depth(ofInbox:)")

    def test_a_word_is_no_call(self):
        self.add_row("| a lane | `lane(_:)` | `Examples/Bar` |")
        self.refuses("no sample of the row uses lane(_:)")

    def test_the_text_of_a_page_is_no_sample(self):
        self.add_row("| draining | `drain()` | <doc:Ending> |")
        self.refuses("no sample of the row uses drain()")

    def test_a_sample_that_is_gone_is_named(self):
        self.add_row("| lanes | `Lane` | `Examples/Shop` |")
        self.refuses("there is no code in Examples/Shop")

    def test_what_needs_no_sample_is_still_listed(self):
        self.write_topics("Lane", "Reactor/Reactor/depth(ofLane:)", "Reactor/Reactor/stop(_:within:)",
                          "Reactor/Reactor/sendTogether(_:)")
        self.refuses("no page of a product lists StopReceipt any more")


if __name__ == "__main__":
    unittest.main()
