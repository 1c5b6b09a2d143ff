import { type PageText, PLACEHOLDER_LENGTH, TextScanner } from './text-scanner.js'

/** Bytes that are read: a page with so much before its first text is none that scripts fill. */
export const MAX_BYTES = 4 * 1024 * 1024

interface Scan {
  readonly enough: number
  readonly text: PageText
}

/** Scans by body: several questions are asked about one page, by callers that do not know of each other. */
const scans = new WeakMap<Uint8Array, Scan>()

/**
 * Scans a page's text. A body is scanned again only for more of its text than before.
 *
 * @param body UTF-8, or an encoding that is close enough for counting; must not change
 * @param enough own text after which the rest may be left out. Characters
 */
export function scanPageText(body: Uint8Array, enough = Infinity): PageText {
  const known = scans.get(body)
  if (known && (known.enough >= enough || known.text.ownLength < known.enough)) return known.text
  const html = new TextDecoder().decode(body.subarray(0, MAX_BYTES))
  // A clone: a part of a string keeps the whole string alive, here as long as the body.
  const text = structuredClone(new TextScanner(html, enough).scan())
  scans.set(body, { enough, text })
  return text
}

/** A page with more text of its own is no answer of a guard; an error page may have a menu around it. Characters. */
const MAX_SHELL_TEXT = 1_200
const MAX_ERROR_TEXT = 3_000

/**
 * Returns the length of own text from which on an answer is the page that was asked for, and not a guard's. A scan that
 * goes so far answers every question about one page, so that it is scanned once.
 */
export const maxShellText = (statusCode: number): number => (statusCode >= 400 ? MAX_ERROR_TEXT : MAX_SHELL_TEXT)

/**
 * Tells whether one page clearly has more text than the other: of its own, or in all where that is much the same. A
 * browser removes notes on cookies, which is no loss.
 */
export function hasMoreText(body: Uint8Array, than: Uint8Array): boolean {
  const [more, less] = [scanPageText(body), scanPageText(than)]
  if (isLonger(more.ownLength, less.ownLength)) return true
  if (isLonger(less.ownLength, more.ownLength)) return false
  return isLonger(more.ownLength + more.frameLength, less.ownLength + less.frameLength)
}

const isLonger = (longer: number, shorter: number): boolean => longer > shorter + 20 && longer > shorter * 1.05

/** Tells whether a page with scripts shows nothing, or no more than a placeholder such as "Loading…". */
export function isLoadingPlaceholder(body: Uint8Array): boolean {
  const { ownLength, media, scripts } = scanPageText(body, maxShellText(200))
  return ownLength <= PLACEHOLDER_LENGTH && media === 0 && scripts > 0
}
