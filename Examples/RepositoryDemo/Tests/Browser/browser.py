"""A server and browsers for tests: the program as it is built, and Debian's Chromium without a window."""

import atexit
import os
import pathlib
import re
import select
import shutil
import subprocess
import tempfile
import threading
import time
import unittest
import urllib.request

from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException, WebDriverException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("REPOSITORY_DEMO", str(ROOT / ".build/debug/RepositoryDemo"))
SHOTS = pathlib.Path(os.environ.get("SCREENSHOTS", ROOT / ".build/screenshots"))
CHROMIUM = shutil.which("chromium") or "/usr/bin/chromium"
DRIVER = shutil.which("chromedriver") or "/usr/bin/chromedriver"

PHONE, DESKTOP = (390, 844), (1280, 900)


class Server:
    """The program on a port of its own, which it keeps when it is restarted, like its data in a folder."""

    def __init__(self, *arguments, log=None):
        self.log = log
        self.port, self.arguments = 0, arguments
        self.folder = tempfile.TemporaryDirectory()
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            [PROGRAM, "--port", str(self.port), "--data", self.folder.name, "--inside", "--announcements", "0",
             "--rate", "0", "--log-level", "error", *self.arguments],
            stdout=subprocess.PIPE, stderr=self.log, text=True)
        limit = time.monotonic() + 20
        # It prints the port on which it listens, or ends.
        select.select([self.process.stdout], [], [], 20)
        self.port = int(re.search(r":(\d+) ", self.process.stdout.readline()).group(1))
        self.url = f"http://127.0.0.1:{self.port}"
        while True:
            try:
                with urllib.request.urlopen(f"{self.url}/health/ready", timeout=1) as answer:
                    if answer.status == 200:
                        return
            except OSError:
                if time.monotonic() > limit or self.process.poll() is not None:
                    raise
            time.sleep(0.01)

    def end(self, kill=False):
        """Ends the program, and returns how many seconds that took."""
        start = time.monotonic()
        self.process.kill() if kill else self.process.terminate()
        self.process.wait(timeout=20)
        return time.monotonic() - start

    def close(self):
        if self.process.poll() is None:
            self.end(kill=True)
        self.process.stdout.close()
        self.folder.cleanup()


