import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { markdown } from '../../../src/content/convert/formats/markdown.js'
import { extractHtml } from '../extract/contents.js'

const write = (html: string, links: 'inline' | 'reference', removeBase64Images = true): string =>
  markdown.convert(extractHtml(html), { type: 'markdown', links }, { removeBase64Images }).markdown

const referenced = (html: string): string => write(html, 'reference')

/** Resolves citations to URLs, as a CommonMark parser does. */
function inline(text: string): string {
  const targets = new Map(Array.from(text.matchAll(/^\[(\d+)\]: (.*)$/gm), ([, number, target]) => [number, target]))
  const body = text.replace(/(?:\n+\[\d+\]: .*)+$/, '')
  return body.replace(/\\.|\]\[(\d+)\]/g, (found, number: string | undefined) =>
    number === undefined ? found : `](${targets.get(number)})`,
  )
}

describe('links as numbered citations', () => {
  it.each([
    [
      'are numbers in the text, with URLs and titles at the end',
      '<p>a <a href="/x" title="T">one</a> b <a href="/y">two</a></p>',
      'a [one][1] b [two][2]\n\n[1]: https://site.test/x "T"\n[2]: https://site.test/y',
    ],
    [
      'have one number for each URL, with its first title',
      '<p><a href=/x>a</a> <a href=/y>b</a> <a href=/x title=T>c</a> <a href=/x title=U>d</a></p>',
      '[a][1] [b][2] [c][1] [d][1]\n\n[1]: https://site.test/x "T"\n[2]: https://site.test/y',
    ],
    [
      'include images, also in links',
      '<a href=/x><img src=/i.png alt=I></a> <img src=/x alt=J>',
      '[![I][1]][2] ![J][2]\n\n[1]: https://site.test/i.png\n[2]: https://site.test/x',
    ],
    ['do not change text without links', '<p>[1] and [a][1]</p>', '[1] and [a\\][1]'],
    [
      'do not change code',
      '<p><a href=/x>a</a> <code>[b](c)</code></p><pre>[d](e) [1]</pre>',
      '[a][1] `[b](c)`\n\n```\n[d](e) [1]\n```\n\n[1]: https://site.test/x',
    ],
    [
      'may be in a table, with their URLs below it',
      '<table><tr><th>a<th>b<tr><td><a href="/x|y">c</a><td>d</table>',
      '| a | b |\n| --- | --- |\n| [c][1] | d |\n\n[1]: https://site.test/x|y',
    ],
    [
      'do not include the data of inline images',
      '<img src="data:image/png;base64,AA" alt=a>',
      '![a](<Base64-Image-Removed>)',
    ],
    [
      'skip numbers that a formula has in brackets',
      '<p><a href=/x>a</a> <math alttext="v[1] + v[2]"></math></p>',
      '[a][3] $v[1] + v[2]$\n\n[3]: https://site.test/x',
    ],
  ])('%s', (_, html, expected) => {
    expect(referenced(html)).toBe(expected)
  })

  it.each([
    ['a number between brackets', '<p>see [1] <a href=/x>a</a></p>', 'see \\[1] [a][1]'],
    ['one in parts', '<p>[<span>1</span>] <a href=/x>a</a></p>', '\\[1] [a][1]'],
    ['brackets before a link that is a number', '<p>[x]<a href=/x>1</a></p>', '[x\\][1][1]'],
    ['a footnote that is a link', '<p>x<a href=/x>[1]</a></p>', 'x[\\[1\\]][1]'],
  ])('mean the links of the page only: %s', (_, html, expected) => {
    expect(referenced(html)).toBe(`${expected}\n\n[1]: https://site.test/x`)
  })

  it('refer to the same URLs as inline links', () => {
    const address = fc.constantFrom('/a', '/b (c)', '/c>d', '/e)f', 'mailto:a@b.c', 'https://other.test/?q=[1]&r=1')
    const words = fc.constantFrom('word', '[1]', '*x*', 'a]', '[', '1', '`', '\\', '(b)', '!')
    const link = fc.tuple(address, words).map(([href, text]) => `<a href="${href}">${text}</a>`)
    const image = fc.tuple(address, words).map(([src, alt]) => `<img src="${src}" alt="${alt}">`)
    const code = words.map((text) => `<code>${text}</code>`)
    const line = fc.array(fc.oneof(link, image, code, words)).map((parts) => parts.join(' '))
    const block = fc.tuple(fc.constantFrom('p', 'h2', 'li', 'td', 'blockquote'), line)
    const page = fc.array(block.map(([name, text]) => `<${name}>${text}</${name}>`)).map((blocks) => blocks.join(''))
    const unescaped = (text: string) => text.replace(/\\([\\[\]])/g, '$1')
    fc.assert(
      fc.property(page, (html) => {
        expect(unescaped(inline(referenced(html)))).toBe(unescaped(write(html, 'inline')))
      }),
    )
  })
})
