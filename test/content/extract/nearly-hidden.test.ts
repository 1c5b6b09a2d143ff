import { expect, it } from 'vitest'
import { digestFile } from '../../../src/content/digest/digest.js'
import { digestPlan } from '../digest/plans.js'

const SENTENCE = 'The last ferry to the islands leaves at a quarter past nine.'

/** Styles of a sentence that everybody sees, though parts of them hide elsewhere: of itself, or a style sheet of its class. */
const styles = [
  'opacity: .95',
  'opacity: 95%',
  'opacity: .9; filter: opacity(.9)',
  'opacity: .6',
  'opacity: .3',
  'opacity: calc(1 - .1)',
  'opacity: 0; opacity: 1',
  'display: none; display: inline-block',
  'display: none; display: -webkit-box',
  'display: none; display: revert !important; display: none',
  'x-display: none',
  '--display: none',
  'color: rgba(0, 0, 0, .87)',
  'color: rgb(0 0 0 / 54%)',
  'color: #777',
  'color: #949494',
  'color: hsl(210, 10%, 45%)',
  'color: #eee; background: #222',
  'color: #fff; background: #0a7',
  'color: white; background: linear-gradient(90deg, #123, #345)',
  'color: #fff; background: #333 url(/stripes.png)',
  'color: transparent; background: linear-gradient(#123, #456); -webkit-background-clip: text; background-clip: text',
  '-webkit-text-fill-color: transparent; background-image: linear-gradient(90deg, red, blue); -webkit-background-clip: text',
  'color: transparent; -webkit-text-stroke: 1px #000',
  'filter: brightness(.95)',
  'filter: grayscale(1)',
  'filter: drop-shadow(0 0 2px #000)',
  'backdrop-filter: blur(2px)',
  'transform: scale(.98)',
  'transform: translateX(-10px)',
  'transform: translate3d(0, 0, 0)',
  'transform: rotate(-2deg)',
  'transform: rotate(180deg)',
  'transform: skewX(-10deg)',
  'transform: none; scale: 1',
  'position: absolute; left: 50%; transform: translate(-50%, 0)',
  'position: relative; left: -15px',
  'position: fixed; bottom: 0; right: 0',
  'position: sticky; top: -1px',
  'position: absolute; top: 2400px; left: 20px',
  'text-indent: 2em',
  'text-indent: -1.5em; padding-left: 1.5em',
  'margin-left: -20px',
  'margin: -10px 0 0 -100px',
  'overflow: hidden; text-overflow: ellipsis; white-space: nowrap',
  'overflow: hidden; max-height: 10000px',
  'overflow: hidden; height: 200px',
  'overflow: auto; max-height: 3em',
  'height: 0; overflow: visible',
  'width: 1px; white-space: nowrap',
  'max-width: 0; white-space: nowrap; overflow: visible',
  'clip-path: inset(0)',
  'clip-path: polygon(0 0, 100% 0, 100% 90%, 0 100%)',
  'clip: rect(0 0 0 0)',
  'clip: auto; position: absolute',
  'mask-image: linear-gradient(#000, #000c)',
  'font-size: 10px',
  'font-size: .75em',
  'font-size: x-small',
  'font-size: 62.5%',
  'font-size: clamp(.8rem, 1vw, 1.2rem)',
  'font-size: max(10px, .1vw)',
  'font: 300 .8rem/1.2 Arial',
  'line-height: 1',
  'line-height: .9',
  'letter-spacing: -.5px',
  'letter-spacing: .3em',
  'word-spacing: 1em',
  'zoom: .9',
  'zoom: 90%',
  'z-index: -1; position: relative',
  'mix-blend-mode: multiply',
  'mix-blend-mode: difference; color: #fff; background: #000',
  'visibility: visible',
  'display: contents',
  'display: inline-block; vertical-align: top',
  'display: grid; grid-template-rows: 1fr',
  'display: -webkit-box; -webkit-line-clamp: 4; overflow: hidden',
  'content-visibility: auto',
  'contain: content',
  'direction: rtl',
  'writing-mode: vertical-rl',
  'user-select: none',
  'pointer-events: none',
  'columns: 2',
  'float: left; width: 30%',
  'animation: appear 1s forwards',
  'transition: opacity .3s; opacity: 1',
  'text-shadow: 0 0 1px #000; color: #333',
  '--gone: none; display: var(--shown, block)',
  'opacity: var(--unknown, .9)',
  'color: var(--ink, #333)',
  'display: none; display: block',
  'text-transform: lowercase',
] as const

