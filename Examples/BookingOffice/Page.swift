/// The page: one stream of events for all that it shows.
let page = """
  <!doctype html>
  <title>Booking office</title>
  <style>
    body { font: 16px system-ui; max-width: 44rem; margin: 2rem auto } .free { font-size: 2rem }
    main { display: grid; grid-template-columns: repeat(3, 1fr) } .news, #error { color: #a40 }
  </style>
  <h1>Booking office</h1><main></main>
  <p id="error"></p>
  <h2>Your tickets</h2><ul id="tickets"></ul>
  <script type="module">
    const me = sessionStorage.me ??= crypto.randomUUID?.() ?? String(Math.random())
    const names = ["opera", "cinema", "circus"], show = {}
    for (const name of names) {
      const box = document.createElement("section")
      box.innerHTML = `<h3>${name}</h3><p class="free">…</p><p class="news"></p><button>Book 2</button>`
      document.querySelector("main").append(box)
      box.querySelector("button").onclick = () => book(name, 2)
      show[name] = (room) => {
        box.querySelector(".free").textContent = `${room.free} free`
        box.querySelector(".news").textContent = room.news
      }
    }
    async function book(room, seats) {
      const answer = await fetch(`/sessions/${me}/bookings`, {
        method: "POST", body: JSON.stringify({ room, seats }),
        headers: { "Content-Type": "application/json", "Idempotency-Key": String(Math.random()) },
      })
      const said = await answer.json()
      document.getElementById("error").textContent = answer.ok ? "" : said.error.message
    }
    const wanted = names.map((name) => `room=${name}`).join("&")
    const events = new EventSource(`/events?${wanted}&session=${me}`)
    for (const name of names) {
      events.addEventListener(`room/${name}`, (event) => show[name](JSON.parse(event.data)))
    }
    events.addEventListener(`session/${me}`, (event) => {
      const list = document.getElementById("tickets")
      list.replaceChildren(...JSON.parse(event.data).tickets.map((ticket) =>
        Object.assign(document.createElement("li"), {
          textContent: `${ticket.room}: no. ${ticket.number}, ${ticket.seats} seats` })))
    })
  </script>
  """
