import { describe, expect, it } from 'vitest'
import { digestFile } from '../../../src/content/digest/digest.js'
import { createDigestPool } from '../../../src/content/digest/workers/pool.js'
import type { PagePicture } from '../../../src/content/ocr/ocr.js'
import { digestPlan } from '../digest/plans.js'
import { type FileContent, lines, makePdf, type PageContent, type Piece } from './make-pdf.js'

const url = 'https://site.test/file.pdf'

const digestPdf = (body: Uint8Array, plan: Parameters<typeof digestPlan>[0] = {}) =>
  digestFile({ url, body, contentType: 'application/pdf' }, digestPlan(plan))

async function toMarkdown(pages: readonly PageContent[], content?: FileContent): Promise<string> {
  return (await digestPdf(makePdf(pages, content))).fields.markdown ?? ''
}

const page = (...pieces: readonly (Piece | readonly Piece[])[]): PageContent => ({ pieces: pieces.flat() })

/** A paragraph of text that fills its lines. */
const prose = lines(
  [
    'The first line of a paragraph goes from the left margin of the page to the right, as lines do,',
    'and so does the second one of it, which is about as long as the first; the third one is the',
    'last, and is shorter.',
  ],
  { x: 72, y: 300 },
)

describe('text', () => {
  it('joins the lines of a paragraph, and hyphenated words', async () => {
    const text = lines(
      [
        'A paragraph of several lines, one of which ends within a word: this is an exam-',
        'ple of it, and here a compound with its own hyphen stays, as in well-known and in well-',
        'known once more.',
      ],
      { x: 72, y: 100 },
    )
    expect(await toMarkdown([page(text)])).toBe(
      'A paragraph of several lines, one of which ends within a word: this is an example of it, and here a compound with its own hyphen stays, as in well-known and in well-known once more.',
    )
  })

  it('separates paragraphs by the space between them, or by an indented first line', async () => {
    const next = prose.map((piece, index) => ({ ...piece, y: piece.y + 50, x: index === 0 ? 90 : 72 }))
    const last = prose.map((piece, index) => ({ ...piece, y: piece.y + 86, x: index === 0 ? 90 : 72 }))
    expect((await toMarkdown([page(prose, next, last)])).split('\n\n')).toHaveLength(3)
  })

  it('joins a paragraph that continues on the next page', async () => {
    const [first, second, third] = prose
    if (!first || !second || !third) throw new Error('three lines')
    const markdown = await toMarkdown([page(first, second), page({ ...third, y: 80 })])
    expect(markdown.split('\n\n')).toHaveLength(1)
    expect(markdown).toContain('the third one is the last, and is shorter.')
  })

  it('keeps bold, italic and monospaced words', async () => {
    const markdown = await toMarkdown([
      page(
        { text: 'Some words are', x: 72, y: 100 },
        { text: 'bold', x: 139, y: 100, font: 'Times-Bold' },
        { text: ', some', x: 158, y: 100 },
        { text: 'italic', x: 187, y: 100, font: 'Times-Italic' },
        { text: 'and some are', x: 210, y: 100 },
        { text: 'code', x: 266, y: 100, font: 'Courier' },
        { text: '.', x: 290, y: 100 },
      ),
    ])
    expect(markdown).toBe('Some words are **bold**, some *italic* and some are `code`.')
  })

  it('reads two columns one after the other, after the text above both', async () => {
    const column = (name: string) =>
      Array.from(
        { length: 12 },
        (_, index) => `${name} column, its line ${index + 1}, as long as a line of a column is`,
      )
    const markdown = await toMarkdown([
      page(
        { text: 'A Title over Both Columns', x: 150, y: 80, size: 20, font: 'Times-Bold' },
        lines(column('Left'), { x: 60, y: 120, size: 9 }),
        lines(column('Right'), { x: 320, y: 120, size: 9 }),
      ),
    ])
    expect(markdown.indexOf('A Title')).toBe(2)
    expect(markdown.indexOf('Left column, its line 12,')).toBeLessThan(markdown.indexOf('Right column, its line 1,'))
  })
})

