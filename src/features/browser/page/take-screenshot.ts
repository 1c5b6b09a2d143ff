import { setTimeout as sleep } from 'node:timers/promises'
import type { BrowserPageContext } from '../browser-page.js'
import { pageFunction } from '../injected/page-functions.js'
import type { ScreenshotImage, ScreenshotOptions } from '../../../kernel/fetch/screenshot-options.js'

/** Maximum side of a surface in Chromium. Device pixels. */
const MAX_SIDE = 16_384
/**
 * Maximum area, which takes four bytes of memory per pixel while the image is encoded. The largest viewport that the
 * options allow is within it. Device pixels.
 */
const MAX_AREA = 40_000_000
/** Timeout for images that load only in view. Milliseconds. */
const MAX_LOAD_MS = 5_000
/** Limit for fonts, after the automatic wait. Milliseconds. */
const MAX_FONTS_MS = 1_000
/** Delay between two steps of scrolling: a little more than two frames at 60 Hz. Milliseconds. */
const STEP_MS = 40
/** Minimum step of scrolling, for a low viewport. CSS pixels. */
const MIN_STEP = 400

/**
 * Takes a screenshot of the viewport or, with `fullPage`, of the whole page, which is scrolled through first. With `quality`
 * it is a JPEG, else a PNG. Viewport and scroll position of the page are restored.
 */
export async function takeScreenshot(
  context: BrowserPageContext,
  options: ScreenshotOptions,
): Promise<ScreenshotImage> {
  const { page } = context
  const { fullPage = false, quality, viewport } = options
  const before = page.viewportSize()
  try {
    if (viewport) {
      await page.setViewportSize(viewport)
      await context.settle()
    }
    return await (fullPage ? takeWhole(context, quality) : takeView(context, quality))
  } finally {
    const after = page.viewportSize()
    if (before && (after?.width !== before.width || after.height !== before.height)) await page.setViewportSize(before)
  }
}

const typeOf = (quality: number | undefined) =>
  quality === undefined ? ({ type: 'png' } as const) : ({ type: 'jpeg', quality } as const)

/** Options that fast-forward animations to their last frame, and hide the text cursor. */
const stillImage = { animations: 'disabled', caret: 'hide' } as const

async function takeView(
  { page, world, leftMs }: BrowserPageContext,
  quality: number | undefined,
): Promise<ScreenshotImage> {
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 }
  const { pixelRatio } = await world.call(pageFunction('measurePage'), undefined)
  await world.call(pageFunction('waitForFonts'), MAX_FONTS_MS)
  const bytes = await page.screenshot({
    ...typeOf(quality),
    ...stillImage,
    scale: fits(width * pixelRatio, height * pixelRatio) ? 'device' : 'css',
    timeout: leftMs(),
  })
  return { mediaType: `image/${typeOf(quality).type}`, bytes: new Uint8Array(bytes) }
}

async function takeWhole(context: BrowserPageContext, quality: number | undefined): Promise<ScreenshotImage> {
  const { page, world, leftMs } = context
  const window = page.viewportSize()
  const { hidden } = await world.call(pageFunction('measurePage'), undefined)
  // Content that scrolls inside an element of fixed height is only captured whole by a viewport as high as the content.
  if (hidden > 0 && window) {
    await page.setViewportSize({
      width: window.width,
      height: Math.min(maxHeight(window.width), window.height + hidden),
    })
    await context.settle()
  }
  const place = await world.call(pageFunction('scrollDown'), {
    maxHeight: MAX_SIDE,
    minStep: MIN_STEP,
    stepMs: STEP_MS,
  })
  try {
    await context.settle()
    await world.call(pageFunction('waitForImages'), Math.min(MAX_LOAD_MS, leftMs()))
    await world.call(pageFunction('waitForFonts'), MAX_FONTS_MS)
    await world.call(pageFunction('scrollToPosition'), { x: 0, y: 0 })
    // Headers may change once the page is back at the top.
    await sleep(STEP_MS, undefined, { signal: context.signal })
    const size = await world.call(pageFunction('measurePage'), undefined)
    // Playwright waits for a body without limit before it captures a whole page.
    if (!size.hasBody) return await takeView(context, quality)
    const width = Math.min(size.width, MAX_SIDE)
    const height = Math.min(size.height, maxHeight(width))
    const bytes = await page.screenshot({
      ...typeOf(quality),
      ...stillImage,
      fullPage: true,
      clip: { x: 0, y: 0, width, height },
      scale: fits(width * size.pixelRatio, height * size.pixelRatio) ? 'device' : 'css',
      timeout: leftMs(),
    })
    const warning = `The screenshot was cut to ${width} × ${height} of the page's ${size.width} × ${size.height} pixels, the maximum size.`
    return {
      mediaType: `image/${typeOf(quality).type}`,
      bytes: new Uint8Array(bytes),
      warning: width < size.width || height < size.height ? warning : undefined,
    }
  } finally {
    await world.call(pageFunction('scrollToPosition'), place)
  }
}

/** Returns the maximum height of a screenshot. CSS pixels. */
const maxHeight = (width: number): number => Math.min(MAX_SIDE, Math.floor(MAX_AREA / width))

const fits = (width: number, height: number): boolean =>
  width <= MAX_SIDE && height <= MAX_SIDE && width * height <= MAX_AREA
