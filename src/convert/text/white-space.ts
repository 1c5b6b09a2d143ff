const WHITE_SPACE = /(?:^|[;\s])white-space(?:-collapse)?\s*:\s*([a-z-]+)/i
const KEEPS_LINES = /^(?:pre|pre-wrap|pre-line|break-spaces|preserve|preserve-breaks)$/i

/**
 * Tells if a style shows the line breaks of its element's text; undefined if it does not say so.
 *
 * @see https://www.w3.org/TR/css-text-4/#white-space-property
 */
export function keepsLineBreaks(style: string | undefined): boolean | undefined {
  const value = style === undefined ? undefined : WHITE_SPACE.exec(style)?.[1]
  return value === undefined ? undefined : KEEPS_LINES.test(value)
}