describe('structure', () => {
  it('recognizes headings by their size, and ranks larger ones higher', async () => {
    const markdown = await toMarkdown([
      page(
        { text: 'The Whole', x: 72, y: 80, size: 24 },
        { text: '1 A Part', x: 72, y: 130, size: 16 },
        { text: 'A small part', x: 72, y: 270, size: 12, font: 'Times-Bold' },
        prose,
      ),
    ])
    expect(markdown).toContain('# The Whole\n\n## 1 A Part\n\n### A small part\n\nThe first line')
  })

  it('takes heading levels from the outline of the file', async () => {
    const markdown = await toMarkdown(
      [
        page({ text: '1 First', x: 72, y: 280, font: 'Times-Bold' }, prose),
        page({ text: '2 Second', x: 72, y: 280, font: 'Times-Bold' }, prose),
        page({ text: '3 Third', x: 72, y: 280, font: 'Times-Bold' }, prose),
      ],
      { outline: ['1 First', '2 Second', '3 Third'] },
    )
    expect(markdown.match(/^# \d \w+$/gm)).toHaveLength(3)
  })

  it('makes nested lists of lines with markers', async () => {
    const markdown = await toMarkdown([
      page(
        prose,
        { text: '\x95 One item that is long enough to go', x: 80, y: 360 },
        { text: 'on in the next line.', x: 88, y: 372 },
        { text: '\x95 Another', x: 80, y: 384 },
        { text: '\x95 Below it', x: 100, y: 396 },
        { text: '1. First', x: 80, y: 430 },
        { text: '2. Second', x: 80, y: 442 },
      ),
    ])
    expect(markdown).toContain('- One item that is long enough to go on in the next line.\n- Another\n  - Below it')
    expect(markdown).toContain('1. First\n2. Second')
  })

  it('makes tables of text in columns, with and without ruling lines', async () => {
    const rows = [
      ['Name', 'Size', 'Colour'],
      ['apple', '12', 'green'],
      ['pear', '7', 'yellow'],
      ['plum', '3', 'blue'],
    ]
    const cells = rows.flatMap((row, index) =>
      row.map((text, column) => ({ text, x: 80 + column * 120, y: 400 + index * 14 })),
    )
    const markdown = await toMarkdown([{ pieces: [...prose, ...cells], rules: [[80, 403, 400, 403]] }])
    expect(markdown.replace(/ +/g, ' ')).toContain('| Name | Size | Colour |')
    expect(markdown.replace(/ +/g, ' ')).toContain('| plum | 3 | blue |')
  })

  it('keeps code as it is set', async () => {
    const code = lines(['if (wanted) {', '  return 1', '}'], { x: 90, y: 400, size: 9, font: 'Courier' })
    const moved = code.map((piece) => ({
      ...piece,
      x: piece.x + (piece.text.length - piece.text.trimStart().length) * 5.4,
      text: piece.text.trim(),
    }))
    expect(await toMarkdown([page(prose, moved)])).toContain('```\nif (wanted) {\n  return 1\n}\n```')
  })

  it('puts footnotes at the end, with links to them', async () => {
    const markdown = await toMarkdown([
      page(
        prose,
        { text: 'A word', x: 72, y: 360 },
        { text: '1', x: 101, y: 356, size: 6 },
        { text: 'has a note, and the line goes on to the right margin as lines of the text do.', x: 106, y: 360 },
        { text: '1', x: 72, y: 696, size: 5 },
        { text: 'The note at the foot of the page.', x: 76, y: 700, size: 8 },
      ),
      page(prose),
    ])
    expect(markdown).toContain('A word[^1] has a note')
    expect(markdown.trimEnd()).toMatch(/\[\^1\]: The note at the foot of the page\.$/)
  })

  it('leaves out page headers, footers and numbers', async () => {
    const markdown = await toMarkdown(
      Array.from({ length: 4 }, (_, index) =>
        page(
          { text: 'The Book of Everything', x: 200, y: 30, size: 8 },
          {
            text: `This page says that it is number ${'one two three four'.split(' ')[index]}, and no more.`,
            x: 72,
            y: 100,
          },
          { text: `Page ${index + 1} of 4`, x: 280, y: 770, size: 8 },
        ),
      ),
    )
    expect(markdown).not.toMatch(/Everything|Page \d/)
    expect(markdown).toContain('number four')
  })
})

describe('links and metadata', () => {
  it('keeps links, and turns URLs in the text into links', async () => {
    const made = await digestPdf(
      makePdf([
        page(
          { text: 'the home page', x: 72, y: 100, href: 'https://site.test/home' },
          { text: 'or https://site.test/other.html.', x: 150, y: 100 },
        ),
      ]),
      { formats: [{ type: 'markdown' }, { type: 'links' }, { type: 'html' }] },
    )
    expect(made.fields.links).toEqual(['https://site.test/home', 'https://site.test/other.html'])
    expect(made.links.map((link) => link.url)).toEqual(made.fields.links)
    expect(made.fields.markdown).toContain('[the home page](https://site.test/home)')
    expect(made.fields.html).toContain('<a href="https://site.test/home">')
  })

  it('reads the metadata of the file', async () => {
    const info = { Title: 'A Title', Author: 'An Author', CreationDate: "D:20240229123000+01'00'" }
    const made = await digestPdf(makePdf([page(prose), page(prose)], { info }))
    expect(made.metadata).toMatchObject({
      title: 'A Title',
      author: 'An Author',
      publishedTime: '2024-02-29T11:30:00.000Z',
    })
    expect(made.facts).toEqual({ numPages: 2, totalPages: 2 })
  })

  it('reads at most `maxPages` pages', async () => {
    const made = await digestPdf(makePdf([page(prose), page(prose), page(prose)]), { pdf: { maxPages: 2 } })
    expect(made.facts).toEqual({ numPages: 2, totalPages: 3 })
  })

  it('marks where pages begin', async () => {
    const made = await digestPdf(makePdf([page(prose), page(prose)]), { pdf: { pageMarkers: true } })
    expect(made.fields.markdown?.match(/^— Page \d —$/gm)).toEqual(['— Page 1 —', '— Page 2 —'])
  })
})

describe('scanned pages', () => {
  const scan = makePdf([{ hasPicture: true }, page(prose)])
  const readText = async ({ page: number, width, height, bytes }: PagePicture) =>
    `Page ${number}, ${width} by ${height}, its last shade ${bytes.at(-1)}.\n\nA paragraph that is in two\nlines of text.`

  it('are read by OCR if it is configured', async () => {
    const made = await digestFile({ url, body: scan }, digestPlan(), { readText })
    expect(made.fields.markdown).toMatch(
      /^Page 1, 1 by 1, its last shade 120\.\n\nA paragraph that is in two lines of text\.\n\nThe first line/,
    )
    expect(made.warnings).toEqual(['The text of 1 page of the PDF file was read from pictures.'])
  })

  it('are left out in mode `fast`, or if OCR fails', async () => {
    const left = ['1 page of the PDF file is a picture without text.']
    const fails = () => Promise.reject(new Error('no'))
    const fast = await digestFile({ url, body: scan }, digestPlan({ pdf: { mode: 'fast' } }), { readText })
    expect(fast.warnings).toEqual(left)
    const failed = await digestFile({ url, body: scan }, digestPlan(), { readText: fails })
    expect(failed.warnings).toEqual([`${left.join('')} They could not be read: no.`])
  })

  it('cannot be read in mode `ocr` without OCR', async () => {
    await expect(digestPdf(makePdf([page(prose)]), { pdf: { mode: 'ocr' } })).rejects.toMatchObject({
      code: 'SCRAPE_PDF_OCR_REQUIRED',
    })
  })

  it('are sent from a worker thread to the OCR of the host', async () => {
    const pool = createDigestPool({ threads: 1, ocr: readText })
    try {
      const made = await pool.digest({ url, body: scan }, digestPlan(), new AbortController().signal)
      expect(made.fields.markdown).toContain('Page 1, 1 by 1')
    } finally {
      await pool.close()
    }
  })
})

describe('a PDF file', () => {
  it('is refused as encrypted if it needs a password', async () => {
    await expect(digestPdf(makePdf([page(prose)], { isEncrypted: true }))).rejects.toMatchObject({
      code: 'SCRAPE_FILE_ENCRYPTED',
    })
  })

  it('is refused as broken if nothing of it can be read', async () => {
    const file = makePdf([page(prose)])
    for (const body of [file.subarray(0, 200), Buffer.from('%PDF-1.4\nnothing'), Buffer.from('%PDF-')])
      await expect(digestPdf(body)).rejects.toMatchObject({ code: 'SCRAPE_FILE_BROKEN', message: /PDF file/ })
  })

  it('is read as far as possible if it is truncated', async () => {
    const file = makePdf([page(prose), page(prose)])
    const made = await digestPdf(file.subarray(0, file.length - 300))
    expect(made.fields.markdown).toContain('The first line of a paragraph')
    expect(made.warnings).toEqual(['The PDF file is damaged or cut off: 2 pages of it were found.'])
  })

  it('requires OCR if most of its pages are images', async () => {
    await expect(digestPdf(makePdf([{ hasPicture: true }, { hasPicture: true }]))).rejects.toMatchObject({
      code: 'SCRAPE_PDF_OCR_REQUIRED',
    })
    const made = await digestPdf(makePdf([page(prose), page(prose), { hasPicture: true }]))
    expect(made.warnings).toEqual(['1 page of the PDF file is a picture without text.'])
  })
})
