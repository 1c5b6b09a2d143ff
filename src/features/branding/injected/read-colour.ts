import { pageDocument } from '../../browser/injected/built-ins-of.js'
/** Maximum number of cached colours. */
const MAX_CACHED = 5000

type Rgba = readonly [red: number, green: number, blue: number, alpha: number]

const cache = new Map<string, string>()
let context: CanvasRenderingContext2D | null | undefined

/**
 * Converts any CSS colour to `#RRGGBB`, or `#RRGGBBAA` if it is translucent. Returns an empty string for a fully
 * transparent colour, and for a text that is no colour.
 */
export function readColour(text: string | undefined): string {
  if (!text) return ''
  const before = cache.get(text)
  if (before !== undefined) return before
  const parts = /^rgba?\((\d+), (\d+), (\d+)(?:, ([\d.]+))?\)$/.exec(text)
  const [, red, green, blue, alpha = 1] = parts ?? []
  const colour = parts
    ? formatColour([Number(red), Number(green), Number(blue), 255 * Number(alpha)])
    : convertByCanvas(text)
  if (cache.size < MAX_CACHED) cache.set(text, colour)
  return colour
}

const toHex = (part: number): string => Math.round(part).toString(16).padStart(2, '0').toUpperCase()

const formatColour = ([red, green, blue, alpha]: Rgba): string =>
  alpha < 6 ? '' : `#${toHex(red)}${toHex(green)}${toHex(blue)}${alpha > 249 ? '' : toHex(alpha)}`

/** Converts a colour in any notation by painting one pixel of a canvas. */
function convertByCanvas(text: string): string {
  if (!CSS.supports('color', text)) return ''
  context ??= Object.assign(pageDocument.createElement('canvas'), { width: 1, height: 1 }).getContext('2d', {
    willReadFrequently: true,
  })
  if (!context) return ''
  context.clearRect(0, 0, 1, 1)
  context.fillStyle = text
  context.fillRect(0, 0, 1, 1)
  const [red = 0, green = 0, blue = 0, alpha = 0] = context.getImageData(0, 0, 1, 1).data
  return formatColour([red, green, blue, alpha])
}

/** Tests whether a colour is more than half opaque. */
export const isOpaque = (colour: string): boolean =>
  colour.length === 7 || (colour.length === 9 && Number.parseInt(colour.slice(7), 16) > 127)

/** Drops the alpha channel of a colour. */
export const toSolid = (colour: string): string => colour.slice(0, 7)
