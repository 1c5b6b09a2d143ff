import type { Frame, Page } from 'playwright'
import { TrawlError } from '../../errors.js'
import { isNavigation } from '../browser-page/browser-errors.js'
import type { IsolatedWorld } from '../browser-page/isolated-world.js'
import { type FrameHtml, pageFunction } from '../../injected/page-functions.js'

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

export interface ReadPageOptions {
  /** The URL of the page's document. */
  readonly url: string
  /** Characters. */
  readonly maxLength: number
}

/**
 * Reads a page of the browser as one HTML document.
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
        // Elements can be passed only to the page's own world, where a script may have replaced what that needs.
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

  /** Reads a frame; undefined for one that is removed meanwhile, or does not answer. */
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

/** Awaits a promise; undefined when it takes longer. */
async function withinMs<T>(promise: Promise<T>, maxMs: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => (timer = setTimeout(() => resolve(undefined), maxMs)))
  return await Promise.race([promise, late]).finally(() => clearTimeout(timer))
}
