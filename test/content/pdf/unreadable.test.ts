import { expect, it } from 'vitest'
import { digestFile } from '../../../src/content/digest/digest.js'
import { digestPlan } from '../digest/plans.js'
import { lines, makePdf } from './make-pdf.js'

/** A font whose glyphs have names that are no characters. */
const UNNAMED =
  '<< /Type /Font /Subtype /Type3 /FontBBox [0 0 750 750] /FontMatrix [0.001 0 0 0.001 0 0] /CharProcs << >> ' +
  '/Encoding << /Type /Encoding /Differences [1 /g1 /g2 /g3 /g4 /g5 /g6 /g7] >> /FirstChar 1 /LastChar 7 /Widths [500 500 500 500 500 500 500] >>'

const words = (count: number): string =>
  `BT /U 10 Tf 1 0 0 1 72 600 Tm (${'\\001\\002\\003\\004\\005 '.repeat(count)}) Tj ET`

const prose = lines(
  [
    'The keepers of the northern lights wrote down every evening what they had seen from the gallery, and the',
    'books of those years are kept in the archive of the harbour office.',
  ],
  { x: 72, y: 80 },
)

const read = async (drawing: string, pieces = prose) =>
  digestFile(
    { url: 'https://a.test/x.pdf', body: makePdf([{ pieces, drawing }], { fonts: { U: UNNAMED } }) },
    digestPlan(),
  )

it('words in a font that does not name its characters are missed with a warning', async () => {
  const { fields, warnings } = await read(words(10))
  expect(fields.markdown).toContain('The keepers of the northern lights')
  expect(warnings).toEqual([
    '1 page of the PDF file (1) has characters that the file does not name: they are missing or wrong.',
  ])
})

it('a few signs that the file does not name need no warning', async () => {
  const { warnings } = await read(words(1))
  expect(warnings).toEqual([])
})

it('a page of nothing but such words asks for OCR', async () => {
  await expect(read(words(20), [])).rejects.toThrow('1 of 1 page of the PDF file have text only in fonts')
})
