"""Where a window is: its address, back and forward, and who may see what; `make test-web` runs it."""

import unittest

from browser import BrowserTest

# Marks the document: another one does not have the mark.
MARK = "window.isTheSamePage = true"
IS_MARKED = "return window.isTheSamePage === true"


class Moves(BrowserTest):
    def path(self, page):
        return page.execute_script("return location.pathname + location.search")

    def connected(self, page):
        """Waits for the stream, without which links load documents; and marks the document."""
        page.until(lambda: page.execute_script("return source?.readyState === EventSource.OPEN"))
        page.execute_script(MARK)
        return page

    def is_at(self, page, path, selector, text=""):
        page.shows(selector, text)
        page.until(lambda: self.path(page) == path)

    def detail(self, page, place=0):
        """Opens a repository of the list."""
        row = page.names()[place]
        page.press(f"[id='row-{row}'] .row-link")
        self.is_at(page, f"/repositories/{row}", "h1", row.split("/")[1])
        return row

    def test_the_address_and_the_title_follow_the_route(self):
        page = self.connected(self.page().open().loaded())
        row = self.detail(page)
        self.assertEqual(page.title, f"{row} · Repositories")
        page.shows("article.readme, #readme .end")
        page.press(".tabs a[data-tab=settings]")
        self.is_at(page, "/settings", "h1", "Settings")
        self.assertEqual(page.one("[aria-current=page]").text, "Settings")
        page.press("#theme-dark")
        page.shows("#theme-dark[aria-pressed=true]")
        page.press(".tabs a[data-tab=everything]")
        page.loaded()
        self.assertEqual(self.path(page), "/")
        # All of it is one document.
        self.assertTrue(page.execute_script(IS_MARKED))
        self.assertEqual(page.complaints(), [])

    def test_back_and_forward_set_the_route(self):
        page = self.connected(self.page().open().loaded())
        row = self.detail(page, 4)
        page.press(".tabs a[data-tab=favourites]")
        self.is_at(page, "/favourites", "#more", "Your favourites")
        page.back()
        self.is_at(page, f"/repositories/{row}", "h1", row.split("/")[1])
        page.back()
        page.loaded()
        self.assertEqual(self.path(page), "/")
        for path, selector in [(f"/repositories/{row}", "#facts h1"), ("/favourites", "#more h2")]:
            page.forward()
            self.is_at(page, path, selector)
        self.assertTrue(page.execute_script(IS_MARKED))
        # Two at once.
        page.execute_script("history.go(-2)")
        page.loaded()
        self.assertEqual(self.path(page), "/")

    def test_a_link_back_goes_back_in_the_history(self):
        page = self.connected(self.page().open().loaded())
        entries = page.execute_script("return history.length")
        row = self.detail(page)
        page.press("[data-back]")
        page.loaded()
        page.until(lambda: self.path(page) == "/")
        self.assertEqual(page.execute_script("return history.length"), entries + 1)
        page.forward()
        self.is_at(page, f"/repositories/{row}", "#facts h1")
        # After back, another move takes the place of that entry.
        page.press("[data-back]")
        page.loaded()
        page.until(lambda: self.path(page) == "/")
        page.press(".tabs a[data-tab=settings]")
        self.is_at(page, "/settings", "h1", "Settings")
        self.assertEqual(page.execute_script("return history.length"), entries + 1)

    def test_a_deep_link_begins_there_and_back_leads_to_the_list(self):
        row = self.page().open().loaded().names()[3]
        page = self.page().open(f"/repositories/{row}")
        self.connected(page).shows("#facts h1", row.split("/")[1])
        page.press("[data-back]")
        page.loaded()
        page.until(lambda: self.path(page) == "/")
        self.assertTrue(page.execute_script(IS_MARKED))

    def test_a_page_that_is_loaded_again_is_at_the_same_place(self):
        page = self.connected(self.page().open().loaded())
        row = self.detail(page)
        page.press(".tabs a[data-tab=settings]")
        self.is_at(page, "/settings", "h1", "Settings")
        page.refresh()
        self.connected(page).shows("h1", "Settings")
        page.back()
        self.is_at(page, f"/repositories/{row}", "#facts h1", row.split("/")[1])
        page.back()
        page.loaded()
        self.assertEqual(self.path(page), "/")
        page.press(".tabs a[data-tab=favourites]")
        self.is_at(page, "/favourites", "#more", "Your favourites")

    def test_a_search_is_in_the_address_when_the_visitor_returns(self):
        page = self.connected(self.page().open().loaded())
        page.one("#q").send_keys("parser")
        page.shows("#status", "repositories for “parser”")
        self.assertEqual(self.path(page), "/?q=parser")
        self.detail(page)
        page.press("[data-back]")
        page.shows("#status", "repositories for “parser”")
        page.until(lambda: self.path(page) == "/?q=parser")
        self.assertEqual(page.one("#q").get_attribute("value"), "parser")
        # The field is another element now, and searches all the same.
        page.one("#q").send_keys(" http")
        page.shows("#status", "repositories for “parser http”")

    def test_own_repositories_require_a_login_and_come_after_it(self):
        page = self.connected(self.page().open().loaded())
        page.press(".tabs a[data-tab=own]")
        self.is_at(page, "/login?next=/own", "h1", "Log in")
        self.assertTrue(page.execute_script(IS_MARKED))
        page.log_in()
        self.is_at(page, "/own", "h1", "Your repositories")
        rows = page.loaded().names()
        self.assertTrue(all(row.startswith("ada/") for row in rows), rows)
        page.shows(".header", "30 so far")
        # Both lists are kept.
        self.connected(page).press(".tabs a[data-tab=everything]")
        page.until(lambda: page.names() and not page.names()[0].startswith("ada/"))
        page.press(".tabs a[data-tab=own]")
        page.until(lambda: page.names()[:30] == rows)
        page.execute_script("scrollTo(0, document.body.scrollHeight)")
        page.shows("#list-end", "That is all.")
        star = page.names()[40 - 1 if len(page.names()) > 40 else -1]
        page.press(f"[id='star-{star}']")
        page.shows(f"[id='star-{star}'][aria-pressed=true]")
        page.shows(".badge", "1")

    def test_a_window_leaves_own_repositories_when_its_user_logs_out(self):
        page = self.page().open("/login?next=/own")
        page.log_in()
        page.shows("h1", "Your repositories")
        first = page.current_window_handle
        page.switch_to.new_window("window")
        page.open("/settings").press("#log-out")
        page.shows(".user", "Log in")
        page.switch_to.window(first)
        self.is_at(page, "/login?next=/own", "h1", "Log in")

    def test_a_deep_link_to_own_repositories_leads_to_the_login(self):
        page = self.page().open("/own")
        self.is_at(page, "/login?next=/own", "h1", "Log in")

    def test_forward_to_what_is_not_allowed_any_more_leads_to_the_login(self):
        page = self.page().open("/login?next=/settings")
        page.log_in()
        page.shows("h1", "Settings")
        self.connected(page).press(".tabs a[data-tab=own]")
        self.is_at(page, "/own", "h1", "Your repositories")
        page.back()
        self.is_at(page, "/settings", "h1", "Settings")
        page.press("#log-out")
        page.shows(".user", "Log in")
        page.forward()
        self.is_at(page, "/login?next=/own", "h1", "Log in")

    def test_two_windows_are_at_different_places(self):
        page = self.connected(self.page().open().loaded())
        first = page.current_window_handle
        page.switch_to.new_window("window")
        self.connected(page.open("/settings"))
        page.press(".tabs a[data-tab=favourites]")
        self.is_at(page, "/favourites", "#more", "Your favourites")
        page.switch_to.window(first)
        self.assertEqual(self.path(page), "/")
        page.loaded()

    def test_a_window_that_was_hidden_is_where_it_was(self):
        page = self.connected(self.page().open().loaded())
        first = page.current_window_handle
        row = self.detail(page)
        page.switch_to.new_window("tab")
        page.open("/settings").press("#theme-dark")
        page.shows("html[data-theme=dark]")
        page.switch_to.window(first)
        page.shows("html[data-theme=dark]")
        self.is_at(page, f"/repositories/{row}", "#facts h1")
        page.press("[data-back]")
        page.loaded()

    def test_a_window_is_where_it_was_after_a_restart_of_the_service(self):
        page = self.connected(self.page().open().loaded())
        row = self.detail(page)
        self.server.end(kill=True)
        page.shows("#away")
        self.server.start()
        page.until(lambda: not page.one("#away").is_displayed())
        page.shows("#facts h1", row.split("/")[1])
        page.back()
        page.loaded()
        self.assertEqual(self.path(page), "/")


