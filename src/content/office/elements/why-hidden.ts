/** Formatting by which text of a file may be hidden. */
export interface HidingFormat {
  /** True for text that is formatted as hidden. */
  readonly isHidden?: boolean
  /** Points. */
  readonly size?: number
  /** Six hexadecimal digits. */
  readonly colour?: string
  /** True for text with a background of its own. */
  readonly isShaded?: boolean
}

/** Maximum size of text that nobody can read. Points. */
const MAX_SIZE = 1

/**
 * Returns the reason why no reader of a file sees a text, as a predicate.
 *
 * @param isOnPaper true where the background is that of paper: outside of tables, boxes and coloured paragraphs
 */
export function whyHidden({ isHidden, size, colour, isShaded }: HidingFormat, isOnPaper: boolean): string | undefined {
  if (isHidden === true) return 'is formatted as hidden'
  if (size !== undefined && size <= MAX_SIZE) return 'is too small to be read'
  const isWhite = colour !== undefined && /^#?(?:f[c-f]){3}$/i.test(colour)
  return isWhite && isOnPaper && isShaded !== true ? 'has the colour of its background' : undefined
}
