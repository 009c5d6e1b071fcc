/// The page: one stream of events for all that it shows, and none while nobody looks at it.
let page = """
  <!doctype html>
  <meta charset="utf-8"><title>Booking office</title>
  <style> body { font: 16px system-ui; max-width: 44rem; margin: auto } .free { font-size: 2rem }
    main { display: grid; grid-template-columns: 1fr 1fr 1fr } .news, #error { color: #a40 }</style>
  <h1>Booking office</h1><main></main><p id=error></p><h2>Your tickets</h2><pre id=tickets></pre>
  <script type="module">
    const me = localStorage.me ??= Math.random().toString(36).slice(2)
    const names = ["opera", "cinema", "circus"], shown = {}
    const wanted = [...names.map((name) => `room=${name}`), `session=${me}`].join("&")
    for (const name of names) {
      const box = document.createElement("section")
      box.innerHTML = `<h3>${name}</h3><p class=free></p><p class=news></p><button>Book 2</button>`
      document.querySelector("main").append(box)
      const [, free, news, button] = box.children
      button.onclick = () => book(name, 2)
      shown[`room/${name}`] = (room) =>
        [free.textContent, news.textContent] = [`${room.free} free`, room.news]
    }
    shown[`session/${me}`] = ({ tickets }) => document.getElementById("tickets").replaceChildren(
      ...tickets.map((one) => `${one.room}: no. ${one.number}, ${one.seats} seats\\n`))
    async function book(room, seats) {
      const headers = { "Content-Type": "application/json", "Idempotency-Key": `${Math.random()}` }
      const body = JSON.stringify({ room, seats })
      const answer = await fetch(`/sessions/${me}/bookings`, { method: "POST", headers, body })
      document.getElementById("error").textContent =
        answer.ok ? "" : (await answer.json()).error.message
    }
    let events  // A browser has six connections to a server for all of its tabs.
    const look = document.onvisibilitychange = () => {
      events?.close()
      if (document.hidden) return
      events = new EventSource(`/events?${wanted}`)
      for (const [name, show] of Object.entries(shown))
        events.addEventListener(name, (event) => show(JSON.parse(event.data)))
    }
    look()
  </script>
  """
