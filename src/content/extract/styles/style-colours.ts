import { splitAtCommas, splitAtSpaces } from './split-value.js'

/** A colour: red, green and blue from 0 to 255, and its opacity from 0 to 1. */
export type Rgba = readonly [red: number, green: number, blue: number, alpha: number]

export const WHITE: Rgba = [255, 255, 255, 1]

/** The colours of CSS by their names, and those of a page that the browser's own style sheet colours. */
const NAMES: ReadonlyMap<string, string> = new Map(
  (
    'aliceblue f0f8ff antiquewhite faebd7 aqua 0ff aquamarine 7fffd4 azure f0ffff beige f5f5dc bisque ffe4c4 black 000 ' +
    'blanchedalmond ffebcd blue 00f blueviolet 8a2be2 brown a52a2a burlywood deb887 cadetblue 5f9ea0 chartreuse 7fff00 ' +
    'chocolate d2691e coral ff7f50 cornflowerblue 6495ed cornsilk fff8dc crimson dc143c cyan 0ff darkblue 00008b darkcyan 008b8b ' +
    'darkgoldenrod b8860b darkgray a9a9a9 darkgreen 006400 darkgrey a9a9a9 darkkhaki bdb76b darkmagenta 8b008b ' +
    'darkolivegreen 556b2f darkorange ff8c00 darkorchid 9932cc darkred 8b0000 darksalmon e9967a darkseagreen 8fbc8f ' +
    'darkslateblue 483d8b darkslategray 2f4f4f darkslategrey 2f4f4f darkturquoise 00ced1 darkviolet 9400d3 deeppink ff1493 ' +
    'deepskyblue 00bfff dimgray 696969 dimgrey 696969 dodgerblue 1e90ff firebrick b22222 floralwhite fffaf0 forestgreen 228b22 ' +
    'fuchsia f0f gainsboro dcdcdc ghostwhite f8f8ff gold ffd700 goldenrod daa520 gray 808080 green 008000 greenyellow adff2f ' +
    'grey 808080 honeydew f0fff0 hotpink ff69b4 indianred cd5c5c indigo 4b0082 ivory fffff0 khaki f0e68c lavender e6e6fa ' +
    'lavenderblush fff0f5 lawngreen 7cfc00 lemonchiffon fffacd lightblue add8e6 lightcoral f08080 lightcyan e0ffff ' +
    'lightgoldenrodyellow fafad2 lightgray d3d3d3 lightgreen 90ee90 lightgrey d3d3d3 lightpink ffb6c1 lightsalmon ffa07a ' +
    'lightseagreen 20b2aa lightskyblue 87cefa lightslategray 778899 lightslategrey 778899 lightsteelblue b0c4de ' +
    'lightyellow ffffe0 lime 0f0 limegreen 32cd32 linen faf0e6 magenta f0f maroon 800000 mediumaquamarine 66cdaa ' +
    'mediumblue 0000cd mediumorchid ba55d3 mediumpurple 9370db mediumseagreen 3cb371 mediumslateblue 7b68ee ' +
    'mediumspringgreen 00fa9a mediumturquoise 48d1cc mediumvioletred c71585 midnightblue 191970 mintcream f5fffa ' +
    'mistyrose ffe4e1 moccasin ffe4b5 navajowhite ffdead navy 000080 oldlace fdf5e6 olive 808000 olivedrab 6b8e23 ' +
    'orange ffa500 orangered ff4500 orchid da70d6 palegoldenrod eee8aa palegreen 98fb98 paleturquoise afeeee ' +
    'palevioletred db7093 papayawhip ffefd5 peachpuff ffdab9 peru cd853f pink ffc0cb plum dda0dd powderblue b0e0e6 ' +
    'purple 800080 rebeccapurple 663399 red f00 rosybrown bc8f8f royalblue 4169e1 saddlebrown 8b4513 salmon fa8072 ' +
    'sandybrown f4a460 seagreen 2e8b57 seashell fff5ee sienna a0522d silver c0c0c0 skyblue 87ceeb slateblue 6a5acd ' +
    'slategray 708090 slategrey 708090 snow fffafa springgreen 00ff7f steelblue 4682b4 tan d2b48c teal 008080 thistle d8bfd8 ' +
    'tomato ff6347 transparent 0000 turquoise 40e0d0 violet ee82ee wheat f5deb3 white fff whitesmoke f5f5f5 yellow ff0 ' +
    'yellowgreen 9acd32 canvas fff canvastext 000 field fff fieldtext 000'
  )
    .match(/\S+ \S+/g)
    ?.map((pair) => pair.split(' ') as [string, string]) ?? [],
)

