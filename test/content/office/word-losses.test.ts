import { describe, expect, it } from 'vitest'
import { makeDocx, makePptx, makeXlsx, makeZip, relations } from './make-zip.js'
import { makeOpenDocument } from './office-samples.js'
import { markdownOf, readFile } from './read.js'

/** What office files show and what was once lost without a word. */

const run = (text: string, properties = ''): string =>
  `<w:r>${properties === '' ? '' : `<w:rPr>${properties}</w:rPr>`}<w:t xml:space="preserve">${text}</w:t></w:r>`
const paragraph = (inner: string): string => `<w:p>${inner}</w:p>`
const rtf = (text: string): Promise<string> =>
  markdownOf(Buffer.from(`{\\rtf1 ${text}\\par}`, 'latin1'), 'application/rtf')

it.each([
  [' MACROBUTTON AcceptAll [Click &amp; type a name] ', '[Click & type a name]'],
  ['GOTOBUTTON "the place" See there', 'See there'],
  ['MACROBUTTON AcceptAll', ''],
  [' PAGE ', ''],
])('the label of a button in Word files is kept: %s', async (code, shown) => {
  const mark = (type: string): string => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`
  const field = `${mark('begin')}<w:r><w:instrText>${code}</w:instrText></w:r>${mark('end')}`
  const { markdown } = (await readFile(makeDocx(paragraph(`${run('a:')}${field}${run(':z')}`)))).fields
  expect(markdown?.replaceAll('\\', '').trim()).toBe(`a:${shown}:z`)
})

describe('characters of the Symbol font', () => {
  it('are converted to the displayed characters in Word files', async () => {
    const symbol = '<w:rFonts w:ascii="Symbol" w:hAnsi="Symbol"/>'
    const sign = (char: string, font = 'Symbol'): string => `<w:r><w:sym w:font="${font}" w:char="${char}"/></w:r>`
    const field = `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> SYMBOL 179 \\f "Symbol" \\s 12 </w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>`
    const body = [
      paragraph(`${run('5 ')}${sign('F06D')}${run('g')}`),
      paragraph(`${run('p ')}${sign('F0DA')}${run(' q, x ')}${sign('F0B3')}${run(' 1')}`),
      paragraph(`${sign('F0FC', 'Wingdings')}${run(' yes ')}${sign('F0FD', 'Wingdings')}`),
      paragraph(`${run('a', symbol)}${run(' and \uF062', symbol)}`),
      paragraph(`${run('x ')}${field}${run(' 2')}`),
    ]
    const text = await markdownOf(makeDocx(body.join('')))
    expect(text.split('\n\n')).toEqual(['5 μg', 'p ∨ q, x ≥ 1', '✓ yes ☒', 'α ανδ β', 'x ≥ 2'])
  })

  it('are converted to the displayed characters in RTF files', async () => {
    const fonts = '{\\fonttbl{\\f0 Arial;}{\\f1\\fcharset2 Symbol;}}'
    expect(await rtf(`${fonts}\\f0 5 {\\f1 m}g, 5 {\\f1\\'6d}g, {\\f1\\u-3981 ?} {\\f1\\'b3} 1`)).toBe(
      '5 μg, 5 μg, σ ≥ 1',
    )
  })

  it('are converted to the displayed characters in OpenDocument files and on slides', async () => {
    const automatic =
      '<style:style style:name="S" style:family="text"><style:text-properties style:font-name="Symbol"/></style:style>'
    const odt = makeOpenDocument('text', '<text:p>5 <text:span text:style-name="S">\uF06D</text:span>g</text:p>', {
      automatic,
    })
    expect(await markdownOf(odt)).toBe('5 μg')
    const slide =
      '<p:sp><p:txBody><a:p><a:r><a:t>5 </a:t></a:r><a:r><a:rPr><a:sym typeface="Symbol"/></a:rPr><a:t>\uF06D</a:t></a:r><a:r><a:t>g</a:t></a:r></a:p></p:txBody></p:sp>'
    expect(await markdownOf(makePptx([slide]))).toContain('5 μg')
  })
})

const MATH = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
const letters = (text: string): string => `<m:r><m:t>${text}</m:t></m:r>`
const upright = (text: string): string => `<m:r><m:rPr><m:sty m:val="p"/></m:rPr><m:t>${text}</m:t></m:r>`
const over = (above: string, below: string): string => `<m:f><m:num>${above}</m:num><m:den>${below}</m:den></m:f>`

describe('formulas', () => {
  it.each([
    [over(letters('a'), letters('b')), '\\frac{a}{b}'],
    [`${letters('E=m')}<m:sSup><m:e>${letters('c')}</m:e><m:sup>${letters('2')}</m:sup></m:sSup>`, 'E = mc^2'],
    [`<m:rad><m:radPr><m:degHide m:val="1"/></m:radPr><m:deg/><m:e>${letters('x+1')}</m:e></m:rad>`, '\\sqrt{x + 1}'],
    [`<m:rad><m:deg>${letters('3')}</m:deg><m:e>${letters('x')}</m:e></m:rad>`, '\\sqrt[3]{x}'],
    [
      `<m:nary><m:naryPr><m:chr m:val="∑"/><m:limLoc m:val="undOvr"/></m:naryPr><m:sub>${letters('i=1')}</m:sub><m:sup>${letters('n')}</m:sup><m:e>${letters('i')}</m:e></m:nary>`,
      '\\sum_{i = 1}^n i',
    ],
    [`<m:d><m:e>${over(letters('a'), letters('b'))}</m:e></m:d>`, '\\left( \\frac{a}{b} \\right)'],
    [`<m:func><m:fName>${upright('sin')}</m:fName><m:e>${letters('x')}</m:e></m:func>`, '\\sin x'],
    [`<m:sSub><m:e>${letters('x')}</m:e><m:sub>${letters('12')}</m:sub></m:sSub>`, 'x_{12}'],
    [`<m:acc><m:accPr><m:chr m:val="⃗"/></m:accPr><m:e>${letters('v')}</m:e></m:acc>`, '\\vec{v}'],
    [`<m:r><m:rPr><m:nor/></m:rPr><m:t>if </m:t></m:r>${letters('x')}`, '\\text{if }x'],
    [
      `<m:d><m:dPr><m:begChr m:val="["/><m:endChr m:val="]"/></m:dPr><m:e><m:m><m:mr><m:e>${letters('1')}</m:e><m:e>${letters('0')}</m:e></m:mr></m:m></m:e></m:d>`,
      '\\begin{bmatrix}1 & 0\\end{bmatrix}',
    ],
  ])('of Word are LaTeX: %#', async (inner, tex) => {
    const text = await markdownOf(
      makeDocx(paragraph(`${run('so ')}<m:oMath ${MATH}>${inner}</m:oMath>${run(' it is')}`)),
    )
    expect(text.replace(/\s+/g, '')).toBe(`so$${tex}$itis`.replace(/\s+/g, ''))
    expect(text).toMatch(/^so \$.+\$ it is$/s)
  })

  it('are on lines of their own if they stand alone', async () => {
    const formula = `<m:oMathPara ${MATH}><m:oMath>${over(letters('a'), letters('b'))}</m:oMath></m:oMathPara>`
    expect(await markdownOf(makeDocx(paragraph(formula)))).toBe('$$\n\\frac{a}{b}\n$$')
  })

  it('are read on slides', async () => {
    const slide = `<p:sp><p:txBody><a:p><a:r><a:t>so </a:t></a:r><a14:m xmlns:a14="http://schemas.microsoft.com/office/drawing/2010/main"><m:oMath ${MATH}>${over(letters('a'), letters('b'))}</m:oMath></a14:m></a:p></p:txBody></p:sp>`
    expect(await markdownOf(makePptx([slide]))).toContain('so $\\frac{a}{b}$')
  })

  it('are read from embedded objects in OpenDocument files', async () => {
    const mathml =
      '<math xmlns="http://www.w3.org/1998/Math/MathML"><semantics><mrow><mi>E</mi><mo>=</mo><mfrac><mi>m</mi><mi>c</mi></mfrac></mrow><annotation encoding="StarMath 5.0">E = {m over c}</annotation></semantics></math>'
    const frame = (inner: string): string =>
      `<text:p>so <draw:frame>${inner}<draw:image xlink:href="./ObjectReplacements/Object 1"/></draw:frame></text:p>`
    for (const address of ['./Object 1', 'Object 1/']) {
      const zipped = makeOpenDocument('text', frame(`<draw:object xlink:href="${address}"/>`), {
        files: { 'Object 1/content.xml': mathml },
      })
      expect(await markdownOf(zipped)).toBe('so $E = \\frac{m}{c}$')
    }
    expect(await markdownOf(makeOpenDocument('text', frame(`<draw:object>${mathml}</draw:object>`)))).toBe(
      'so $E = \\frac{m}{c}$',
    )
  })
})

describe('single letters', () => {
  it('join the word that follows if they are a drop cap', async () => {
    const low = '<w:position w:val="-6"/><w:sz w:val="80"/>'
    const cap = `<w:p><w:pPr><w:framePr w:dropCap="drop" w:lines="3"/></w:pPr>${run('D', low)}</w:p>`
    expect(await markdownOf(makeDocx(`${cap}${paragraph(run('rop caps'))}`))).toBe('Drop caps')
    expect(await markdownOf(makeDocx(cap))).toBe('D')
    expect(await rtf('{\\pard\\dropcapli3\\dropcapt1\\dn6\\fs80 D\\par}{\\pard rop caps')).toBe('Drop caps')
  })

  it('are not code in a monospaced font inside a word, but are code if they stand alone', async () => {
    const mono = '<w:rFonts w:ascii="Courier New"/>'
    const text = [
      paragraph(`${run('Thes')}${run('e', mono)}`),
      paragraph(`${run('the ')}${run('T', mono)}${run('hese')}`),
      paragraph(`${run('T', mono)}${run('hese')}`),
      paragraph(`${run('for ')}${run('e', mono)}${run(' and ')}${run('ls', mono)}${run('.')}`),
    ]
    expect((await markdownOf(makeDocx(text.join('')))).split('\n\n')).toEqual([
      'These',
      'the These',
      'These',
      'for `e` and `ls`.',
    ])
  })
})

describe('references within a file', () => {
  it('lead to their target', async () => {
    const reference = `<w:fldSimple w:instr=" REF _Ref1 \\h ">${run('Table 1')}</w:fldSimple>`
    const place = `<w:bookmarkStart w:id="0" w:name="_Ref1"/>`
    const text = await markdownOf(
      makeDocx(`${paragraph(`${run('see ')}${reference}`)}${paragraph(`${place}${run('Table 1')}`)}`),
    )
    expect(text).toContain('see [Table 1](#_Ref1)')
    const odt = makeOpenDocument(
      'text',
      '<text:p>see <text:bookmark-ref text:ref-name="t1" text:reference-format="text">Table 1</text:bookmark-ref>, page <text:bookmark-ref text:ref-name="t1" text:reference-format="page">3</text:bookmark-ref></text:p>',
    )
    expect(await markdownOf(odt)).toBe('see [Table 1](#t1), page 3')
  })
})

it('a form field is converted to its value', async () => {
  const part = (type: string, inner = ''): string =>
    `<w:r><w:fldChar w:fldCharType="${type}">${inner}</w:fldChar></w:r>`
  const field = (kind: string, data: string, result = ''): string =>
    `${part('begin', `<w:ffData>${data}</w:ffData>`)}<w:r><w:instrText> ${kind} </w:instrText></w:r>${part('separate')}${result}${part('end')}`
  const tick = (state: string): string => field('FORMCHECKBOX', `<w:checkBox>${state}</w:checkBox>`)
  const choices = '<w:ddList><w:result w:val="1"/><w:listEntry w:val="red"/><w:listEntry w:val="blue"/></w:ddList>'
  const body = [
    `${tick('<w:default w:val="0"/><w:checked/>')}${run(' yes ')}${tick('<w:default w:val="1"/><w:checked w:val="0"/>')}${run(' no ')}${tick('<w:default w:val="1"/>')}${run(' perhaps')}`,
    `${field('FORMDROPDOWN', choices)}${run(', ')}${field('FORMDROPDOWN', choices, run('green'))}${run(', ')}${field('FORMTEXT', '<w:textInput/>', run('Ann'))}`,
  ]
  expect(await markdownOf(makeDocx(body.map(paragraph).join('')))).toBe('☒ yes ☐ no ☒ perhaps\n\nblue, green, Ann')
})

it('a document that is embedded in the text is reported in a warning', async () => {
  const read = await readFile(
    makeDocx(`${paragraph(run('before'))}<w:altChunk r:id="c"/>`, {}, { c: ['aFChunk', 'a.htm'] }),
  )
  expect(read.fields.markdown).toBe('before')
  expect(read.warnings).toEqual(['One embedded document is left out: only the text of the file itself is read.'])
})

describe('a drawing', () => {
  const DIAGRAM =
    '<w:p><w:r><w:drawing><a:graphic><a:graphicData><dgm:relIds xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" r:dm="part-data"/></a:graphicData></a:graphic></w:drawing></w:r></w:p>'
  const CHART =
    '<w:p><w:r><w:drawing><a:graphic><a:graphicData><c:chart xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" r:id="x"/></a:graphicData></a:graphic></w:drawing></w:r></w:p>'

  it('is converted to its texts, or reported in a warning', async () => {
    const data =
      '<w:x xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:p><a:r><a:t>First</a:t></a:r></a:p><a:p><a:r><a:t>Second</a:t></a:r></a:p></w:x>'
    const read = await readFile(makeDocx(DIAGRAM, { data }))
    expect(read.fields.markdown).toBe('First\n\nSecond')
    expect(read.warnings).toEqual([])
    expect((await readFile(makeDocx(`${DIAGRAM}${CHART}${CHART}`))).warnings).toEqual([
      '2 charts are left out: only text is read.',
      'One diagram is left out: only text is read.',
    ])
  })

  it('of a sheet is converted to the texts of its boxes, with a warning for its charts', async () => {
    const types = 'http://schemas.openxmlformats.org'
    const box = (text: string): string =>
      `<xdr:sp><xdr:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></xdr:txBody></xdr:sp>`
    const book = makeZip({
      '_rels/.rels': relations({ main: ['officeDocument', 'xl/workbook.xml'] }),
      'xl/workbook.xml': `<workbook xmlns="${types}/spreadsheetml/2006/main" xmlns:r="${types}/officeDocument/2006/relationships"><sheets><sheet name="S" sheetId="1" r:id="s"/></sheets></workbook>`,
      'xl/_rels/workbook.xml.rels': relations({ s: ['worksheet', 'worksheets/sheet1.xml'] }),
      'xl/worksheets/sheet1.xml': `<worksheet xmlns="${types}/spreadsheetml/2006/main"><sheetData><row r="1"><c r="A1"><v>1</v></c></row></sheetData></worksheet>`,
      'xl/worksheets/_rels/sheet1.xml.rels': relations({ d: ['drawing', '../drawings/drawing1.xml'] }),
      'xl/drawings/drawing1.xml': `<xdr:wsDr xmlns:xdr="${types}/drawingml/2006/spreadsheetDrawing" xmlns:a="${types}/drawingml/2006/main">${box('How to fill it in')}${box('Ask Ann')}</xdr:wsDr>`,
      'xl/drawings/_rels/drawing1.xml.rels': relations({ c: ['chart', '../charts/chart1.xml'] }),
    })
    const { fields, warnings } = await readFile(book)
    expect(fields.markdown).toBe('## S\n\n| 1 |\n| --- |\n\nHow to fill it in\n\nAsk Ann')
    expect(warnings).toEqual(['One chart is left out: only text is read.'])
  })

  it('gives a workbook without any visible cell a warning', async () => {
    expect((await readFile(makeXlsx({ S: '<sheetData/>' }))).warnings).toEqual([
      expect.stringMatching(/^No cell of a visible sheet/),
    ])
    expect(
      (await readFile(makeXlsx({ S: '<sheetData><row r="1"><c r="A1"><v>1</v></c></row></sheetData>' }))).warnings,
    ).toEqual([])
    expect((await readFile(makeOpenDocument('spreadsheet', '<table:table table:name="T"/>'))).warnings).toHaveLength(1)
    const charts = makeZip({
      '_rels/.rels': relations({ main: ['officeDocument', 'xl/workbook.xml'] }),
      'xl/workbook.xml':
        '<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="Sales" sheetId="1" r:id="c"/></sheets></workbook>',
      'xl/_rels/workbook.xml.rels': relations({ c: ['chartsheet', 'chartsheets/sheet1.xml'] }),
      'xl/chartsheets/sheet1.xml': '<chartsheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"/>',
    })
    expect((await readFile(charts)).warnings).toEqual([
      'A sheet that is a chart is left out: “Sales”.',
      expect.stringMatching(/^No cell/),
    ])
  })
})

it('lines of code on a slide become one code block, even if they have bullets', async () => {
  const line = (text: string): string =>
    `<a:p><a:pPr><a:buChar char="•"/></a:pPr><a:r><a:rPr><a:latin typeface="Consolas"/></a:rPr><a:t>${text}</a:t></a:r></a:p>`
  const text = await markdownOf(
    makePptx([`<p:sp><p:txBody>${line('let a = 1')}${line('let b = 2')}</p:txBody></p:sp>`]),
  )
  expect(text).toContain('```\nlet a = 1\nlet b = 2\n```')
})
