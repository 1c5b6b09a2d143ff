import { afterAll, expect, it } from 'vitest'
import { createEngine } from '../../../src/index.js'
import {
  cyclicForms,
  doublingForms,
  longStream,
  pageOfPicture,
  pageWith,
  sameNames,
  selfDrawing,
  selfFilled,
  selfNamedTree,
  streamOf,
  wordsOfPatterns,
} from './make-bombs.js'

// Without their bounds these take minutes and gigabytes: each test would end by its time limit.
const engine = createEngine({ threads: 1, fileTimeoutMs: 110_000 })
afterAll(() => engine.close())

const TEXT_BELOW = 'BT /F0 10 Tf 1 0 0 1 72 600 Tm (It goes on below.) Tj ET'

const read = (body: Uint8Array) => engine.parse({ body, url: 'https://a.test/x.pdf' }, { timeout: 115_000 })

it('a PDF file is read without decoding images that nothing needs', async () => {
  expect((await read(pageOfPicture(true))).markdown).toBe('The text of the page is here to be read.')
  await expect(read(pageOfPicture(false))).rejects.toMatchObject({ code: 'SCRAPE_PDF_OCR_REQUIRED' })
})

it.each([1, 2])('a PDF stream that is too long after unpacking, packed %i times, is left out', async (times) => {
  const { markdown, warning } = await read(longStream(times))
  expect(markdown).toBe('')
  expect(warning).toBe('1 part of the PDF file would be longer than 64 MiB unpacked, and was left out.')
})

it.each([
  ['draw the next one twice, with text at the end', doublingForms(30, true)],
  ['draw the next one twice, with lines at the end', doublingForms(30, false)],
])('a PDF page is read in part if its forms %s', { timeout: 120_000 }, async (_name, body) => {
  const { markdown, warning } = await read(body)
  expect(markdown).toMatch(/^The text of the page is here to be read\./)
  expect(warning).toBe('1 page of the PDF file (1) has too much on it, and was read in part.')
})

it.each(Object.entries(selfDrawing))('a PDF page is read whose form %s', async (_name, body) => {
  const { markdown, warning } = await read(body)
  expect(markdown).toMatch(/^The text of the page is here to be read\.\n\nFirst(?:\n\nSecond)?$/)
  expect(warning).toBeUndefined()
})

it('a PDF page is read whose forms each draw all of them', async () => {
  const { markdown, warning } = await read(cyclicForms(12))
  for (let form = 0; form < 12; form++) expect(markdown).toContain(`Text ${form} of the page is here to be read.`)
  expect(warning).toBeUndefined()
})

it.each(Object.entries(selfFilled))('a PDF page is read whose pattern is filled with %s', async (_name, body) => {
  const { markdown, warning } = await read(body)
  expect(markdown).toBe('The text of the page is here to be read.\n\nFirst')
  expect(warning).toBeUndefined()
})

it('PDF forms are drawn that have the names of others', async () => {
  expect((await read(sameNames())).markdown?.match(/First|Second|Third/g)).toEqual(['First', 'Second', 'Third'])
})

it('words about patterns in a PDF file stay as they are', async () => {
  expect((await read(wordsOfPatterns())).markdown).toContain('/PatternType 1 is text.')
})

it('a PDF page whose drawing is longer than what is read of it does not end the process', async () => {
  const { markdown, warning } = await read(pageWith(`${'0 0 m 9 9 l S '.repeat(101_000)} ${TEXT_BELOW}`))
  expect(markdown).toBe('The text of the page is here to be read.\n\nIt goes on below.')
  expect(warning).toBe('1 page of the PDF file (1) has too much on it, and was read in part.')
})

it('a PDF file with a page tree that refers to itself is refused as broken', async () => {
  await expect(read(selfNamedTree())).rejects.toMatchObject({ code: 'SCRAPE_FILE_BROKEN' })
})

it('a PDF file is read after a hostile one was refused', async () => {
  const body = pageWith(streamOf('', 'BT /F0 10 Tf 1 0 0 1 72 700 Tm (A page like any other.) Tj ET'))
  expect((await read(body)).markdown).toBe('A page like any other.')
})
