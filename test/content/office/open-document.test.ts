import { describe, expect, it } from 'vitest'
import { makeOpenDocument } from './office-samples.js'
import { markdownOf, readFile } from './read.js'

const text = (...args: [inner: string, parts?: Parameters<typeof makeOpenDocument>[2]]): Promise<string> =>
  markdownOf(makeOpenDocument('text', ...args))

const p = (inner: string): string => `<text:p>${inner}</text:p>`
const item = (...inner: string[]): string => `<text:list-item>${inner.join('')}</text:list-item>`
const numbered =
  '<text:list-style style:name="N"><text:list-level-style-number text:level="1" style:num-format="1"/></text:list-style>'

describe('a text', () => {
  it('has the white space that its elements define', async () => {
    expect(await text(p('a\n  b<text:s text:c="3"/>c<text:tab/>d<text:line-break/>e'))).toMatch(/^a b c d\s+e$/)
  })

  it('has lists that continue earlier lists', async () => {
    const list = (rest: string, ...items: string[]): string =>
      `<text:list text:style-name="N" ${rest}>${items.map((inner) => item(p(inner))).join('')}</text:list>`
    const inner =
      list('xml:id="one"', 'a', 'b') + p('between') + list('text:continue-list="one"', 'c') + p('anew') + list('', 'd')
    expect(await text(inner, { automatic: numbered })).toBe('1. a\n2. b\n\nbetween\n\n3. c\n\nanew\n\n1. d')
  })

  it('has paragraphs without a mark in the item before them', async () => {
    const blank =
      '<text:list-style style:name="B"><text:list-level-style-bullet text:level="1" text:bullet-char=" "/></text:list-style>'
    const list = (rest: string, ...items: string[]): string =>
      `<text:list ${rest}>${items.map((inner) => item(p(inner))).join('')}</text:list>`
    const inner = [
      list('text:style-name="N" xml:id="one"', 'a', 'b'),
      list('text:style-name="B"', 'more of b'),
      list('text:style-name="N" text:continue-list="one"', 'c'),
      p('end'),
      list('text:style-name="B"', 'no item before'),
    ]
    expect(await text(inner.join(''), { automatic: numbered + blank })).toBe(
      '1. a\n2. b\n\n   more of b\n3. c\n\nend\n\nno item before',
    )
  })

  it('has deeper items in another style, which are lists of their own, under the item before them', async () => {
    const list = (style: string, ...items: string[]): string =>
      `<text:list text:style-name="${style}">${items.map((inner) => item(inner)).join('')}</text:list>`
    const deeper = list('N', list('N', list('N', p('x'), p('y'))))
    const bullets = list('U', p('a'), p('b') + list('U', p('c')))
    expect(await text(bullets + deeper, { automatic: numbered })).toBe('- a\n- b\n  - c\n    1. x\n    2. y')
    expect(await text(deeper, { automatic: numbered })).toBe('1. x\n2. y')
  })

  it('has levels without a format in the format of the next lower level', async () => {
    const inner = `<text:list text:style-name="U">${item(p('a') + `<text:list text:style-name="N">${item(p('x'))}</text:list>`)}</text:list>`
    expect(await text(inner, { automatic: numbered })).toBe('- a\n  1. x')
  })

  it('has headings that are written as items, and lists whose first level is empty', async () => {
    const heading = `<text:list>${item('<text:h text:outline-level="2">Numbered</text:h>')}</text:list>`
    expect(await text(heading)).toBe('## Numbered')
    expect(await text(`<text:list>${item(`<text:list>${item(p('deep'))}</text:list>`)}</text:list>`)).toContain('deep')
  })

  it('omits deleted text, comments and data for programs', async () => {
    const inner = `<text:tracked-changes><text:changed-region>${p('deleted')}</text:changed-region></text:tracked-changes>${p(
      'kept<office:annotation>comment</office:annotation><text:change-start/> inserted<text:change-end/>',
    )}<text:table-of-content><text:table-of-content-source>${p('source')}</text:table-of-content-source><text:index-body>${p('index')}</text:index-body></text:table-of-content>`
    expect(await text(inner)).toBe('kept inserted\n\nindex')
  })

  it('omits hidden text, paragraphs, sections and shapes', async () => {
    const style = (name: string, family: string, display: string): string =>
      `<style:style style:name="${name}" style:family="${family}"><style:text-properties text:display="${display}"/></style:style>`
    const automatic = style('H', 'text', 'none') + style('S', 'text', 'true') + style('HP', 'paragraph', 'none')
    const span = (name: string, inner: string): string => `<text:span text:style-name="${name}">${inner}</text:span>`
    const inner = [
      p(`a${span('H', 'hidden<text:tab/>')}b<text:hidden-text text:is-hidden="true">hidden</text:hidden-text>`),
      `<text:p text:style-name="HP">hidden ${span('S', 'shown')}</text:p>`,
      p('<text:hidden-paragraph text:is-hidden="true"/>hidden'),
      `<text:section text:display="none">${p('hidden')}</text:section><text:section>${p('section')}</text:section>`,
      `<draw:frame draw:display="none"><draw:text-box>${p('hidden')}</draw:text-box></draw:frame>`,
      p('<draw:frame draw:display="none"><draw:image xlink:href="a.png"/></draw:frame>c'),
    ]
    expect(await text(inner.join(''), { automatic })).toBe('ab\n\nshown\n\nsection\n\nc')
  })

  it('has text boxes, and images with links', async () => {
    const frame = `<draw:frame><draw:text-box>${p('boxed')}</draw:text-box></draw:frame>`
    const picture =
      '<draw:a xlink:href="https://site.test/"><draw:frame><draw:image xlink:href="Pictures/a.png"/></draw:frame></draw:a>'
    expect(await text(p(`before${frame}`) + p(picture))).toBe(
      'before\n\nboxed\n\n[![](#Pictures/a.png)](https://site.test/)',
    )
  })

  it('has tables in tables', async () => {
    const row = (...cells: string[]): string =>
      `<table:table-row>${cells.map((cell) => `<table:table-cell>${cell}</table:table-cell>`).join('')}</table:table-row>`
    const inner = `<table:table>${row(p('1'), p('2'))}</table:table>`
    const outer = `<table:table><table:table-header-rows>${row(p('A'), p('B'))}</table:table-header-rows>${row(p('x'), inner)}</table:table>`
    expect(await text(outer)).toBe('| A | B |\n| --- | --- |\n| x | 1<br>2 |')
  })

  it('has the cells and rows of tables that the file repeats', async () => {
    const cell = (rest: string, inner: string): string => `<table:table-cell ${rest}>${inner}</table:table-cell>`
    const row = (rest: string, inner: string): string => `<table:table-row ${rest}>${inner}</table:table-row>`
    const head = `<table:table-header-rows>${row('', cell('', p('A')) + cell('', p('B')))}</table:table-header-rows>`
    const rows = [
      row('', cell('table:number-columns-repeated="2"', p('x'))),
      row('table:number-rows-repeated="2"', cell('', p('y')) + cell('', p('z'))),
      row('table:number-rows-repeated="1000000"', cell('table:number-columns-repeated="2"', '')),
    ]
    expect(await text(`<table:table>${head}${rows.join('')}</table:table>${p('after')}`)).toBe(
      '| A | B |\n| --- | --- |\n| x | x |\n| y | z |\n| y | z |\n\nafter',
    )
  })

  it('is read if base styles refer to each other in a circle', async () => {
    const style = (name: string, above: string): string =>
      `<style:style style:name="${name}" style:family="paragraph" style:parent-style-name="${above}"/>`
    expect(await text('<text:p text:style-name="A">x</text:p>', { automatic: style('A', 'B') + style('B', 'A') })).toBe(
      'x',
    )
  })
})

