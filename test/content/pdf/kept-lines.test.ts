import { expect, it } from 'vitest'
import { digestFile } from '../../../src/content/digest/digest.js'
import { digestPlan } from '../digest/plans.js'
import { lines, makePdf, type PageContent, type Piece } from './make-pdf.js'

const read = async (...pages: readonly PageContent[]): Promise<string> => {
  const made = await digestFile({ url: 'https://a.test/x.pdf', body: makePdf(pages) }, digestPlan())
  return (made.fields.markdown ?? '').replaceAll(/ +$/gm, '')
}

const prose = lines(
  [
    'The keepers of the northern lights wrote down every evening what they had seen from the gallery, and the',
    'books of those years are kept in the archive of the harbour office, where anyone may read them on days',
    'of the week on which the boats do not go out to the banks in the north.',
  ],
  { x: 72, y: 80 },
)

/** Cells of a row, from their left edges. */
const row = (y: number, cells: readonly (readonly [x: number, text: string])[], font?: Piece['font']): Piece[] =>
  cells.map(([x, text]) => ({ text, x, y, ...(font && { font }) }))

const invoice = [
  ...row(
    140,
    [
      [72, 'Item'],
      [200, 'Number'],
      [300, 'Price'],
      [400, 'Amount'],
    ],
    'Times-Bold',
  ),
  ...row(154, [
    [72, 'Lamp oil'],
    [200, '12'],
    [300, '4.00'],
    [400, '48.00'],
  ]),
  ...row(168, [
    [72, 'Glass'],
    [200, '2'],
    [300, '20.00'],
    [400, '40.00'],
  ]),
]

it('the totals below a table are rows of their own', async () => {
  const markdown = await read({
    pieces: [
      ...prose,
      ...invoice,
      ...row(182, [
        [300, 'Subtotal'],
        [400, '88.00'],
      ]),
      ...row(196, [
        [280, 'VAT at 19 %'],
        [400, '16.72'],
      ]),
      ...row(
        210,
        [
          [300, 'Total'],
          [400, '104.72'],
        ],
        'Times-Bold',
      ),
    ],
  })
  expect(markdown).toContain(
    '| Glass | 2 | 20.00 | 40.00 |\n|  |  | Subtotal | 88.00 |\n|  |  | VAT at 19 % | 16.72 |\n|  |  | **Total** | **104.72** |',
  )
})

it('rows below a name that stands once for all of them stay apart', async () => {
  const markdown = await read({
    pieces: [
      ...row(80, [
        [72, 'North'],
        [200, 'Cork'],
        [300, '12'],
      ]),
      ...row(94, [
        [200, 'Faro'],
        [300, '7'],
      ]),
      ...row(108, [
        [72, 'South'],
        [200, 'Wick'],
        [300, '21'],
      ]),
    ],
  })
  expect(markdown).toContain('| North | Cork | 12 |')
  expect(markdown).toContain('|  | Faro | 7 |')
})

it('text that goes on in its cell, and a deviation below its number, stay in their row', async () => {
  const markdown = await read({
    pieces: [
      ...row(80, [
        [72, 'Lamp'],
        [200, '0.52'],
        [300, 'of brass, with a'],
      ]),
      ...row(92, [
        [200, '(0.11)'],
        [300, 'glass from Genoa'],
      ]),
      ...row(110, [
        [72, 'Wick'],
        [200, '0.61'],
        [300, 'broad'],
      ]),
      ...row(128, [
        [72, 'Oil'],
        [200, '0.70'],
        [300, 'of rape'],
      ]),
    ],
  })
  expect(markdown).toContain('| Lamp | 0.52 (0.11) | of brass, with a glass from Genoa |')
})

it('a head over several columns does not unite them', async () => {
  const markdown = await read({
    pieces: [
      ...prose,
      ...row(
        140,
        [
          [72, 'Port'],
          [180, 'In the summer season'],
          [360, 'In the winter season'],
        ],
        'Times-Bold',
      ),
      ...['Cork', 'Faro', 'Wick'].flatMap((port, at) =>
        row(156 + at * 14, [
          [72, port],
          [180, `${12 + at}`],
          [250, `${340 + at}`],
          [360, `${14 + at}`],
          [430, `${380 + at}`],
        ]),
      ),
    ],
  })
  expect(markdown).toContain('| Port | In the summer season |  | In the winter season |  |')
  expect(markdown).toContain('| Wick | 14 | 342 | 16 | 382 |')
})

