import { describe, expect, it } from 'vitest'
import { makeDocx } from './make-zip.js'
import { markdownOf, readFile } from './read.js'

const p = (text: string, properties = ''): string =>
  `<w:p>${properties === '' ? '' : `<w:pPr>${properties}</w:pPr>`}<w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`

const markdown = (...args: Parameters<typeof makeDocx>): Promise<string> => markdownOf(makeDocx(...args))

describe('headings', () => {
  const style = (id: string, inner: string): string =>
    `<w:style w:type="paragraph" w:styleId="${id}">${inner}</w:style>`

  it('are recognized by the outline level or the name of their style or of its base style', async () => {
    const styles = `<w:styles>${style('berschrift1', '<w:name w:val="heading 1"/>')}${style('Mein', '<w:name w:val="Mein"/><w:basedOn w:val="berschrift1"/>')}${style('Kapitel', '<w:name w:val="Kapitel"/><w:pPr><w:outlineLvl w:val="2"/></w:pPr>')}</w:styles>`
    const body = ['berschrift1', 'Mein', 'Kapitel'].map((id) => p(id, `<w:pStyle w:val="${id}"/>`)).join('')
    expect(await markdown(body, { styles })).toBe('# berschrift1\n\n# Mein\n\n### Kapitel')
  })

  it('are recognized by the outline level of the paragraph, or by the id of an undefined style', async () => {
    expect(await markdown(p('one', '<w:outlineLvl w:val="1"/>') + p('two', '<w:pStyle w:val="Heading3"/>'))).toBe(
      '## one\n\n### two',
    )
  })

  it('are read if base styles refer to each other in a circle', async () => {
    const styles = `<w:styles>${style('A', '<w:name w:val="A"/><w:basedOn w:val="B"/>')}${style('B', '<w:name w:val="B"/><w:basedOn w:val="A"/>')}</w:styles>`
    expect(await markdown(p('text', '<w:pStyle w:val="A"/>'), { styles })).toBe('text')
  })

  it('keep the number that is displayed before them', async () => {
    const numbering =
      '<w:numbering><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1"/></w:lvl><w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="%1.%2"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>'
    const heading = (level: number): string =>
      p('x', `<w:outlineLvl w:val="${level}"/><w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="1"/></w:numPr>`)
    expect(await markdown([0, 1, 1, 0, 1].map(heading).join(''), { numbering })).toBe(
      '# 1 x\n\n## 1.a x\n\n## 1.b x\n\n# 2 x\n\n## 2.a x',
    )
  })

  it.each([
    [
      'in decimal digits only',
      ['upperRoman', 'Article %1.'],
      ['decimalZero', 'Section %1.%2', '<w:isLgl/>'],
      'Article II. x',
      'Section 2.01 x',
    ],
    [
      'that does not restart',
      ['upperRoman', 'Part %1.'],
      ['decimal', '%2.', '<w:lvlRestart w:val="0"/>'],
      'Part II. x',
      '3. x',
    ],
    ['in Chinese', ['chineseCountingThousand', '第%1章'], ['japaneseCounting', '%2、'], '第二章 x', '一、 x'],
  ])('keep a number %s', async (_, outer, inner, first, second) => {
    const level = ([format = '', text = '', more = '']: string[], at: number): string =>
      `<w:lvl w:ilvl="${at}"><w:start w:val="1"/><w:numFmt w:val="${format}"/>${more}<w:lvlText w:val="${text}"/></w:lvl>`
    const numbering = `<w:numbering><w:abstractNum w:abstractNumId="0">${[outer, inner].map(level).join('')}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>`
    const heading = (at: number): string =>
      p('x', `<w:outlineLvl w:val="${at}"/><w:numPr><w:ilvl w:val="${at}"/><w:numId w:val="1"/></w:numPr>`)
    const headings = (await markdown([0, 1, 1, 0, 1].map(heading).join(''), { numbering })).split('\n\n')
    expect(headings.slice(3)).toEqual([`# ${first}`, `## ${second}`])
  })
})

