import { randomUUID } from 'node:crypto'
import { yieldIfHeld, yieldTurn } from '../../../base/concurrency/yield-turn.js'
import { TrawlError } from '../../../base/errors.js'
import type { FrameDocument, FrameElement, FrameTree } from '../page/frame-tree.js'
import type { IsolatedWorld } from '../browser-page.js'
import { withinMs } from '../../../base/concurrency/within-ms.js'
import { isObject } from '../../../base/collections/is-object.js'
import { pageFunction, type SerializeQuestion } from '../injected/page-functions.js'

/** Frames that are read, and their levels of nesting; others stay empty elements. */
const MAX_FRAMES = 20
/** Frames of a document that are looked at, to find those that are shown. */
const MAX_LOOKED_AT = 100
const MAX_FRAME_DEPTH = 3
/** A smaller frame has no text to read: it counts visitors. CSS pixels. */
const MIN_FRAME_SIZE = 50
/** Limit for each answer of a frame in a page that answers; such a frame is left out. Milliseconds. */
const ANSWER_MS = 3_000

/**
 * Longer HTML is read in pieces of this length, with a turn of the event loop for each: the message of a page of 4 MB alone
 * takes 20 ms to parse, and 50 ms in a new process. Characters.
 */
export const PIECE_LENGTH = 512 * 1024

/** A frame that was read, and the text that stands for it in the HTML of the frame around it. */
interface InnerFrame {
  readonly element: FrameElement
  /** {@link MARK_LENGTH} characters. */
  readonly mark: string
  readonly html: readonly string[]
}

/** A page to read. */
interface ReadablePage {
  readonly world: IsolatedWorld
  /** Opens the documents in the frames of the page; undefined for a page without frames. */
  readonly openFrames: () => Promise<FrameTree> | undefined
}

interface ReadPageOptions {
  /** The URL of the page's document. */
  readonly url: string
  /** Characters. */
  readonly maxLength: number
  /** The `Content-Type` header of the document. */
  readonly contentType: string | undefined
}

/** A page as HTML. */
export interface PageHtml {
  /** Pieces that follow one another. No piece ends within a surrogate pair. */
  readonly pieces: readonly string[]
  /** Number of frames that are shown and could not be read, or are beyond the maximum. */
  readonly lostFrames: number
}

/**
 * Reads a page of the browser as one HTML document, in pieces. They are not joined here: that copies all of the page in one
 * turn of the event loop, 90 ms for 24 MB.
 *
 * @throws TrawlError `SCRAPE_DECOMPRESSED_TOO_LARGE`; `SCRAPE_BROWSER_ERROR` for an answer that is not HTML
 */
export async function readPageHtml(
  { world, openFrames }: ReadablePage,
  { url, maxLength, contentType }: ReadPageOptions,
): Promise<PageHtml> {
  const hasCharset = /;\s*charset\s*=/i.test(contentType ?? '')
  const common = { maxLength, maxWhole: PIECE_LENGTH, url, marks: [] }
  let framesLeft = MAX_FRAMES
  let lostFrames = 0
  // Marks begin alike, so that all are found in one search.
  const key = randomUUID()
  let marks = 0
  const pieces = await readWhole()
  if (pieces !== undefined) return { pieces, lostFrames }
  throw new TrawlError('SCRAPE_DECOMPRESSED_TOO_LARGE', `The page's tree is longer than ${maxLength} characters`)

  async function readWhole(): Promise<readonly string[] | undefined> {
    const tree = await openFrames()
    if (!tree)
      return await readDocument(toDocument(world), { ...common, isInner: false, isCharsetKnown: hasCharset }, [])
    lostFrames += tree.lost
    try {
      const unloaded = await world.call(pageFunction('countUnloadedFrames'), MIN_FRAME_SIZE)
      const whole = await readFrame(tree.main, 0)
      // Those beyond a maximum are counted already, loaded or not. Each frame that was read has a mark.
      lostFrames += Math.min(unloaded, Math.max(0, tree.main.children.length - lostFrames - marks))
      return whole
    } finally {
      tree.close()
    }
  }

  function nextMark(): string {
    marks += 1
    return `${key}${String(marks).padStart(2, '0')}`
  }

  async function readFrame(frame: FrameDocument, depth: number): Promise<readonly string[] | undefined> {
    const inner = depth < MAX_FRAME_DEPTH ? await readChildren(frame, depth + 1) : []
    // The response of an inner frame is not looked at.
    const question = { ...common, isInner: depth > 0, isCharsetKnown: depth > 0 || hasCharset }
    const around = await readDocument(frame, question, inner)
    if (around === undefined) return undefined
    const whole = inner.length === 0 ? around : await replaceMarks(around, key, inner)
    return lengthOf(whole) > maxLength ? undefined : whole
  }

  async function readChildren(frame: FrameDocument, depth: number): Promise<readonly InnerFrame[]> {
    const children = frame.children.slice(0, MAX_LOOKED_AT)
    lostFrames += frame.children.length - children.length
    const found = children.map(async (child) => ({ child, element: await frame.findElement(child) }))
    const visible = (await Promise.all(found)).flatMap(({ child, element }) =>
      element && element.width >= MIN_FRAME_SIZE && element.height >= MIN_FRAME_SIZE ? { child, element } : [],
    )
    // A frame that trawl itself stopped is missing on purpose.
    lostFrames += visible.filter(({ child }) => child.missing === 'failed').length
    const shown = visible.filter(({ child }) => child.missing === undefined)
    const chosen = shown.slice(0, framesLeft)
    framesLeft -= chosen.length
    lostFrames += shown.length - chosen.length
    const read = await Promise.all(
      chosen.map(async ({ child, element }) => ({ element, html: await readInner(child, depth) })),
    )
    return read.flatMap(({ element, html }) =>
      html.every((piece) => piece.trim() === '') ? [] : { element, html, mark: nextMark() },
    )
  }

  /** Reads a frame. It is empty if it does not answer, navigates meanwhile or is too long. */
  async function readInner(frame: FrameDocument, depth: number): Promise<readonly string[]> {
    const html = await readFrame(inTime(frame, world), depth).catch(() => undefined)
    if (html === undefined) lostFrames += 1
    return html ?? []
  }
}

