import { expect, it } from 'vitest'
import { digestFile } from '../../../src/content/digest/digest.js'
import { digestPlan } from '../digest/plans.js'
import { lines, makePdf, type Piece } from './make-pdf.js'

const toMarkdown = async (pieces: readonly Piece[]): Promise<string> => {
  const made = await digestFile({ url: 'https://a.test/x.pdf', body: makePdf([{ pieces }]) }, digestPlan())
  return (made.fields.markdown ?? '').replace(/ +/g, ' ')
}

/** A piece of text at a place. */
const at = (x: number, y: number, words: string, size = 12): Piece => ({ text: words, x, y, size })

const text = lines(
  [
    'A paragraph of the text goes from the left margin of the page to the right, as lines do, and so does',
    'the second line of it, which is about as long as the first; the third one is shorter.',
  ],
  { x: 72, y: 80, size: 12 },
  14,
)

it('the end of a list, a heading and a table without lines are separated in the layout of word processors', async () => {
  const markdown = await toMarkdown([
    ...text,
    at(72, 140, '\x95'),
    at(90, 140, 'one'),
    at(126, 155, '\x95'),
    at(144, 155, 'deep'),
    at(72, 170, '\x95'),
    at(90, 170, 'three'),
    ...['first', 'second', 'third'].flatMap((item, index) => [
      at(72, 190 + index * 15, `${index + 1}.`),
      at(90, 190 + index * 15, item),
    ]),
    { text: 'Tables', x: 72, y: 250, size: 14, font: 'Times-Bold' },
    ...[
      ['Name', 'Town', 'Number'],
      ['Anna', 'Bergen', '12'],
      ['Ben', 'Kiel', '7'],
    ].flatMap((row, index) => row.map((cell, column) => at(72 + column * 150, 275 + index * 15, cell))),
  ])
  expect(markdown).toContain(
    '- one\n - deep\n- three\n\n1. first\n2. second\n3. third\n\n# Tables\n\n| Name | Town | Number |',
  )
  expect(markdown).toContain('| Ben | Kiel | 7 |')
})

it('footnotes are found if their markers are as large as their text', async () => {
  const markdown = await toMarkdown([
    ...text,
    at(72, 130, 'The harbour has cliffs'),
    at(180, 126, '1', 7),
    at(186, 130, 'and a pier'),
    at(236, 126, '2', 7),
    at(240, 130, '.'),
    at(72, 700, '1', 10),
    { text: 'The first note is about the cliffs.', x: 88, y: 700 },
    at(72, 714, '2', 10),
    { text: 'The second note is about the pier.', x: 88, y: 714 },
  ])
  expect(markdown).toContain('cliffs[^1] and a pier[^2].')
  expect(markdown).toContain('[^1]: The first note is about the cliffs.')
  expect(markdown).toContain('[^2]: The second note is about the pier.')
})
