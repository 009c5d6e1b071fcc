// How rows come, go and move.
"use strict"

function element(html) {
  const template = document.createElement("template")
  template.innerHTML = html
  return template.content.firstElementChild
}

function changeRows(list, rows) {
  gliding(list, () => placeRows(list, rows))
  for (const [place, html] of rows.updates) list.children[place].replaceWith(element(html))
}

/// Deletes and what moves away first, by old places; then what comes and what has moved, by new ones.
function placeRows(list, { deletes, moves, inserts }) {
  const old = [...list.children]
  const come = [
    ...inserts.map(([place, html]) => [place, element(html)]),
    ...moves.map(([from, to]) => [to, old[from]]),
  ]
  for (const place of deletes) old[place].remove()
  for (const [from] of moves) old[from].remove()
  come.sort((one, other) => one[0] - other[0])
  for (const [place, row] of come) list.insertBefore(row, list.children[place] ?? null)
}

const calm = matchMedia("(prefers-reduced-motion: reduce)")
const glide = { duration: 180, easing: "ease-out" }

/// Shows in a moment what a change has done to the rows in sight, unless somebody wants no motion: what
/// stays glides to where it is now, what is new comes up, what has gone fades away where it was.
/// The layout is the new one at once; nothing but what is painted moves.
function gliding(list, change) {
  if (calm.matches || document.hidden) return change()
  const isInSight = ({ top, bottom }) => bottom > 0 && top < innerHeight
  const before = new Map([...list.children].map((row) => [row, row.getBoundingClientRect()]))
  change()
  const after = [...list.children].map((row) => [row, row.getBoundingClientRect()])
  for (const [row, place] of after) {
    const old = before.get(row)
    before.delete(row)
    if (!isInSight(place) && !(old && isInSight(old))) continue
    if (!old) row.animate({ opacity: [0, 1] }, glide)
    else if (old.top !== place.top) {
      row.animate({ transform: [`translateY(${old.top - place.top}px)`, "none"] }, glide)
    }
  }
  for (const [row, place] of before) if (isInSight(place)) fade(row, place, list.parentElement)
}

/// A picture of a row that has gone, which nobody reads, presses or counts.
function fade(row, place, frame) {
  const { top, left } = frame.getBoundingClientRect()
  for (const one of [row, ...row.querySelectorAll("[id]")]) one.removeAttribute("id")
  row.classList.add("gone")
  row.inert = true
  row.ariaHidden = "true"
  Object.assign(row.style, {
    top: `${place.top - top}px`, left: `${place.left - left}px`, width: `${place.width}px`,
  })
  frame.append(row)
  // Quickly, since what comes comes up in the same place.
  row.animate({ opacity: [1, 0] }, { ...glide, duration: 90 }).finished.finally(() => row.remove())
}
