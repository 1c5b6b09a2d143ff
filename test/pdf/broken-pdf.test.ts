import { describe, expect, it } from 'vitest'
import { createEngine } from '../../src/index.js'
import { digestFile } from '../../src/digest/digest.js'
import { digestPlan } from '../digest/plans.js'
import { lines, makePdf } from './make-pdf.js'

it('text with infinite coordinates is left out', async () => {
  const far = '9'.repeat(400)
  const drawing = ['a', 'b', 'c', 'd', 'e', 'f'].map(
    (text) => `BT /F0 10 Tf 1 0 0 1 ${far} ${far} Tm (${text} far away) Tj ET`,
  )
  const body = makePdf([{ pieces: lines(['A line.'], { x: 72, y: 100 }), drawing: drawing.join('\n') }])
  const made = await digestFile({ url: 'https://a.test/x.pdf', body }, digestPlan())
  expect(made.fields.markdown).toBe('A line.')
})

it('the other pages of a PDF file are read if some in the middle are broken', async () => {
  await using engine = createEngine({ threads: 1 })
  const whole = Buffer.from(
    makePdf([1, 2, 3, 4].map((page) => ({ pieces: lines([`Page ${page}.`], { x: 72, y: 100 }) }))),
  )
  let nth = 0
  const broken = whole.toString('latin1').replace(/\/Type \/Page(?= )/g, (type) => {
    nth += 1
    return nth === 2 || nth === 3 ? '/Type )Page' : type
  })
  const { markdown, warning } = await engine.parse({ body: Buffer.from(broken, 'latin1'), url: 'https://a.test/x.pdf' })
  expect(markdown).toContain('Page 1.')
  expect(warning).toMatch(/could not be read|damaged/)
})

it('a PDF file whose end is missing has a warning, even if all of its pages are read', async () => {
  const body = makePdf([1, 2].map((page) => ({ pieces: lines([`Page ${page} has a line.`], { x: 72, y: 100 }) })))
  const read = (part: Uint8Array) => digestFile({ url: 'https://a.test/x.pdf', body: part }, digestPlan())
  expect((await read(body)).warnings).toEqual([])
  for (const cut of [12, 25, 200])
    expect((await read(body.subarray(0, body.length - cut))).warnings).toEqual([
      'The PDF file is damaged or cut off: 2 pages of it were found.',
    ])
})

describe('text in fonts that do not say which characters they show', () => {
  const words = ['The harbour has two lights, which are seen from 20 miles.', 'The second one is green.']
  const unmapped = (y: number) => lines(words, { x: 72, y, font: 'Unmapped' })
  const read = (...pages: Parameters<typeof makePdf>[0]) =>
    digestFile({ url: 'https://a.test/x.pdf', body: makePdf(pages) }, digestPlan())

  it('is left out with a warning', async () => {
    const { fields, warnings } = await read(
      { pieces: lines(words, { x: 72, y: 100 }) },
      { pieces: [...lines(['A mapped line of text.'], { x: 72, y: 100 }), ...unmapped(140)] },
      { pieces: lines(words, { x: 72, y: 100 }) },
    )
    expect(fields.markdown).toBe([words.join(' '), 'A mapped line of text.', words.join(' ')].join('\n\n'))
    expect(warnings).toEqual([
      '1 page of the PDF file (2) has text in fonts that do not say which characters they show: it is left out.',
    ])
  })

  it('is refused if most pages have no other text', async () => {
    await expect(read({ pieces: unmapped(100) })).rejects.toMatchObject({
      code: 'SCRAPE_PDF_OCR_REQUIRED',
      message: expect.stringContaining('text only in fonts that do not say which characters they show'),
    })
  })
})
