/** Formatting by which text of a file may be hidden. */
export interface HidingFormat {
  /** True for text that is formatted as hidden. */
  readonly isHidden?: boolean
  /** Points. */
  readonly size?: number
  /** Width of its letters, in percent. */
  readonly stretch?: number
  readonly isTransparent?: boolean
  /** Six hexadecimal digits. */
  readonly colour?: string
  /** True for text with a background of its own. */
  readonly isShaded?: boolean
  /** Colour of that background in six hexadecimal digits, where it is known. */
  readonly ground?: string
}

/** Maximum size of text that nobody can read. Points. */
const MAX_SIZE = 1
/** Maximum width of letters that nobody can read. Percent. */
const MAX_STRETCH = 10
/** Maximum difference of two colours that look alike, of 255. */
const MAX_DIFFERENCE = 10

/**
 * Returns the reason why no reader of a file sees a text, as a predicate.
 *
 * @param isOnPaper true where the background is that of paper: outside of tables, boxes and coloured paragraphs
 */
export function whyHidden(format: HidingFormat, isOnPaper: boolean): string | undefined {
  const { isHidden, size, stretch, isTransparent, colour, isShaded, ground } = format
  if (isHidden === true) return 'is formatted as hidden'
  if ((size !== undefined && size <= MAX_SIZE) || (stretch !== undefined && stretch <= MAX_STRETCH))
    return 'is too small to be read'
  if (isTransparent === true) return 'is transparent'
  const isWhite = colour !== undefined && /^#?(?:f[c-f]){3}$/i.test(colour)
  const isLost = isShaded === true || ground !== undefined ? areAlike(colour, ground) : isWhite && isOnPaper
  return isLost ? 'has the colour of its background' : undefined
}

/** Tests for two known colours that look alike. */
export function areAlike(one: string | undefined, other: string | undefined): boolean {
  const [first, second] = [rgbOf(one), rgbOf(other)]
  return (
    first !== undefined && second?.every((value, at) => Math.abs(value - (first[at] ?? 0)) <= MAX_DIFFERENCE) === true
  )
}

function rgbOf(colour: string | undefined): readonly number[] | undefined {
  const value = /^#?([\da-f]{6})$/i.exec(colour ?? '')?.[1]
  const number = Number.parseInt(value ?? '', 16)
  return value === undefined ? undefined : [number >> 16, (number >> 8) & 255, number & 255]
}
