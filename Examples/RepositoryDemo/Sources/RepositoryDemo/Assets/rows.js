// Inserting, deleting and moving rows.
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

/// First deletes, and removes moved rows, by old positions; then inserts both by new positions.
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

/// Animates a change of the visible rows, unless the visitor prefers reduced motion: rows that stay glide
/// to their new positions, new rows appear, and deleted rows fade out where they were.
/// The layout changes at once; only what is painted moves.
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

/// A copy of a deleted row, which is not read aloud, cannot be pressed and does not count.
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
  // Quickly, since another row appears in the same place.
  row.animate({ opacity: [1, 0] }, { ...glide, duration: 90 }).finished.finally(() => row.remove())
}
