import { type Browser, chromium } from 'playwright'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sheetPages, writeSheetPage } from './sheet-pages.js'

let browser: Browser

beforeAll(async () => {
  browser = await chromium.launch({ executablePath: chromium.executablePath(), args: ['--no-sandbox'] })
})
afterAll(() => browser.close())

/** Tells in a page whether its sentence is seen. As text, for the types of pages are not those of tests. */
const IS_SEEN = `(async () => {
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
  for (const animation of document.getAnimations()) animation.finish()
  const element = document.querySelector('#i')
  const { fontSize, color, clipPath, filter, textIndent } = getComputedStyle(element)
  const { right, height, width } = element.getBoundingClientRect()
  return (
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    Number.parseFloat(fontSize) > 2.5 && !color.startsWith('rgb(255, 255, 255') && right > 0 && height > 0 && width > 0 &&
    !clipPath.startsWith('inset(50') && !filter.startsWith('opacity(0') && Number.parseFloat(textIndent) > -100
  )
})()`

it('what the table of pages says of each is what a browser shows', { timeout: 300_000 }, async () => {
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 } })
  const wrong: string[] = []
  for (const one of sheetPages) {
    await page.goto(`data:text/html;charset=utf-8,${encodeURIComponent(writeSheetPage(one))}`)
    if ((await page.evaluate(IS_SEEN)) !== one.isSeen) wrong.push(`${one.begin ?? ''}${one.css} ${one.element ?? ''}`)
  }
  expect(wrong).toEqual([])
})
