"""The picture of the targets: drawn from the manifest, compared with it, and with a sentence for each target."""

import unittest

from scratch import ScratchCase

MANIFEST = """// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]
let onServer = TargetDependencyCondition.when(traits: ["Server"])
let grdb = Target.Dependency.product(
  name: "GRDB", package: "GRDB.swift", condition: onServer)
let sqlite: Target.Dependency = .product(name: "GRDBSQLite", package: "GRDB.swift")

let package = Package(
  name: "Kit",
  products: [.library(name: "Kit", targets: ["Kit"])],
  traits: [.default(enabledTraits: []), .trait(name: "Server", description: "What // it needs.")],
  dependencies: [.package(url: "https://example.org/GRDB.swift", from: "7.0.0")],
  targets: [
    // The core; not .target(name: "Old").
    .target(name: "Kit", dependencies: ["KitMachines"], swiftSettings: strict),
    .target(name: "KitMachines", swiftSettings: strict),
    .target(name: "Lists"),
    .systemLibrary(name: "CReadline", providers: [.apt(["libreadline-dev"])]),
    .target(
      name: "KitServer",
      dependencies: ["Kit", "KitMachines", "ServerTrait", "CReadline", grdb, sqlite],
      swiftSettings: strict),
    .target(name: "ServerTrait"),
    /* .target(name: "Older"), */
    .target(
      name: "KitTesting",
      dependencies: ["Kit", "KitServer", .target(name: "Lists"), .product(name: "Dump", package: "swift-dump")]),
    .executableTarget(name: "Demo", dependencies: ["KitServer"], path: "Examples/Demo"),
    .testTarget(name: "KitTests", dependencies: ["Kit", "TestLimits"]),
    .target(name: "TestLimits", path: "Tests/TestLimits"),
  ],
  swiftLanguageModes: [.v6]
)

if Context.environment["KIT_ALL"] == nil {
  package.targets.removeAll { ["Demo"].contains($0.name) }
}
"""
BLOCK = """```mermaid
%%{init: {"flowchart": {"nodeSpacing": 14, "rankSpacing": 40, "padding": 8}}}%%
graph TB
  %% A --> B: A depends on B; more dashes span more rows. ~~~ is not drawn: it keeps a target in the lowest row.

  KitTesting --> KitServer
  KitTesting ----> Lists

  KitServer --> Kit

  Kit --> KitMachines

  KitMachines
  Lists

  %% What each of these uses from outside the package:
  KitServer["KitServer<br><small>CReadline<br>GRDB.swift</small>"]
  KitTesting["KitTesting<br><small>swift-dump</small>"]
```
"""
BEGIN, END = "<!-- targets: made by scripts/targets -->\n", "<!-- end of targets -->\n"
SENTENCES = """- `KitMachines` decides what `Kit` does.
- `Lists` compares lists.
- `Kit` does
  it.
- `KitServer` serves it.
- `KitTesting` tests it.
"""
PAGE = f"# Contributing\n\n{BEGIN}{BLOCK}{END}\n{SENTENCES}\nMore.\n\n- `Nothing` is another list.\n"


class Tree(ScratchCase):
    def setUp(self):
        super().setUp()
        self.take("targets")
        self.write("Package.swift", MANIFEST)
        self.write("CONTRIBUTING.md", PAGE)

    def page(self):
        return (self.root / "CONTRIBUTING.md").read_text()

    def change(self, before, after):
        """Changes the manifest."""
        self.assertIn(before, MANIFEST)
        self.write("Package.swift", MANIFEST.replace(before, after))

    def refuses(self, reason):
        said = self.assert_refuses(reason, "scripts/targets")
        self.assertEqual(len(said.splitlines()), 1, said)


class Picture(Tree):
    def test_a_picture_of_the_manifest_passes(self):
        self.assertEqual(self.assert_passes("scripts/targets"), "")

    def test_it_is_drawn_between_the_comments_and_nothing_else_changes(self):
        self.write("CONTRIBUTING.md", PAGE.replace(BLOCK, "Old.\n"))
        self.assert_passes("scripts/targets", "--write")
        self.assertEqual(self.page(), PAGE)

    def test_it_is_not_drawn_without_being_asked(self):
        self.write("CONTRIBUTING.md", PAGE.replace(BLOCK, ""))
        self.assert_refuses("run scripts/targets --write", "scripts/targets")
        self.assertEqual(self.page(), PAGE.replace(BLOCK, ""))

    def test_a_new_dependency_is_named(self):
        self.change('"Lists"', '"Lists", dependencies: ["Kit"]')
        self.refuses("CONTRIBUTING.md: the picture of the targets lacks `Lists --> Kit`")

    def test_a_dependency_that_is_gone_is_named(self):
        self.change(', dependencies: ["KitMachines"]', "")
        self.refuses("it has `Kit --> KitMachines`; run scripts/targets --write")

    def test_a_new_package_is_named(self):
        self.change('package: "swift-dump"', 'package: "swift-custom-dump"')
        self.refuses('lacks `KitTesting["KitTesting<br><small>swift-custom-dump</small>"]`; it has')

    def test_lines_in_another_order_are_refused(self):
        self.write("CONTRIBUTING.md", PAGE.replace("  KitMachines\n  Lists\n", "  Lists\n  KitMachines\n"))
        self.refuses("the picture of the targets has its lines in another order")

    def test_a_target_without_arrows_is_kept_in_the_lowest_row(self):
        self.change(', .target(name: "Lists")', "")
        self.assert_passes("scripts/targets", "--write")
        self.assertIn("  KitMachines\n  Kit ~~~ Lists\n", self.page())

    def test_a_trait_s_target_that_has_dependencies_is_drawn(self):
        self.change('"ServerTrait")', '"ServerTrait", dependencies: ["Lists"])')
        self.assert_refuses("ServerTrait has no sentence", "scripts/targets", "--write")
        self.assertIn("  ServerTrait --> Lists\n", self.page())

    def test_another_name_that_ends_so_is_drawn(self):
        self.change('.target(name: "Lists")', '.target(name: "Lists"), .target(name: "PortTrait")')
        self.assert_refuses("PortTrait has no sentence", "scripts/targets", "--write")

    def test_the_comments_belong_on_the_page(self):
        for page in [PAGE.replace(BEGIN, ""), PAGE.replace(END, ""), PAGE + BEGIN, "Nothing.\n"]:
            self.write("CONTRIBUTING.md", page)
            self.refuses("the picture belongs between the lines <!-- targets: made by scripts/targets --> and")

    def test_another_option_is_refused(self):
        self.assert_refuses("usage: scripts/targets [--write]", "scripts/targets", "--draw")


