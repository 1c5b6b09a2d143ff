import { describe, expect, it } from 'vitest'
import { digestFile } from '../../../src/content/digest/digest.js'
import { NamedMaps } from '../../../src/content/pdf/library/named-maps.js'
import { digestPlan } from '../digest/plans.js'
import { makePdf } from './make-pdf.js'

const url = 'https://site.test/file.pdf'

/** A font without a map to Unicode. */
const fontOf = (encoding: string, ordering: string): string =>
  `<< /Type /Font /Subtype /Type0 /BaseFont /Song /Encoding /${encoding} /DescendantFonts [<< /Type /Font /Subtype /CIDFontType0 ` +
  `/BaseFont /Song /CIDSystemInfo << /Registry (Adobe) /Ordering (${ordering}) /Supplement 2 >> /DW 1000 /W [1 [500]] ` +
  '/FontDescriptor << /Type /FontDescriptor /FontName /Song /Flags 4 /FontBBox [0 -200 1000 800] /Ascent 800 /Descent -200 >> >>] >>'

const draw = (bytes: string, x = 72, y = 700): string => `BT /C 10 Tf 1 0 0 1 ${x} ${y} Tm <${bytes}> Tj ET\n`

const ucs2 = (text: string): string =>
  Array.from({ length: text.length }, (_, at) => text.charCodeAt(at).toString(16).padStart(4, '0')).join('')

const read = (drawing: string, encoding: string, ordering: string) =>
  digestFile(
    { url, body: makePdf([{ drawing }], { fonts: { C: fontOf(encoding, ordering) } }), contentType: 'application/pdf' },
    digestPlan(),
  )

describe('text in a font with a named encoding', () => {
  it.each([
    ['UniGB-UCS2-H', 'GB1', ucs2('发展战略，A1。'), '发展战略，A1。'],
    ['UniJIS-UTF16-H', 'Japan1', ucs2('カタカナと漢字。'), 'カタカナと漢字。'],
    ['UniKS-UCS2-H', 'Korea1', ucs2('경제 구조'), '경제 구조'],
    ['UniCNS-UTF32-H', 'CNS1', '00007d93000070df', '經烟'],
    ['GBK-EUC-H', 'GB1', 'b7a2d5b9', '发展'],
    ['90ms-RKSJ-H', 'Japan1', '93fa967b41b1', '日本Aｱ'],
    ['EUC-H', 'Japan1', 'c6fccbdc', '日本'],
    ['KSCms-UHC-H', 'Korea1', 'b0e6c1a6', '경제'],
    ['ETen-B5-H', 'CNS1', 'b867c0d9', '經濟'],
  ])('%s of %s is read', async (encoding, ordering, bytes, text) => {
    expect((await read(draw(bytes), encoding, ordering)).fields.markdown?.trim()).toBe(text)
  })

  it('is read from top to bottom and from right to left', async () => {
    const columns = ['縦書きの文章は右から左へ', '読みます。「次の行」は左', 'にあります。']
    const drawing = columns.map((text, at) => draw(ucs2(text), 500 - 18 * at)).join('')
    expect((await read(drawing, 'UniJIS-UCS2-V', 'Japan1')).fields.markdown?.trim()).toBe(columns.join(''))
  })

  it('is left out if its characters are known only from a table of Adobe', async () => {
    const drawing = `${draw('034b034d034f03510353')}BT /F0 10 Tf 1 0 0 1 72 600 Tm (A line of Latin text.) Tj ET`
    const { fields, warnings } = await read(drawing, 'Identity-H', 'Japan1')
    expect(fields.markdown?.trim()).toBe('A line of Latin text.')
    expect(warnings).toEqual([
      '1 page of the PDF file (1) has text in fonts that do not say which characters they show: it is left out.',
    ])
  })
})

it('a map of another name is refused', async () => {
  await expect(new NamedMaps().fetch({ name: 'Hojo-H' })).rejects.toThrow('Hojo-H')
})
