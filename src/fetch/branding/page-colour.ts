/**
 * Source of a function for the browser: any CSS colour as `#RRGGBB`, or `#RRGGBBAA` where it can be seen through; an
 * empty string for what cannot be seen, or is no colour.
 */
export const readColour = String.raw`(() => {
  const known = new Map()
  const hex = (part) => Math.round(part).toString(16).padStart(2, '0').toUpperCase()
  const print = ([red, green, blue, alpha]) =>
    alpha < 6 ? '' : '#' + hex(red) + hex(green) + hex(blue) + (alpha > 249 ? '' : hex(alpha))
  let context
  const paint = (text) => {
    if (!CSS.supports('color', text)) return ''
    context = context || Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d', { willReadFrequently: true })
    if (!context) return ''
    context.clearRect(0, 0, 1, 1)
    context.fillStyle = text
    context.fillRect(0, 0, 1, 1)
    return print(context.getImageData(0, 0, 1, 1).data)
  }
  return (text) => {
    if (!text) return ''
    if (known.has(text)) return known.get(text)
    const parts = /^rgba?\((\d+), (\d+), (\d+)(?:, ([\d.]+))?\)$/.exec(text)
    const colour = parts ? print([+parts[1], +parts[2], +parts[3], 255 * (parts[4] === undefined ? 1 : parts[4])]) : paint(text)
    if (known.size < 5000) known.set(text, colour)
    return colour
  }
})()`
