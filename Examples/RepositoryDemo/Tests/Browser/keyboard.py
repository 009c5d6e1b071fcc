"""Helpers for tests that use the keyboard alone."""

import pathlib

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from browser import BrowserTest

HERE = pathlib.Path(__file__).parent
FOCUS = (HERE / "colors.js").read_text() + (HERE / "focus.js").read_text()
IS_AT = "return document.activeElement.matches(arguments[0])"


class KeyboardTest(BrowserTest):
    """Navigates pages by keyboard, and checks at each step whether the focus is visible."""

    def is_at(self, page, selector):
        return page.execute_script(IS_AT, selector)

    def look(self, page):
        self.assertEqual(page.execute_script(FOCUS), [])

    def tab(self, page, selector, back=False):
        """Presses Tab until an element has the focus, and checks each step."""
        is_there = self.is_at(page, selector)
        for _ in range(150):
            if is_there:
                return
            if back:
                ActionChains(page).key_down(Keys.SHIFT).send_keys(Keys.TAB).key_up(Keys.SHIFT).perform()
            else:
                page.type(Keys.TAB)
            # In one request: it is sent at every step of every path.
            complaints, is_there = page.execute_script(
                f"return [(() => {{ {FOCUS} }})(), (function () {{ {IS_AT} }})(arguments[0])]", selector)
            self.assertEqual(complaints, [])
        self.fail(f"no way to {selector}")

    def press(self, page, selector, key=Keys.ENTER):
        self.tab(page, selector)
        page.type(key)

    def rests(self, page, selector):
        """Waits until an element has the focus, and checks it."""
        try:
            page.until(lambda: self.is_at(page, selector), 10)
        except Exception:
            self.fail(f"not {selector} has the focus, but {page.focus()}")
        self.look(page)

    def start(self, path="/"):
        page = self.page().open(path)
        return page.loaded() if path == "/" else page

    def log_in(self, page):
        """Logs in with a new account, or with the one of that name."""
        self.rests(page, "input[name=name]")
        page.type("ada", Keys.TAB, "difference engine")
        self.press(page, "[name=new]")
        page.shows(".user", "ada")
