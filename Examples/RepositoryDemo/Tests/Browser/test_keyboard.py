"""Every path by keyboard alone; `make test-web` runs it."""

import unittest

from selenium.webdriver.common.keys import Keys

from keyboard import KeyboardTest

# Records what the status above the rows says, however briefly.
TOLD = """
  window.told = []
  const status = document.getElementById("status")
  new MutationObserver(() => told.push(status.innerText)).observe(status, { childList: true })
"""


class Keyboard(KeyboardTest):
    """The focus is always visible, and never lost when a page changes by itself."""

    def favourites(self, count):
        """Logs in, and shows a number of favourites."""
        page = self.start("/login?next=/")
        self.log_in(page)
        rows = page.loaded().names()[:count]
        for number, row in enumerate(rows):
            page.press(f"[id='star-{row}'][aria-pressed=false]")
            page.shows(".badge", f"{number + 1}")
        page.open("/favourites").loaded()
        return page, rows[::-1]

    def test_the_first_of_all_leads_to_the_content(self):
        page = self.start("/settings")
        seen = []
        for _ in range(6):
            page.type(Keys.TAB)
            self.look(page)
            seen.append(page.focus()["text"].split("\n")[0])
        self.assertEqual(
            seen, ["Skip to the content", "Explore", "Mine", "Favourites", "Settings", "Log in"])
        page.open("/settings").type(Keys.TAB, Keys.ENTER)
        self.rests(page, "main")
        page.type(Keys.TAB)
        self.rests(page, "#theme-system")

    def test_search_and_refresh(self):
        page = self.start()
        self.tab(page, "#q")
        page.type("parser")
        page.shows("#status", "repositories for “parser”")
        self.rests(page, "#q")
        page.type(" http", Keys.ENTER)
        page.shows("#status", "repositories for “parser http”")
        self.rests(page, "#q")
        page.execute_script(TOLD)
        self.press(page, "#refresh")
        page.until(lambda: "Refreshing…" in page.execute_script("return told.join()"))
        page.shows("#status", "repositories for “parser http”")
        self.rests(page, "#refresh")

    def test_rows_that_go_hand_on_the_focus(self):
        page = self.start()
        self.tab(page, ".row:nth-child(3) .row-link")
        # Another window of this visitor searches.
        page.execute_script("fetch('/actions/search', {method: 'POST', headers: {'X-Live': '1'}, body:"
                            "new URLSearchParams({token: act.elements.token.value, q: 'compiler'})})")
        page.shows("#status", "for “compiler”")
        self.rests(page, ".row-link")

    def test_a_detail_and_back_to_the_same_row(self):
        page = self.start()
        row = page.names()[7]
        self.press(page, f"[id='row-{row}'] .row-link")
        page.shows("article.readme, #readme .end")
        self.tab(page, f"[id='star-{row}']")
        self.press(page, ".cards a")
        page.until(lambda: row not in page.title)
        page.shows("article.readme, #readme .end")
        page.back()
        page.until(lambda: row in page.title)
        self.rests(page, ".cards a")
        page.open().loaded()
        self.press(page, f"[id='row-{row}'] .row-link")
        page.shows("h1", row.split("/")[1])
        self.press(page, "[data-back]")
        page.shows("#rows")
        self.rests(page, f"[id='row-{row}'] .row-link")

    def test_back_to_a_row_without_a_page_to_go_back_to(self):
        row = self.start().names()[5]
        page = self.start(f"/repositories/{row}")
        self.press(page, "[data-back]")
        self.rests(page, f"[id='row-{row}'] .row-link")

    def test_a_star_with_a_login_in_between(self):
        page = self.start()
        row = page.names()[4]
        star = f"[id='star-{row}']"
        self.press(page, star)
        page.shows(".note", row)
        self.log_in(page)
        self.rests(page, f"{star}[aria-pressed=true]")
        page.type(Keys.ENTER)
        self.rests(page, f"{star}[aria-pressed=false]")
        page.type(Keys.SPACE)
        self.rests(page, f"{star}[aria-pressed=true]")

    def test_favourites_that_go_and_undo(self):
        page, rows = self.favourites(3)
        self.press(page, f"[id='star-{rows[1]}']")
        page.until(lambda: page.names() == [rows[0], rows[2]])
        self.rests(page, f"[id='star-{rows[2]}']")
        page.type(Keys.ENTER)
        self.rests(page, f"[id='star-{rows[0]}']")
        page.type(Keys.ENTER)
        page.shows("#more", "No favourites yet")
        self.rests(page, "main")
        self.press(page, "#undo-last")
        page.until(lambda: page.names() == [rows[0]])
        self.rests(page, "#undo-last")

    def test_a_notice_that_goes_gives_the_focus_back(self):
        page = self.start("/settings")
        for _ in range(5):
            self.press(page, "#theme-dark")
            page.shows(".toast")
            page.type(*[Keys.TAB] * 10)
            if self.is_at(page, "#dismiss"):
                break
        self.look(page)
        page.type(Keys.ENTER)
        page.is_gone(".toast")
        self.rests(page, "#weather button, #settings button")

    def test_more_at_the_end(self):
        page = self.start()
        last = page.names()[-1]
        self.tab(page, f"[id='star-{last}']")
        page.type(Keys.TAB)
        # Behind a header, the advertisement and thirty repositories.
        self.rests(page, ".row:nth-child(33) .row-link")
        self.assertEqual(len(page.names()), 60)

    def test_an_error_stop_and_retry(self):
        page = self.start("/settings")
        self.press(page, "#weather-failing", Keys.SPACE)
        self.rests(page, "#weather-failing[aria-pressed=true]")
        page.open().shows(".failure.answer", "error (502)")
        self.press(page, "#stop")
        page.shows("#retry")
        self.rests(page, "#doing")
        self.page().open("/settings").press("#weather-fine")
        self.press(page, "#retry")
        page.loaded()
        self.rests(page, "#doing")

    def test_an_error_of_a_detail(self):
        row = self.start().names()[3]
        other = self.page()
        other.open("/settings").press("#weather-garbled")
        other.shows("#weather-garbled[aria-pressed=true]")
        page = self.start(f"/repositories/{row}")
        page.shows("#reload")
        other.press("#weather-fine")
        other.shows("#weather-fine[aria-pressed=true]")
        self.press(page, "#reload")
        page.shows("article.readme, #readme .end")
        self.rests(page, "#facts")
        self.tab(page, f"[id='star-{row}']")

    def test_settings(self):
        page = self.start("/settings")
        for key, which in [(Keys.ENTER, "#theme-dark"), (Keys.SPACE, "#announcements-off"),
                           (Keys.ENTER, "#weather-slow"), (Keys.SPACE, "#weather-limited")]:
            self.press(page, which, key)
            self.rests(page, f"{which}[aria-pressed=true]")

    def test_log_in_and_out(self):
        for which in ["#log-out", "#log-out-everywhere"]:
            page = self.start("/settings")
            self.press(page, ".user a")
            self.log_in(page)
            self.press(page, which)
            page.shows(".user", "Log in")
            self.rests(page, "#settings")

    def test_a_wrong_password(self):
        page = self.start("/login?next=/settings")
        self.log_in(page)
        self.press(page, "#log-out")
        page.shows(".user", "Log in")
        self.tab(page, ".user a", back=True)
        page.type(Keys.ENTER)
        self.rests(page, "input[name=name]")
        page.type("ada", Keys.TAB, "analytical engine", Keys.ENTER)
        page.shows(".failure", "not the password")
        # The name is shown again; typing the password again is enough.
        self.rests(page, "input[name=password]")
        page.type("difference engine", Keys.ENTER)
        page.shows(".user", "ada")

    def test_the_catalogue_and_the_look_inside(self):
        page = self.start()
        self.press(page, ".advertisement a")
        page.shows("h1", "One way for every change")
        self.press(page, ".poster .button")
        page.shows("h1", "Catalogue")
        self.press(page, ".tabs li:first-child a")
        page.loaded()
        self.assertEqual(page.all(".advertisement"), [])
        page.open("/inside").shows("h1", "Inside")
        self.tab(page, ".table")


if __name__ == "__main__":
    unittest.main(verbosity=2)