it('a sentence below a table is not a row of it', async () => {
  const markdown = await read({
    pieces: [
      ...prose,
      ...invoice,
      { text: 'Please pay within fourteen days.', x: 72, y: 200 },
      ...row(230, [
        [300, 'Subtotal'],
        [400, '88.00'],
      ]),
    ],
  })
  expect(markdown).toContain('| Glass | 2 | 20.00 | 40.00 |\n\nPlease pay within fourteen days.')
})

it('labels and addresses alone on their pages keep their lines, and are not joined over pages', async () => {
  const label = (...texts: readonly string[]): PageContent => ({ pieces: lines(texts, { x: 72, y: 80 }) })
  const markdown = await read(
    label('Anna Bell', '12 Harbour Road', 'Cork T12 X4'),
    label('Cora Hill', '3 Lamp Lane', 'Wick KW1'),
    label('Dan Ives', '9 Oil Yard', 'Kiel 24103'),
  )
  expect(markdown.trim()).toBe(
    'Anna Bell\n12 Harbour Road\nCork T12 X4\n\nCora Hill\n3 Lamp Lane\nWick KW1\n\nDan Ives\n9 Oil Yard\nKiel 24103',
  )
})

it('lines that end at the right margin keep apart', async () => {
  // Courier is 0.6 wide: the lines end at 522.
  const sums = ['Subtotal of this bill: 58.50', 'VAT: 11.11', 'Total: 69.61']
  const long = 'The keepers of the northern lights wrote down each evening what they'.padEnd(75, '.')
  const markdown = await read({
    pieces: [
      { text: long, x: 72, y: 80, font: 'Courier' },
      ...sums.map((text, at): Piece => ({ text, x: 522 - 6 * text.length, y: 110 + at * 12, font: 'Courier' })),
    ],
  })
  expect(markdown).toContain(sums.join('\n'))
})

const verses = [
  'The lamp is lit, the wind is high,',
  'the boats are home, the nets are dry,',
  'and over all the harbour town',
  'the long white beam goes up and down.',
]

it('verses keep their lines, alone on a page and below prose', async () => {
  const poem = verses.join('\n')
  expect(await read({ pieces: lines(verses, { x: 72, y: 80 }) })).toContain(poem)
  expect(await read({ pieces: [...prose, ...lines(verses, { x: 72, y: 140 })] })).toContain(poem)
})

it('prose in a narrow column alone on its page is joined', async () => {
  const markdown = await read({
    pieces: lines(
      [
        'The keepers of the northern lights wrote',
        'down every evening what they had seen',
        'from the gallery, and the books of these',
        'years are kept in the archive of the old',
        'harbour office.',
      ],
      { x: 72, y: 80 },
    ),
  })
  expect(markdown).toContain(
    'wrote down every evening what they had seen from the gallery, and the books of these years',
  )
})

const contract = [
  'This agreement is legally necessary to enter into a contract',
  'between the two parties, and the parties know that it is so,',
  'for nothing in it takes away the rights that the law gives.',
]

it('sentences in monospaced type are paragraphs, and code is code', async () => {
  const markdown = await read({
    pieces: [
      ...prose,
      ...lines(contract, { x: 72, y: 140, font: 'Courier' }),
      { text: 'Code stands below:', x: 72, y: 184 },
      ...lines(['if (oil > 3) {', '  return bright', '}'], { x: 72, y: 200, font: 'Courier' }),
      { text: 'Words stand below:', x: 72, y: 254 },
      ...lines(['abs sign sqrt floor ceiling round', 'exp expm1 log2 log10 log1p trunc', 'cos sin tan acos asin'], {
        x: 72,
        y: 270,
        font: 'Courier',
      }),
    ],
  })
  expect(markdown).toContain(contract.join(' '))
  expect(markdown).toContain('```\nif (oil > 3) {\n  return bright\n}\n```')
  expect(markdown).toContain('```\nabs sign sqrt floor ceiling round\n')
})

it('words of code that are drawn with narrow gaps are not joined', async () => {
  const words = ['legally', 'necessary', 'to', 'enter', 'into;']
  let x = 72
  const pieces = words.map((text): Piece => {
    const piece: Piece = { text, x, y: 140, font: 'Courier' }
    x += 6 * text.length + 2.5
    return piece
  })
  expect(await read({ pieces: [...prose, ...pieces] })).toContain('legally necessary to enter into;')
})

it('a file all in monospaced type has no code', async () => {
  const markdown = await read({ pieces: lines(contract, { x: 72, y: 80, font: 'Courier' }) })
  expect(markdown.trim()).toBe(contract.join(' '))
})