/** Sheets around an element of class `x`, with which it is seen. */
const sheets = [
  '@media print { .x { display: none } }',
  '@media (max-width: 600px) { .x { display: none } }',
  '@media (min-width: 4000px) { .x { visibility: hidden } }',
  '@media (prefers-reduced-motion: reduce) { .x { opacity: 0 } }',
  '@media (prefers-color-scheme: dark) { .x { color: #fff } }',
  '@media speech { .x { display: none } }',
  '@supports not (display: grid) { .x { display: none } }',
  '.x { display: none } .x { display: block }',
  '.x { display: none } main .x { display: block }',
  '.x { display: block !important } main .x { display: none }',
  '.x::before { position: absolute; left: -9999px; content: "a" }',
  '.x:hover { opacity: 0 }',
  '.x:empty { display: none }',
  '.x:not(.x) { display: none }',
  '.xx { display: none }',
  '[class=y] { display: none }',
  'aside .x { display: none }',
  '.x + .x { display: none }',
  '.x:nth-child(40) { display: none }',
  '.x > b { display: none }',
  '@layer a { .x { display: none } } .x { display: block }',
  '/* .x { display: none } */',
  '.x { color: #fff } .x { color: #222 }',
  'main { font-size: 0 } p, h1, .x { font-size: 16px }',
  'main { visibility: hidden } .x, h1, p { visibility: visible }',
  'body { background: #111; color: #eee }',
  'body { background: #111 } main { background: #fff; color: #222 }',
  '@font-face { font-family: x; src: url(x) } .x { font-family: x }',
  '@keyframes k { from { opacity: 0 } to { opacity: 1 } } .x { animation: k 1s both }',
  'html { font-size: 62.5% } .x { font-size: 1.4rem }',
] as const

const paragraphs = Array.from(
  { length: 6 },
  (_, at) => `<p>Ship ${at} of the harbour leaves in the morning, with ${at + 3} crates of fruit for the islands.</p>`,
)
const places = [
  (text: string, style: string) => `<p class="x" style="${style}">${text}</p>`,
  (text: string, style: string) => `<div class="x" style="${style}"><p>${text}</p></div>`,
] as const

const page = (inner: string, sheet = ''): string =>
  `<!doctype html><title>Harbour</title><style>${sheet}</style><main><h1>The harbour</h1>${paragraphs.slice(0, 3).join('')}${inner}${paragraphs.slice(3).join('')}</main>`
const KEYFRAMES = '@keyframes appear { from { opacity: 0 } to { opacity: 1 } }'

/** Pages with a sentence whose styles come near to hiding it. */
const pages = [
  ...places.flatMap((place) => styles.map((style) => [style, page(place(SENTENCE, style), KEYFRAMES)] as const)),
  ...places.flatMap((place) => sheets.map((sheet) => [sheet, page(place(SENTENCE, ''), sheet)] as const)),
]

it('a sentence that everybody sees stays, however near its styles come to hiding it', async () => {
  expect(pages.length).toBeGreaterThan(200)
  const dropped: string[] = []
  for (const [name, html] of pages) {
    const { fields, hidden } = await digestFile(
      { url: 'https://harbour.test/a', body: Buffer.from(html), contentType: 'text/html' },
      digestPlan(),
    )
    const text = fields.markdown?.replaceAll(/[*_\\]/g, '') ?? ''
    if (!text.includes(SENTENCE) || hidden !== undefined) dropped.push(`${name}: ${JSON.stringify(hidden ?? text)}`)
    for (const paragraph of paragraphs)
      if (!text.includes(paragraph.slice(3, -4))) dropped.push(`${name}: ${paragraph}`)
  }
  expect(dropped).toEqual([])
})
