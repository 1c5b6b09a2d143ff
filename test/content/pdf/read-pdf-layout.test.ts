import { describe, expect, it } from 'vitest'
import { digestFile } from '../../../src/content/digest/digest.js'
import { digestPlan } from '../digest/plans.js'
import { lines, makePdf, type PageContent, type Piece } from './make-pdf.js'

const url = 'https://site.test/file.pdf'

async function toMarkdown(...pages: readonly PageContent[]): Promise<string> {
  const made = await digestFile({ url, body: makePdf(pages), contentType: 'application/pdf' }, digestPlan())
  return (made.fields.markdown ?? '').replace(/ +/g, ' ')
}

type Drawn = NonNullable<PageContent['rules']>[number]

/** The lines of a table, across at `ys` and down at `xs`. */
const grid = (xs: readonly number[], ys: readonly number[]): Drawn[] => [
  ...ys.map((y): Drawn => [xs[0] ?? 0, y, xs.at(-1) ?? 0, y]),
  ...xs.map((x): Drawn => [x, ys[0] ?? 0, x, ys.at(-1) ?? 0]),
]

const column = (name: string, count: number, place: Omit<Piece, 'text'>): Piece[] =>
  lines(
    Array.from({ length: count }, (_, index) => `${name} column, its line ${index + 1}, as long as a line of it is`),
    place,
  )

it('a word that is divided at the end of a short line is joined', async () => {
  const long = 'A line as wide as the page, which says how far the text of the page may reach to its right side.'
  const beside = ['Beside a picture the lines are short, and exam-', 'ples of words are divided.']
  const pieces = [...lines([long], { x: 70, y: 100 }), ...lines(beside, { x: 70, y: 140 })]
  expect(await toMarkdown({ pieces })).toContain('are short, and examples of words are divided.')
})

describe('tables with drawn lines', () => {
  it('are read cell by cell if their cells are as close to each other as words', async () => {
    const rows = Array.from({ length: 8 }, (_, at) => at)
    const markdown = await toMarkdown({
      rules: grid([70, 100, 112, 200], [90, ...rows.map((at) => 104 + 14 * at)]),
      pieces: rows.flatMap((at) => [
        { text: `Row ${at}`, x: 72, y: 100 + 14 * at },
        { text: `${at}`, x: 102, y: 100 + 14 * at },
        { text: `a text ${at}`, x: 114, y: 100 + 14 * at },
      ]),
    })
    expect(markdown.split('\n').filter((line) => !line.startsWith('| ---'))).toEqual(
      rows.map((at) => `| Row ${at} | ${at} | a text ${at} |`),
    )
  })

  it('include rows whose cells are closer to each other than those of the rows before', async () => {
    const rows = [
      ...Array.from({ length: 6 }, (_, at) => [`Row ${at}`, `${at}`, `a text ${at}`]),
      ['Row 70', '700', 'a text 70'],
    ]
    const markdown = await toMarkdown({
      rules: grid([70, 110, 130, 200], [90, ...rows.map((_, at) => 104 + 14 * at)]),
      pieces: rows.flatMap((row, at) =>
        row.map((text, place) => ({ text, x: [72, 112, 132][place] ?? 0, y: 100 + 14 * at })),
      ),
    })
    expect(markdown.split('\n').at(-1)).toBe('| Row 70 | 700 | a text 70 |')
  })

  it('are read cell by cell if the lines of a cell are vertically offset from those of the next cell', async () => {
    const markdown = await toMarkdown({
      rules: grid([70, 170, 330], [90, 130, 170]),
      pieces: [
        { text: 'dpkg', x: 80, y: 113 },
        ...lines(['Puts a package on the', 'machine, or takes it', 'away again.'], { x: 180, y: 101 }),
        ...lines(['apt-get', 'install'], { x: 80, y: 147 }),
        ...lines(['Looks for a package', 'and for all that it', 'needs beside.'], { x: 180, y: 141 }),
      ],
    })
    expect(markdown).toContain('| dpkg | Puts a package on the machine, or takes it away again. |')
    expect(markdown).toContain('| apt-get install | Looks for a package and for all that it needs beside. |')
  })

  it('have a cell that spans several rows in the first of these rows', async () => {
    const markdown = await toMarkdown({
      rules: [...grid([70, 170, 330], [90, 150]), [70, 110, 330, 110], [170, 130, 330, 130]],
      pieces: [
        { text: 'Part', x: 80, y: 103, font: 'Times-Bold' },
        { text: 'What is asked', x: 180, y: 103, font: 'Times-Bold' },
        { text: 'Disks', x: 80, y: 133 },
        { text: 'How many there are', x: 180, y: 123 },
        { text: 'Their order', x: 180, y: 143 },
      ],
    })
    expect(markdown).toContain(
      '| Part | What is asked |\n| --- | --- |\n| Disks | How many there are |\n| | Their order |',
    )
  })

  it('are not recognized if text crosses the lines or most cells are empty', async () => {
    const box = grid([70, 170, 330], [90, 130, 170])
    const text = lines(
      ['A picture with its name written right over the', 'middle of it, and nothing else to be read'],
      {
        x: 90,
        y: 105,
      },
    )
    expect(await toMarkdown({ rules: box, pieces: text })).not.toContain('|')
  })

  it('continue on the next page, with their header once', async () => {
    const row = (y: number, [name, ...text]: readonly string[], font: Piece['font'] = 'Times-Roman'): Piece[] => [
      { text: name ?? '', x: 80, y, font },
      ...lines(text, { x: 180, y, font }, 11),
    ]
    const part = (...rows: readonly (readonly string[])[]): PageContent => ({
      rules: grid([70, 170, 330], [90, 110, 140, 170]),
      pieces: [
        ...row(103, ['Name', 'Colour'], 'Times-Bold'),
        ...rows.flatMap((cells, index) => row(122 + 30 * index, cells)),
      ],
    })
    const markdown = await toMarkdown(
      part(['apple', 'green, then', 'red'], ['pear', 'yellow']),
      part(['plum', 'blue'], ['fig', 'green, then', 'black']),
    )
    expect(
      markdown
        .trim()
        .split('\n')
        .filter((line) => line !== ''),
    ).toEqual([
      '| Name | Colour |',
      '| --- | --- |',
      '| apple | green, then red |',
      '| pear | yellow |',
      '| plum | blue |',
      '| fig | green, then black |',
    ])
  })
})

