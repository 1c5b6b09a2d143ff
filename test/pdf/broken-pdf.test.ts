import { expect, it } from 'vitest'
import { digestFile } from '../../src/digest/digest.js'
import { digestPlan } from '../digest/plans.js'
import { lines, makePdf } from './make-pdf.js'

it('leaves out text that stands nowhere', async () => {
  const far = '9'.repeat(400)
  const drawing = ['a', 'b', 'c', 'd', 'e', 'f'].map(
    (text) => `BT /F0 10 Tf 1 0 0 1 ${far} ${far} Tm (${text} far away) Tj ET`,
  )
  const body = makePdf([{ pieces: lines(['A line.'], { x: 72, y: 100 }), drawing: drawing.join('\n') }])
  const made = await digestFile({ url: 'https://a.test/x.pdf', body }, digestPlan())
  expect(made.fields.markdown).toBe('A line.')
})
