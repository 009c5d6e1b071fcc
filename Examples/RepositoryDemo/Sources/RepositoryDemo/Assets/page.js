// The page works without this script: every button belongs to a form, and every screen has an address. With
// the script, the page is not reloaded, and shows changes as they happen.
"use strict"

// MARK: Sending

/// The number of pending answers: a reload must not overtake their cookies.
let awaited = 0
/// How to resend what has not arrived, by key: the same request is resent once.
const unsent = new Map()

async function send(action, fields) {
  const what = `${action} ${fields}`
  if (await post(action, fields)) return unsent.delete(what)
  // Resent later, it could undo another change.
  if (action !== "/actions/undo-last") unsent.set(what, () => send(action, fields))
  isLost()
}

/// Returns whether the request has arrived.
async function post(action, fields) {
  const body = new URLSearchParams(new FormData(act))
  for (const [name, value] of fields) body.set(name, value)
  let answer
  awaited += 1
  try {
    answer = await fetch(action, { method: "POST", body, headers: { "X-Live": "1" } })
  } catch {
    return false
  } finally {
    awaited -= 1
  }
  // The service is shutting down, and has not handled the request.
  if (answer.status === 503) return false
  // This page is from before a login, or of a session that has ended.
  if (answer.status === 403) location.reload()
  // A move that is refused is made by the browser, which shows why.
  else if (!answer.ok && action === "/actions/arrive") location.reload()
  else if (!answer.ok && action === "/actions/open") location.assign(body.get("to"))
  const place = answer.headers.get("X-Go")
  if (place) location.assign(place)
  return true
}

document.addEventListener("submit", (event) => {
  const form = event.target
  if (form.method !== "post") return
  // The next page has a stream of its own, and this one must not reload meanwhile.
  if ("plain" in form.dataset) {
    // A second press would discard the answer to the first.
    if (form.dataset.sent) event.preventDefault()
    form.dataset.sent = "yes"
    isLeft = true
    return listen()
  }
  event.preventDefault()
  const button = event.submitter
  const fields = button?.name ? [[button.name, button.value]] : []
  send(button?.getAttribute("formaction") ?? form.action, fields)
})

/// One request at a time, so that the text typed last arrives last; while one is pending, only the
/// newest text waits.
let [isSending, wanted] = [false, null]
async function search(action) {
  const field = $("q")
  if (field) {
    rename(field.value ? `/?q=${encodeURIComponent(field.value)}` : "/")
    wanted = [action, field.value]
  }
  if (isSending) return
  isSending = true
  while (wanted) {
    const [next, text] = wanted
    wanted = null
    // If requests have not arrived, only the newest is resent.
    if (await post(next, [["q", text]])) unsent.delete("q")
    else if (!wanted) {
      unsent.set("q", () => {
        wanted ??= [next, text]
        return search(next)
      })
      isLost()
    }
  }
  isSending = false
}
document.addEventListener("input", ({ target }) => {
  if (target.id === "q") search("/actions/type")
})
document.addEventListener("submit", (event) => {
  if (!event.target.matches(".search")) return
  event.preventDefault()
  search("/actions/search")
})

// MARK: Showing

function show(change) {
  const held = change.body === undefined ? holding() : null
  if (change.title) document.title = change.title
  if (change.body !== undefined) move(change)
  else if (change.place) {
    follow(change.place)
    isMoving = false
  }
  for (const [id, html] of Object.entries(change.regions)) if ($(id)) $(id).innerHTML = html
  const list = $("rows")
  if (list && change.all) list.innerHTML = change.all.join("")
  if (list && change.rows) changeRows(list, change.rows)
  const { theme, q } = change.values
  if (theme) document.documentElement.dataset.theme = theme
  const field = $("q")
  if (field && q !== undefined && document.activeElement !== field && !unsent.has("q")) field.value = q
  if (held) hold(held)
  comeBack()
  arrive()
  look()
}

