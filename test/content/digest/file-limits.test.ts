import { describe, expect, it } from 'vitest'
import { type Digest, digestFile } from '../../../src/content/digest/digest.js'
import { limitDocument } from '../../../src/content/html/document-limits.js'
import { makeDocx, makeEpub, makePptx, makeZip } from '../office/make-zip.js'
import { pageWith, streamOf } from '../pdf/make-bombs.js'
import { growingFormats, LONG_PATH, repeatPieces } from './amplify.js'
import { digestPlan } from './plans.js'

const LONG = `https://site.test/${LONG_PATH}`
const PIECES = 4000

const many = (write: (at: number) => string, count = PIECES): string => repeatPieces(write, count)

/** What formats that need more than the page ask a digest for, too. */
const plan = {
  ...digestPlan({ formats: growingFormats, onlyMainContent: false }),
  fingerprint: true,
  track: { previous: 'another text', diff: false },
  material: { text: true, facts: true, media: true, maxTokens: 100 },
}

const annotation = (uri: string, at: number): string =>
  `<< /Type /Annot /Subtype /Link /Rect [72 ${700 - (at % 600)} 200 ${710 - (at % 600)}] /A << /S /URI /URI ${uri} >> >>`
const line = (at: number): string => `BT /F0 10 Tf 1 0 0 1 72 ${700 - (at % 600)} Tm (word ${at}) Tj ET\n`

/** A PDF file whose pages share one stream and one list of links. */
const pdf = (
  pages: number,
  drawing: string,
  annotations: string,
  more: readonly (string | Buffer)[] = [],
): Uint8Array => {
  const kids = Array.from({ length: pages }, (_, at) => `${more.length + 9 + at} 0 R`)
  const page = `<< /Type /Page /Parent 6 0 R /MediaBox [0 0 612 792] /Contents 7 0 R /Annots 8 0 R /Resources << /Font << /F0 5 0 R >> >> >>`
  const body = pageWith('', [
    `<< /Type /Pages /Kids [${kids.join(' ')}] /Count ${pages} >>`,
    streamOf('', drawing),
    annotations,
    ...more,
    ...kids.map(() => page),
  ]).toString('latin1')
  return Buffer.from(body.replace('/Pages 2 0 R', '/Pages 6 0 R'), 'latin1')
}

const ODF =
  'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:xlink="http://www.w3.org/1999/xlink"'