class Sentences(Tree):
    def test_a_target_without_a_sentence_is_named(self):
        self.write("CONTRIBUTING.md", PAGE.replace("- `Lists` compares lists.\n", ""))
        self.refuses("CONTRIBUTING.md: Lists has no sentence")

    def test_a_list_elsewhere_is_not_looked_at(self):
        self.write("CONTRIBUTING.md", PAGE.replace("- `Lists` compares lists.\n", "") + "- `Lists` compares lists.\n")
        self.refuses("CONTRIBUTING.md: Lists has no sentence")

    def test_a_target_has_one_sentence(self):
        self.write("CONTRIBUTING.md", PAGE.replace("- `Kit` does", "- `Kit` is it.\n- `Kit` does"))
        self.refuses("CONTRIBUTING.md: Kit has 2 sentences below the picture")

    def test_a_sentence_of_no_target_is_named(self):
        self.write("CONTRIBUTING.md", PAGE.replace("- `KitServer`", "- `Demo` shows it.\n- `KitServer`"))
        self.refuses("CONTRIBUTING.md: Demo has a sentence below the picture and is no library target")

    def test_a_sentence_says_something(self):
        for words in ["", " compares lists", "."]:
            self.write("CONTRIBUTING.md", PAGE.replace("`Lists` compares lists.", f"`Lists`{words}"))
            self.refuses("CONTRIBUTING.md: Lists: what is said below the picture is no sentence")

    def test_drawing_looks_at_the_sentences_too(self):
        self.write("CONTRIBUTING.md", PAGE.replace("- `Lists` compares lists.\n", ""))
        self.assert_refuses("Lists has no sentence", "scripts/targets", "--write")


class Manifest(Tree):
    def test_an_unknown_constant_is_named(self):
        self.change("CReadline\", grdb", "CReadline\", metrics")
        self.refuses("Package.swift:23: 'metrics' is no constant that is a call")

    def test_a_constant_of_another_kind_is_named(self):
        self.change("CReadline\", grdb", "CReadline\", onServer")
        self.refuses("does not know the dependency '.when'")

    def test_a_name_that_is_made_is_refused(self):
        self.change('name: "Lists"', 'name: "Li" + "sts"')
        self.refuses("Package.swift:19: 'name:' is not a name between quotation marks")

    def test_a_list_that_is_made_is_refused(self):
        self.change("  ],\n  swiftLanguageModes", "  ] + more,\n  swiftLanguageModes")
        self.refuses("scripts/targets expects a list here")

    def test_a_condition_in_the_list_is_refused(self):
        self.change('    .target(name: "Lists"),\n', '#if os(Linux)\n    .target(name: "Lists"),\n#endif\n')
        self.refuses("Package.swift:19: scripts/targets cannot read '#if…'")

    def test_targets_that_are_added_later_are_refused(self):
        for change in ['package.targets.append(.target(name: "More"))', 'package.targets += [.target(name: "More")]']:
            self.write("Package.swift", f"{MANIFEST}{change}\n")
            self.refuses("targets are changed here")

    def test_an_unknown_kind_of_target_is_named(self):
        self.change('.target(name: "Lists")', '.macro(name: "Lists")')
        self.refuses("scripts/targets does not know the target '.macro'")

    def test_a_library_depends_on_libraries(self):
        for name in ["TestLimits", "Demo", "Missing"]:
            self.change('"Lists")', f'"Lists", dependencies: ["{name}"])')
            self.refuses(f"Lists depends on {name}, which is no library target")

    def test_a_cycle_is_named(self):
        self.change('"KitMachines", swift', '"KitMachines", dependencies: ["Kit"], swift')
        self.refuses("targets depend on each other in a cycle: Kit, KitMachines")

    def test_a_manifest_without_a_package_is_refused(self):
        self.write("Package.swift", "// swift-tools-version: 6.2\n")
        self.refuses("Package.swift:1: there is no 'let package = Package(…)'")


if __name__ == "__main__":
    unittest.main()
