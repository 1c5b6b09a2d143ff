/** Pixels of the window that lengths are relative to: that of a desktop browser. */
const WINDOW = { width: 1280, height: 720 }

const UNITS: ReadonlyMap<string, number> = new Map([
  ['px', 1],
  ['pt', 4 / 3],
  ['pc', 16],
  ['in', 96],
  ['cm', 96 / 2.54],
  ['mm', 9.6 / 2.54],
  ['rem', 16],
  ['vw', WINDOW.width / 100],
  ['vh', WINDOW.height / 100],
  ['vmin', WINDOW.height / 100],
  ['vmax', WINDOW.width / 100],
])

/**
 * Reads a length as pixels.
 *
 * @param em pixels of one `em`, and of 100 % unless `whole` is given
 * @returns undefined for what depends on the layout
 */
export function lengthOf(value: string | undefined, em = 16, whole?: number): number | undefined {
  if (value === undefined) return undefined
  const [, written = '', unit = ''] =
    /^(?:calc\(\s*)?([+-]?(?:\d+\.?\d*|\.\d+))([a-z%]*)(?:\s*\))?$/.exec(value.trim()) ?? []
  if (written === '') return undefined
  const amount = Number(written)
  if (amount === 0) return 0
  if (unit === 'em' || unit === 'ex' || unit === 'ch') return amount * em * (unit === 'em' ? 1 : 0.5)
  if (unit === '%') return whole === undefined ? undefined : (amount / 100) * whole
  const pixels = UNITS.get(unit)
  return pixels === undefined ? undefined : amount * pixels
}

/** A colour: red, green and blue from 0 to 255, and its opacity from 0 to 1. */
export type Rgba = readonly [red: number, green: number, blue: number, alpha: number]

/** The names that texts and backgrounds have most. Another name is a colour that is not known. */
const NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    white: '#fff',
    black: '#000',
    transparent: '#0000',
    snow: '#fffafa',
    ivory: '#fffff0',
    ghostwhite: '#f8f8ff',
    whitesmoke: '#f5f5f5',
    floralwhite: '#fffaf0',
    mintcream: '#f5fffa',
    azure: '#f0ffff',
    aliceblue: '#f0f8ff',
    seashell: '#fff5ee',
    gray: '#808080',
    grey: '#808080',
    lightgray: '#d3d3d3',
    lightgrey: '#d3d3d3',
    silver: '#c0c0c0',
    red: '#f00',
    green: '#008000',
    blue: '#00f',
    navy: '#000080',
    yellow: '#ff0',
  }),
)

/** Reads a colour. @returns undefined for what is none, or is not known here */
export function colourOf(value: string | undefined): Rgba | undefined {
  if (value === undefined) return undefined
  const text = NAMES.get(value) ?? value
  const hex = /^#?([\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/.exec(text)?.[1]
  if (hex !== undefined) {
    const full = hex.length < 5 ? hex.replace(/./g, '$&$&') : hex
    const [red = 0, green = 0, blue = 0, alpha = 255] = (full.match(/../g) ?? []).map((pair) =>
      Number.parseInt(pair, 16),
    )
    return [red, green, blue, alpha / 255]
  }
  const [, kind = '', inner = ''] = /^(rgb|hsl)a?\(([^()]*)\)$/.exec(text) ?? []
  if (kind === '') return undefined
  const parts = inner.split(/[\s,/]+/).filter(Boolean)
  const numbers = parts.map((part) => Number.parseFloat(part))
  if (numbers.length < 3 || numbers.some(Number.isNaN)) return undefined
  const [one = 0, two = 0, three = 0, last = 1] = numbers
  const alpha = parts[3]?.endsWith('%') === true ? last / 100 : last
  if (kind === 'hsl') return fromHsl(one, two / 100, three / 100, alpha)
  const scale = inner.includes('%') && parts[0]?.endsWith('%') === true ? 2.55 : 1
  return [one * scale, two * scale, three * scale, alpha]
}

function fromHsl(hue: number, saturation: number, lightness: number, alpha: number): Rgba {
  const reach = saturation * Math.min(lightness, 1 - lightness)
  const part = (offset: number): number => {
    const at = (offset + hue / 30) % 12
    return 255 * (lightness - reach * Math.max(-1, Math.min(at - 3, 9 - at, 1)))
  }
  return [part(0), part(8), part(4), alpha]
}

/** Returns the contrast of two colours, from 1 to 21. @see https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
export function contrastOf(one: Rgba, other: Rgba): number {
  const [low = 0, high = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

function luminanceOf([red, green, blue]: Rgba): number {
  const [r = 0, g = 0, b = 0] = [red, green, blue].map((value) => {
    const share = value / 255
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** Returns how a colour looks on an opaque one. */
export const blend = ([red, green, blue, alpha]: Rgba, [r, g, b]: Rgba): Rgba => [
  red * alpha + r * (1 - alpha),
  green * alpha + g * (1 - alpha),
  blue * alpha + b * (1 - alpha),
  1,
]

export const WHITE: Rgba = [255, 255, 255, 1]
