"""Draws the screens of a terminal, one after another, as an animated SVG, for scripts/pictures."""

import re
import unicodedata
from html import escape

CELL, LINE, EDGE, BAR = 8.4, 20, 14, 26
STYLES = {1: "b", 2: "d", 4: "u", 9: "s", 31: "red", 32: "green", 33: "yellow", 34: "blue",
          35: "magenta", 36: "cyan"}
CSS = """text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:#d8dee9;white-space:pre}
.b{font-weight:700}.d{opacity:.6}.u{text-decoration:underline}.s{text-decoration:line-through}
.red{fill:#e06c75}.green{fill:#98c379}.yellow{fill:#e5c07b}.blue{fill:#61afef}.magenta{fill:#c678dd}.cyan{fill:#56b6c2}
"""


def width(text):
    """The number of terminal columns of a text."""
    wide = sum(2 if unicodedata.east_asian_width(c) in "WF" else 1
               for c in text if not unicodedata.combining(c) and c not in "\u200d\ufe0f")
    return wide + text.count("\ufe0f")


def runs(line):
    """The parts of a line that have one style each: their column, text and style."""
    style, column, found = set(), 0, []
    for codes, text in re.findall(r"\x1b\[([\d;]*)m|([^\x1b]+)", line):
        if text:
            if text.strip():
                found.append((column, text, tuple(sorted(style))))
            column += width(text)
            continue
        for code in (int(c or 0) for c in codes.split(";")):
            if code == 0:
                style.clear()
            elif code == 22:
                style -= {"b", "d"}
            elif code in (24, 29):
                style -= {"u" if code == 24 else "s"}
            elif code == 39:
                style -= {STYLES[c] for c in range(31, 37)}
            elif code in STYLES:
                style.add(STYLES[code])
    return found


def separated(lines):
    """The same lines, each with the style that is still set from the lines before."""
    left, found = "", []
    for line in lines:
        found.append(left + line)
        for codes in re.findall(r"\x1b\[[\d;]*m", line):
            left = codes if re.match(r"\x1b\[0?[;m]", codes) else left + codes
    return found


def plain(line):
    return re.sub(r"\x1b\[[\d;]*m", "", line)


def text_elements(line, row):
    parts = []
    for column, text, style in runs(line):
        lead = len(text) - len(text.lstrip(" "))
        text, column = text.strip(" "), column + lead
        attributes = f' class="{" ".join(style)}"' if style else ""
        x, y = EDGE + column * CELL, BAR + EDGE + row * LINE + 14
        length = width(text) * CELL
        parts.append(f'<text x="{x:.1f}" y="{y}" textLength="{length:.1f}"{attributes}>{escape(text)}</text>')
    return "".join(parts)


def cursor_element(cursor):
    x, y = EDGE + cursor[0] * CELL, BAR + EDGE + cursor[1] * LINE
    return f'<rect x="{x:.1f}" y="{y}" width="{CELL}" height="18" fill="#d8dee9" opacity=".7"/>'


def spans(frames, key):
    """The frames in which each part is visible: first and last, as long as it is unchanged."""
    found = []
    for number, frame in enumerate(frames):
        what = key(frame)
        if found and found[-1][0] == what:
            found[-1][2] = number + 1
        else:
            found.append([what, number, number + 1])
    return [span for span in found if span[0]]


def drawn(film, columns, rows, title):
    frames = [frame for frame, _ in film]
    starts = [0.0]
    for _, seconds in film:
        starts.append(starts[-1] + seconds)
    total, last = starts[-1], len(frames)
    names, body = {}, []

    def add(element, begin, end):
        if (begin, end) == (0, last):
            body.append(element)
            return
        name = names.setdefault((begin, end), f"a{len(names)}")
        still = " l" if end == last else ""
        body.append(f'<g class="f {name}{still}">{element}</g>')

    for row in range(rows):
        for line, begin, end in spans(frames, lambda frame: frame[0][row]):
            if element := text_elements(line, row):
                add(element, begin, end)
    for cursor, begin, end in spans(frames, lambda frame: frame[1]):
        add(cursor_element(cursor), begin, end)

    style = CSS + f".f{{visibility:hidden;animation:{total:.2f}s step-end infinite}}\n"
    for (begin, end), name in names.items():
        at, until = (starts[i] / total * 100 for i in (begin, end))
        steps = f"{at:.2f}%{{visibility:visible}}"
        steps = ("" if begin == 0 else "0%{visibility:hidden}") + steps
        steps += "" if end == last else f"{until:.2f}%{{visibility:hidden}}"
        style += f".{name}{{animation-name:{name}}}@keyframes {name}{{{steps}}}\n"
    # A reader who prefers reduced motion sees the last screen.
    style += "@media(prefers-reduced-motion){.f{animation:none}.l{visibility:visible}}"
    wide, high = columns * CELL + 2 * EDGE, BAR + rows * LINE + 2 * EDGE
    dots = "".join(f'<circle cx="{18 + 18 * i}" cy="17" r="5.5" fill="{colour}"/>'
                   for i, colour in enumerate(("#ff5f57", "#febc2e", "#28c840")))
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide:.0f}" height="{high}" '
        f'viewBox="0 0 {wide:.0f} {high}" role="img">', f"<title>{escape(title)}</title>",
        f"<style>{style}</style>", f'<rect width="100%" height="100%" rx="9" fill="#1d2029"/>{dots}',
        *body, "</svg>", ""])
