// The page without this script is whole: every button is a form's, every screen an address. With it
// the page stays where it is, and shows what changes as it changes.
"use strict"

const act = $("act")

// MARK: Sending

/// How many answers are awaited: what they say of the session is not to be overtaken by a reload.
let awaited = 0
/// How to send again what has not arrived, by what it is: the same twice is once.
const unsent = new Map()

async function send(action, fields) {
  const what = `${action} ${fields}`
  if (await post(action, fields)) return unsent.delete(what)
  // Which change is the last one may be another by then.
  if (action !== "/actions/undo-last") unsent.set(what, () => send(action, fields))
  isLost()
}

/// Returns whether it has arrived.
async function post(action, fields) {
  const body = new URLSearchParams({ token: act.elements.token.value, back: act.elements.back.value })
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
  // The service comes to its end, and has not done it.
  if (answer.status === 503) return false
  // This page is from before a login, or of a session that is gone.
  if (answer.status === 403) location.reload()
  const place = answer.headers.get("X-Go")
  if (place) location.assign(place)
  return true
}

document.addEventListener("submit", (event) => {
  const form = event.target
  if (form.method !== "post") return
  // The next page has a stream of its own, and this one is not to be loaded anew meanwhile.
  if ("plain" in form.dataset) {
    // Whoever presses twice would throw away the answer to the first.
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

const field = $("q")
if (field) {
  const keep = () => history.replaceState(null, "", field.value ? `/?q=${encodeURIComponent(field.value)}` : "/")
  // One after the other, so that the last that was typed is the last that arrives; and while one is on
  // its way, only the newest waits.
  let [isSending, wanted] = [false, null]
  const tell = async (action) => {
    keep()
    wanted = action
    if (isSending) return
    isSending = true
    while (wanted) {
      const next = wanted
      wanted = null
      // Of what has not arrived the newest is sent again, whatever it was then.
      if (await post(next, [["q", field.value]])) unsent.delete("q")
      else if (!wanted) {
        unsent.set("q", () => tell(next))
        isLost()
      }
    }
    isSending = false
  }
  field.addEventListener("input", () => tell("/actions/type"))
  field.form.addEventListener("submit", (event) => {
    event.preventDefault()
    tell("/actions/search")
  })
}

document.querySelector("[data-back]")?.addEventListener("click", (event) => {
  // Back to the same place in the list, where that is where one has come from.
  const came = document.referrer && new URL(document.referrer)
  if (came?.origin === location.origin && came.pathname === "/" && history.length > 1) {
    event.preventDefault()
    history.back()
  }
})

// MARK: Showing

function show(change) {
  const held = holding()
  if (change.title) document.title = change.title
  for (const [id, html] of Object.entries(change.regions)) if ($(id)) $(id).innerHTML = html
  const list = $("rows")
  if (list && change.all) list.innerHTML = change.all.join("")
  if (list && change.rows) changeRows(list, change.rows)
  const { theme, q } = change.values
  if (theme) document.documentElement.dataset.theme = theme
  if (field && q !== undefined && document.activeElement !== field && !unsent.has("q")) field.value = q
  if (held) hold(held)
  arrive()
  look()
}

/// What only a browser knows: local times, and whether the end of the list is in sight.
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

// MARK: Hearing

let source
let seen = document.body.dataset.seen
let away
let soon
/// Whether the next page is on its way, which has a stream of its own.
let isLeft = false

function isAway(isIt) {
  $("unsent").hidden = unsent.size === 0
  if (isIt) {
    // A moment does not count: a page that is left is away, too.
    away ??= setTimeout(() => ($("away").hidden = false), 1500)
  } else {
    clearTimeout(away)
    away = undefined
    $("away").hidden = true
  }
}

/// Something has not arrived. A stream that lives on says nothing of that: another one has to open.
function isLost() {
  if (isLeft) return
  isAway(true)
  if (source?.readyState !== EventSource.OPEN) return
  clearTimeout(soon)
  soon = setTimeout(listen, 1000)
}

/// There is a stream again: what has not arrived is sent, and what does not arrive now waits once more.
async function isBack() {
  for (const again of [...unsent.values()]) await again()
  if (unsent.size === 0) isAway(false)
}

/// Somebody has logged in or out: once the cookie that says so is here, this is another page.
function again() {
  isLeft = true
  listen()
  setTimeout(() => (awaited ? again() : location.reload()), 400)
}

/// What a form of this page brings back is another one after a login or a logout. Each window says
/// which it has; one that has another is from before, and loads anew with the cookie that is there now.
let windows
function meet() {
  if (!navigator.cookieEnabled) return
  const mine = act.elements.token.value
  windows = new BroadcastChannel("windows")
  windows.onmessage = ({ data }) => { if (data !== mine) location.reload() }
  windows.postMessage(mine)
}

/// Takes up the stream where it was, or lets it go: a browser has six connections to a server, for all of
/// its tabs, and what nobody looks at needs none.
function listen() {
  source?.close()
  clearTimeout(soon)
  if (!seen || isLeft || document.hidden) return isAway(false)
  const page = encodeURIComponent(location.pathname + location.search)
  source = new EventSource(`/events?page=${page}&seen=${seen}`)
  source.onopen = isBack
  source.onerror = () => {
    isAway(true)
    // What the server has refused the browser does not try again by itself.
    if (source.readyState === EventSource.CLOSED) soon = setTimeout(listen, 2000)
  }
  source.addEventListener("reload", again)
  source.addEventListener("page", (event) => {
    seen = event.lastEventId
    document.body.dataset.seen = seen
    show(JSON.parse(event.data))
  })
}

// A look inside is a look again and again.
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

// A page that is left and kept by the browser hears nothing; one that is come back to hears again.
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
