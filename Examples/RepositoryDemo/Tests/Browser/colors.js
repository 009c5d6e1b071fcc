// The contrast of colours according to WCAG 2.2; loaded before the other checks.
const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true })
function color(text) {
  canvas.clearRect(0, 0, 1, 1)
  canvas.fillStyle = text
  canvas.fillRect(0, 0, 1, 1)
  return [...canvas.getImageData(0, 0, 1, 1).data]
}
function ground(element) {
  for (let one = element; one; one = one.parentElement) {
    const [r, g, b, a] = color(getComputedStyle(one).backgroundColor)
    if (a > 200) return [r, g, b]
  }
  return color("canvas").slice(0, 3)
}
const light = (rgb) => {
  const [r, g, b] = rgb.map((part) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
const contrast = (text, element) => {
  const [one, other] = [light(color(text).slice(0, 3)), light(ground(element))]
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
}