describe('lists', () => {
  const level = (at: number, format: string, start = 1): string =>
    `<w:lvl w:ilvl="${at}"><w:start w:val="${start}"/><w:numFmt w:val="${format}"/><w:lvlText w:val="%${at + 1}."/></w:lvl>`
  const numbering = `<w:numbering><w:abstractNum w:abstractNumId="0">${level(0, 'bullet')}${level(1, 'decimal', 4)}</w:abstractNum><w:abstractNum w:abstractNumId="7">${level(0, 'upperRoman')}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="7"/></w:num><w:num w:numId="3"><w:abstractNumId w:val="7"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="9"/></w:lvlOverride></w:num></w:numbering>`
  const item = (text: string, id: number, at = 0): string =>
    p(text, `<w:numPr><w:ilvl w:val="${at}"/><w:numId w:val="${id}"/></w:numPr>`)

  it('nest by level, with the numbers that the file defines', async () => {
    const body = [item('a', 1), item('b', 1, 1), item('c', 1, 1), item('d', 1)].join('')
    expect(await markdown(body, { numbering })).toBe('- a\n\n  4. b\n  5. c\n- d')
  })

  it('continue after a paragraph, and restart where the file says so', async () => {
    const body = [item('a', 2), item('b', 2), p('between'), item('c', 2), p('anew'), item('d', 3)].join('')
    expect(await markdown(body, { numbering })).toBe('1. a\n2. b\n\nbetween\n\n3. c\n\nanew\n\n9. d')
  })

  it('hold paragraphs and code whose bullet is a space in the item before', async () => {
    const blank = level(0, 'bullet').replace('%1.', ' ')
    const withBlank = numbering
      .replace('</w:numbering>', '<w:num w:numId="9"><w:abstractNumId w:val="9"/></w:num></w:numbering>')
      .replace('<w:num ', `<w:abstractNum w:abstractNumId="9">${blank}</w:abstractNum><w:num `)
    const body = [item('a', 1), item('b', 9), item('c', 1), p('d'), item('e', 9)].join('')
    expect(await markdown(body, { numbering: withBlank })).toBe('- a\n\n  b\n- c\n\nd\n\ne')
  })

  it.each(['del', 'moveFrom'])('do not count an item that is tracked as `%s`', async (mark) => {
    const run = '<w:r><w:t>gone</w:t></w:r>'
    const numbered = '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="2"/></w:numPr>'
    const gone = `<w:p><w:pPr>${numbered}<w:rPr><w:${mark} w:id="1"/></w:rPr></w:pPr><w:${mark} w:id="2">${run}</w:${mark}></w:p>`
    expect(await markdown(item('a', 2) + gone + item('b', 2), { numbering })).toBe('1. a\n2. b')
  })

  it('do not contain a paragraph that the file removes from its list', async () => {
    expect(await markdown(item('a', 0), { numbering })).toBe('a')
  })
})

describe('tables', () => {
  const cell = (text: string, properties = ''): string => `<w:tc><w:tcPr>${properties}</w:tcPr>${p(text)}</w:tc>`
  const row = (...cells: string[]): string => `<w:tr>${cells.join('')}</w:tr>`

  it('keep cells merged across and down', async () => {
    const body = `<w:tbl>${[
      row(cell('A'), cell('B'), cell('C')),
      row(cell('tall', '<w:vMerge w:val="restart"/>'), cell('wide', '<w:gridSpan w:val="2"/>')),
      row(cell('', '<w:vMerge/>'), cell('1'), cell('2')),
    ].join('')}</w:tbl>`
    expect(await markdown(body)).toBe('| A | B | C |\n| --- | --- | --- |\n| tall | wide |  |\n| tall | 1 | 2 |')
    expect((await readFile(makeDocx(body), undefined, { formats: [{ type: 'html' }] })).fields.html).toContain(
      '<td rowspan="2"><p>tall</p></td><td colspan="2"><p>wide</p></td>',
    )
  })

  it('include rows in content controls, and omit deleted rows', async () => {
    const body = `<w:tbl>${row(cell('A'), cell('B'))}<w:sdt><w:sdtPr/><w:sdtContent>${row(cell('1'), cell('2'))}</w:sdtContent></w:sdt><w:tr><w:trPr><w:del/></w:trPr>${cell('gone')}${cell('gone')}</w:tr></w:tbl>`
    expect(await markdown(body)).toBe('| A | B |\n| --- | --- |\n| 1 | 2 |')
  })

  it('omit deleted cells, and rows of which every cell is deleted', async () => {
    const gone = cell('gone', '<w:cellDel w:id="1" w:author="A"/>')
    const body = `<w:tbl>${row(cell('A'), gone, cell('B'))}${row(gone, gone)}${row(cell('1'), gone, cell('2', '<w:cellIns w:id="2"/>'))}</w:tbl>`
    expect(await markdown(body)).toBe('| A | B |\n| --- | --- |\n| 1 | 2 |')
  })

  it('have the header that the file marks', async () => {
    const long = 'a name of a column that is so long that nothing would take it for a name of a column'
    const body = `<w:tbl><w:tr><w:trPr><w:tblHeader/></w:trPr>${cell(long)}${cell('B')}</w:tr>${row(cell('1'), cell('2'))}</w:tbl>`
    expect(await markdown(body)).toBe(`| ${long} | B |\n| --- | --- |\n| 1 | 2 |`)
  })

  it('are read if their spans are extremely large', async () => {
    const body = `<w:tbl>${row(cell('A', '<w:gridSpan w:val="1000000000"/>'), cell('B'))}${row(cell('1'), cell('2'))}</w:tbl>`
    expect(await markdown(body)).toContain('| A |')
  })
})

