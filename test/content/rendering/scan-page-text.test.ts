import { describe, expect, it } from 'vitest'
import { scanPageText } from '../../../src/content/rendering/scan-page-text.js'

/** More than a page may have that is decoded as a whole. */
const script = `<script>${'x = 1;\n'.repeat(3_000)}</script>`
const rest = '<p></p>'.repeat(10)

/** Texts of 100 characters, as they are shown. */
const texts: readonly (readonly [name: string, html: string])[] = [
  ['ASCII', 'word '.repeat(20).replace(/ $/, '.')],
  ['white space that collapses', `${'word \n\t'.repeat(20).trimEnd()}.`],
  ['umlauts', 'wörd '.repeat(20).replace(/ $/, '.')],
  ['Chinese', '一二三四五'.repeat(20)],
  ['emoji, each of two units', '😀'.repeat(50)],
  ['an entity', `${'a'.repeat(94)}&amp;b`],
  ['white space beyond ASCII', `${'a'.repeat(49)}\u3000\u3000${'b'.repeat(50)}`],
]

describe('a page whose texts are decoded one by one', () => {
  it.each(texts)('has as much text as when it is decoded as a whole: %s', (_name, text) => {
    const html = `<title>t</title>${script}<nav><p>${text}</p></nav><main>${`<p>${text}</p>`.repeat(12)}</main>${rest}`
    const body = new TextEncoder().encode(html)
    const whole = scanPageText(body.slice())
    expect(whole.ownLength).toBe(1200)
    // The scan ends with the text that is the last needed one.
    expect(scanPageText(body.slice(), 1101)).toMatchObject({ ownLength: 1200, boilerplateLength: 100, scripts: 1 })
    expect(scanPageText(body.slice(), 1100)).toMatchObject({ ownLength: 1100, boilerplateLength: 100 })
    expect(scanPageText(body.slice(), 1201)).toEqual(whole)
  })

  it.each([
    ['a cookie banner', `<div data-a="${'あ'.repeat(450)}" class="cookie-consent">${'word '.repeat(300)}</div>`],
    ['an element without content', `<svg data-a=à/><p>${'word '.repeat(200)}</p></svg>`],
    [
      'XHTML',
      `<html data-a="${'あ'.repeat(450)}" xmlns="http://www.w3.org/1999/xhtml"><style/><nav>words</nav></style>`,
    ],
  ])('reads %s in tags that are not ASCII', (_name, markup) => {
    const body = new TextEncoder().encode(`${markup}${script}<p>${'word '.repeat(300)}</p>${rest}`)
    const { ownLength, boilerplateLength } = scanPageText(body.slice())
    expect(scanPageText(body.slice(), ownLength)).toMatchObject({ ownLength, boilerplateLength, ownStart: '' })
  })

  it('decodes a text that the first part of a long page ends in', () => {
    const text = `${'ä'.repeat(70_000)}<p>${'word '.repeat(300)}</p>${rest}`
    const body = new TextEncoder().encode(`${script}<nav>${text}</nav>${text}`)
    const { ownLength, boilerplateLength } = scanPageText(body.slice())
    expect(scanPageText(body.slice(), ownLength)).toMatchObject({ ownLength, boilerplateLength })
  })

  it('counts bytes that are not UTF-8 as the decoder does', () => {
    const text = Buffer.from('caf\xe9 \xe4\xb8\xffx '.repeat(200), 'latin1')
    const body = Buffer.concat([Buffer.from(`${script}<p>`), text, Buffer.from(`</p>${rest}`)])
    const { ownLength } = scanPageText(body.subarray())
    expect(scanPageText(body.subarray(), ownLength).ownLength).toBe(ownLength)
    expect(scanPageText(body.subarray(), ownLength + 1).ownLength).toBe(ownLength)
  })

  it('finds the text of a long page behind its scripts', () => {
    const body = new TextEncoder().encode(`${script.repeat(40)}<p>${'wörd '.repeat(300)}</p>${rest}`)
    expect(body.length).toBeGreaterThan(500_000)
    expect(scanPageText(body, 1200)).toMatchObject({ ownLength: 1499, scripts: 40, ownStart: '' })
  })
})
