"""The pages in a real browser; `make test-web` runs it."""

import pathlib
import unittest

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from browser import DESKTOP, PHONE, BrowserTest

HERE = pathlib.Path(__file__).parent
CHECKS = (HERE / "colors.js").read_text() + (HERE / "checks.js").read_text()

# Counts how far things have jumped that nobody has touched.
JUMPS = """
  const done = arguments[0]
  let sum = 0
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) sum += entry.value
  }).observe({ type: "layout-shift", buffered: true })
  setTimeout(() => done(sum), 300)
"""


class Looks(BrowserTest):
    """Every screen in light and dark, on a phone and on a desktop."""

    def check(self, page, name):
        for size, width in [(PHONE, 390), (DESKTOP, 1280)]:
            for dark in [False, True]:
                page.look(size, dark)
                which = f"{name}-{width}-{'dark' if dark else 'light'}"
                page.shot(which)
                with self.subTest(which):
                    self.assertEqual(page.execute_script(CHECKS), [])

    def test_every_screen(self):
        page = self.page()
        self.check(page.open().loaded(), "repositories")
        page.open(f"/repositories/{page.names()[0]}").shows("article.readme, #readme .end")
        self.check(page, "detail")
        self.check(page.open("/favourites"), "favourites-nobody")
        self.check(page.open("/settings"), "settings")
        self.check(page.open("/login?next=/favourites"), "login")
        self.check(page.open("/catalogue"), "catalogue")
        self.check(page.open("/inside"), "inside")
        page.open("/login?next=/").log_in()
        page.shows(".user", "ada")
        for row in page.loaded().names()[:3]:
            page.press(f"[id='star-{row}'][aria-pressed=false]")
        page.shows(".badge", "3")
        page.shows(".toast")
        self.check(page, "repositories-ada")
        self.check(page.open("/favourites").loaded(), "favourites")
        self.assertEqual(page.complaints(), [])

    def test_nothing_jumps_while_it_loads(self):
        page = self.page()
        for path in ["/", "/?q=parser"]:
            page.open(path).loaded()
            self.assertLess(page.execute_async_script(JUMPS), 0.001, path)
        page.open(f"/repositories/{page.names()[0]}").shows("article.readme, #readme .end")
        self.assertLess(page.execute_async_script(JUMPS), 0.1)


class List(BrowserTest):
    def test_placeholders_then_rows(self):
        page = self.page().open()
        self.assertTrue(page.all(".placeholder") or page.names())
        self.assertEqual(len(page.loaded().names()), 30)

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
        link.click()
        page.shows("h1", row.split("/")[1])
        page.press("[data-back]")
        page.until(lambda: abs(page.execute_script("return scrollY") - place) < 5)
        self.assertIn(row, page.names())


# Writes down what moves, and looks in each frame at what is not to.
MOTION = """
  window.motion = []
  window.places = new Set()
  const animate = Element.prototype.animate
  Element.prototype.animate = function (frames, options) {
    motion.push(this.classList.contains("gone") ? "gone" : Object.keys(frames)[0])
    return animate.call(this, frames, options)
  }
  const places = () => {
    const rows = [...document.querySelectorAll("#rows > *")]
    const isEven = rows.every((row, place) => Math.abs(row.offsetTop - rows[0].offsetTop
      - place * row.offsetHeight) < 1)
    const { scrollWidth } = document.documentElement
    window.places.add([document.getElementById("rows").offsetTop, isEven, scrollWidth].join())
    requestAnimationFrame(places)
  }
  places()
"""


class Motion(BrowserTest):
    """Rows that come, go and move do so in sight; the layout is the new one at once."""

    def search(self, page):
        page.open().loaded().execute_script(MOTION)
        for text in ["parser", "parser http", "parser"]:
            page.one("#q").clear()
            page.one("#q").send_keys(text)
            page.shows("#status", f"for “{text}”")
        page.until(lambda: not page.all(".gone"))
        self.assertEqual(page.execute_script(CHECKS), [])
        self.assertEqual(len(page.execute_script("return [...places]")), 1)
        return set(page.execute_script("return motion"))

    def test_rows_come_go_and_glide_and_nothing_else_moves(self):
        self.assertEqual(self.search(self.page(calm=False)), {"opacity", "gone", "transform"})

    def test_nothing_moves_for_those_who_want_it_calm(self):
        self.assertEqual(self.search(self.page()), set())

    def test_a_star_that_is_taken_fades_and_is_no_row_any_more(self):
        page = self.page(calm=False).open("/login?next=/")
        page.log_in()
        rows = page.loaded().names()[:3]
        for row in rows:
            page.press(f"[id='star-{row}'][aria-pressed=false]")
        page.shows(".badge", "3")
        page.open("/favourites").loaded().execute_script(MOTION)
        page.press(f"[id='star-{rows[1]}']")
        page.until(lambda: page.names() == [rows[2], rows[0]])
        self.assertEqual(set(page.execute_script("return motion")), {"gone", "transform"})
        page.press("#undo")
        page.until(lambda: page.names() == rows[::-1])
        page.until(lambda: not page.all(".gone"))


