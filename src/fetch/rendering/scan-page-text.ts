import { yieldIfHeld } from '../../concurrency/yield-turn.js'
import { type PageText, PLACEHOLDER_LENGTH, TextScanner } from './text-scanner.js'

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
  // Most pages have enough text near their start: the rest is then not even decoded.
  if (enough < Infinity && body.length > START_BYTES) {
    const start = openScanner(body.subarray(0, START_BYTES), enough)
    const text = start.scan()
    if (start.hasEnough) return keepScan(body, enough, text)
  }
  return keepScan(body, enough, openScanner(body, enough).scan())
}

/** Length of the start of a page that is scanned first. Bytes. */
const START_BYTES = 16_384

/**
 * Scans a page's text as {@link scanPageText} does, in parts with turns of the event loop between them, so that its next
 * call for the page finds the result: a page of megabytes takes 40 ms in a new process.
 */
export async function scanPageTextInParts(body: Uint8Array, enough = Infinity): Promise<void> {
  if (findScan(body, enough)) return
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

function keepScan(body: Uint8Array, enough: number, found: PageText): PageText {
  const emptyRanges = found.emptyRanges.map(({ name, from, to }) => ({ name: copyText(name), from, to }))
  // Nobody asks what the text of a page says that has enough of it, as most pages have.
  const hasEnough = found.ownLength >= enough
  const text: PageText = {
    ...found,
    emptyRanges,
    emptyElements: emptyRanges.map(({ name }) => name),
    noscript: hasEnough ? '' : copyText(found.noscript),
    ownStart: hasEnough ? '' : copyText(found.ownStart),
  }
  scans.set(body, { enough, text })
  return text
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
export function isLoadingPlaceholder(body: Uint8Array): boolean {
  const { ownLength, media, scripts } = scanPageText(body, maxShellText(200))
  return ownLength <= PLACEHOLDER_LENGTH && media === 0 && scripts > 0
}