class Page(webdriver.Chrome):
    """One browser, and assertions about its page."""

    def __init__(self, scripts=True):
        options = webdriver.ChromeOptions()
        options.binary_location = CHROMIUM
        for argument in ["--headless=new", "--disable-dev-shm-usage", "--hide-scrollbars"]:
            options.add_argument(argument)
        if os.geteuid() == 0:
            options.add_argument("--no-sandbox")
        if not scripts:
            options.add_experimental_option(
                "prefs", {"profile.managed_default_content_settings.javascript": 2})
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        super().__init__(options=options, service=Service(DRIVER))
        self.scripts, self.added = scripts, []

    def begin(self, server, size=DESKTOP, dark=False, calm=True, scale=1):
        """Prepares the browser for the pages of this server."""
        self.server, self.calm, self.scale = server, calm, scale
        self.look(size, dark)
        return self

    def forget(self):
        """Resets the browser after a test: without a page, history, cookies or scripts of the test."""
        self.get("about:blank")
        for script in self.added:
            self.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", {"identifier": script})
        self.added = []
        self.execute_cdp_cmd("Page.resetNavigationHistory", {})
        self.execute_cdp_cmd("Network.setBlockedURLs", {"urls": []})
        self.execute_cdp_cmd("Network.clearBrowserCookies", {})
        self.execute_cdp_cmd("Storage.clearDataForOrigin", {"origin": self.server.url, "storageTypes": "all"})
        self.execute_cdp_cmd("Input.dispatchMouseEvent", {"type": "mouseMoved", "x": 0, "y": 0})
        self.get_log("browser")

    def look(self, size, dark):
        width, height = size
        self.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": self.scale, "mobile": False})
        self.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
            {"name": "prefers-reduced-motion", "value": "reduce" if self.calm else "no-preference"}]})

    def on_load(self, script):
        """Runs a script in every page before its own."""
        command = {"source": f"{{{script}}}"}
        added = self.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", command)
        self.added.append(added["identifier"])

    def open(self, path="/"):
        self.get(self.server.url + path)
        return self

    def all(self, selector):
        return self.find_elements(By.CSS_SELECTOR, selector)

    def one(self, selector):
        return self.find_element(By.CSS_SELECTOR, selector)

    def until(self, what, seconds=20):
        # While a page is being replaced, an element may have been removed: read again.
        gone = [StaleElementReferenceException]
        wait = WebDriverWait(self, seconds, poll_frequency=0.05, ignored_exceptions=gone)
        return wait.until(lambda _: what())

    def shows(self, selector, text=""):
        """Waits until there is such an element with this text in it."""
        def found():
            try:
                # Each of these is a request to the browser: no more of them than necessary.
                return next((one for one in self.all(selector)
                             if one.is_displayed() and (not text or text in one.text)), None)
            except Exception:  # it has been drawn anew in between
                return None
        return self.until(found)

    def is_gone(self, selector):
        self.until(lambda: not self.all(selector))

    def press(self, selector):
        """Clicks as a user does, even if the element has just been redrawn."""
        for _ in range(20):
            try:
                return self.shows(selector).click()
            except Exception as error:
                if "stale" not in str(error):
                    raise
        raise AssertionError(f"{selector} does not hold still")

    def type(self, *keys):
        """Types into the focused element."""
        ActionChains(self).send_keys(*keys).perform()

    def focus(self):
        """The focused element, read in one request: it may be redrawn in between."""
        return self.execute_script(
            "const it = document.activeElement;"
            "return {id: it.id, class: it.className, text: it.innerText ?? ''}")

    def names(self):
        return self.execute_script(
            "return [...document.querySelectorAll('#rows .row[id]')].map(row => row.id.slice(4))"
        ) if self.scripts else re.findall(r'<li class="row" id="row-([^"]+)"', self.page_source)

    def loaded(self):
        self.shows("#rows .row[id]")
        return self

    def log_in(self, name="ada", password="difference engine"):
        """Logs in, with a new account if there is none."""
        self.try_to_log_in(name, password, "[name=new]")
        # A click may return before the answer has arrived: opening a page then would cancel it.
        self.shows(".user", name)

    def try_to_log_in(self, name, password, button=".primary"):
        self.shows("input[name=name]").send_keys(name)
        self.one("input[name=password]").send_keys(password)
        self.one(f"form.card {button}").click()

    def shot(self, name):
        SHOTS.mkdir(parents=True, exist_ok=True)
        self.save_screenshot(str(SHOTS / f"{name}.png"))

    def complaints(self):
        """What the page has written to the browser's console, except for failed requests of resources."""
        return [entry["message"] for entry in self.get_log("browser")
                if entry["level"] == "SEVERE" and "Failed to load resource" not in entry["message"]]


class Browsers:
    """Browsers that no test uses at the moment: starting one takes longer than most tests."""

    lock = threading.Lock()
    all, idle = [], []

    @classmethod
    def take(cls, scripts):
        with cls.lock:
            for page in cls.idle:
                if page.scripts == scripts:
                    cls.idle.remove(page)
                    return page
        page = Page(scripts)
        with cls.lock:
            cls.all.append(page)
        return page

    @classmethod
    def give_back(cls, page):
        try:
            # The next test must not depend on which of several windows has the focus.
            if len(page.window_handles) > 1:
                return page.quit()
            page.forget()
        except WebDriverException:
            return page.quit()
        with cls.lock:
            cls.idle.append(page)

    @classmethod
    def quit(cls):
        for page in cls.all:
            page.quit()


atexit.register(Browsers.quit)


class BrowserTest(unittest.TestCase):
    """A server for each test, and browsers without data of other tests."""

    arguments = ()

    def setUp(self):
        self.server = Server(*self.arguments)
        self.addCleanup(self.server.close)

    def page(self, scripts=True, **options):
        page = Browsers.take(scripts)
        self.addCleanup(Browsers.give_back, page)
        return page.begin(self.server, **options)