const openDocument = (kind: 'text' | 'spreadsheet', body: string): Uint8Array =>
  makeZip({
    mimetype: `application/vnd.oasis.opendocument.${kind}`,
    'content.xml': `<office:document-content ${ODF}><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
  })

/** A book whose spine has so many places, with one chapter that the manifest has under so many names. */
const bookOf = (places: number, chapter: string, names = 1): Uint8Array =>
  makeEpub(
    { 'c.xhtml': chapter },
    {
      'OEBPS/book.opf': `<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata><dc:title>A book</dc:title></metadata><manifest>${many((at) => `<item id="i${at}" href="c.xhtml" media-type="application/xhtml+xml"/>`, names)}</manifest><spine>${many((at) => `<itemref idref="i${at % names}"/>`, places)}</spine></package>`,
    },
  )
const longLink = { long: ['hyperlink', LONG] as const }
const words = 'long text '.repeat(1000)

/** A file, the markup that it unpacks to, and the warning that it must have; undefined if it is shown once, or is short. */
interface HostileFile {
  readonly body: Uint8Array
  readonly markup: string
  readonly says?: RegExp
}

const make =
  (write: (markup: string) => Uint8Array, says?: RegExp) =>
  (markup: string): HostileFile => ({ body: write(markup), markup, ...(says && { says }) })
const WITHOUT = /\d+ elements of the file are without their addresses/
const cell = (columns: number, content: string): string =>
  `<table:table-cell table:number-columns-repeated="${columns}"><text:p>${content}</text:p></table:table-cell>`
const row = (rows: number, content: string): string =>
  `<table:table-row table:number-rows-repeated="${rows}">${content}</table:table-row>`
const FOLDER = `${'f'.repeat(200)}/`.repeat(30)

/** Files in which each piece could add a thousand times its length to the document. */
const files: Readonly<Record<string, HostileFile>> = {
  'a PDF file whose pages share links to one long address': make(
    (drawing) => pdf(100, drawing, `[${many((at) => annotation('9 0 R', at * 10), 60)}]`, [`(${LONG})`]),
    WITHOUT,
  )(many(line, 60)),
  'a PDF file whose pages share their text': make((drawing) => pdf(400, drawing, '[]'))(
    many((at) => line(at * 10), 60),
  ),
  'a PDF file that draws one text again and again': make((drawing) =>
    pageWith(
      many((at) => `1 0 0 1 ${(at % 7) - 3} ${(at % 11) - 5} cm /X Do\n`, 3000),
      [streamOf('/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << /Font << /F0 5 0 R >> >>', drawing)],
      '/XObject << /X 6 0 R >>',
    ),
  )(many((at) => line(at * 10), 60)),
  'a book whose spine names a chapter again and again': make((chapter) => bookOf(5000, chapter))(`<p>${words}</p>`),
  'a book whose manifest names a chapter again and again': make((chapter) => bookOf(1000, chapter, 1000))(
    `<p>${words}</p>`,
  ),
  'a book whose images stand in a long folder': make(
    (chapter) => makeEpub({ [`${FOLDER}c.xhtml`]: chapter }),
    WITHOUT,
  )(many((at) => `<p>w<img src="x${at}" alt="y"/></p>`)),
  'a book with a long base': make((chapter) => makeEpub({ 'c.xhtml': chapter }))(
    `<base href="${LONG}/"/>${many((at) => `<p><a href="x${at}">y</a><img src="x${at}" alt="y"/></p>`)}`,
  ),
  'a text document whose links name one relation': make(
    (markup) => makeDocx(markup, {}, longLink),
    WITHOUT,
  )(many((at) => `<w:p><w:hyperlink r:id="long"><w:r><w:t>y${at}</w:t></w:r></w:hyperlink></w:p>`)),
  'a text document whose notes are named again and again': make((markup) =>
    makeDocx(markup, {
      footnotes: `<w:footnotes><w:footnote w:id="1"><w:p><w:r><w:t>${words}</w:t></w:r></w:p></w:footnote></w:footnotes>`,
    }),
  )(many(() => `<w:p><w:r><w:t>y</w:t><w:footnoteReference w:id="1"/></w:r></w:p>`)),
  'a presentation whose texts name one relation': make(
    (markup) => makePptx([markup], '', LONG),
    WITHOUT,
  )(
    `<p:sp><p:txBody>${many((at) => `<a:p><a:r><a:rPr><a:hlinkClick r:id="link"/></a:rPr><a:t>y${at}</a:t></a:r></a:p>`)}</p:txBody></p:sp>`,
  ),
  'an open text with long runs of spaces': make((markup) => openDocument('text', markup))(
    many(() => `<text:p>a<text:s text:c="1000000"/>b</text:p>`),
  ),
  'an open text whose rows and cells are repeated': make(
    (markup) => openDocument('text', markup),
    /repeat too often/,
  )(`<table:table>${row(1000, cell(1000, words)).repeat(100)}</table:table>`),
  'an open text whose cells with a long address are repeated': make(
    (markup) => openDocument('text', markup),
    WITHOUT,
  )(`<table:table>${row(1, cell(64, `<text:a xlink:href="${LONG}">y</text:a>`)).repeat(100)}</table:table>`),
  'a workbook whose rows and cells are repeated': make(
    (markup) => openDocument('spreadsheet', markup),
    /left out/,
  )(`<table:table table:name="T">${row(1000, cell(1000, words)).repeat(100)}</table:table>`),
}

/** Lengths of the parts of a digest. */
const lengthsOf = ({ fields, ...rest }: Digest): [string, number][] =>
  Object.entries({ ...fields, ...rest }).map(([name, value]) => [name, JSON.stringify(value)?.length ?? 0])

/** What the JSON of a part has beyond its texts: names of fields and brackets. */
const SYNTAX_SHARE = 1.5
/** What several parts have together, as a multiple of the limit of one. */
const TOGETHER = 6

describe('the document of a small file stays small:', () => {
  it.each(Object.entries(files))('%s', { timeout: 60_000 }, async (name, { body, markup, says }) => {
    const contentType = name.includes('PDF') ? 'application/pdf' : 'application/zip'
    const made = await digestFile({ url: 'https://site.test/files/file', body, contentType }, plan)
    const { part } = limitDocument(Math.max(body.length, markup.length))
    for (const [field, length] of lengthsOf(made)) {
      const most = part * (field === 'tracked' || field === 'material' ? TOGETHER : SYNTAX_SHARE)
      expect([field, length <= most, length]).toEqual([field, true, length])
    }
    expect(made.fields.markdown).toMatch(/word|long text|y|a b/)
    if (says) expect(made.warnings.join(' ')).toMatch(says)
  })

  it('a text document that refers to one long address in its fields is refused where it unpacks to too much', async () => {
    const field = `<w:p><w:fldSimple w:instr="HYPERLINK &quot;${LONG}&quot;"><w:r><w:t>y</w:t></w:r></w:fldSimple></w:p>`
    const body = makeDocx(field.repeat(PIECES))
    const reading = digestFile({ url: 'https://site.test/files/file', body, contentType: 'application/zip' }, plan)
    await expect(reading).rejects.toMatchObject({ code: 'SCRAPE_FILE_TOO_COMPLEX' })
  })
})
