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

  it('keeps the numbers of a list around indented paragraphs, and parts lists with other numbers', async () => {
    const bullet = (level: number, rest: string): string => `<a:pPr lvl="${level}">${rest}</a:pPr>`
    const number = (type: string): string => bullet(0, `<a:buAutoNum type="${type}"/>`)
    const list =
      p('one', number('arabicPeriod')) +
      p('more of it', bullet(1, '<a:buNone/>')) +
      p('two', number('arabicPeriod')) +
      p('first', number('arabicParenBoth'))
    expect(await markdownOf(makePptx([shape(list)]))).toBe('## Slide 1\n\n1. one\n\n   more of it\n2. two\n\n1) first')
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

  it('is read if only files without text are encrypted', async () => {
    const encryption = `<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><enc:EncryptedData xmlns:enc="http://www.w3.org/2001/04/xmlenc#"><enc:EncryptionMethod Algorithm="http://www.w3.org/2001/04/xmlenc#aes256-cbc"/><enc:CipherData><enc:CipherReference URI="OEBPS/a.png"/></enc:CipherData></enc:EncryptedData></encryption>`
    expect(await markdownOf(makeEpub({ 'a.xhtml': '<p>a</p>' }, { 'META-INF/encryption.xml': encryption }))).toBe('a')
  })

  it('has the words of a navigation document that is a chapter, without its table of contents', async () => {
    const words = 'All of the book is in one file. '.repeat(10).trim()
    const nav = '<nav epub:type="toc"><ol><li><a href="#one">One</a></li></ol></nav>'
    const book = makeEpub({ 'nav.xhtml': `${nav}<h1 id="one">One</h1><p>${words}</p>` })
    expect(await markdownOf(book)).toBe(`# One\n\n${words}`)
  })

  it('refers to its recordings and videos in the file, and keeps links to hosts', async () => {
    const chapter =
      '<p><a href="//site.test/x">out</a></p><audio src="a.mp3"></audio><video><source src="../v.mp4"/></video>'
    expect(await markdownOf(makeEpub({ 'a.xhtml': chapter }))).toBe(
      '[out](https://site.test/x)\n\n[Audio](#OEBPS/a.mp3)\n\n[Video](#v.mp4)',
    )
  })

  it('finds chapters whose names are written in another form, and is read without those that are missing', async () => {
    const manifest = ['U%CC%88ber.xhtml', 'a%20b.xhtml', 'gone.xhtml']
    const named = makeEpub(
      {},
      {
        'OEBPS/book.opf': packageOf(manifest.map((href) => [href, 'application/xhtml+xml'])),
        'OEBPS/\u00DCber.xhtml': '<p>one</p>',
        'OEBPS/a%20b.xhtml': '<p>two</p>',
      },
    )
    expect(await markdownOf(named)).toBe('one\n\ntwo')
    expect((await readFile(named)).warnings).toEqual(['Chapters are missing in the file: OEBPS/gone.xhtml.'])
  })

  it('is read without a chapter that is damaged', async () => {
    const book = Buffer.from(makeEpub({ 'a.xhtml': '<p>one</p>', 'b.xhtml': '<p>two</p>' }))
    // An unknown method of compression, in the entry of the directory.
    book.writeUInt16LE(99, book.lastIndexOf('OEBPS/b.xhtml') - 36)
    expect(await markdownOf(book)).toBe('one')
    expect((await readFile(book)).warnings).toEqual(['Chapters are missing in the file: OEBPS/b.xhtml.'])
  })

  it('has the words of drawings, images for pictures, and the fallbacks of other chapters', async () => {
    const drawing = '<svg xmlns="http://www.w3.org/2000/svg"><title>Plate</title><text>A word</text></svg>'
    const items: (readonly [string, string, string?])[] = [
      ['a.svg', 'image/svg+xml'],
      ['b.png', 'image/png'],
      ['c.pdf', 'application/pdf', 'i3'],
      ['d.xhtml', 'application/xhtml+xml'],
      ['e.pdf', 'application/pdf'],
    ]
    const files = { 'OEBPS/a.svg': drawing, 'OEBPS/b.png': 'x', 'OEBPS/c.pdf': '%PDF', 'OEBPS/e.pdf': '%PDF' }
    const book = makeEpub({}, { 'OEBPS/book.opf': packageOf(items), ...files, 'OEBPS/d.xhtml': '<p>fallback</p>' })
    expect(await markdownOf(book)).toBe('# Plate\n\n- A word\n\n![](#OEBPS/b.png)\n\nfallback')
    expect((await readFile(book)).warnings).toEqual(['Chapters that are not text are left out: OEBPS/e.pdf.'])
  })

  it('has a description without tags', async () => {
    const rest = '<dc:description>&lt;p&gt;An &lt;b&gt;old&lt;/b&gt; harbour.&lt;/p&gt;</dc:description>'
    const book = makeEpub(
      {},
      {
        'OEBPS/book.opf': packageOf([['a.xhtml', 'application/xhtml+xml']], rest),
        'OEBPS/a.xhtml': '<p>a</p>',
      },
    )
    expect((await readFile(book)).metadata.description).toBe('An old harbour.')
  })
})

const packageOf = (items: readonly (readonly [href: string, type: string, fallback?: string])[], rest = ''): string =>
  `<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata>${rest}</metadata><manifest>${items
    .map(
      ([href, type, fallback], index) =>
        `<item id="i${index}" href="${href}" media-type="${type}"${fallback === undefined ? '' : ` fallback="${fallback}"`}/>`,
    )
    .join('')}</manifest><spine>${items.map((_, index) => `<itemref idref="i${index}"/>`).join('')}</spine></package>`