/// What only the browser has: the local time zone, and whether the end of the list is visible.
const end = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (isIntersecting) {
      end.unobserve(target)
      target.click()
    }
  }
}, { rootMargin: "200px" })

function look() {
  for (const time of document.querySelectorAll("time[data-time]")) {
    time.textContent = new Date(time.dataset.time * 1000).toLocaleTimeString()
  }
  end.disconnect()
  for (const button of document.querySelectorAll("[data-auto]")) end.observe(button)
}

// MARK: The stream

let source
let seen = document.body.dataset.seen
let away
let soon
/// Whether the next page is being loaded, which has a stream of its own.
let isLeft = false

function isAway(isIt) {
  $("unsent").hidden = unsent.size === 0
  if (isIt) {
    // A short interruption is ignored: a page that is being left is disconnected as well.
    away ??= setTimeout(() => ($("away").hidden = false), 1500)
  } else {
    clearTimeout(away)
    away = undefined
    $("away").hidden = true
  }
}

/// A request has not arrived. An open stream does not show when that is over, so another one has to open.
function isLost() {
  if (isLeft) return
  isAway(true)
  if (source?.readyState !== EventSource.OPEN) return
  clearTimeout(soon)
  soon = setTimeout(listen, 1000)
}

/// The stream is open again: pending requests are resent, and those that fail now wait again.
async function isBack() {
  for (const again of [...unsent.values()]) await again()
  if (unsent.size === 0) isAway(false)
}

/// A login or logout has happened: as soon as its cookie has arrived, the page is reloaded.
function again() {
  isLeft = true
  listen()
  setTimeout(() => (awaited ? again() : location.reload()), 400)
}

/// After a login or logout, forms have another token. Each window announces its token; a window with
/// another one is out of date, and reloads with the current cookie.
let windows
function meet() {
  if (!navigator.cookieEnabled) return
  const mine = act.elements.token.value
  windows = new BroadcastChannel("windows")
  windows.onmessage = ({ data }) => { if (data !== mine) location.reload() }
  windows.postMessage(mine)
}

/// Opens the stream where it was closed, or closes it: a browser has six connections to a server for all
/// of its tabs, and a hidden page needs none.
function listen() {
  source?.close()
  clearTimeout(soon)
  if (!seen || isLeft || document.hidden) return isAway(false)
  const place = new URLSearchParams({ page: shown, window: act.elements.window.value, index, seen })
  source = new EventSource(`/events?${place}`)
  source.onopen = isBack
  source.onerror = () => {
    isAway(true)
    // The browser would retry with the address of where the window was when the stream was opened, and
    // would not retry at all what the server has refused.
    const isRefused = source.readyState === EventSource.CLOSED
    source.close()
    soon = setTimeout(listen, isRefused ? 2000 : 1000)
  }
  source.addEventListener("reload", again)
  source.addEventListener("page", (event) => {
    seen = event.lastEventId
    document.body.dataset.seen = seen
    show(JSON.parse(event.data))
  })
}

// Parts of `/inside` are reloaded periodically.
const inside = document.querySelector("[data-again]")
if (inside) {
  setInterval(async () => {
    if (document.hidden) return
    const answer = await fetch(location)
    const page = new DOMParser().parseFromString(await answer.text(), "text/html")
    for (const part of document.querySelectorAll("[data-again]")) {
      part.innerHTML = page.getElementById(part.id).innerHTML
    }
  }, Number(inside.dataset.again))
}

document.addEventListener("visibilitychange", listen)

// A page in the browser's history has no stream; it opens one when it is shown again.
addEventListener("pagehide", () => {
  isLeft = true
  listen()
  windows?.close()
})
addEventListener("pageshow", (event) => {
  if (!event.persisted) return
  for (const form of document.forms) delete form.dataset.sent
  isLeft = false
  meet()
  listen()
})

arrive()
look()
meet()
listen()
