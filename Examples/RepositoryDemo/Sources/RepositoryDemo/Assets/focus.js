// Restores the focus when the element that had it is redrawn or removed: keyboard users never lose it.
"use strict"

const $ = (id) => document.getElementById(id)
const first = (selector) => document.querySelector(selector)

/// How to find an element again: its selector, and those of its ancestors, from the inside out.
function waysTo(element) {
  const found = []
  const [owner, link] = [element.closest("[id]"), element.getAttribute("href")]
  if (owner && owner !== element && link) {
    found.push(`#${CSS.escape(owner.id)} [href="${CSS.escape(link)}"]`)
  }
  for (let one = owner; one; one = one.parentElement?.closest("[id]")) found.push(`#${CSS.escape(one.id)}`)
  return found
}

/// The last focused element outside toasts: a toast disappears by itself.
let outside = []
document.addEventListener("focusin", ({ target }) => {
  if (!target.closest("#toast")) outside = waysTo(target)
})

/// The focused element, for `hold` after a change.
function holding() {
  const it = document.activeElement
  if (!it || it === document.body) return null
  const [row, count] = [it.closest("#rows > *"), $("rows")?.children.length]
  const place = row ? [...row.parentElement.children].indexOf(row) : -1
  const kind = it.matches(".star") ? ".star" : "a"
  // Without keyboard focus, the visitor may have scrolled on.
  const scroll = { preventScroll: !it.matches(":focus-visible") }
  return { it, count, place, kind, scroll, ways: waysTo(it) }
}

function hold({ it, count, place, kind, scroll, ways }) {
  const rows = [...($("rows")?.children ?? [])]
  // A visitor who waits for more rows continues with the first new one, which is where the last row was.
  if (it.id === "load-more" && rows.length > count) return rows[count - 1].querySelector("a")?.focus(scroll)
  if (document.activeElement !== document.body) return
  const [same, ...around] = ways
  if (same && first(same)) return first(same).focus({ preventScroll: true })
  // The row that is now at the position of this one, or the nearest that has such an element.
  const near = place < 0 ? [] : [...rows.slice(place), ...rows.slice(0, place).reverse()]
  const next = near.map((row) => row.querySelector(kind)).find(Boolean)
  if (next) return next.focus(scroll)
  rest(around.includes("#toast") ? outside : around, scroll)
}

/// Focuses the first visible one of these elements, and makes it focusable only as long as it has the focus.
function rest(ways, scroll) {
  const it = [...ways, "#main"].map(first).find((one) => one?.matches("input") || one?.innerText.trim())
  if (!it) return
  if (it.tabIndex < 0 && !it.hasAttribute("tabindex")) {
    it.tabIndex = -1
    it.addEventListener("blur", () => it.removeAttribute("tabindex"), { once: true })
  }
  it.focus(scroll)
}

// A page that is reloaded, or shown again from the history, has the focus where it was, if that was visible.
if (navigator.cookieEnabled) {
  const key = () => `focus ${location.pathname}`
  addEventListener("pagehide", () => {
    const it = document.activeElement
    if (it?.matches(":focus-visible")) sessionStorage.setItem(key(), JSON.stringify(waysTo(it)))
    else sessionStorage.removeItem(key())
  })
  const kept = sessionStorage.getItem(key())
  const [{ type }] = performance.getEntriesByType("navigation")
  if (kept && type !== "navigate") rest(JSON.parse(kept))
}

/// A page that is opened for a row or its star focuses it, as soon as it is there.
let aim = location.hash.slice(1)
function arrive() {
  const target = aim ? $(aim) : null
  if (![document.body, $("main"), target].includes(document.activeElement)) aim = ""
  if (!aim || !target?.matches(".row, .star")) return
  aim = ""
  const it = target.querySelector("a") ?? target
  it.focus()
}
