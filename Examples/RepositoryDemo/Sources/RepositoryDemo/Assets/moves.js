// Moves of this window. The address and the history of the browser follow the route in the service's state; the
// browser's own moves, back and forward, are sent there.
"use strict"

const act = $("act")

/// The position in the browser's history: each entry has a number.
let index = history.state?.index ?? 0
history.replaceState({ index }, "")
act.elements.index.value = index

/// The address of what is shown, which differs from the browser's until a move has arrived.
let shown = location.pathname + location.search
/// How far each position was scrolled, and what had the focus there.
const left = new Map()
/// Whether the browser has moved, and the screen of its new position is not shown yet.
let isMoving = false
/// What a position was left with, until all of it is shown again.
let returning = null
/// Positions to which this script moves the browser, after their screen is shown.
const expected = new Set()

function note() {
  if (isMoving || returning) return
  const it = document.activeElement
  const ways = it && it !== document.body ? waysTo(it) : []
  const isVisible = ways.length > 0 && it.matches(":focus-visible")
  left.set(index, { path: path(shown), top: scrollY, ways, isVisible })
}
const path = (address) => address.split("?")[0]
addEventListener("scroll", note, { passive: true })
document.addEventListener("focusin", note)

/// Where the browser is, for the service.
function isAt(position, address) {
  index = position
  Object.assign(act.elements.index, { value: index })
  Object.assign(act.elements.back, { value: address })
}

/// Replaces the address without a move.
function rename(address) {
  history.replaceState({ index }, "", address)
  shown = address
  isAt(index, address)
}

/// Moves the browser to the position of the window.
function follow({ address, index: position }) {
  const here = location.pathname + location.search
  const steps = position - index
  if (steps > 0) history.pushState({ index: position }, "", address)
  else if (steps < 0) {
    expected.add(position)
    history.go(steps)
  } else if (here !== address) {
    // The text that a visitor is typing is newer than the one in the state.
    const isTyping = $("q")?.matches(":focus") && path(address) === location.pathname
    if (!isTyping) history.replaceState({ index }, "", address)
  }
  shown = address
  isAt(position, address)
}

/// Shows another screen, scrolled as it was left.
function move({ body, place }) {
  isMoving = true
  const isNew = place.index > index
  if (isNew) for (const one of left.keys()) if (one > index) left.delete(one)
  const main = $("main")
  main.classList.add("moved")
  main.innerHTML = body
  follow(place)
  const was = left.get(index)
  returning = was?.path === path(place.address) ? { ...was, end: Date.now() + 3000 } : null
  if (returning) aim = ""
  scrollTo(0, 0)
  if (!aim) (main.querySelector("[autofocus]") ?? main).focus({ preventScroll: true })
  isMoving = false
}

/// Restores the position and the focus of a screen, as soon as it has what it had.
function comeBack() {
  if (!returning) return
  const { top, ways, isVisible, end } = returning
  scrollTo(0, top)
  const it = isVisible ? first(ways[0]) : null
  it?.focus({ preventScroll: true })
  const isDone = Math.abs(scrollY - top) < 2 && (it || !isVisible)
  if (isDone || Date.now() > end) returning = null
}
for (const kind of ["pointerdown", "wheel", "keydown"]) {
  addEventListener(kind, () => { returning = null }, { passive: true })
}

addEventListener("popstate", ({ state }) => {
  // A link to a part of the same screen.
  if (state?.index === undefined) return history.replaceState({ index }, "")
  if (expected.delete(state.index) || state.index === index) return
  isMoving = true
  isAt(state.index, location.pathname + location.search)
  send("/actions/arrive", [])
})

/// Links of this site are actions, as long as the stream can show where they lead.
document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href]")
  const isPlain = !event.defaultPrevented && !event.button
    && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
  if (!link || !isPlain || link.origin !== location.origin || link.getAttribute("href").startsWith("#")) return
  if (source?.readyState !== EventSource.OPEN) return
  event.preventDefault()
  if ("back" in link.dataset) {
    aim = link.hash.slice(1)
    return send("/actions/back", [])
  }
  const { tab } = link.dataset
  if (!tab) return send("/actions/open", [["to", link.pathname + link.search]])
  if (link.ariaCurrent) scrollTo({ top: 0, behavior: calm.matches ? "auto" : "smooth" })
  send("/actions/press", [["tab", tab]])
})
