import { builtInsOf, findBody, findRoot, pageDocument } from './built-ins-of.js'
import type { PageFunctions } from './page-functions.js'
import { canScroll } from './scroll.js'

/** Measures the whole page, and the hidden part of the element that scrolls in place of the document. */
export const measurePage: PageFunctions['measurePage'] = () => {
  const root = pageDocument.scrollingElement ?? findRoot()
  let hidden = 0
  if (root && !canScroll(root)) {
    let part = pageDocument.elementFromPoint(innerWidth / 2, innerHeight / 2)
    for (; part && part !== root; part = builtInsOf(part).parentElement) {
      const { clientHeight, scrollHeight } = builtInsOf(part)
      if (canScroll(part) && clientHeight > innerHeight / 2) hidden = scrollHeight - clientHeight
    }
  }
  const width = Math.max(root?.scrollWidth ?? 0, innerWidth)
  const height = Math.max(root?.scrollHeight ?? 0, innerHeight)
  return { width, height, hidden, pixelRatio: devicePixelRatio, hasBody: findBody() !== null }
}

/**
 * Waits for the fonts of the page, at most `maxMs`. Playwright's screenshot waits without limit for all fonts that are
 * loading. After `maxMs` they are therefore cancelled, with everything else that is still loading.
 */
export const waitForFonts: PageFunctions['waitForFonts'] = async (maxMs) => {
  const late = new Promise((resolve) => setTimeout(resolve, maxMs))
  await Promise.race([pageDocument.fonts.ready, late])
  if (pageDocument.fonts.status === 'loading') stop()
}

/** Waits for the images that are still loading, at most `maxMs`. */
export const waitForImages: PageFunctions['waitForImages'] = async (maxMs) => {
  const late = new Promise((resolve) => setTimeout(resolve, maxMs))
  const pending = [...pageDocument.images].filter((image) => !image.complete)
  const loading = pending.map(
    async (image) =>
      await new Promise((resolve) => {
        image.addEventListener('load', resolve, { once: true })
        image.addEventListener('error', resolve, { once: true })
      }),
  )
  await Promise.race([Promise.all(loading), late])
}
