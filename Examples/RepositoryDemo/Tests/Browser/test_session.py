"""What requires a login, in one window and in several; `make test-web` runs it."""

import unittest

from selenium.webdriver.common.action_chains import ActionChains

from browser import PHONE, BrowserTest


# Records the changes that a page receives, by what it shows afterwards.
TOLD = """
  window.told = []
  const shows = show
  show = (change) => {
    told.push(document.body.dataset.seen)
    shows(change)
  }
"""


# Undoes the change in a notice, and returns its text: in one request, since another notice may replace it.
UNDO = """
  const button = document.getElementById("undo")
  const said = button.parentElement.innerText
  button.click()
  return said
"""


class Tabs(BrowserTest):
    """A browser has six connections to a server, for all of its tabs: a hidden one closes its stream."""

    def tab(self, page, path):
        page.switch_to.new_window("tab")
        page.open(path)
        return page.current_window_handle

    def test_eight_tabs_of_one_browser(self):
        page = self.page().open("/login?next=/")
        page.log_in()
        row = page.loaded().names()[0]
        tabs = [page.current_window_handle] + [self.tab(page, "/") for _ in range(7)]
        page.loaded().press(f"[id='star-{row}'][aria-pressed=false]")
        page.shows(f"[id='star-{row}'][aria-pressed=true]")
        for one in tabs:
            page.switch_to.window(one)
            page.shows(f"[id='star-{row}'][aria-pressed=true]")
            page.shows(".badge", "1")

    def test_a_tab_that_was_hidden_has_neither_a_gap_nor_a_double(self):
        page = self.page().open("/settings")
        first = page.current_window_handle
        page.press("#weather-slow")
        page.shows("#weather-slow[aria-pressed=true]")
        page.execute_script(TOLD)
        second = self.tab(page, "/settings")
        for number, weather in enumerate(["failing", "garbled", "fine"]):
            page.switch_to.window(second)
            page.press(f"#weather-{weather}")
            page.shows(f"#weather-{weather}[aria-pressed=true]")
            page.switch_to.window(first)
            page.shows(f"#weather-{weather}[aria-pressed=true]")
            self.assertEqual(len(page.execute_script("return told")), number + 1)
        # Shown again when nothing has happened, it receives only later changes.
        page.switch_to.window(second)
        page.switch_to.window(first)
        page.press("#weather-slow")
        page.shows("#weather-slow[aria-pressed=true]")
        told = page.execute_script("return told")
        self.assertEqual(len(told), 4)
        self.assertEqual(len(set(told)), 4)


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

    def test_two_stars_at_once_are_two(self):
        page = self.page().open("/login?next=/")
        page.log_in()
        rows = page.loaded().names()[:2]
        page.execute_script(
            "for (const row of arguments[0]) document.getElementById(`star-${row}`).click()", rows)
        page.shows(".badge", "2")
        page.open("/favourites").loaded()
        self.assertEqual(set(page.names()), set(rows))

    def test_a_wrong_password(self):
        page = self.page().open("/login?next=/")
        page.log_in()
        page.open("/settings").press("#log-out")
        page.shows(".user", "Log in")
        page.open("/login?next=/").try_to_log_in("ada", "analytical engine")
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

    def test_undo_takes_back_what_its_notice_names(self):
        page = self.page().open("/login?next=/")
        page.log_in()
        rows = page.loaded().names()[:2]
        for count, row in enumerate(rows):
            self.star(page, row)
            page.shows(".badge", f"{count + 1}")
        page.shows("#undo")
        said = page.execute_script(UNDO)
        named = [row for row in rows if f"Added {row.split('/')[1]}." in said]
        self.assertEqual(len(named), 1, said)
        page.shows(f"[id='star-{named[0]}'][aria-pressed=false]")
        page.shows(".badge", "1")
        rows.remove(named[0])
        page.shows(f"[id='star-{rows[0]}'][aria-pressed=true]")

    def test_another_browser_of_the_same_user(self):
        one, other = self.page(), self.page(size=PHONE, dark=True)
        for page in [one, other]:
            page.open("/login?next=/").log_in()
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
        page.switch_to.window(first)
        page.shows(".user", "ada")
        # The requests of this window are ada's as well.
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
        ActionChains(page).double_click(page.one("form.card [name=new]")).perform()
        page.shows("#log-out")

    def test_settings_are_acknowledged(self):
        page = self.page().open("/settings")
        page.press("#theme-dark")
        page.shows(".toast", "The colours are saved.")
        page.shows("html[data-theme=dark]")


if __name__ == "__main__":
    unittest.main(verbosity=2)
