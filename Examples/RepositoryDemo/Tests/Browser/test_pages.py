"""The pages in a real browser, with scripts and without; `make test-web` runs it."""

import time
import unittest

from selenium.webdriver.common.keys import Keys

from browser import BrowserTest
from client import Client


class WeatherTest(BrowserTest):
    def weather(self, page, which):
        page.open("/settings").press(f"#weather-{which}")
        page.shows(f"#weather-{which}[aria-pressed=true]")


# Records how many rows of each kind there are, at first and after each change.
SEEN = """
  window.watched = []
  const count = (what) => document.querySelectorAll(`#rows > ${what}`).length
  const look = () => watched.push(`${count(".placeholder")} placeholders, ${count(".row[id]")} rows`)
  addEventListener("DOMContentLoaded", () => {
    look()
    new MutationObserver(look).observe(document.getElementById("rows"), { childList: true })
  })
"""


class List(WeatherTest):
    def test_placeholders_then_rows(self):
        page = self.page()
        self.weather(page, "slow")
        page.on_load(SEEN)
        self.assertEqual(len(page.open().loaded().names()), 30)
        first, *_, last = page.execute_script("return watched")
        self.assertEqual([first, last], ["8 placeholders, 0 rows", "0 placeholders, 30 rows"])

    def test_search_while_typing_keeps_the_rows_that_stay(self):
        page = self.page().open().loaded()
        page.execute_script(
            "for (const row of document.querySelectorAll('#rows .row')) row.mark = row.id")
        old = set(page.names())
        page.one("#q").send_keys("parser")
        page.shows("#status", "repositories for “parser”")
        names = page.names()
        stay = old & set(names)
        self.assertTrue(stay)
        marked = page.execute_script(
            "return [...document.querySelectorAll('#rows .row')].filter(r => r.mark).map(r => r.mark.slice(4))")
        self.assertEqual(set(marked), stay)
        self.assertTrue(page.current_url.endswith("/?q=parser"))

    def test_more_at_the_end_without_doubles(self):
        page = self.page().open().loaded()
        for count in [60, 90]:
            page.execute_script("scrollTo(0, document.body.scrollHeight)")
            page.until(lambda: len(page.names()) == count)
        self.assertEqual(len(set(page.names())), 90)

    def test_nothing_found(self):
        page = self.page().open("/?q=nothing-is-called-that")
        page.shows("#more", "Nothing found")

    def test_back_from_a_detail_is_the_same_place(self):
        page = self.page().open().loaded()
        page.execute_script("scrollTo(0, document.body.scrollHeight)")
        page.until(lambda: len(page.names()) == 60)
        row = page.names()[45]
        link = page.one(f"[id='row-{row}'] a")
        page.execute_script("arguments[0].scrollIntoView({block: 'center'})", link)
        place = page.execute_script("return scrollY")
        self.assertGreater(place, 2000)
        link.click()
        page.shows("h1", row.split("/")[1])
        page.until(lambda: page.execute_script("return scrollY") == 0)
        page.press("[data-back]")
        page.shows("#rows")
        page.until(lambda: abs(page.execute_script("return scrollY") - place) < 5)
        self.assertEqual(page.names()[45], row)

    def test_a_readme_runs_nothing(self):
        page = self.page().open().loaded()
        hostile = 0
        for row in page.names()[:12]:
            page.open(f"/repositories/{row}").shows("article.readme, #readme .end")
            hostile += "A link that is none" in page.one("#readme").text
            self.assertEqual(page.title, f"{row} · Repositories")
            self.assertEqual(page.all(".readme script, .readme [onerror], .readme [href^=javascript]"), [])
        self.assertGreater(hostile, 2, "none of them has anything that could run")


class Wrong(WeatherTest):
    def test_offline_and_back(self):
        page = self.page()
        self.weather(page, "offline")
        page.open().shows(".failure.network", "There is no way to GitHub")
        # One of them is enough.
        self.assertEqual(page.one("#banner").text, "")
        page.open("/settings").shows("#banner", "Offline")
        page.open().shows(".failure.network", "There is no way to GitHub")
        page.press("#stop")
        page.shows("#retry")
        self.weather(self.page(), "fine")
        page.press("#retry")
        page.loaded()
        page.is_gone(".failure")
        page.is_gone(".banner")

    def test_it_tries_again_by_itself(self):
        page = self.page()
        self.weather(page, "failing")
        page.open().shows(".failure.answer", "error (502)")
        other = self.page()
        self.weather(other, "fine")
        page.loaded()
        page.is_gone(".failure")

    def test_a_rate_limit_says_until_when(self):
        page = self.page()
        self.weather(page, "limited")
        page.open()
        ends = page.shows(".failure.answer time")
        left = float(ends.get_attribute("data-time")) - time.time()
        self.assertTrue(0 < left <= 21, left)
        # In this visitor's time zone; the page itself has it in UTC, for visitors without scripts.
        local = page.execute_script(
            "return new Date(arguments[0].dataset.time * 1000).toLocaleTimeString()", ends)
        self.assertEqual(ends.text, local)
        self.assertNotIn("UTC", local)

    def test_what_cannot_be_read(self):
        page = self.page()
        self.weather(page, "garbled")
        page.open().shows(".failure.answer", "could not be read")


