import { expect, it } from 'vitest'
import { createEngine } from '../../../src/index.js'
import { lines, makePdf } from './make-pdf.js'

const texts = ['Each of the pages has a text of its own,', 'which is longer than what stands', 'above and below it.']

it('page headers, footers and numbers that are left out are counted and listed', async () => {
  await using engine = createEngine({ threads: 0 })
  const pages = [1, 2, 3, 4].map((number) => ({
    pieces: [...lines(texts, { x: 72, y: 300 }), { text: `Page ${number} of 4`, x: 280, y: 770, size: 8 }],
  }))
  const made = await engine.parse({ body: makePdf(pages), url: 'https://a.test/x.pdf' }, { trace: true })
  const words = 4 * texts.join(' ').split(' ').length
  expect(made.fidelity).toEqual({
    visibleWords: words + 16,
    words: Math.round((1000 * words) / (words + 16)) / 1000,
  })
  expect(made.trace).toHaveLength(4)
  expect(made.trace?.[1]).toEqual({
    selector: '#page-2',
    characters: 11,
    text: 'Page 2 of 4',
    reason: 'is the number of a page',
  })
})

it('a PDF file of which nothing was left out has full fidelity', async () => {
  await using engine = createEngine({ threads: 0 })
  const body = makePdf([{ pieces: lines(texts, { x: 72, y: 300 }) }])
  const made = await engine.parse({ body, url: 'https://a.test/x.pdf' }, { trace: true })
  expect(made.fidelity).toMatchObject({ words: 1 })
  expect(made.trace).toEqual([])
})
