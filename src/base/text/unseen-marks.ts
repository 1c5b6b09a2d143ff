/**
 * Ways in which a browser draws a text so that nobody sees it. `tiny` is text in the least size of the browser, which it draws in place
 * of smaller ones: only the page's style sheets tell whether it should be seen.
 */
export type UnseenWay =
  | 'undrawn'
  | 'undisplayed'
  | 'invisible'
  | 'transparent'
  | 'masked'
  | 'flat'
  | 'cut'
  | 'pixel'
  | 'clipped'
  | 'shrunk'
  | 'small'
  | 'tiny'
  | 'aside'
  | 'away'
  | 'coloured'
  | 'covered'

/** A text that nobody sees on a page as a browser draws it. */
export interface UnseenMark {
  /** Its first characters, white space collapsed: see {@link keyOfText}. */
  readonly text: string
  /** Number of texts before it that begin so. */
  readonly nth: number
  readonly way: UnseenWay
  /** Set where a transition, an animation or a rule for another state may show it. */
  readonly isLater?: true
}

/** Texts that nobody sees on a page as a browser draws it. Plain data. */
export interface UnseenMarks {
  readonly list: readonly UnseenMark[]
  /** False if not all of the page was looked at. */
  readonly isWhole: boolean
}

/** Length of the part of a text that it is found by. Characters. */
const KEY_LENGTH = 60

/** Returns what a text of a page is found by; '' for white space. */
export const keyOfText = (text: string): string =>
  (text.length > 10 * KEY_LENGTH ? text.trimStart().slice(0, 10 * KEY_LENGTH) : text)
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, KEY_LENGTH)

/** Elements whose texts are not looked at. */
export const UNMARKED =
  /^(?:script|style|template|noscript|title|textarea|select|option|iframe|datalist|xmp|noembed|noframes)$/i