describe('columns', () => {
  it('are found below a title that is centred over their gutter', async () => {
    const markdown = await toMarkdown({
      pieces: [
        { text: 'by', x: 298, y: 80 },
        { text: 'the authors', x: 280, y: 95 },
        ...column('Left', 12, { x: 72, y: 130 }),
        ...column('Right', 12, { x: 318, y: 130 }),
      ],
    })
    expect(markdown.indexOf('Left column, its line 12,')).toBeLessThan(markdown.indexOf('Right column, its line 1,'))
    expect(markdown).not.toContain('|')
  })

  it('end at a line that is drawn over their gutter', async () => {
    const cells = ['Name Number Colour', 'apple 12 green', 'pear 7 yellow', 'plum 3 blue'].flatMap((row, index) =>
      row.split(' ').map((text, at) => ({ text, x: 150 + 120 * at, y: 100 + 14 * index })),
    )
    const markdown = await toMarkdown({
      rules: [
        [140, 90, 470, 90],
        [140, 104, 470, 104],
        [140, 148, 470, 148],
      ],
      pieces: [...cells, ...column('Left', 12, { x: 72, y: 170 }), ...column('Right', 12, { x: 330, y: 170 })],
    })
    expect(markdown).toContain('| plum | 3 | blue |')
    expect(markdown.indexOf('Left column, its line 12,')).toBeLessThan(markdown.indexOf('Right column, its line 1,'))
  })
})

describe('headings', () => {
  it('of one size have the level of their numbering', async () => {
    const text = (y: number): Piece[] => column('Text', 3, { x: 72, y })
    const head = (title: string, y: number, font: 'Times-Bold' | 'Times-Italic' = 'Times-Bold'): Piece => ({
      text: title,
      x: 72,
      y,
      font,
    })
    const markdown = await toMarkdown({
      pieces: [
        head('I. FIRST', 80),
        ...text(100),
        head('A. Within it', 160),
        ...text(180),
        head('1. Deeper', 240, 'Times-Italic'),
        ...text(260),
        head('II. SECOND', 320),
        ...text(340),
      ],
    })
    expect(markdown.match(/^#+ .*$/gm)).toEqual(['# I. FIRST', '## A. Within it', '### *1. Deeper*', '# II. SECOND'])
  })
})

it.each([
  ['-', 12],
  ['-', 14],
  ['o', 12],
  ['1.', 14],
])('a list below an item that fills two lines is nested in it: marker “%s”, distance %d', async (sign, gap) => {
  const item = (y: number, x: number, text: string, mark = '\x95') => [
    { text: mark, x, y },
    { text, x: x + 14, y },
  ]
  const markdown = await toMarkdown({
    pieces: [
      ...item(100, 72, 'first item of the list'),
      ...item(100 + gap, 72, 'second item of the list that is'),
      { text: 'continued on a line', x: 86, y: 112 + gap },
      ...item(112 + 2 * gap, 100, 'nested item', sign),
      ...item(112 + 3 * gap, 72, 'third item'),
    ],
  })
  expect(markdown.split(/\n */)).toEqual([
    '- first item of the list',
    '- second item of the list that is continued on a line',
    `${sign === '1.' ? '1.' : '-'} nested item`,
    '- third item',
  ])
  expect(markdown).toMatch(/\n .* nested item/)
})

describe('forms', () => {
  it('are read with what is filled in and ticked', async () => {
    const markdown = await toMarkdown({
      pieces: [
        { text: 'Name of the applicant:', x: 72, y: 100 },
        { text: 'Wants the newsletter:', x: 72, y: 120 },
        { text: 'Wants the catalogue:', x: 72, y: 140 },
      ],
      fields: [
        { x: 200, y: 90, value: 'Ada Lovelace' },
        { x: 200, y: 110, value: true },
        { x: 200, y: 130, value: false },
      ],
    })
    expect(markdown).toMatch(/Name of the applicant:\W+Ada Lovelace/)
    expect(markdown).toMatch(/Wants the newsletter:[ |]+☒/)
    expect(markdown).toMatch(/Wants the catalogue:[ |]+☐/)
  })

  it('are read with what a reader wrote on the page', async () => {
    const markdown = await toMarkdown({
      pieces: [
        { text: 'Name of the applicant:', x: 72, y: 100 },
        { text: 'Town:', x: 72, y: 130 },
      ],
      writings: [
        { text: 'Ada Lovelace', x: 180, y: 100 },
        { text: 'London', x: 110, y: 130 },
      ],
    })
    expect(markdown).toMatch(/^Name of the applicant: Ada Lovelace\s+Town: London$/)
  })
})
