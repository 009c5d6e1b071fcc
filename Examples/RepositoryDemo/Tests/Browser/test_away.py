"""Typing and pressing while the server cannot be reached; `make test-web` runs it."""

import unittest

from browser import BrowserTest


class Away(BrowserTest):
    def block(self, page, *addresses):
        """Requests to these addresses fail, as in a short interruption; the stream stays open."""
        page.execute_cdp_cmd("Network.enable", {})
        page.execute_cdp_cmd("Network.setBlockedURLs", {"urls": list(addresses)})

    def is_back(self, page):
        page.until(lambda: not page.one("#away").is_displayed())

    def test_what_is_typed_meanwhile_is_searched_for_after_it(self):
        page = self.page().open().loaded()
        self.block(page, "*/actions/*")
        page.one("#q").send_keys("parser")
        page.shows("#away")
        self.block(page)
        self.is_back(page)
        page.shows("#status", "for “parser”")

    def test_what_is_pressed_meanwhile_is_done_after_it(self):
        page = self.page().open("/login?next=/")
        page.log_in()
        row = page.loaded().names()[0]
        self.server.end(kill=True)
        page.shows("#away")
        page.press(f"[id='star-{row}'][aria-pressed=false]")
        page.shows("#away", "What you have pressed is sent then.")
        self.server.start()
        page.shows(f"[id='star-{row}'][aria-pressed=true]")
        self.is_back(page)


if __name__ == "__main__":
    unittest.main(verbosity=2)
