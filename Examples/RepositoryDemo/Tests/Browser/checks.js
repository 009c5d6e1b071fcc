// The rules that every page must satisfy: returns the violations, in words.
const complaints = []
const visible = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true })

// MARK: Contrast, at least 4.5 (WCAG 2.2, AA, for any size)

const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
while (walker.nextNode()) {
  const { parentElement: element, data } = walker.currentNode
  if (!data.trim() || !visible(element) || element.closest(".unseen, .skip, script, noscript, .bone")) continue
  const found = contrast(getComputedStyle(element).color, element)
  if (found < 4.5) complaints.push(`contrast ${found.toFixed(2)} of "${data.trim().slice(0, 30)}"`)
}

// MARK: Names and roles

for (const element of document.querySelectorAll("a[href], button, input:not([type=hidden])")) {
  if (!visible(element) || element.closest(".readme")) continue
  const label = element.labels?.[0]?.textContent ?? ""
  const name = (element.getAttribute("aria-label") ?? "") + element.textContent + label
  if (!name.trim()) complaints.push(`no name: ${element.outerHTML.slice(0, 80)}`)
  const { width, height } = element.getBoundingClientRect()
  if (element.matches("button, input") && !element.matches(".unseen") && (height < 24 || width < 24)) {
    complaints.push(`too small to press: ${element.outerHTML.slice(0, 80)}`)
  }
}
if (document.querySelectorAll("main").length !== 1) complaints.push("not one main")
const first = [...document.querySelectorAll("h1")].filter((heading) => !heading.closest("[inert]")).length
if (first !== 1) complaints.push(`${first} headings of the first level`)
if (!document.querySelector("header nav[aria-label]")) complaints.push("no named navigation")
if (!document.documentElement.lang) complaints.push("no language")
const ids = [...document.querySelectorAll("[id]")].map((element) => element.id)
for (const id of new Set(ids)) if (ids.filter((one) => one === id).length > 1) complaints.push(`twice the id ${id}`)

// MARK: Nothing is cut off

const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth
if (wide > 0) complaints.push(`${wide} pixels wider than the window`)
for (const link of document.querySelectorAll(".tabs li:not(.user) a")) {
  if (link.scrollWidth > link.clientWidth + 1) complaints.push(`cut off: ${link.textContent}`)
}
return complaints
