import { yieldIfHeld } from '../../base/concurrency/yield-turn.js'
import type { PageText } from './page-text.js'
import { PLACEHOLDER_LENGTH, TextScanner } from './text-scanner.js'

/** Length of the start of a page that is scanned. A page filled by scripts is smaller. Bytes. */
export const MAX_BYTES = 4 * 1024 * 1024

interface Scan {
  readonly enough: number
  readonly text: PageText
}

/** Scans by body, because several independent callers ask questions about the same page. */
const scans = new WeakMap<Uint8Array, Scan>()

/**
 * Scans a page's text. The result is cached; a body is scanned again only if a caller needs more of its text.
 *
 * @param body UTF-8, or an encoding that is close enough for counting; must not change
 * @param enough length of own text after which the scan may stop. Characters
 */
export function scanPageText(body: Uint8Array, enough = Infinity): PageText {
  const known = findScan(body, enough)
  if (known) return known
  return scanStarts(body, enough, LENGTHS) ?? keepScan(body, enough, openScanner(body, enough).scan())
}

/**
 * Scans the start of a page for enough text. Most pages have it, and nothing else is asked of them: only the texts before that are
 * decoded.
 *
 * @param lengths of the starts, one longer than the other. Bytes
 * @returns undefined for a page whose starts have less, or that is small
 */
function scanStarts(body: Uint8Array, enough: number, lengths: readonly number[]): PageText | undefined {
  for (const length of enough < Infinity && body.length > SMALL_BYTES ? lengths : []) {
    const scanner = openByteScanner(body.subarray(0, length), enough)
    const text = scanner.scan()
    if (scanner.hasEnough) return keepScan(body, enough, text)
    if (length >= body.length || scanner.isCut) break
  }
  return undefined
}

/** Size of a page up to which decoding all of it is little work. Bytes. */
const SMALL_BYTES = 16_384
/** Lengths of the start of a page in which enough text is searched for. A longer string than the first is a large object. */
const LENGTHS = [120_000, MAX_BYTES]

/**
 * Scans a page's text as {@link scanPageText} does, in parts with turns of the event loop between them, so that its next
 * call for the page finds the result: a page of megabytes takes 40 ms in a new process.
 */
export async function scanPageTextInParts(body: Uint8Array, enough = Infinity): Promise<void> {
  if (findScan(body, enough) ?? scanStarts(body, enough, LENGTHS.slice(0, 1))) return
  const scanner = openScanner(body, enough)
  while (!scanner.scanPart()) await yieldIfHeld()
  keepScan(body, enough, scanner.finish())
}

function findScan(body: Uint8Array, enough: number): PageText | undefined {
  const known = scans.get(body)
  return known && (known.enough >= enough || known.text.ownLength < known.enough) ? known.text : undefined
}

const openScanner = (body: Uint8Array, enough: number): TextScanner =>
  new TextScanner(new TextDecoder().decode(body.subarray(0, MAX_BYTES)), enough)

/** Opens a scanner that reads bytes as characters, and decodes what is not ASCII where it measures it. */
function openByteScanner(body: Uint8Array, enough: number): TextScanner {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  return new TextScanner(bytes.toString('latin1'), enough, bytes)
}

function keepScan(body: Uint8Array, enough: number, found: PageText): PageText {
  const text = found.ownLength >= enough ? withoutDetails(found) : withCopies(found)
  scans.set(body, { enough, text })
  return text
}

/** Leaves out what a page says: nobody asks for it if the page has enough text, as most pages have. */
const withoutDetails = (found: PageText): PageText => ({
  ...found,
  emptyRanges: [],
  emptyElements: [],
  noscript: '',
  ownStart: '',
})

function withCopies(found: PageText): PageText {
  const emptyRanges = found.emptyRanges.map(({ name, from, to }) => ({ name: copyText(name), from, to }))
  return {
    ...found,
    emptyRanges,
    emptyElements: emptyRanges.map(({ name }) => name),
    noscript: copyText(found.noscript),
    ownStart: copyText(found.ownStart),
  }
}

/** Copies a text, because a substring keeps the whole HTML in memory for as long as the body. */
const copyText = (text: string): string => (text === '' ? '' : Buffer.from(text, 'utf16le').toString('utf16le'))

/** Maximum length of the own text of a challenge page. An error page may have a menu around it. Characters. */
const MAX_SHELL_TEXT = 1_200
const MAX_ERROR_TEXT = 3_000

/**
 * Returns the maximum length of the own text of a challenge; a response with more text is the requested page. A scan of
 * this length answers all questions about a page, so that it is scanned once. Characters.
 */
export const maxShellText = (statusCode: number): number => (statusCode >= 400 ? MAX_ERROR_TEXT : MAX_SHELL_TEXT)

/**
 * Tests whether one page clearly has more text than another: more own text, or more text in total if their own text is
 * about the same. Cookie banners, which are removed in the browser, are not own text.
 */
export function hasMoreText(body: Uint8Array, than: Uint8Array): boolean {
  const [more, less] = [scanPageText(body), scanPageText(than)]
  if (isLonger(more.ownLength, less.ownLength)) return true
  if (isLonger(less.ownLength, more.ownLength)) return false
  return isLonger(more.ownLength + more.boilerplateLength, less.ownLength + less.boilerplateLength)
}

const isLonger = (longer: number, shorter: number): boolean => longer > shorter + 20 && longer > shorter * 1.05

/** Tests whether a page with scripts shows nothing, or no more than a placeholder such as "Loading…". */
export const isLoadingPlaceholder = (body: Uint8Array): boolean =>
  showsNothing(body) && scanPageText(body, maxShellText(200)).scripts > 0

/** Tests whether a page shows nothing, or a few words. */
export function showsNothing(body: Uint8Array): boolean {
  const { ownLength, media } = scanPageText(body, maxShellText(200))
  return ownLength <= PLACEHOLDER_LENGTH && media === 0
}
