"""How the pages look, and how they move; `make test-web` runs it."""

import pathlib
import unittest

from browser import DESKTOP, PHONE, BrowserTest

HERE = pathlib.Path(__file__).parent
CHECKS = (HERE / "colors.js").read_text() + (HERE / "checks.js").read_text()

# Measures how far untouched elements have jumped, and which; from the first frame on.
JUMPS = """
  const done = arguments[0]
  let [sum, what] = [0, []]
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) {
      sum += entry.value
      for (const { node, previousRect: one, currentRect: other } of entry.sources) {
        const name = node?.id || node?.className || node?.parentElement?.className || node?.nodeName
        what.push(`${name}: ${one.y}+${one.height} -> ${other.y}+${other.height}`)
      }
    }
  }).observe({ type: "layout-shift", buffered: true })
  setTimeout(() => done([sum, what]), 300)
"""


# WCAG 2.2 requires 1,280 pixels at a zoom of 400 %, which is this.
SMALL = (320, 640)
# Tabs and the user's name, which may be truncated.
CUT_OFF = """
  return [...document.querySelectorAll(".tabs a")].filter((link) => link.scrollWidth > link.clientWidth + 1
    || link.getBoundingClientRect().right > innerWidth).map((link) => link.innerText)
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
        self.check(page.open("/advertisement"), "advertisement")
        self.check(page.open("/favourites"), "favourites-nobody")
        self.check(page.open("/settings"), "settings")
        self.check(page.open("/login?next=/favourites"), "login")
        self.check(page.open("/catalogue"), "catalogue")
        self.check(page.open("/inside"), "inside")
        page.open("/login?next=/").log_in()
        for row in page.loaded().names()[:3]:
            page.press(f"[id='star-{row}'][aria-pressed=false]")
        page.shows(".badge", "3")
        page.shows(".toast")
        self.check(page, "repositories-ada")
        self.check(page.open("/own").loaded(), "own")
        self.check(page.open("/favourites").loaded(), "favourites")
        self.assertEqual(page.complaints(), [])

    def test_nothing_is_cut_off_at_320_pixels(self):
        page = self.page(size=SMALL)
        for path in ["/", "/settings", "/login", "/advertisement"]:
            self.assertEqual(page.open(path).execute_script(CHECKS), [], path)
            self.assertEqual(page.execute_script(CUT_OFF), [], path)
        page.open("/login?next=/").log_in("ada-of-lovelace")
        self.assertEqual(page.loaded().execute_script(CHECKS), [])
        self.assertEqual(page.execute_script(CUT_OFF), [])
        page.open(f"/repositories/{page.names()[0]}").shows("article.readme, #readme .end")
        self.assertEqual(page.execute_script(CHECKS), [])

    def test_tabs_stay_in_their_places(self):
        page = self.page()
        places = []
        for path in ["/", "/favourites", "/settings"]:
            places.append(page.open(path).execute_script(
                "return [...document.querySelectorAll('.tabs a')].map(tab => tab.getBoundingClientRect().x)"))
        self.assertEqual(places, [places[0]] * 3)


class Jumps(BrowserTest):
    """With a GitHub so slow that every page is shown before its data has arrived."""

    arguments = ("--latency", "700")

    def holds_still(self, page, path):
        sum, what = page.execute_async_script(JUMPS)
        self.assertLess(sum, 0.001, f"{path}: {what}")

    def test_nothing_jumps_while_it_loads(self):
        page = self.page()
        for path in ["/", "/?q=parser"]:
            page.open(path).loaded()
            self.holds_still(page, path)

    def test_nothing_jumps_while_a_detail_loads(self):
        page = self.page()
        page.on_load("""
          addEventListener("DOMContentLoaded", () => window.began = document.querySelector("#readme article") == null)
        """)
        rows = page.open().loaded().names()[:8]
        for size in [PHONE, DESKTOP]:
            page.look(size, dark=False)
            for row in rows[:4] if size == PHONE else rows[4:]:
                path = f"/repositories/{row}"
                page.open(path).shows("article.readme, #readme .end")
                self.assertTrue(page.execute_script("return window.began"), "it was there at once")
                self.holds_still(page, path)


# Records what moves, and checks in each frame what must not.
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
    const isEven = rows.every((row, place) => place === 0
      || Math.abs(row.offsetTop - rows[place - 1].offsetTop - rows[place - 1].offsetHeight) < 1)
    const { scrollWidth } = document.documentElement
    window.places.add([document.getElementById("rows").offsetTop, isEven, scrollWidth].join())
    requestAnimationFrame(places)
  }
  places()
"""


class Motion(BrowserTest):
    """Inserted, deleted and moved rows are animated; the layout changes at once."""

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


if __name__ == "__main__":
    unittest.main(verbosity=2)
