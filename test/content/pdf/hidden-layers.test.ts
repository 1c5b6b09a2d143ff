import { expect, it } from 'vitest'
import { digestFile } from '../../../src/content/digest/digest.js'
import { digestPlan } from '../digest/plans.js'
import { type FileContent, lines, makePdf, type PageContent } from './make-pdf.js'

const read = async (page: PageContent, content: FileContent) =>
  digestFile({ url: 'https://a.test/x.pdf', body: makePdf([page], content) }, digestPlan())

const prose = lines(
  [
    'The keepers of the northern lights wrote down every evening what they had seen from the gallery, and the',
    'books of those years are kept in the archive of the harbour office.',
  ],
  { x: 72, y: 80 },
)

/** Text in a layer. */
const inLayer = (name: string, text: string, y: number): string =>
  `/OC /${name} BDC BT /F0 10 Tf 1 0 0 1 72 ${792 - y} Tm (${text}) Tj ET EMC`

const drawing = [
  inLayer('Plan', 'The shown layer is read.', 130),
  '/P << /MCID 1 >> BDC',
  inLayer('Draft', 'The hidden draft is not read.', 160),
  'BT /F0 10 Tf 1 0 0 1 72 602 Tm (The text after it is read.) Tj ET EMC',
].join('\n')

it('text in layers that are switched off is left out, with a warning', async () => {
  const { fields, warnings } = await read({ pieces: prose, drawing }, { layers: { Plan: true, Draft: false } })
  expect(fields.markdown).toContain('The shown layer is read.')
  expect(fields.markdown).toContain('The text after it is read.')
  expect(fields.markdown).not.toContain('hidden draft')
  expect(warnings).toEqual(['1 page of the PDF file (1) has text in layers that are switched off: it is left out.'])
})

it('text in layers that are all shown is read without a warning', async () => {
  const { fields, warnings } = await read({ pieces: prose, drawing }, { layers: { Plan: true, Draft: true } })
  expect(fields.markdown).toContain('The hidden draft is not read.')
  expect(warnings).toEqual([])
})

it('a layer that is switched off and has no text on the page needs no warning', async () => {
  const { fields, warnings } = await read(
    { pieces: prose, drawing: inLayer('Plan', 'The shown layer is read.', 130) },
    { layers: { Plan: true, Draft: false } },
  )
  expect(fields.markdown).toContain('The shown layer is read.')
  expect(warnings).toEqual([])
})
