import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ScreenshotOptions } from '../../../src/kernel/fetch/screenshot-options.js'
import { startSite, type Site } from '../../site/site.js'
import { openBrowser } from './open-browser.js'
import { pixelAt, readPng } from './read-png.js'

const html = (body: string, style = ''): string =>
  `<!doctype html><html><head><meta name="viewport" content="width=device-width"><style>body { margin: 0 } ${style}</style></head><body>${body}</body></html>`

const red = [255, 0, 0]
const green = [0, 128, 0]
const blue = [0, 0, 255]
const white = [255, 255, 255]
const svg = (colour: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100"><rect width="100" height="100" fill="${colour}"/></svg>`

const pages = {
  // A fixed and a sticky header, a picture that waits for being seen, a part that appears when it is seen.
  '/long': html(
    `<header>fixed</header><nav>sticky</nav><main><div class="fill"></div>
     <img loading="lazy" src="/late.svg" width="100" height="100" style="display: block">
     <div class="fill"></div><div id="seen" style="height: 100px"></div><div class="fill"></div>
     <div style="height: 100px; background: blue"></div></main>
     <script>new IntersectionObserver(([entry]) => { if (entry.isIntersecting) seen.style.background = 'green' }).observe(seen)</script>`,
    `header { position: fixed; top: 0; width: 100%; height: 50px; background: red }
     nav { position: sticky; top: 50px; height: 50px; margin-top: 50px; background: lime }
     .fill { height: 4000px }`,
  ),
  '/endless': html('<div style="height: 40000px; background: linear-gradient(red, blue)"></div>'),
  '/hero': html(
    '<div style="height: 100vh; background: green"></div><div style="height: 1500px"></div><aside></aside>',
    'aside { position: fixed; bottom: 0; width: 100%; height: 40px; background: red }',
  ),
  '/inside': html(
    '<main style="height: 100vh; overflow: auto"><div style="height: 3000px"></div><div style="height: 100px; background: blue"></div></main>',
  ),
  '/font': html(
    '<h1>Text</h1>',
    '@font-face { font-family: X; src: url(/hang) } h1 { font-family: X; background: green }',
  ),
  '/animated': html(
    '<div style="height: 100px; background: green; animation: in 5s both"></div>',
    '@keyframes in { from { opacity: 0 } to { opacity: 1 } }',
  ),
  '/no-body': '<p>Text</p><script>document.body.remove()</script>',
  '/no-root': '<p>Text</p><script>document.documentElement.remove()</script>',
}

const browser = openBrowser()
let site: Site
beforeAll(async () => {
  site = await startSite({
    pages: {
      ...pages,
      '/late.svg': ({ response }) => void response.setHeader('content-type', 'image/svg+xml').end(svg('green')),
    },
  })
})
afterAll(async () => {
  await browser.close()
  await site.close()
})

const look = async (path: string, screenshot: ScreenshotOptions, mobile = false) => {
  const page = await browser.render(
    site.url(path),
    { captures: { screenshot } },
    { emulation: { mobile, languages: ['en'] } },
  )
  const picture = page.captures?.screenshot
  if (!picture) throw new Error('no picture')
  return picture
}

it('a screenshot shows the viewport, or the whole page after scrolling through it', async () => {
  expect(readPng((await look('/long', {})).bytes)).toMatchObject({ width: 1280, height: 800 })
  const whole = await look('/long', { fullPage: true })
  expect(whole.warning).toBeUndefined()
  const png = readPng(whole.bytes)
  expect(png).toMatchObject({ width: 1280, height: 12_400 })
  expect(pixelAt(png, 50, 4150)).toEqual(green)
  expect(pixelAt(png, 50, 8250)).toEqual(green)
  expect(pixelAt(png, 50, 12_350)).toEqual(blue)
  const rows = Array.from({ length: png.height }, (_, y) => String(pixelAt(png, 1270, y)))
  expect(rows.filter((row) => row === String(red))).toHaveLength(50)
  expect(rows.filter((row) => row === '0,255,0')).toHaveLength(50)
})

it('a full-page screenshot keeps the height of elements that are as high as the viewport', async () => {
  const png = readPng((await look('/hero', { fullPage: true })).bytes)
  expect(png.height).toBe(2300)
  expect([pixelAt(png, 9, 750), pixelAt(png, 9, 850)]).toEqual([green, white])
  const rows = Array.from({ length: png.height }, (_, y) => String(pixelAt(png, 1270, y)))
  expect(rows.filter((row) => row === String(red))).toHaveLength(40)
})

it('a screenshot larger than the maximum size is cut, with a warning', async () => {
  const picture = await look('/endless', { fullPage: true, quality: 40 })
  expect(picture.mediaType).toBe('image/jpeg')
  expect(picture.warning).toBe(
    "The screenshot was cut to 1280 × 16384 of the page's 1280 × 40000 pixels, the maximum size.",
  )
})

it('a full-page screenshot shows the whole content of an element that scrolls in place of the page', async () => {
  const png = readPng((await look('/inside', { fullPage: true })).bytes)
  expect(png.height).toBe(3100)
  expect(pixelAt(png, 50, 3050)).toEqual(blue)
})

it('a screenshot shows the last state of animations', async () => {
  expect(pixelAt(readPng((await look('/animated', {})).bytes), 50, 50)).toEqual(green)
})

it('a screenshot does not wait for a font that never loads', async () => {
  expect(pixelAt(readPng((await look('/font', {})).bytes), 600, 30)).toEqual(green)
})

it('a screenshot has the size of the requested viewport, and the pixel ratio of a phone', async () => {
  expect(readPng((await look('/long', { viewport: { width: 500, height: 300 } })).bytes)).toMatchObject({
    width: 500,
    height: 300,
  })
  const phone = readPng((await look('/inside', {}, true)).bytes)
  expect(phone.width).toBeGreaterThan(1000)
  expect(pixelAt(phone, 50, 50)).toEqual(white)
  const long = readPng((await look('/long', { fullPage: true }, true)).bytes)
  expect([long.width, long.height]).toEqual([412, 12_400])
})

it.each(['/no-body', '/no-root'])('a page without elements is captured as it is shown, and read: %s', async (path) => {
  expect(readPng((await look(path, { fullPage: true })).bytes)).toMatchObject({ width: 1280, height: 800 })
  const captures = { branding: {} }
  const page = await browser.render(site.url(path), { captures, expand: { maxRows: 10, recordsAnswers: false } })
  expect(page.captures).toHaveProperty('branding')
})