describe('runs', () => {
  const run = (text: string, properties = ''): string =>
    `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`
  const line = (...parts: string[]): Promise<string> => markdown(`<w:p>${parts.join('')}</w:p>`)

  it('are joined if they have the same formatting', async () => {
    expect(await line(run('Hel', '<w:b/>'), run('lo ', '<w:b/>'), run('wor', '<w:b/><w:i/>'), run('ld'))).toBe(
      '**Hello *wor***ld',
    )
  })

  it('can be strikethrough, superscript, subscript and code', async () => {
    expect(
      await line(
        run('a', '<w:strike/>'),
        run(' m'),
        run('2', '<w:vertAlign w:val="superscript"/>'),
        run(' H'),
        run('2', '<w:vertAlign w:val="subscript"/>'),
        run('O '),
        run('npm i', '<w:rFonts w:ascii="Consolas"/>'),
        run(' plain', '<w:b w:val="0"/>'),
      ),
    ).toBe('~~a~~ m<sup>2</sup> H<sub>2</sub>O `npm i` plain')
  })

  it('are left out if deleted or hidden, and kept if inserted', async () => {
    expect(
      await line(
        run('kept '),
        `<w:del><w:r><w:delText>deleted</w:delText></w:r></w:del>`,
        `<w:ins>${run('inserted ')}</w:ins>`,
        `<w:moveFrom>${run('moved away ')}</w:moveFrom><w:moveTo>${run('moved here')}</w:moveTo>`,
        run('hidden', '<w:vanish/>'),
      ),
    ).toBe('kept inserted moved here')
  })

  it('continue in the next paragraph if the end mark of theirs was deleted', async () => {
    const body = `<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr>${run('one ')}</w:p><w:p>${run('line')}</w:p>`
    expect(await markdown(body)).toBe('one line')
  })

  it.each([
    ['a table', `<w:tbl><w:tr><w:tc>${p('x')}</w:tc></w:tr></w:tbl>`, 'x'],
    ['a formula', '<m:oMathPara><m:oMath><m:r><m:t>x</m:t></m:r></m:oMath></m:oMathPara>', '$$\nx\n$$'],
  ])('stay before %s if the end mark of their paragraph was moved away', async (_name, block, shown) => {
    const before = `<w:p><w:pPr><w:rPr><w:moveFrom/></w:rPr></w:pPr>${run('before')}</w:p><w:moveFromRangeEnd/>`
    expect(await markdown(before + block + p('after'))).toBe(`before\n\n${shown}\n\nafter`)
  })

  it('are found in smart tags, content controls and alternatives', async () => {
    expect(
      await line(
        `<w:smartTag><w:smartTagPr/>${run('a')}</w:smartTag>`,
        `<w:sdt><w:sdtPr><w:alias w:val="x"/></w:sdtPr><w:sdtContent>${run('b')}</w:sdtContent></w:sdt>`,
        `<mc:AlternateContent><mc:Choice Requires="wps">${run('c')}</mc:Choice><mc:Fallback>${run('no')}</mc:Fallback></mc:AlternateContent>`,
        `<mc:AlternateContent><mc:Choice Requires="unheardof">${run('no')}</mc:Choice><mc:Fallback>${run('d')}</mc:Fallback></mc:AlternateContent>`,
      ),
    ).toBe('abcd')
  })

  it('are links by relationship or by field', async () => {
    const field = (code: string, result: string): string =>
      `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText xml:space="preserve">${code}</w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>${run(result)}<w:r><w:fldChar w:fldCharType="end"/></w:r>`
    const body = `<w:p><w:hyperlink r:id="h">${run('one')}</w:hyperlink>${run(' ')}${field(' HYPERLINK "https://site.test/2" \\l "x" ', 'two')}${run(' ')}${field(' PAGE ', '7')}<w:fldSimple w:instr=" HYPERLINK &quot;https://site.test/3&quot;">${run(' three')}</w:fldSimple></w:p>`
    expect(await markdown(body, {}, { h: ['hyperlink', 'https://site.test/1'] })).toBe(
      '[one](https://site.test/1) [two](https://site.test/2#x) 7 [three](https://site.test/3)',
    )
  })

  it('are superscript or subscript if an offset moves them', async () => {
    const by = (shift: number): string => `<w:position w:val="${shift}"/><w:sz w:val="14"/>`
    expect(await line(run('x'), run('2', by(8)), run(' y'), run('i', by(-4)))).toBe('x<sup>2</sup> y<sub>i</sub>')
  })

  it('form one quotation if their paragraphs are consecutive quotations', async () => {
    const styles =
      '<w:styles><w:style w:type="paragraph" w:styleId="Zitat"><w:name w:val="Quote"/></w:style></w:styles>'
    const quote = (words: string): string => p(words, '<w:pStyle w:val="Zitat"/>')
    expect(await markdown(quote('a') + quote('b') + p('text') + quote('c'), { styles })).toBe(
      '> a\n>\n> b\n\ntext\n\n> c',
    )
  })

  it('form one code block if their paragraphs are preformatted', async () => {
    const styles =
      '<w:styles><w:style w:type="paragraph" w:styleId="C"><w:name w:val="HTML Preformatted"/></w:style></w:styles>'
    const body = p('if x:', '<w:pStyle w:val="C"/>') + p('  y()', '<w:pStyle w:val="C"/>') + p('text')
    expect(await markdown(body, { styles })).toBe('```\nif x:\n  y()\n```\n\ntext')
  })
})

