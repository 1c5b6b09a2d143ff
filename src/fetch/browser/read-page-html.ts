import { randomUUID } from 'node:crypto'
import type { Frame, Page } from 'playwright'
import { yieldIfHeld, yieldTurn } from '../../concurrency/yield-turn.js'
import { TrawlError } from '../../errors.js'
import { isNavigation } from '../browser-page/browser-errors.js'
import type { IsolatedWorld } from '../browser-page/isolated-world.js'
import { pageFunction, type SerializeQuestion } from '../../injected/page-functions.js'

/** Frames that are read, and their levels of nesting; others stay empty elements. */
const MAX_FRAMES = 20
const MAX_FRAME_DEPTH = 3
/** A smaller frame has no text to read: it counts visitors. CSS pixels. */
const MIN_FRAME_SIZE = 50
/** Limit for a frame; one that does not answer is left out. Milliseconds. */
const FRAME_MS = 3_000
/**
 * Limit for a frame without a URL: the browser refused its address (`file:`, `chrome:`) or its server is silent, so that it
 * would never answer. A frame that a script writes into answers at once. Milliseconds.
 */
const EMPTY_FRAME_MS = 300

/**
 * Longer HTML is read in pieces of this length, with a turn of the event loop for each: the message of a page of 4 MB alone
 * takes 20 ms to parse, and 50 ms in a new process. Characters.
 */
export const PIECE_LENGTH = 512 * 1024

/** Reads HTML from an offset, at most {@link PIECE_LENGTH} characters of it. */
type ReadPiece = (from: number) => Promise<string>

/** A frame that was read, and the text that stands for it in the HTML of the frame around it. */
interface InnerFrame {
  readonly element: unknown
  /** {@link MARK_LENGTH} characters. */
  readonly mark: string
  readonly html: readonly string[]
}

export interface ReadPageOptions {
  /** The URL of the page's document. */
  readonly url: string
  /** Characters. */
  readonly maxLength: number
  /** The `Content-Type` header of the document. */
  readonly contentType: string | undefined
}

/**
 * Reads a page of the browser as one HTML document, in pieces that follow one another. No piece ends within a surrogate
 * pair. They are not joined here: that copies all of the page in one turn of the event loop, 90 ms for 24 MB.
 *
 * @throws TrawlError `SCRAPE_DECOMPRESSED_TOO_LARGE`
 */
export async function readPageHtml(
  page: Page,
  world: IsolatedWorld,
  { url, maxLength, contentType }: ReadPageOptions,
): Promise<readonly string[]> {
  const hasCharset = /;\s*charset\s*=/i.test(contentType ?? '')
  const common = { maxLength, maxWhole: PIECE_LENGTH, url }
  const budget = { frames: MAX_FRAMES }
  // Marks begin alike, so that all are found in one search.
  const key = randomUUID()
  let marks = 0
  const whole = await readWhole()
  if (whole !== undefined) return whole
  throw new TrawlError('SCRAPE_DECOMPRESSED_TOO_LARGE', `The page's tree is longer than ${maxLength} characters`)

  async function readWhole(): Promise<readonly string[] | undefined> {
    if (page.mainFrame().childFrames().length > 0) {
      try {
        return await readFrame(page.mainFrame(), 0)
      } catch (error) {
        if (page.isClosed() || isNavigation(error)) throw error
        // Elements can be passed only to the page's own world, where a script may have replaced what that needs.
      }
    }
    const question = { ...common, frames: [], isInner: false, isCharsetKnown: hasCharset }
    const answer = await world.call(pageFunction('serializeAndKeep'), question)
    if (typeof answer !== 'object') return answer === undefined ? undefined : [answer]
    return await readPieces(maxLength, (from) =>
      world.call(pageFunction('readKeptHtml'), { from, maxLength: PIECE_LENGTH }),
    )
  }

  function nextMark(): string {
    marks += 1
    return `${key}${String(marks).padStart(2, '0')}`
  }

  async function readFrame(frame: Frame, depth: number): Promise<readonly string[] | undefined> {
    const children = depth < MAX_FRAME_DEPTH ? frame.childFrames().slice(0, budget.frames) : []
    budget.frames -= children.length
    const read = await Promise.all(children.map(async (child) => await readInner(child, depth + 1)))
    const inner = read.filter((one) => one !== undefined)
    const frames = inner.map(({ element, mark }) => ({ element, mark }))
    // The response of an inner frame is not looked at.
    const isCharsetKnown = depth > 0 || hasCharset
    const around = await readAround(frame, { ...common, frames, isInner: depth > 0, isCharsetKnown })
    if (around === undefined) return undefined
    const pieces = inner.length === 0 ? around : await replaceMarks(around, key, inner)
    return lengthOf(pieces) > maxLength ? undefined : pieces
  }

  /** Reads a frame; undefined for one that is removed meanwhile, or does not answer. */
  async function readInner(frame: Frame, depth: number): Promise<InnerFrame | undefined> {
    try {
      const element = await frame.frameElement()
      const box = await element.boundingBox()
      if (!box || box.width < MIN_FRAME_SIZE || box.height < MIN_FRAME_SIZE) return undefined
      const html = await withinMs(readFrame(frame, depth), frame.url() === '' ? EMPTY_FRAME_MS : FRAME_MS)
      return html === undefined || html.every((piece) => piece.trim() === '')
        ? undefined
        : { element, mark: nextMark(), html }
    } catch (error) {
      if (page.isClosed()) throw error
      return undefined
    }
  }
}

