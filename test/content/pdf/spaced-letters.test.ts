import { expect, it } from 'vitest'
import { joinSpacedLetters } from '../../../src/content/pdf/layout/find-lines.js'
import type { Run } from '../../../src/content/pdf/page-text.js'
import { digestFile } from '../../../src/content/digest/digest.js'
import { digestPlan } from '../digest/plans.js'
import { lines, makePdf } from './make-pdf.js'

const join = (...texts: readonly string[]): string[] =>
  joinSpacedLetters(texts.map((text) => ({ text }) as Run)).map(({ text }) => text)

it('letters that are drawn apart are joined to words', () => {
  expect(join('T H E', 'N O R T H E R N', 'P I E R')).toEqual(['THE', 'NORTHERN', 'PIER'])
  expect(join('L i g h t h o u s e')).toEqual(['Lighthouse'])
  expect(join('М А Я К И')).toEqual(['МАЯКИ'])
})

it.each([
  [['A B C D E F G H']],
  [['A C D B A', 'E D A B C']],
  [['G A T T A C A']],
  [['x y z']],
  [['N E S']],
  [['L I G H T', 'house']],
  [['T H E N O R T H E R N P I E R S O F C O R K']],
])('letters that are no words are kept: %j', (texts) => {
  expect(join(...texts)).toEqual(texts)
})

it('a title in letters drawn apart is read as words', async () => {
  const text = [
    'The keepers of the northern lights wrote down every evening what they had seen from the gallery, and the',
    'books of those years are kept in the archive of the harbour office.',
  ]
  const drawing = 'BT /F1 18 Tf 9 Tc 1 0 0 1 72 692 Tm (THE LIGHTHOUSE) Tj ET'
  const body = makePdf([{ pieces: lines(text, { x: 72, y: 150 }), drawing }])
  const { fields } = await digestFile({ url: 'https://a.test/x.pdf', body }, digestPlan())
  expect(fields.markdown).toContain('# THE LIGHTHOUSE')
})
