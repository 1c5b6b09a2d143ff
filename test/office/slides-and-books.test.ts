import { describe, expect, it } from 'vitest'
import { makeEpub, makePptx } from './make-zip.js'
import { markdownOf, readFile, refusalOf } from './read.js'

const shape = (text: string, place = '', placeholder = ''): string =>
  `<p:sp><p:nvSpPr><p:cNvPr id="1" name="x"/><p:nvPr>${placeholder}</p:nvPr></p:nvSpPr><p:spPr>${place}</p:spPr><p:txBody><a:bodyPr/>${text}</p:txBody></p:sp>`
const at = (x: number, y: number, width = 10, height = 5): string =>
  `<a:xfrm><a:off x="${x}" y="${y}"/><a:ext cx="${width}" cy="${height}"/></a:xfrm>`
const p = (text: string, properties = ''): string => `<a:p>${properties}<a:r><a:t>${text}</a:t></a:r></a:p>`

describe('a slide', () => {
  it('is read title first, then column by column, each from its top', async () => {
    const slide = [
      shape(p('right low'), at(60, 40, 30)),
      shape(p('left top'), at(0, 20, 30)),
      shape(p('right top'), at(60, 20, 30)),
      shape(p('left low'), at(0, 40, 30)),
      shape(p('Title'), at(0, 80), '<p:ph type="title"/>'),
      shape(p('7'), at(0, 0), '<p:ph type="sldNum"/>'),
    ].join('')
    expect(await markdownOf(makePptx([slide]))).toBe('## Title\n\nleft top\n\nleft low\n\nright top\n\nright low')
  })

  it('has no hidden shapes', async () => {
    const named = (text: string, rest = ''): string =>
      `<p:sp><p:nvSpPr><p:cNvPr id="1" name="n" ${rest}/></p:nvSpPr><p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp>`
    const group = `<p:grpSp><p:nvGrpSpPr><p:cNvPr id="2" name="g" hidden="true"/></p:nvGrpSpPr>${named('hidden')}</p:grpSp>`
    expect(await markdownOf(makePptx([`${named('shown')}${named('hidden', 'hidden="1"')}${group}`]))).toBe(
      '## Slide 1\n\nshown',
    )
  })

  it('inherits positions and bullets from its layout', async () => {
    const layout = [
      shape('<a:lstStyle><a:lvl1pPr><a:buChar char="-"/></a:lvl1pPr></a:lstStyle>', at(0, 50), '<p:ph idx="1"/>'),
      shape('<a:lstStyle><a:lvl1pPr><a:buNone/></a:lvl1pPr></a:lstStyle>', at(0, 20), '<p:ph type="body" idx="2"/>'),
    ].join('')
    const slide = shape(p('a') + p('b'), '', '<p:ph idx="1"/>') + shape(p('above'), '', '<p:ph type="body" idx="2"/>')
    expect(await markdownOf(makePptx([slide], layout))).toBe('## Slide 1\n\nabove\n\n- a\n- b')
  })

  it('keeps nested lists, links, tables and images', async () => {
    const list =
      p('one', '<a:pPr><a:buAutoNum type="arabicPeriod" startAt="3"/></a:pPr>') +
      p('two', '<a:pPr lvl="1"><a:buChar char="-"/></a:pPr>')
    const link = '<a:p><a:r><a:rPr b="1"><a:hlinkClick r:id="link"/></a:rPr><a:t>there</a:t></a:r></a:p>'
    const cell = (text: string, rest = ''): string => `<a:tc ${rest}><a:txBody>${p(text)}</a:txBody></a:tc>`
    const table = `<p:graphicFrame><p:xfrm><a:off x="0" y="60"/><a:ext cx="5" cy="5"/></p:xfrm><a:graphic><a:graphicData><a:tbl><a:tblPr firstRow="1"/><a:tr>${cell('A')}${cell('B')}</a:tr><a:tr>${cell('wide', 'gridSpan="2"')}${cell('', 'hMerge="1"')}</a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame>`
    const picture = `<p:pic><p:nvPicPr><p:cNvPr id="4" name="p" descr="A pier"/></p:nvPicPr><p:blipFill><a:blip r:embed="pic"/></p:blipFill><p:spPr>${at(0, 90)}</p:spPr></p:pic>`
    const slide = shape(list, at(0, 0)) + shape(link, at(0, 30)) + table + `<p:grpSp><p:grpSpPr/>${picture}</p:grpSp>`
    expect(await markdownOf(makePptx([slide]))).toBe(
      '## Slide 1\n\n3. one\n   - two\n\n[**there**](https://site.test/there)\n\n| A | B |\n| --- | --- |\n| wide |  |\n\n![A pier](#ppt/media/image1.png)',
    )
  })
})

describe('a book', () => {
  it('contains its chapters in order, with links between them', async () => {
    const book = makeEpub({
      'nav.xhtml': '<nav><a href="two.xhtml">contents</a></nav>',
      'one.xhtml':
        '<h1>One</h1><p>See <a href="two.xhtml#p">two</a>, <a href="gone.xhtml">gone</a> and <a href="https://site.test/">out</a>. <img src="img/a.png" alt="A"/></p>',
      'two.xhtml': '<h1>Two</h1><p id="p">Text&nbsp;here.</p>',
    })
    expect(await markdownOf(book)).toBe(
      '# One\n\nSee [two](#chapter-2-p), gone and [out](https://site.test/). ![A](#OEBPS/img/a.png)\n\n# Two\n\nText\u00A0here.',
    )
    expect((await readFile(book)).metadata).toMatchObject({ title: 'A book', author: 'Ann, Ben', language: 'en' })
  })

  it('has footnotes even if a separate chapter contains them', async () => {
    const book = makeEpub({
      'a.xhtml': '<p>text<a epub:type="noteref" href="notes.xhtml#n1">1</a></p>',
      'notes.xhtml': '<aside epub:type="footnote" id="n1"><p>the note</p></aside>',
    })
    expect(await markdownOf(book)).toBe('text[^1]\n\n[^1]: the note')
  })

  it('is refused if it has copy protection, and read if only its fonts are encrypted', async () => {
    const encryption = (algorithm: string, path: string): Record<string, string> => ({
      'META-INF/encryption.xml': `<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><enc:EncryptedData xmlns:enc="http://www.w3.org/2001/04/xmlenc#"><enc:EncryptionMethod Algorithm="${algorithm}"/><enc:CipherData><enc:CipherReference URI="${path}"/></enc:CipherData></enc:EncryptedData></encryption>`,
    })
    const chapters = { 'a.xhtml': '<p>a</p>' }
    expect(
      await refusalOf(makeEpub(chapters, encryption('http://www.w3.org/2001/04/xmlenc#aes128-cbc', 'OEBPS/a.xhtml'))),
    ).toBe('SCRAPE_FILE_ENCRYPTED')
    expect(
      await refusalOf(makeEpub(chapters, encryption('http://www.idpf.org/2008/embedding', 'OEBPS/f.otf'))),
    ).toBeUndefined()
  })
})