describe('a spreadsheet', () => {
  const cell = (rest: string, inner = ''): string => `<table:table-cell ${rest}>${inner}</table:table-cell>`

  it('shows values by their type and errors as displayed, and omits hidden sheets', async () => {
    const row = (...cells: string[]): string => `<table:table-row>${cells.join('')}</table:table-row>`
    const inner = `<table:table table:name="S">${row(cell('', p('name')), cell('', p('value')))}${row(
      cell('table:number-columns-repeated="2" office:value-type="float" office:value="0.1"', p('0,1')),
    )}${row(cell('office:value-type="time" office:time-value="PT26H05M09S"', p('x')), cell('office:value-type="string"', p('#N/A')))}</table:table><table:table table:name="H" table:style-name="h">${row(cell('', p('x')))}</table:table>`
    const automatic =
      '<style:style style:name="h" style:family="table"><style:table-properties table:display="false"/></style:style>'
    const body = makeOpenDocument('spreadsheet', inner, { automatic })
    expect(await markdownOf(body)).toBe('## S\n\n| name | value |\n| --- | --- |\n| 0.1 | 0.1 |\n| 26:05:09 | #N/A |')
    expect((await readFile(body)).warnings).toEqual(['Hidden sheet is left out: “H”.'])
  })

  it('has every link of a cell at its own words', async () => {
    const link = (address: string, words: string): string => `<text:a xlink:href="${address}">${words}</text:a>`
    const words = p(`see ${link('https://site.test/a', 'A')} and ${link('https://site.test/b', 'B')}`)
    const row = `<table:table-row>${cell('', words + p(`or ${link('#S.A1', 'here')}`))}${cell('office:value-type="float" office:value="0.1"', p(link('https://site.test/c', '0,10')))}</table:table-row>`
    expect(await markdownOf(makeOpenDocument('spreadsheet', `<table:table>${row}</table:table>`))).toContain(
      '| see [A](https://site.test/a) and [B](https://site.test/b)<br>or here | [0.1](https://site.test/c) |',
    )
  })

  it.each([
    ['office:value-type="currency" office:currency="EUR" office:value="12.345"', '12,35 €', '12,35 €'],
    ['office:value-type="currency" office:currency="EUR" office:value="12.345"', '', '12.345 EUR'],
    ['office:value-type="percentage" office:value="0.3333"', '33%', '33.33%'],
    ['office:value-type="percentage" office:value="?"', '33%', '33%'],
    // The text has what the value has not: a unit, leading zeros, separators.
    ['office:value-type="float" office:value="5"', '5 km', '5 km'],
    ['office:value-type="float" office:value="2134"', '02134', '02134'],
    ['office:value-type="float" office:value="1234"', '$1,234', '$1,234'],
    ['office:value-type="float" office:value="5"', '+5', '+5'],
    ['office:value-type="float" office:value="1"', 'TRUE', 'TRUE'],
    ['office:value-type="float" office:value="5551234567"', '(555) 123-4567', '(555) 123-4567'],
    ['office:value-type="float" office:value="1234567"', '1.23E+06', '1234567'],
    ['office:value-type="float" office:value="-1234.5"', '(1,234.50)', '-1234.5'],
    ['office:value-type="float" office:value="0.5"', '0,50', '0.5'],
    ['office:value-type="float" office:value="12"', '###', '12'],
    ['office:value-type="percentage" office:value="0" calcext:value-type="error"', '#DIV/0!', '#DIV/0!'],
  ])('shows a cell with %s and the text “%s” as %s', async (rest, words, shown) => {
    const row = `<table:table-row>${cell(rest, words === '' ? '' : p(words))}${cell('', p('end'))}</table:table-row>`
    expect(await markdownOf(makeOpenDocument('spreadsheet', `<table:table>${row}</table:table>`))).toContain(
      `| ${shown} | end |`,
    )
  })
})