/** Colours of the system, of which only those above are known. */
const OF_SYSTEM =
  /^(?:-webkit-(?:text|link|activelink|focus-ring-color)|accentcolor(?:text)?|active(?:text|border|caption)|appworkspace|background|button(?:border|face|text|highlight|shadow)|captiontext|currentcolor|graytext|highlight(?:text)?|inactive(?:border|caption|captiontext)|info(?:background|text)|linktext|mark(?:text)?|menu(?:text)?|scrollbar|selecteditem(?:text)?|threed(?:darkshadow|face|highlight|lightshadow|shadow)|visitedtext|window(?:frame|text)?)$/

/** True for the name of a colour, also of one that is not known here. */
export const isColourName = (value: string): boolean => NAMES.has(value) || OF_SYSTEM.test(value)

/** Maximum colours that are mixed within each other. */
const MAX_DEPTH = 4

const FUNCTION = /^(rgba?|hsla?|hwb|lab|lch|oklab|oklch|color|color-mix|light-dark)\((.*)\)$/

/** Reads a colour. @returns undefined for what is none, or is not known here */
export function colourOf(value: string | undefined, depth = 0): Rgba | undefined {
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
  const [, kind, inner = ''] = FUNCTION.exec(text) ?? []
  if (kind === undefined || depth > MAX_DEPTH) return undefined
  if (kind === 'color-mix') return mix(inner, depth)
  // A page on paper of its own is light for most readers.
  if (kind === 'light-dark') return colourOf(splitAtCommas(inner)[0]?.trim(), depth + 1)
  return readFunction(kind, inner)
}

function readFunction(kind: string, inner: string): Rgba | undefined {
  const parts = inner
    .replaceAll('/', ' ')
    .split(/[\s,]+/)
    .filter(Boolean)
  // A colour made of another one: only its opacity is known.
  if (parts[0] === 'from') return Number.parseFloat(parts.at(-1) ?? '') === 0 && inner.includes('/') ? CLEAR : undefined
  const space = kind === 'color' ? parts.shift() : undefined
  const [first = '', second = '', third = '', last] = parts
  const alpha = last === undefined ? 1 : shareOf(last)
  const is = (one: string): number => (one === 'none' ? 0 : Number.parseFloat(one))
  const numbers = [is(first), is(second), is(third), alpha]
  if (numbers.some(Number.isNaN)) return undefined
  const [one = 0, two = 0, three = 0] = numbers
  /** Value of a part that may be a share of its range. */
  const ranged = (text: string, number: number, range: number): number =>
    text.endsWith('%') ? (number / 100) * range : number
  switch (kind) {
    case 'hsl':
    case 'hsla':
      return fromHsl(degrees(first), two / 100, three / 100, alpha)
    case 'hwb':
      return fromHwb(degrees(first), two / 100, three / 100, alpha)
    case 'oklab':
      return fromOklab([ranged(first, one, 1), ranged(second, two, 0.4), ranged(third, three, 0.4)], alpha)
    case 'oklch':
      return fromOklab([ranged(first, one, 1), ...fromPolar(ranged(second, two, 0.4), degrees(third))], alpha)
    case 'lab':
      return fromLab([one, ranged(second, two, 125), ranged(third, three, 125)], alpha)
    case 'lch':
      return fromLab([one, ...fromPolar(ranged(second, two, 150), degrees(third))], alpha)
    case 'color':
      return space === undefined || /xyz/.test(space)
        ? undefined
        : [255 * ranged(first, one, 1), 255 * ranged(second, two, 1), 255 * ranged(third, three, 1), alpha]
    default:
      return [ranged(first, one, 255), ranged(second, two, 255), ranged(third, three, 255), alpha]
  }
}

const CLEAR: Rgba = [0, 0, 0, 0]

const shareOf = (text: string): number =>
  text === 'none' ? 0 : text.endsWith('%') ? Number.parseFloat(text) / 100 : Number.parseFloat(text)

function degrees(text: string): number {
  const number = text === 'none' ? 0 : Number.parseFloat(text)
  if (text.endsWith('turn')) return number * 360
  if (text.endsWith('grad')) return number * 0.9
  return text.endsWith('rad') ? (number * 180) / Math.PI : number
}

const fromPolar = (chroma: number, hue: number): [number, number] => [
  chroma * Math.cos((hue * Math.PI) / 180),
  chroma * Math.sin((hue * Math.PI) / 180),
]

function fromHsl(hue: number, saturation: number, lightness: number, alpha: number): Rgba {
  const reach = saturation * Math.min(lightness, 1 - lightness)
  const part = (offset: number): number => {
    const at = (((offset + hue / 30) % 12) + 12) % 12
    return 255 * (lightness - reach * Math.max(-1, Math.min(at - 3, 9 - at, 1)))
  }
  return [part(0), part(8), part(4), alpha]
}

