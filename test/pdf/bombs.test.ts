import { afterAll, expect, it } from 'vitest'
import { createEngine } from '../../src/index.js'
import {
  cyclicForms,
  doublingForms,
  longStream,
  pageOfPicture,
  pageWith,
  selfNamedTree,
  streamOf,
} from './make-bombs.js'

// Without their bounds these take minutes and gigabytes: each test would end by its time limit.
const engine = createEngine({ threads: 1, fileTimeoutMs: 110_000 })
afterAll(() => engine.close())

const read = (body: Uint8Array) => engine.parse({ body, url: 'https://a.test/x.pdf' }, { timeout: 115_000 })

it('does not decode pictures that nobody looks at', async () => {
  expect((await read(pageOfPicture(true))).markdown).toBe('The text of the page is here to be read.')
  await expect(read(pageOfPicture(false))).rejects.toMatchObject({ code: 'SCRAPE_PDF_OCR_REQUIRED' })
})

it.each([1, 2])('leaves out a stream that is too long when it is unpacked, packed %i times', async (times) => {
  const { markdown, warning } = await read(longStream(times))
  expect(markdown).toBe('')
  expect(warning).toBe('1 part of the PDF file would be longer than 64 MiB unpacked, and was left out.')
})

it.each([
  ['each draw all of them', cyclicForms(12)],
  ['draw the next one twice, with text at the end', doublingForms(30, true)],
  ['draw the next one twice, with lines at the end', doublingForms(30, false)],
])('reads a page in part whose forms %s', { timeout: 120_000 }, async (_name, body) => {
  const { markdown, warning } = await read(body)
  expect(markdown).toMatch(/^The text of the page is here to be read\./)
  expect(warning).toBe('1 page of the PDF file (1) has too much on it, and was read in part.')
})

it('ends at a tree of pages that names itself', async () => {
  await expect(read(selfNamedTree())).rejects.toMatchObject({ code: 'SCRAPE_FILE_BROKEN' })
})

it('reads on after such a file', async () => {
  const body = pageWith(streamOf('', 'BT /F0 10 Tf 1 0 0 1 72 700 Tm (A page like any other.) Tj ET'))
  expect((await read(body)).markdown).toBe('A page like any other.')
})
