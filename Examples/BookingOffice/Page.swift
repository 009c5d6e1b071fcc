/// The page: one stream of events for everything that it shows, and none while it is hidden.
let page = """
  <!doctype html>
  <html lang="en"><meta charset="utf-8"><title>Booking office</title>
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <style> body { font: 16px system-ui; max-width: 44rem; margin: auto; padding: 1rem }
    main { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: 1rem }
    .free { font-size: 2rem; margin: 0 } .news, #error { color: #a40; min-height: 1lh }</style>
  <h1>Booking office</h1><main></main><p id=error role=alert></p><h2>Your tickets</h2><pre id=tickets></pre>
  <script type="module">
    const me = localStorage.me ??= Math.random().toString(36).slice(2)
    const names = ["opera", "cinema", "circus"], shown = {}
    const wanted = [...names.map((name) => `room=${name}`), `session=${me}`].join("&")
    for (const name of names) {
      const box = document.createElement("section")
      box.innerHTML = `<h2>${name}</h2><p class=free></p><p class=news></p>
        <button aria-label="Book 2 seats, ${name}">Book 2</button>`
      document.querySelector("main").append(box)
      const [, free, news, button] = box.children
      button.onclick = () => book(name, 2)
      shown[`room/${name}`] = (room) => {
        [free.textContent, news.textContent] = [`${room.free} free`, room.news]
        button.disabled = room.free < 2
      }
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