describe('a part outside the text', () => {
  it('can be a footnote, an endnote or a note in a note', async () => {
    const note = (kind: string, id: number, inner: string): string =>
      `<w:${kind} w:id="${id}"><w:p><w:r><w:${kind}Ref/></w:r>${inner}</w:p></w:${kind}>`
    const text = (words: string): string => `<w:r><w:t xml:space="preserve"> ${words}</w:t></w:r>`
    const body = `<w:p>${text('a')}<w:r><w:footnoteReference w:id="2"/></w:r>${text('b')}<w:r><w:endnoteReference w:id="2"/></w:r></w:p>`
    expect(
      await markdown(body, {
        footnotes: `<w:footnotes>${note('footnote', 2, text('foot'))}</w:footnotes>`,
        endnotes: `<w:endnotes>${note('endnote', 2, text('end'))}</w:endnotes>`,
      }),
    ).toBe('a[^1] b[^2]\n\n[^1]: foot\n\n[^2]: end')
  })

  it('can be an image with its alternative text, addressed by its path in the file', async () => {
    const body =
      '<w:p><w:r><w:drawing><wp:inline><wp:docPr id="1" name="Picture 1" descr="A pier"/><a:graphic><a:graphicData><pic:pic><pic:blipFill><a:blip r:embed="i"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>'
    expect(await markdown(body, {}, { i: ['image', 'media/image1.png'] })).toBe('![A pier](#word/media/image1.png)')
  })

  it('can be a text box, which is read once', async () => {
    const box = (words: string): string => `<w:txbxContent>${p(words)}</w:txbxContent>`
    const body = `<w:p><w:r><w:t>before</w:t></w:r><w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wps:wsp><wps:txbx>${box('boxed')}</wps:txbx></wps:wsp></w:drawing></mc:Choice><mc:Fallback><w:pict><v:textbox>${box('boxed')}</v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>`
    expect(await markdown(body)).toBe('before\n\nboxed')
  })

  it('can be a text box with an image, which is read once', async () => {
    const image =
      '<w:drawing><wp:inline><wp:docPr id="1" name="i" descr="A pier"/><pic:pic><pic:blipFill><a:blip r:embed="i"/></pic:blipFill></pic:pic></wp:inline></w:drawing>'
    const body = `<w:p><w:r><w:t>before</w:t></w:r><w:r><w:drawing><wp:docPr id="2" name="b" descr="A box"/><wps:txbx><w:txbxContent><w:p><w:r>${image}</w:r></w:p>${p('boxed')}</w:txbxContent></wps:txbx></w:drawing></w:r></w:p>`
    expect(await markdown(body, {}, { i: ['image', 'media/image1.png'] })).toBe(
      'before\n\n![A pier](#word/media/image1.png)\n\nboxed',
    )
  })

  it('is left out if it is a header, a footer or a comment', async () => {
    expect(
      await markdown(`${p('text')}<w:sectPr/>`, {
        header: `<w:hdr>${p('head')}</w:hdr>`,
        comments: `<w:comments><w:comment>${p('comment')}</w:comment></w:comments>`,
      }),
    ).toBe('text')
  })
})

it('a file is read in the strict form of the standard, and with other namespace prefixes', async () => {
  const strict = makeDocx(
    `<W:p xmlns:W="http://purl.oclc.org/ooxml/wordprocessingml/main"><W:r><W:t>strict</W:t></W:r></W:p>`,
  )
  expect(await markdownOf(strict)).toBe('strict')
})

it('every word of a short file is kept, even if it looks like boilerplate', async () => {
  const body = p('Home') + p('Menu') + p('Copyright 2026 by nobody. All rights reserved.') + p('Share this')
  expect(await markdown(body)).toBe('Home\n\nMenu\n\nCopyright 2026 by nobody. All rights reserved.\n\nShare this')
})
