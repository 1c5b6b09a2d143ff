import { collapse } from '../../../content/html/tree.js'

/** Returns the text between two offsets as it is shown: white space is collapsed. */
export function readVisible(html: string, from: number, to: number): string {
  const text = html.slice(from, to)
  return collapse(text.includes('&') ? text.replace(/&(?:nbsp|#160|zwnj|#8203);/g, ' ') : text)
}

const [TAB, CARRIAGE_RETURN, SPACE, AMPERSAND, LAST_ASCII] = [9, 13, 32, 38, 127]

/**
 * Returns the length of {@link readVisible} without making strings; undefined for a text with references or with
 * characters beyond ASCII, some of which are white space.
 */
export function countVisible(html: string, from: number, to: number): number | undefined {
  let length = 0
  let isApart = false
  for (let at = from; at < to; at += 1) {
    const code = html.charCodeAt(at)
    if (code === AMPERSAND || code > LAST_ASCII) return undefined
    if (code === SPACE || (code >= TAB && code <= CARRIAGE_RETURN)) isApart = length > 0
    else {
      length += isApart ? 2 : 1
      isApart = false
    }
  }
  return length
}
