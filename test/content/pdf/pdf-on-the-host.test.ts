import { expect, it } from 'vitest'
import { createEngine } from '../../../src/index.js'
import { lines, makePdf } from './make-pdf.js'

const pages = Array.from({ length: 40 }, (_, page) => ({
  pieces: lines([`Page ${page} has a line.`], { x: 72, y: 100 }),
}))
const body = makePdf(pages)

it('reading a PDF file without worker threads leaves no globals, and the bytes unchanged', async () => {
  await using engine = createEngine({ threads: 0 })
  await engine.parse({ body: Buffer.from('<p>A page.</p>'), url: 'https://a.test/' })
  const before = Object.getOwnPropertyNames(globalThis)
  const bytes = body.slice()
  await engine.parse({ body, url: 'https://a.test/x.pdf' })
  expect(Object.getOwnPropertyNames(globalThis)).toEqual(before)
  expect(Object.keys(Promise)).toEqual([])
  expect(body).toEqual(bytes)
})

it('a host can use pdf.js itself after a PDF file was read without worker threads', async () => {
  await using engine = createEngine({ threads: 0 })
  await engine.parse({ body, url: 'https://a.test/x.pdf' })
  const { extractText } = await import('unpdf')
  const { text } = await extractText(new Uint8Array(body), { mergePages: true })
  expect(text).toContain('Page 39 has a line.')
})

it('other work runs after each page of a PDF file that is read without worker threads', async () => {
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