/** The same frame; a question that it does not answer in time rejects. */
const inTime = (frame: FrameDocument, world: IsolatedWorld): FrameDocument => ({
  children: frame.children,
  missing: frame.missing,
  findElement: (child) => answerOf(frame.findElement(child), world),
  serialize: (question, marked) => answerOf(frame.serialize(question, marked), world),
  readKept: (piece) => answerOf(frame.readKept(piece), world),
})

/** Awaits the answer of a frame. It may be late as long as the page around it does not answer either: then the browser is busy. */
async function answerOf<T>(answer: Promise<T>, world: IsolatedWorld): Promise<T> {
  const settled = answer.then((value) => ({ value }))
  const given =
    (await withinMs(settled, ANSWER_MS)) ?? (await Promise.race([settled, world.evaluate('0').then(() => undefined)]))
  if (!given) throw new Error('A frame does not answer')
  return given.value
}

const toDocument = (world: IsolatedWorld): FrameSource => ({
  serialize: (question) => world.call(pageFunction('serializeAndKeep'), question),
  readKept: (piece) => world.call(pageFunction('readKeptHtml'), piece),
})

type FrameSource = Pick<FrameDocument, 'readKept' | 'serialize'>

/** Reads the HTML of a document with marks for the frames in it. Undefined when it is too long. */
async function readDocument(
  source: FrameSource,
  question: SerializeQuestion,
  inner: readonly InnerFrame[],
): Promise<readonly string[] | undefined> {
  const answer = await source.serialize(question, inner)
  if (answer === undefined) return undefined
  if (!isObject(answer) || answer['isLong'] !== true) return [checkPiece(answer)]
  return await readPieces(source, question.maxLength)
}

/** Reads all pieces. Undefined when they come to more than `maxLength` characters. */
async function readPieces(source: FrameSource, maxLength: number): Promise<readonly string[] | undefined> {
  const pieces: string[] = []
  let length = 0
  for (let isLast = false; !isLast;) {
    const piece = checkPiece(await source.readKept({ from: length, maxLength: PIECE_LENGTH }))
    // This turn of the event loop has parsed the browser's message.
    await yieldTurn()
    pieces.push(piece)
    length += piece.length
    if (length > maxLength) return undefined
    isLast = piece.length < PIECE_LENGTH - 1
  }
  return pieces
}

/** Checks an answer of the browser. What is no string has a length that the loop and the limits could not count with. */
function checkPiece(answer: unknown): string {
  if (typeof answer === 'string' && answer.length <= PIECE_LENGTH) return answer
  throw new TrawlError('SCRAPE_BROWSER_ERROR', 'The browser returned something else than the HTML of the page')
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