class Rows(BrowserTest):
    """Rows of several kinds in one list."""

    arguments = ("--announcements", "1", "--seed", "7")

    def kinds(self, page):
        return page.execute_script(
            "return [...document.querySelectorAll('#rows > *')].map(row => row.className)")

    def test_a_list_has_rows_of_all_kinds(self):
        page = self.page(calm=False).open().loaded()
        page.until(lambda: len(page.all("#rows > .announcement")) == 3)
        kinds = self.kinds(page)
        self.assertEqual(kinds[0], "band header")
        self.assertEqual(kinds[-1], "band more")
        self.assertEqual(kinds.count("band advertisement"), 1)
        self.assertEqual(kinds.count("row"), 30)

    def test_announcements_are_inserted_and_the_other_rows_stay(self):
        page = self.page(calm=False).open().loaded()
        page.execute_script("for (const row of document.querySelectorAll('#rows .row')) row.mark = row.id")
        page.shows("#rows > .announcement")
        page.until(lambda: len(page.all("#rows > .announcement")) == 3)
        marked = page.execute_script(
            "return [...document.querySelectorAll('#rows .row')].filter(row => row.mark === row.id).length")
        self.assertEqual(marked, 30)

    def test_an_announcement_is_closed(self):
        page = self.page().open("/settings")
        page.open().loaded()
        first = page.shows("#rows > .announcement")
        name = first.get_attribute("id")
        page.execute_script("document.getElementById(arguments[0]).querySelector('.close').click()", name)
        page.is_gone(f"#{name}")

    def test_without_announcements_there_are_none(self):
        page = self.page().open("/settings")
        page.press("#announcements-off")
        page.shows("#announcements-off[aria-pressed=true]")
        page.shows(".toast", "Announcements are off.")
        page.press(".tabs a[data-tab=everything]")
        # The tab also clears those from before.
        page.loaded()
        page.until(lambda: not page.all("#rows > .announcement"))
        other = self.page().open().loaded()
        other.shows("#rows > .announcement")
        self.assertEqual(page.all("#rows > .announcement"), [])


class Advertisement(BrowserTest):
    def test_it_opens_its_page_and_is_gone_when_the_visitor_returns(self):
        page = self.page(calm=False).open().loaded()
        page.shows("#rows > .advertisement")
        count = len(page.all("#rows > *"))
        page.press(".advertisement a")
        page.shows("h1", "One way for every change")
        page.until(lambda: page.execute_script("return location.pathname") == "/advertisement")
        page.press("[data-back]")
        page.loaded()
        self.assertEqual(page.all(".advertisement"), [])
        self.assertEqual(len(page.all("#rows > *")), count - 1)

    def test_in_another_window_it_leaves_at_once(self):
        page = self.page(calm=False).open().loaded()
        first = page.current_window_handle
        page.shows("#rows > .advertisement")
        page.switch_to.new_window("window")
        page.open("/advertisement").shows("h1", "One way for every change")
        page.switch_to.window(first)
        page.is_gone("#rows > .advertisement")
        self.assertEqual(len(page.names()), 30)


if __name__ == "__main__":
    unittest.main(verbosity=2)
