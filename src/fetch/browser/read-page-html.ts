import type { Frame, Page } from 'playwright'
import { TrawlError } from '../../errors.js'
import { isNavigation } from '../browser-page/browser-errors.js'
import type { IsolatedWorld } from '../browser-page/isolated-world.js'
import { type FrameHtml, pageFunction } from '../../injected/page-functions.js'

/** Frames that are read, and how deep in each other; the rest stays an empty element. */
const MAX_FRAMES = 20
const MAX_FRAME_DEPTH = 3
/** A frame that is smaller shows nothing to read: it counts visitors. CSS pixels. */
const MIN_FRAME_SIZE = 50
/** A frame that does not answer for so long is left out. Milliseconds. */
const FRAME_MS = 3_000
/**
 * For a frame that no document is known to have come into: the browser refuses its address (`file:`, `chrome:`), or its
 * server is silent, and it would never answer. One that a script writes into answers at once. Milliseconds.
 */
const EMPTY_FRAME_MS = 300

export interface ReadPageOptions {
  /** The URL that the page's document came from. */
  readonly url: string
  /** Characters, at most. */
  readonly maxLength: number
}

/**
 * A page of the browser as one HTML document.
 *
 * @throws TrawlError `SCRAPE_DECOMPRESSED_TOO_LARGE`
 */
export async function readPageHtml(
  page: Page,
  world: IsolatedWorld,
  { url, maxLength }: ReadPageOptions,
): Promise<string> {
  const budget = { frames: MAX_FRAMES }
  const whole = await readWhole()
  if (whole !== undefined) return whole
  throw new TrawlError('SCRAPE_DECOMPRESSED_TOO_LARGE', `The page's tree is longer than ${maxLength} characters`)

  async function readWhole(): Promise<string | undefined> {
    if (page.mainFrame().childFrames().length > 0) {
      try {
        return await readFrame(page.mainFrame(), 0)
      } catch (error) {
        if (page.isClosed() || isNavigation(error)) throw error
        // Elements can be named only in the page's own world, where it may have broken what that takes.
      }
    }
    return await world.call(pageFunction('serializeDocument'), { frames: [], maxLength, isInner: false, url })
  }

  async function readFrame(frame: Frame, depth: number): Promise<string | undefined> {
    const children = depth < MAX_FRAME_DEPTH ? frame.childFrames().slice(0, budget.frames) : []
    budget.frames -= children.length
    const read = await Promise.all(children.map(async (child) => await readInner(child, depth + 1)))
    const inner = read.filter((one) => one !== undefined)
    const question = { frames: inner, maxLength, isInner: depth > 0, url }
    return await frame.evaluate(pageFunction('serializeDocument'), question as never)
  }

  /** A frame may go away, or never have come, while it is read: then it stays what it was. */
  async function readInner(frame: Frame, depth: number): Promise<FrameHtml | undefined> {
    try {
      const element = await frame.frameElement()
      const box = await element.boundingBox()
      if (!box || box.width < MIN_FRAME_SIZE || box.height < MIN_FRAME_SIZE) return undefined
      const html = await withinMs(readFrame(frame, depth), frame.url() === '' ? EMPTY_FRAME_MS : FRAME_MS)
      return html === undefined || html.trim() === '' ? undefined : { element, html }
    } catch (error) {
      if (page.isClosed()) throw error
      return undefined
    }
  }
}

/** What a promise resolves to; undefined when it takes longer. */
async function withinMs<T>(promise: Promise<T>, maxMs: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => (timer = setTimeout(() => resolve(undefined), maxMs)))
  return await Promise.race([promise, late]).finally(() => clearTimeout(timer))
}
