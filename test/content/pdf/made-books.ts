import { lines, type PageContent, type Piece } from './make-pdf.js'
import { count, type MadeFile, pagesOf, ROMAN, spell, WORDS } from './made-text.js'

/** Two columns of a paper, of so many lines each. */
function columns(left: number, right: number, seed: number): { pieces: Piece[]; wanted: string[] } {
  const [first, second] = [count(left), count(right)].map((all, side) =>
    all.map((line) => {
      const text = `${spell(seed * 1000 + side * 100 + line)} ${count(7)
        .map((at) => WORDS[(seed * 3 + side * 5 + line * 7 + at * 11) % WORDS.length])
        .join(' ')}`
      return text
    }),
  ) as [string[], string[]]
  return {
    pieces: [...lines(first, { x: 60, y: 120, size: 9 }, 11), ...lines(second, { x: 320, y: 120, size: 9 }, 11)],
    wanted: [...first, ...second],
  }
}

const plain = (
  name: string,
  made: { pages: PageContent[]; wanted: string[] },
  gone?: readonly (string | RegExp)[],
): MadeFile => ({
  name,
  ...made,
  ...(gone && { gone }),
})

/** Books, papers and reports with heads, feet and page numbers. */
export const books: MadeFile[] = [
  plain(
    'a book with heads left and right',
    pagesOf(12, (page) =>
      page % 2 === 0
        ? [
            { text: 'The Keeper of the Light', x: 72, y: 40, size: 9 },
            { text: String(page + 1), x: 520, y: 40, size: 9 },
          ]
        : [
            { text: String(page + 1), x: 72, y: 40, size: 9 },
            { text: 'Part One', x: 480, y: 40, size: 9 },
          ],
    ),
    ['The Keeper of the Light', 'Part One', /^\d+$/m],
  ),
  plain(
    'a report with page numbers',
    pagesOf(6, (page) => [{ text: `Page ${page + 1} of 6`, x: 280, y: 770, size: 8 }]),
    [/Page \d/],
  ),
  plain(
    'a preface with Roman numbers',
    pagesOf(6, (page) => [{ text: ROMAN[page] ?? '', x: 300, y: 760, size: 9 }]),
    [/^[ivx]+$/m],
  ),
  plain(
    'a paper with numbers between dashes',
    pagesOf(4, (page) => [{ text: `- ${page + 17} -`, x: 300, y: 760 }]),
    [/- \d+ -/],
  ),
  plain(
    'a report with a dated foot',
    pagesOf(5, (page) => [
      { text: 'Printed on 3 March 2025, 14:02', x: 72, y: 770, size: 8 },
      { text: `${page + 1}/5`, x: 520, y: 770, size: 8 },
    ]),
    ['Printed on', /\d\/5/],
  ),
  plain(
    'a report in German',
    pagesOf(5, (page) => [{ text: `Seite ${page + 1} von 5`, x: 280, y: 770, size: 8 }]),
    [/Seite \d/],
  ),
  plain(
    'a journal with two lines of head',
    pagesOf(6, () => [
      { text: 'Journal of Harbours, volume 3', x: 72, y: 36, size: 8 },
      { text: 'https://harbours.test/3', x: 72, y: 46, size: 8 },
    ]),
    ['Journal of Harbours', 'harbours.test'],
  ),
  plain(
    'a confidential report',
    pagesOf(5, () => [{ text: 'Confidential. Do not copy.', x: 230, y: 765, size: 8 }]),
    ['Confidential'],
  ),
  plain(
    'pages of large numbers',
    pagesOf(5, (page) => [{ text: String(page + 1), x: 300, y: 50, size: 14 }]),
    [/^\d$/m],
  ),
  (() => {
    const made = count(6).map((page) => columns(50, 50, page))
    return {
      name: 'a paper in two columns with heads',
      pages: made.map(({ pieces }, page) => ({
        pieces: [
          { text: 'Smith et al.', x: 60, y: 50, size: 7 },
          { text: String(page + 101), x: 540, y: 50, size: 7 },
          ...pieces,
        ],
      })),
      wanted: made.flatMap(({ wanted }) => wanted),
      gone: ['Smith et al.', /\b10\d\b/],
    }
  })(),
  (() => {
    const made = pagesOf(8, () => [])
    const chapters = ['The Pier', 'The Storm']
    return {
      name: 'a book whose chapters give the heads',
      pages: made.pages.map(({ pieces = [] }, page) => ({
        pieces: [
          ...(page % 4 === 0
            ? [{ text: chapters[page / 4] ?? '', x: 72, y: 80, size: 18 }]
            : [
                {
                  text: (chapters[Math.floor(page / 4)] ?? '').toUpperCase(),
                  x: 250,
                  y: 45,
                  size: 8,
                },
              ]),
          { text: String(page + 1), x: 300, y: 765, size: 9 },
          ...pieces,
        ],
      })),
      wanted: [...chapters.slice(0, 1), ...made.wanted.slice(0, 88), ...chapters.slice(1), ...made.wanted.slice(88)],
      gone: ['THE PIER', 'THE STORM', /^\d$/m],
    }
  })(),
]

/** Pages in two columns, of which the second is short. */
export const shortColumns: MadeFile[] = [1, 2, 3, 4, 5, 6, 9].map((right) => {
  const { pieces, wanted } = columns(45, right, right)
  return {
    name: `two columns, the second of ${right} line${right === 1 ? '' : 's'}`,
    pages: [
      {
        pieces: [
          {
            text: 'Introduction',
            x: 60,
            y: 90,
            size: 14,
            font: 'Times-Bold' as const,
          },
          ...pieces,
        ],
      },
    ],
    wanted: ['Introduction', ...wanted],
  }
})
