"""Versions: all texts name the same one, and a release is tagged only if they agree."""

import unittest

from scratch import ScratchCase

CHANGELOG = "# Changelog\n\n## Unreleased\n\n### Added\n\n## 0.2.0\n\n### Added\n\n- A reactor.\n\n## 0.1.0\n\n- All.\n"
README = 'With Swift 6.2 or later:\n\n    .package(url: "https://example.org/Reactor", from: "0.2.0", traits: [])\n'
PAGE = 'Or fetch it: `.package(url: "<its address>", from: "0.2.0")`.\n'


class Tree(ScratchCase):
    def setUp(self):
        super().setUp()
        self.take("check-versions", "release")
        self.write("CHANGELOG.md", CHANGELOG)
        self.write("README.md", README)
        self.write("README.ja.md", README.replace(" or later", " 以降"))
        self.write("Sources/Reactor/Reactor.docc/Start.md", PAGE)
        self.write("Package.swift", "// swift-tools-version: 6.2\n")
        self.assert_passes("git", "init", "--quiet")
        self.commit()

    def commit(self):
        self.assert_passes("git", "config", "user.name", "test")
        self.assert_passes("git", "config", "user.email", "test@localhost")
        self.assert_passes("git", "add", "--all")
        self.assert_passes("git", "commit", "--quiet", "--allow-empty", "--message", "The tree")


class Versions(Tree):
    def refuses(self, reason):
        self.assert_refuses(reason, "scripts/check-versions")

    def test_all_that_agree_pass(self):
        self.assert_passes("scripts/check-versions")

    def test_a_readme_of_another_version_is_named(self):
        self.write("README.md", README.replace("0.2.0", "0.1.0"))
        self.refuses('README.md: says from: "0.1.0"')

    def test_the_translation_is_looked_at(self):
        self.write("README.ja.md", README.replace("0.2.0", "0.3.0"))
        self.refuses('README.ja.md: says from: "0.3.0"')

    def test_a_readme_without_a_line_to_copy_is_named(self):
        self.write("README.md", "Nothing.\n")
        self.refuses("README.md: no line to copy")

    def test_a_page_is_looked_at(self):
        self.write("Sources/Reactor/Reactor.docc/Start.md", PAGE.replace("0.2.0", "0.1.0"))
        self.refuses('Start.md: says from: "0.1.0"')

    def test_another_package_has_versions_of_its_own(self):
        self.write("README.md", README + '.package(url: "https://example.org/swift-log", from: "1.14.0")\n')
        self.assert_passes("scripts/check-versions")

    def test_a_changelog_begins_with_what_is_unreleased(self):
        self.write("CHANGELOG.md", CHANGELOG.replace("## Unreleased\n", ""))
        self.refuses("the first section is not `## Unreleased`")

    def test_versions_stand_from_the_newest_to_the_oldest(self):
        self.write("CHANGELOG.md", CHANGELOG.replace("## 0.1.0", "## 0.10.0"))
        self.refuses("from the newest to the oldest")

    def test_a_section_without_a_number_is_named(self):
        self.write("CHANGELOG.md", CHANGELOG.replace("## 0.1.0", "## The first"))
        self.refuses("`## The first` is not a version")

    def test_a_tag_is_not_newer_than_the_changelog(self):
        self.assert_passes("git", "tag", "0.10.0")
        self.refuses("0.10.0 is tagged")

    def test_swift_is_the_manifests(self):
        self.write("README.ja.md", README.replace("6.2 or later", "6.1 以降"))
        self.refuses("README.ja.md: names Swift 6.1")


class Release(Tree):
    def refuses(self, reason, version="0.2.0", check="true"):
        self.assert_refuses(reason, "scripts/release", version, REACTOR_CHECK=check)
        self.assertEqual(self.assert_passes("git", "tag", "--list", version).split(), [])

    def test_it_tags_with_what_is_new(self):
        self.assert_passes("scripts/release", "0.2.0", REACTOR_CHECK="true")
        message = self.assert_passes("git", "tag", "--list", "--format=%(contents)", "0.2.0")
        self.assertEqual(message.strip(), "Reactor 0.2.0\n\n### Added\n\n- A reactor.")

    def test_a_version_has_three_numbers(self):
        self.refuses("name a version", version="0.2")

    def test_a_tree_with_changes_is_not_tagged(self):
        self.write("README.md", README + "\n")
        self.refuses("changes that are not committed")

    def test_a_version_is_tagged_once(self):
        self.assert_passes("git", "tag", "0.2.0")
        self.assert_refuses("there is a version 0.2.0 already", "scripts/release", "0.2.0", REACTOR_CHECK="true")

    def test_a_version_is_newer_than_those_before(self):
        self.assert_passes("git", "tag", "0.10.0")
        self.refuses("0.2.0 is lower than 0.10.0")

    def test_a_version_needs_something_in_its_section(self):
        self.write("CHANGELOG.md", CHANGELOG.replace("- A reactor.\n", ""))
        self.commit()
        self.refuses("or nothing in it")

    def test_nothing_is_left_under_unreleased(self):
        self.write("CHANGELOG.md", CHANGELOG.replace("### Added\n\n## ", "### Added\n\n- More.\n\n## "))
        self.commit()
        self.refuses("something under '## Unreleased'")

    def test_the_readme_names_the_version(self):
        self.refuses('README.md does not say from: "0.1.0"', version="0.1.0")

    def test_the_translation_names_the_version(self):
        self.write("README.ja.md", README.replace("0.2.0", "0.1.0"))
        self.commit()
        self.refuses("README.ja.md: says")

    def test_a_check_that_fails_is_no_version(self):
        self.refuses("", check="false")

    def test_a_check_that_changes_the_tree_is_no_version(self):
        self.write("check", "#!/bin/sh\necho >> README.md\n", executable=True)
        self.commit()
        self.refuses("the checks have changed the tree", check="./check")


if __name__ == "__main__":
    unittest.main()