/** Reads the HTML of a frame with marks for the frames in it. Undefined when it is too long. */
async function readAround(frame: Frame, question: SerializeQuestion): Promise<readonly string[] | undefined> {
  const answer = await frame.evaluate(pageFunction('serializeDocument'), question as never)
  if (typeof answer !== 'object') return answer === undefined ? undefined : [answer]
  // Kept in a global variable, the HTML would be open to the page's scripts.
  const held = await frame.evaluateHandle(pageFunction('holdDocument'), question as never)
  try {
    return await readPieces(question.maxLength, (from) =>
      held.evaluate(pageFunction('readHeldHtml'), { from, maxLength: PIECE_LENGTH }),
    )
  } finally {
    held.dispose().catch(() => undefined)
  }
}

/** Reads all pieces. Undefined when they come to more than `maxLength` characters. */
async function readPieces(maxLength: number, readPiece: ReadPiece): Promise<readonly string[] | undefined> {
  const pieces: string[] = []
  let length = 0
  for (let isLast = false; !isLast;) {
    const piece = await readPiece(length)
    // This turn of the event loop has parsed the browser's message.
    await yieldTurn()
    pieces.push(piece)
    length += piece.length
    if (length > maxLength) return undefined
    isLast = piece.length < PIECE_LENGTH - 1
  }
  return pieces
}

const lengthOf = (pieces: readonly string[]): number => pieces.reduce((sum, { length }) => sum + length, 0)

/** Length of a mark: a UUID and two digits. */
const MARK_LENGTH = 38

/** Puts the HTML of frames in place of their marks, which may lie across the end of a piece. */
async function replaceMarks(
  pieces: readonly string[],
  key: string,
  frames: readonly InnerFrame[],
): Promise<readonly string[]> {
  const htmlOf = new Map(frames.map(({ mark, html }) => [mark, html]))
  const all: string[] = []
  let rest = ''
  for (const piece of pieces) {
    const text = rest + piece
    let from = 0
    for (let at = text.indexOf(key); at !== -1 && at + MARK_LENGTH <= text.length; at = text.indexOf(key, from)) {
      all.push(text.slice(from, at), ...(htmlOf.get(text.slice(at, at + MARK_LENGTH)) ?? []))
      from = at + MARK_LENGTH
    }
    let to = Math.max(from, text.length - MARK_LENGTH)
    // A pair stays whole.
    if (to > from && /[\ud800-\udbff]/.test(text.charAt(to - 1))) to -= 1
    all.push(text.slice(from, to))
    rest = text.slice(to)
    await yieldIfHeld()
  }
  return [...all, rest]
}

/** Awaits a promise; undefined when it takes longer. */
async function withinMs<T>(promise: Promise<T>, maxMs: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => (timer = setTimeout(() => resolve(undefined), maxMs)))
  return await Promise.race([promise, late]).finally(() => clearTimeout(timer))
}
