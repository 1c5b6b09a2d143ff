import { expect, it } from 'vitest'
import { digestFile } from '../../src/digest/digest.js'
import { digestPlan } from '../digest/plans.js'
import { lines, makePdf, type Piece } from './make-pdf.js'

const toMarkdown = async (pieces: readonly Piece[]): Promise<string> => {
  const made = await digestFile({ url: 'https://a.test/x.pdf', body: makePdf([{ pieces }]) }, digestPlan())
  return (made.fields.markdown ?? '').replace(/ +/g, ' ')
}

const text = lines(
  [
    'A paragraph of the text goes from the left margin of the page to the right, as lines do, and so does',
    'the second line of it, which is about as long as the first; the third one is shorter.',
  ],
  { x: 72, y: 80, size: 12 },
  14,
)

it('parts the end of a list, a heading and a table without lines, as word processors set them', async () => {
  const markdown = await toMarkdown([
    ...text,
    { text: '\x95', x: 72, y: 140, size: 12 },
    { text: 'one', x: 90, y: 140, size: 12 },
    { text: '\x95', x: 126, y: 155, size: 12 },
    { text: 'deep', x: 144, y: 155, size: 12 },
    { text: '\x95', x: 72, y: 170, size: 12 },
    { text: 'three', x: 90, y: 170, size: 12 },
    ...['first', 'second', 'third'].flatMap((item, index) => [
      { text: `${index + 1}.`, x: 72, y: 190 + index * 15, size: 12 },
      { text: item, x: 90, y: 190 + index * 15, size: 12 },
    ]),
    { text: 'Tables', x: 72, y: 250, size: 14, font: 'Times-Bold' },
    ...[
      ['Name', 'Town', 'Number'],
      ['Anna', 'Bergen', '12'],
      ['Ben', 'Kiel', '7'],
    ].flatMap((row, index) =>
      row.map((cell, column) => ({ text: cell, x: 72 + column * 150, y: 275 + index * 15, size: 12 })),
    ),
  ])
  expect(markdown).toContain(
    '- one\n - deep\n- three\n\n1. first\n2. second\n3. third\n\n# Tables\n\n| Name | Town | Number |',
  )
  expect(markdown).toContain('| Ben | Kiel | 7 |')
})

it('finds footnotes whose marks are as large as their text', async () => {
  const markdown = await toMarkdown([
    ...text,
    { text: 'The harbour has cliffs', x: 72, y: 130, size: 12 },
    { text: '1', x: 180, y: 126, size: 7 },
    { text: 'and a pier', x: 186, y: 130, size: 12 },
    { text: '2', x: 236, y: 126, size: 7 },
    { text: '.', x: 240, y: 130, size: 12 },
    { text: '1', x: 72, y: 700, size: 10 },
    { text: 'The first note is about the cliffs.', x: 88, y: 700 },
    { text: '2', x: 72, y: 714, size: 10 },
    { text: 'The second note is about the pier.', x: 88, y: 714 },
  ])
  expect(markdown).toContain('cliffs[^1] and a pier[^2].')
  expect(markdown).toContain('[^1]: The first note is about the cliffs.')
  expect(markdown).toContain('[^2]: The second note is about the pier.')
})
