"""Creates the README's pictures from the real program; `scripts/pictures web` runs it."""

import os
import tempfile

import browser
from browser import Page, Server

FOLDER = browser.ROOT / "Screenshots"
WIDE, PHONE = (960, 760), (390, 844)

# A common font, where it is installed (Debian's `fonts-inter`): a machine without a screen has few.
FONTS = """<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>
<include>/etc/fonts/fonts.conf</include>
<alias binding="strong"><family>system-ui</family><prefer><family>Inter</family></prefer></alias>
<alias binding="strong"><family>sans-serif</family><prefer><family>Inter</family></prefer></alias>
<alias binding="strong"><family>sans</family><prefer><family>Inter</family></prefer></alias>
<alias binding="strong"><family>DejaVu Sans</family><prefer><family>Inter</family></prefer></alias>
</fontconfig>"""


def picture(page, name):
    """Saves a picture, without a hovered or pressed element."""
    page.execute_cdp_cmd("Input.dispatchMouseEvent", {"type": "mouseMoved", "x": 1, "y": 1})
    page.execute_script(
        "scrollTo(0, 0); document.activeElement.blur(); document.documentElement.style.scrollbarGutter = 'auto'")
    path = FOLDER / f"{name}.png"
    page.save_screenshot(str(path))
    print(f"{path.relative_to(browser.ROOT)}: {path.stat().st_size // 1024} KB")


def star(page, rows):
    for number, row in enumerate(rows):
        page.press(f"[id='star-{row}'][aria-pressed=false]")
        page.shows(".badge", str(number + 1))


def main():
    FOLDER.mkdir(exist_ok=True)
    fonts = tempfile.NamedTemporaryFile("w", suffix=".conf")
    fonts.write(FONTS)
    fonts.flush()
    os.environ["FONTCONFIG_FILE"] = fonts.name
    # Rows of every kind: announcements are made about every five seconds.
    server = Server("--announcements", "5")
    page = Page().begin(server, scale=1.5)
    try:
        page.open("/login?next=/").log_in()
        rows = page.loaded().names()
        star(page, [rows[place] for place in [6, 2, 5, 0, 3]])
        page.press("#dismiss")
        page.is_gone(".toast")
        page.look(WIDE, dark=False)
        page.until(lambda: page.all("#rows > .announcement"))
        picture(page, "list")
        page.look(PHONE, dark=False)
        picture(page, "phone-list")

        page.open(f"/repositories/{rows[0]}").shows("article.readme")
        page.look(WIDE, dark=True)
        picture(page, "detail")

        page.open("/own").loaded()
        page.look(PHONE, dark=True)
        own = page.names()
        page.press(f"[id='star-{own[1]}'][aria-pressed=false]")
        page.shows(f"[id='star-{own[1]}'][aria-pressed=true]")
        page.shows(".toast", "Added")
        picture(page, "phone")
    finally:
        page.quit()
        server.close()


if __name__ == "__main__":
    main()
