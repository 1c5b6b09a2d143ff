/** A colour as `#RRGGBB`, in upper case. */
export type Colour = string

const channels = (colour: Colour): [red: number, green: number, blue: number] => {
  const value = Number.parseInt(colour.slice(1, 7), 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

/**
 * Returns the relative luminance, 0 to 1.
 *
 * @see https://www.w3.org/TR/WCAG22/#dfn-relative-luminance
 */
export function luminance(colour: Colour): number {
  const [red, green, blue] = channels(colour).map((channel) => {
    const part = channel / 255
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Returns the distance from grey, 0 to 1. */
export function chroma(colour: Colour): number {
  const parts = channels(colour)
  return (Math.max(...parts) - Math.min(...parts)) / 255
}

/** Returns the distance of two colours, 0 to 1. Below about 0.05 they look the same. */
export function distance(one: Colour, other: Colour): number {
  const [a, b] = [channels(one), channels(other)]
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]) / Math.hypot(255, 255, 255)
}
