import { setTimeout as sleep } from 'node:timers/promises'
import type { PageContext } from '../browser-page.js'
import { pageFunction } from '../../injected/page-functions.js'
import type { ScreenshotImage, ScreenshotOptions } from '../screenshot-options.js'

/** Chromium draws no surface that is longer. Device pixels. */
const MAX_SIDE = 16_384
/** Four bytes each while the picture is made. Room for the largest window that can be asked for. Device pixels. */
const MAX_AREA = 40_000_000
/** How long pictures on the page may take to come once they were scrolled to. Milliseconds. */
const MAX_LOAD_MS = 5_000
/** How long fonts may take, after the page itself had its time to load them. Milliseconds. */
const MAX_FONTS_MS = 1_000
/** Between two steps of scrolling: a frame and a little. Milliseconds. */
const STEP_MS = 40
/** However low the window is. CSS pixels. */
const MIN_STEP = 400

/**
 * Takes a picture of the page: of what is in view or, with `fullPage`, of all of it in one piece, after it was scrolled
 * through. With `quality` it is a JPEG, else a PNG. The page is left with the window and the place that it had.
 */
export async function takeScreenshot(stage: PageContext, options: ScreenshotOptions): Promise<ScreenshotImage> {
  const { page } = stage
  const { fullPage = false, quality, viewport } = options
  const before = page.viewportSize()
  try {
    if (viewport) {
      await page.setViewportSize(viewport)
      await stage.settle()
    }
    return await (fullPage ? takeWhole(stage, quality) : takeView(stage, quality))
  } finally {
    const after = page.viewportSize()
    if (before && (after?.width !== before.width || after.height !== before.height)) await page.setViewportSize(before)
  }
}

const typeOf = (quality: number | undefined) =>
  quality === undefined ? ({ type: 'png' } as const) : ({ type: 'jpeg', quality } as const)

/** What animations end in is what they are for. */
const calm = { animations: 'disabled', caret: 'hide' } as const

async function takeView({ page, leftMs }: PageContext, quality: number | undefined): Promise<ScreenshotImage> {
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 }
  const { pixelRatio } = await page.evaluate(pageFunction('measurePage'))
  await page.evaluate(pageFunction('waitForFonts'), MAX_FONTS_MS)
  const bytes = await page.screenshot({
    ...typeOf(quality),
    ...calm,
    scale: fits(width * pixelRatio, height * pixelRatio) ? 'device' : 'css',
    timeout: leftMs(),
  })
  return { mediaType: `image/${typeOf(quality).type}`, bytes: new Uint8Array(bytes) }
}

async function takeWhole(stage: PageContext, quality: number | undefined): Promise<ScreenshotImage> {
  const { page, leftMs } = stage
  const window = page.viewportSize()
  const { hidden } = await page.evaluate(pageFunction('measurePage'))
  // A page whose content scrolls inside a fixed frame is whole in a window that is as long as the content.
  if (hidden > 0 && window) {
    await page.setViewportSize({
      width: window.width,
      height: Math.min(maxHeight(window.width), window.height + hidden),
    })
    await stage.settle()
  }
  const place = await page.evaluate(pageFunction('scrollDown'), {
    maxHeight: MAX_SIDE,
    minStep: MIN_STEP,
    stepMs: STEP_MS,
  })
  try {
    await stage.settle()
    await page.evaluate(pageFunction('waitForImages'), Math.min(MAX_LOAD_MS, leftMs()))
    await page.evaluate(pageFunction('waitForFonts'), MAX_FONTS_MS)
    await page.evaluate(pageFunction('scrollToPosition'), { x: 0, y: 0 })
    // What a header does when it is back at the top.
    await sleep(STEP_MS, undefined, { signal: stage.signal })
    const size = await page.evaluate(pageFunction('measurePage'))
    const width = Math.min(size.width, MAX_SIDE)
    const height = Math.min(size.height, maxHeight(width))
    const bytes = await page.screenshot({
      ...typeOf(quality),
      ...calm,
      fullPage: true,
      clip: { x: 0, y: 0, width, height },
      scale: fits(width * size.pixelRatio, height * size.pixelRatio) ? 'device' : 'css',
      timeout: leftMs(),
    })
    const warning = `The picture shows ${width} × ${height} of the page's ${size.width} × ${size.height} pixels: longer ones cannot be drawn.`
    return {
      mediaType: `image/${typeOf(quality).type}`,
      bytes: new Uint8Array(bytes),
      ...(width < size.width || height < size.height ? { warning } : {}),
    }
  } finally {
    await page.evaluate(pageFunction('scrollToPosition'), place)
  }
}

/** CSS pixels. */
const maxHeight = (width: number): number => Math.min(MAX_SIDE, Math.floor(MAX_AREA / width))

const fits = (width: number, height: number): boolean =>
  width <= MAX_SIDE && height <= MAX_SIDE && width * height <= MAX_AREA
