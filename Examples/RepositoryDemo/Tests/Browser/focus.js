// The problems of the focused element, in words: keyboard users must see where the focus is.
const it = document.activeElement
if (!it || it === document.body || it === document.documentElement) return ["nothing has the focus"]
const complaints = []
const name = it.outerHTML.slice(0, 80)
const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(it)
if (!it.matches(":focus-visible") || outlineStyle === "none" || parseFloat(outlineWidth) < 2) {
  complaints.push(`no outline: ${name}`)
}
// Elements other than text need a contrast of 3 (WCAG 2.2, AA).
const found = contrast(outlineColor, it.parentElement)
if (found < 3) complaints.push(`contrast ${found.toFixed(2)} of the outline: ${name}`)
const { top, bottom, left, right, width, height } = it.getBoundingClientRect()
if (width === 0 || height === 0) complaints.push(`no size: ${name}`)
if (bottom <= 0 || top >= innerHeight || left < 0 || right > innerWidth) complaints.push(`out of sight: ${name}`)
// A region may be longer than the window; a control must be visible as a whole.
if (it.matches("a, button, input")) {
  if (top < 0 || bottom > innerHeight) complaints.push(`partly out of sight: ${name}`)
  const above = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
  if (above && !it.contains(above) && !it.labels?.[0]?.contains(above)) complaints.push(`under something: ${name}`)
}
return complaints