class Wrong(BrowserTest):
    def weather(self, page, which):
        page.open("/settings").press(f"#weather-{which}")
        page.shows(f"#weather-{which}[aria-pressed=true]")

    def test_offline_and_back(self):
        page = self.page()
        self.weather(page, "offline")
        page.open().shows(".failure.network", "There is no way to GitHub")
        page.shows("#banner", "Offline")
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
        page.open().shows(".failure.answer time")

    def test_what_cannot_be_read(self):
        page = self.page()
        self.weather(page, "garbled")
        page.open().shows(".failure.answer", "could not be read")


class Session(BrowserTest):
    def star(self, page, row):
        page.press(f"[id='star-{row}'][aria-pressed=false]")

    def test_a_star_leads_to_the_login_and_goes_on(self):
        page = self.page().open().loaded()
        row = page.names()[1]
        self.star(page, row)
        page.shows(".note", row)
        page.log_in()
        page.shows(f"[id='star-{row}'][aria-pressed=true]")
        page.shows(".toast", "Added")
        page.open("/favourites")
        self.assertEqual(page.names(), [row])

    def test_a_wrong_password(self):
        page = self.page().open("/login?next=/")
        page.log_in()
        # Else the next page could be asked for before this has come to its end.
        page.shows(".user", "ada")
        page.open("/settings").press("#log-out")
        page.shows(".user", "Log in")
        page.open("/login?next=/").log_in(password="analytical engine")
        page.shows(".failure", "not the password")

    def test_two_windows_in_step_and_undo(self):
        page = self.page().open("/login?next=/")
        page.log_in()
        row = page.loaded().names()[0]
        first = page.current_window_handle
        page.switch_to.new_window("window")
        page.open("/favourites").shows("#more", "No favourites yet")
        second = page.current_window_handle
        page.switch_to.window(first)
        self.star(page, row)
        page.shows(".toast", "Added")
        page.switch_to.window(second)
        page.shows(f"[id='row-{row}']")
        page.shows(".badge", "1")
        page.press("#undo")
        page.shows("#more", "No favourites yet")
        page.switch_to.window(first)
        page.shows(f"[id='star-{row}'][aria-pressed=false]")

    def test_another_browser_of_the_same_user(self):
        one, other = self.page(), self.page(size=PHONE, dark=True)
        for page in [one, other]:
            page.open("/login?next=/").log_in()
            page.shows(".user", "ada")
        row = one.loaded().names()[2]
        self.star(one, row)
        other.shows(f"[id='star-{row}'][aria-pressed=true]")
        one.open("/settings").press("#log-out-everywhere")
        one.shows(".user", "Log in")
        other.shows(".user", "Log in")

    def test_a_login_in_one_window_is_one_in_all_of_them(self):
        page = self.page().open().loaded()
        first = page.current_window_handle
        page.switch_to.new_window("window")
        page.open("/login?next=/favourites").log_in()
        page.shows(".user", "ada")
        page.switch_to.window(first)
        page.shows(".user", "ada")
        # What this window asks for is asked for by ada, too.
        self.star(page, page.loaded().names()[0])
        page.shows(".toast", "Added")
        page.open("/settings").press("#log-out")
        page.shows(".user", "Log in")
        page.switch_to.window(page.window_handles[1])
        page.shows(".user", "Log in")

    def test_a_login_that_is_pressed_twice_is_one(self):
        page = self.page().open("/login?next=/settings")
        page.shows("input[name=name]").send_keys("ada")
        page.one("input[name=password]").send_keys("difference engine")
        ActionChains(page).double_click(page.one("form.card button")).perform()
        page.shows("#log-out")

    def test_settings_are_acknowledged_and_the_advertisement_goes(self):
        page = self.page().open().loaded()
        page.shows(".advertisement")
        page.open("/catalogue").shows("h1", "Catalogue")
        page.open().loaded()
        self.assertEqual(page.all(".advertisement"), [])
        page.open("/settings").press("#theme-dark")
        page.shows(".toast", "The colours are saved.")
        page.shows("html[data-theme=dark]")

    def test_a_readme_runs_nothing(self):
        page = self.page().open().loaded()
        for row in page.names()[:12]:
            page.open(f"/repositories/{row}").shows("article.readme, #readme .end")
            self.assertNotEqual(page.title, "owned")
            self.assertEqual(page.all(".readme script, .readme [onerror], .readme [href^=javascript]"), [])


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


class WithoutScripts(BrowserTest):
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
        page.open("/favourites")
        self.assertEqual(page.names(), [row])
        page.press(f"[id='star-{row}']")
        page.shows("#more", "No favourites yet")
        page.open("/settings").press("#theme-dark")
        page.shows("html[data-theme=dark]")


if __name__ == "__main__":
    unittest.main(verbosity=2)
