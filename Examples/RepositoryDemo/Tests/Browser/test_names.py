"""What a screen reader says of each screen, by Chromium's tree; `make test-web` runs it."""

import unittest

from accessibility import Tree
from browser import BrowserTest

TABS = [("navigation", "Screens"), ("link", "Explore"), ("link", "Mine"), ("link", "Favourites"), ("link", "Settings"),
        ("link", "Skip to the content")]
GUEST = [*TABS, ("link", "Log in")]


class Names(BrowserTest):
    def tree(self, page, *expected):
        tree = Tree(page)
        self.assertEqual(tree.complaints(), [])
        for role, name in expected:
            self.assertTrue(tree.has(role, name), f"no {role} “{name}” in {tree.names(role)}")
        return tree

    def pressed(self, tree, *names):
        """Which of these buttons are pressed."""
        return [tree.value(node, "pressed") == "true" for name in names
                for node in tree.all("button") if tree.name(node) == name]

    def test_the_list(self):
        page = self.page().open().loaded()
        row = page.names()[0]
        tree = self.tree(page, *GUEST, ("search", ""), ("searchbox", "Search repositories"),
                         ("button", "Search"), ("button", "Refresh"), ("list", "Repositories"),
                         ("button", f"Favourite {row}"), ("button", "Load more"), ("heading", "Repositories"),
                         ("heading", "Most starred"), ("complementary", "Advertisement"))
        rows = [node for node in tree.all("list") if tree.name(node) == "Repositories"]
        # A header, the advertisement, thirty repositories, and the end.
        self.assertEqual(len(rows[0]["childIds"]), 33)
        self.assertEqual(self.pressed(tree, f"Favourite {row}"), [False])
        self.assertIn("3,000 repositories", self.said(tree))
        # The link of a row contains what the row shows.
        link = next(name for name in tree.names("link") if name.startswith(row.replace("/", " / ")))
        self.assertIn("★", link)

    def test_what_is_said_by_itself(self):
        page = self.page().open("/settings")
        page.press("#weather-offline")
        page.shows("#weather-offline[aria-pressed=true]")
        page.open().shows(".failure.network", "There is no way")
        tree = self.tree(page, *GUEST, ("button", "Stop"))
        self.assertEqual(len(tree.all("alert")), 1)
        # The alert announces it; a banner would repeat it.
        self.assertEqual(self.said(tree), [])
        tree = self.tree(page.open("/settings"))
        self.assertEqual(self.said(tree), ["Offline: there is no way to GitHub. What is here stays."])

    def said(self, tree):
        """What a screen reader announces by itself, as it changes."""
        return [one for node in tree.all("status") for one in [self.text(tree, node)] if one]

    def text(self, tree, node):
        """All text in a node."""
        if tree.role(node) == "StaticText":
            return tree.name(node)
        return " ".join(filter(None, (self.text(tree, tree.byid[one]) for one in node.get("childIds", [])
                                      if one in tree.byid)))

    def test_a_detail(self):
        page = self.page().open().loaded()
        row = page.names()[0]
        page.open(f"/repositories/{row}").shows("article.readme, #readme .end")
        tree = self.tree(page, *GUEST, ("article", "README"),
                         ("button", f"Favourite {row}"), ("list", "Facts"), ("list", "Topics"),
                         ("heading", f"More of {row.split('/')[0]}"))
        self.assertEqual(self.pressed(tree, f"Favourite {row}"), [False])

    def test_settings_login_and_favourites(self):
        page = self.page().open("/settings")
        tree = self.tree(page, *GUEST, ("group", "Colours"), ("group", "Announcements"), ("group", "What goes wrong"),
                         ("heading", "Settings"))
        self.assertEqual(self.pressed(tree, "System", "Dark", "On", "Off", "Nothing", "Offline"),
                         [True, False, True, False, True, False])
        self.tree(page.open("/favourites"), *GUEST, ("heading", "Your favourites"))
        page.open("/login?next=/")
        self.tree(page, *GUEST, ("textbox", "Name"), ("textbox", "Password"), ("button", "Log in"))
        page.log_in()
        row = page.loaded().names()[0]
        page.press(f"[id='star-{row}'][aria-pressed=false]")
        page.shows(".toast")
        tree = self.tree(page, ("link", "Account of ada"), ("button", "Undo"), ("button", "Close"),
                         ("link", "Favourites 1"))
        self.assertEqual(self.pressed(tree, f"Favourite {row}"), [True])
        self.tree(page.open("/favourites"), ("list", "Favourites"), ("button", "Undo last change"))
        self.tree(page.open("/settings"), ("button", "Log out"), ("button", "Log out everywhere"))

    def test_what_is_for_those_who_build_and_run_it(self):
        page = self.page().open("/catalogue")
        self.tree(page, *GUEST, ("heading", "Catalogue"))
        self.tree(page.open("/inside"), *GUEST, ("heading", "Inside"), ("region", "The last hundred steps"),
                  ("columnheader", "Because of"))

    def test_where_one_is(self):
        page = self.page()
        for path, name in [("/", "Explore"), ("/favourites", "Favourites"), ("/settings", "Settings")]:
            page.open(path)
            here = page.until(lambda: [one.text for one in page.all("nav [aria-current=page]")])
            self.assertEqual(here, [name])


class Announcements(BrowserTest):
    """An announcement is made about every second."""

    arguments = ("--announcements", "1")

    def test_an_announcement_is_a_row_and_not_said(self):
        page = self.page().open().loaded()
        row = page.shows("#rows > .announcement")
        self.assertTrue(page.execute_script("return arguments[0].closest('[role=status]') === null", row))
        tree = Tree(page)
        self.assertEqual(tree.complaints(), [])
        self.assertTrue([name for name in tree.names("button") if name.startswith("Close: ")])


if __name__ == "__main__":
    unittest.main(verbosity=2)
