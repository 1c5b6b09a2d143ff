import { expect, it } from 'vitest'
import { createEngine } from '../../src/index.js'
import { lines, makePdf } from './make-pdf.js'

const pages = Array.from({ length: 40 }, (_, page) => ({
  pieces: lines([`Page ${page} has a line.`], { x: 72, y: 100 }),
}))
const body = makePdf(pages)

it('leaves nothing on the thread of the host that reads without threads, and its bytes whole', async () => {
  await using engine = createEngine({ threads: 0 })
  await engine.parse({ body: Buffer.from('<p>A page.</p>'), url: 'https://a.test/' })
  const before = Object.getOwnPropertyNames(globalThis)
  const bytes = body.slice()
  await engine.parse({ body, url: 'https://a.test/x.pdf' })
  expect(Object.getOwnPropertyNames(globalThis)).toEqual(before)
  expect(Object.keys(Promise)).toEqual([])
  expect(body).toEqual(bytes)
})

it('leaves the library whole for a host that uses it as well', async () => {
  await using engine = createEngine({ threads: 0 })
  await engine.parse({ body, url: 'https://a.test/x.pdf' })
  const { extractText } = await import('unpdf')
  const { text } = await extractText(new Uint8Array(body), { mergePages: true })
  expect(text).toContain('Page 39 has a line.')
})

it('lets others have their turn after each page', async () => {
  await using engine = createEngine({ threads: 0 })
  let turns = 0
  let isDone = false
  const take = (): void => {
    turns += 1
    if (!isDone) setImmediate(take)
  }
  setImmediate(take)
  await engine.parse({ body, url: 'https://a.test/x.pdf' })
  isDone = true
  expect(turns).toBeGreaterThanOrEqual(pages.length)
})