class Inside(BrowserTest):
    def test_the_look_inside_goes_on_by_itself(self):
        page = self.page().open("/inside")
        self.assertNotIn("setTheme", page.one("#inside-steps").text)
        page.execute_script("window.isTheSamePage = true")
        other = Client(self.server)
        self.addCleanup(other.close)
        other.get("/settings")
        self.assertEqual(other.act("theme", theme="dark"), 303)
        page.shows("#inside-steps", "setTheme")
        page.shows("#inside-now", "SettingsReactor")
        self.assertTrue(page.execute_script("return window.isTheSamePage"))

    def test_it_has_what_lives_and_the_causes_of_what_is_done(self):
        page = self.page().open("/login?next=/")
        page.log_in()
        row = page.loaded().names()[0]
        page.press(f"[id='star-{row}'][aria-pressed=false]")
        page.shows(".badge", "1")
        page.open("/inside")
        # In one request: it is redrawn every two seconds.
        steps = page.execute_script(
            "return [...document.querySelectorAll('#inside-steps tr')].map(row =>"
            "[...row.cells].map(cell => cell.innerText))")
        self.assertLessEqual(len(steps), 100)
        numbers = [int(number) for number, *_ in steps]
        self.assertEqual(numbers, sorted(numbers, reverse=True))
        # Every step has a cause, in words.
        self.assertEqual([step for step in steps if not step[3].strip()], [])
        self.assertEqual([step for step in steps if "intoHook" in step[2]], [])
        star = next(step for step in steps if step[1].startswith("FavouritesReactor") and "add" in step[2])
        self.assertIn("ShellReactor", star[3])
        live = page.one("#inside-now").text
        for one in ["1 ShellReactor", "1 FavouritesReactor", "1 AccountReactor"]:
            self.assertIn(one, live)
        self.assertRegex(live, r"\d+\.\d actions a second")


class Ends(BrowserTest):
    def test_a_page_comes_back_after_a_restart_and_nothing_kept_is_lost(self):
        page = self.page().open("/login?next=/")
        page.log_in()
        row = page.loaded().names()[0]
        page.press(f"[id='star-{row}'][aria-pressed=false]")
        page.shows(f"[id='star-{row}'][aria-pressed=true]")
        self.server.end(kill=True)
        page.shows("#away")
        self.server.start()
        page.until(lambda: not page.one("#away").is_displayed(), 15)
        page.loaded().shows(f"[id='star-{row}'][aria-pressed=true]")
        page.shows(".user", "ada")

    def test_it_ends_in_time_and_says_so(self):
        page = self.page().open().loaded()
        self.assertLess(self.server.end(), 6)
        page.shows("#away")
        self.server.start()
        page.until(lambda: not page.one("#away").is_displayed(), 15)
        page.loaded()


class WithoutScripts(WeatherTest):
    def test_everything_by_forms(self):
        page = self.page(scripts=False).open()
        page.until(lambda: len(page.names()) == 30)
        page.press("#load-more")
        page.until(lambda: len(page.names()) == 60)
        page.one("#q").send_keys("parser", Keys.ENTER)
        page.shows("#status", "repositories for “parser”")
        row = page.names()[0]
        page.press(f"[id='star-{row}']")
        page.log_in()
        page.shows(f"[id='star-{row}'][aria-pressed=true]")
        page.open("/own").shows("h1", "Your repositories")
        page.until(lambda: len(page.names()) == 30)
        page.press("#load-more")
        page.shows("#list-end", "That is all.")
        page.open("/favourites")
        self.assertEqual(page.names(), [row])
        page.press(f"[id='star-{row}']")
        page.shows("#more", "No favourites yet")
        page.open("/settings").press("#theme-dark")
        page.shows("html[data-theme=dark]")

    def test_what_goes_wrong_and_what_is_taken_back_by_forms(self):
        page = self.page(scripts=False).open("/login?next=/")
        page.log_in()
        page.until(lambda: len(page.names()) == 30)
        row = page.names()[3]
        page.press(f"[id='row-{row}'] a")
        page.shows("article.readme, #readme .end")
        page.press(f"[id='star-{row}'][aria-pressed=false]")
        page.shows(f"[id='star-{row}'][aria-pressed=true]")
        page.press("[data-back]")
        page.shows(f"[id='star-{row}'][aria-pressed=true]")
        page.open("/favourites").press(f"[id='star-{row}']")
        page.shows("#more", "No favourites yet")
        page.press("#undo-last")
        page.shows(f"[id='star-{row}']")
        self.weather(page, "failing")
        page.open().press("#refresh")
        page.shows(".failure.answer", "error (502)")
        page.press("#stop")
        page.shows("#retry")
        self.weather(page, "fine")
        page.open().press("#retry")
        page.is_gone(".failure")
        page.shows("#status", "3,000 repositories")
        for which in ["#log-out", "#log-out-everywhere"]:
            page.open("/settings").press(which)
            page.shows(".user", "Log in")
            page.open("/login?next=/settings").log_in()


if __name__ == "__main__":
    unittest.main(verbosity=2)