function fromHwb(hue: number, white: number, black: number, alpha: number): Rgba {
  const sum = white + black
  if (sum >= 1) return [(255 * white) / sum, (255 * white) / sum, (255 * white) / sum, alpha]
  const [red, green, blue] = fromHsl(hue, 1, 0.5, alpha)
  const part = (value: number): number => value * (1 - sum) + 255 * white
  return [part(red), part(green), part(blue), alpha]
}

/** @see https://www.w3.org/TR/css-color-4/#color-conversion-code */
function fromOklab([lightness = 0, a = 0, b = 0]: readonly number[], alpha: number): Rgba {
  const long = (lightness + 0.396_337_777_4 * a + 0.215_803_757_3 * b) ** 3
  const medium = (lightness - 0.105_561_345_8 * a - 0.063_854_172_8 * b) ** 3
  const short = (lightness - 0.089_484_177_5 * a - 1.291_485_548 * b) ** 3
  return fromLinear(
    [
      4.076_741_662_1 * long - 3.307_711_591_3 * medium + 0.230_969_929_2 * short,
      -1.268_438_004_6 * long + 2.609_757_401_1 * medium - 0.341_319_396_5 * short,
      -0.004_196_086_3 * long - 0.703_418_614_7 * medium + 1.707_614_701 * short,
    ],
    alpha,
  )
}

function fromLab([lightness = 0, a = 0, b = 0]: readonly number[], alpha: number): Rgba {
  const f1 = (lightness + 16) / 116
  const back = (value: number): number => (value > 6 / 29 ? value ** 3 : 3 * (6 / 29) ** 2 * (value - 4 / 29))
  // The white of the space (D50) becomes that of screens.
  const x = 0.9505 * back(f1 + a / 500)
  const y = back(f1)
  const z = 1.089 * back(f1 - b / 200)
  return fromLinear(
    [3.2406 * x - 1.5372 * y - 0.4986 * z, -0.9689 * x + 1.8758 * y + 0.0415 * z, 0.0557 * x - 0.204 * y + 1.057 * z],
    alpha,
  )
}

function fromLinear(parts: readonly number[], alpha: number): Rgba {
  const [red = 0, green = 0, blue = 0] = parts.map((part) => {
    const value = Math.min(1, Math.max(0, part))
    return 255 * (value <= 0.003_130_8 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055)
  })
  return [red, green, blue, alpha]
}

/** Mixes two colours, whatever the space: alike ones stay so, and what is clear stays clear. */
function mix(inner: string, depth: number): Rgba | undefined {
  const [, ...written] = splitAtCommas(inner)
  const [one, other] = written.map((text) => {
    const words = splitAtSpaces(text.trim())
    const share = words.find((word) => /^[\d.]+%$/.test(word))
    const colour = colourOf(
      words.find((word) => word !== share),
      depth + 1,
    )
    return { colour, share: share === undefined ? undefined : Number.parseFloat(share) / 100 }
  })
  if (one?.colour === undefined || other?.colour === undefined) return undefined
  const first = one.share ?? 1 - (other.share ?? 0.5)
  const second = other.share ?? 1 - first
  const sum = first + second
  const [a, b] = [first / sum, second / sum]
  const alpha = one.colour[3] * a + other.colour[3] * b
  const part = (at: 0 | 1 | 2): number =>
    alpha === 0
      ? 0
      : ((one.colour?.[at] ?? 0) * (one.colour?.[3] ?? 0) * a +
          (other.colour?.[at] ?? 0) * (other.colour?.[3] ?? 0) * b) /
        alpha
  return [part(0), part(1), part(2), alpha * Math.min(1, sum)]
}

/** Returns the contrast of two colours, from 1 to 21. @see https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
export function contrastOf(one: Rgba, other: Rgba): number {
  const first = luminanceOf(one)
  const second = luminanceOf(other)
  return (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05)
}

const luminanceOf = ([red, green, blue]: Rgba): number =>
  0.2126 * linearOf(red) + 0.7152 * linearOf(green) + 0.0722 * linearOf(blue)

function linearOf(value: number): number {
  const share = value / 255
  return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}

/** Returns how a colour looks on an opaque one. */
export const blend = ([red, green, blue, alpha]: Rgba, [r, g, b]: Rgba): Rgba => [
  red * alpha + r * (1 - alpha),
  green * alpha + g * (1 - alpha),
  blue * alpha + b * (1 - alpha),
  1,
]

/** Maximum contrast of text that nobody sees: light grey (#eee) on white has 1.16. */
export const MAX_CONTRAST = 1.12
