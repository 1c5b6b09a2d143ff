import { describe, expect, it } from 'vitest'
import { createEngine } from '../../../src/index.js'

const engine = createEngine({ threads: 0 })
const page = (html: string): { url: string; body: string } => ({
  url: 'https://pier.test/',
  body: `<main><h1>Pier</h1>${html}<p>The keeper counts the boats each evening, and writes the number down.</p></main>`,
})
const LAST = 'The keeper counts the boats each evening, and writes the number down.'

/** Returns the Markdown between the heading and the last paragraph. */
async function write(html: string, options: object): Promise<string> {
  const { markdown } = await engine.parse(page(html), { formats: [{ type: 'markdown', ...options }] })
  return markdown
    .replace(/^# Pier\s+/, '')
    .replace(LAST, '')
    .trim()
}

describe('links as text', () => {
  it.each([
    ['in a sentence', '<p>See <a href="/a">the lamps</a>, and more.</p>', 'See the lamps, and more.'],
    [
      'beside each other',
      '<p>By <a href="/a">Ann</a><a href="/b">Ben</a> at noon today.</p>',
      'By Ann Ben at noon today.',
    ],
    ['in a mark', '<p>It is <b><a href="/a">very</a> late</b> in the day.</p>', 'It is **very late** in the day.'],
    [
      'around a heading',
      '<a href="/a"><h2>Lamps</h2></a><p>They burn all night.</p>',
      '## Lamps\n\nThey burn all night.',
    ],
    [
      'that begin a line like a block',
      '<p><a href="/a">1. Lamps</a> burn all night long.</p>',
      '1\\. Lamps burn all night long.',
    ],
    ['with brackets', '<p>See <a href="/a">[1] and [2]</a> for more of it.</p>', 'See [1] and [2] for more of it.'],
    [
      'around an image',
      '<p>See it: <a href="/a"><img src="/l.png" alt="a lamp"></a></p>',
      'See it: ![a lamp](https://pier.test/l.png)',
    ],
    [
      'in a table',
      '<table><tr><th>Lamp<th>Price<tr><td><a href="/a">Oil</a><td>3</table>',
      '| Lamp | Price |\n| --- | --- |\n| Oil | 3 |',
    ],
  ])('stand %s', async (_, html, expected) => {
    expect(await write(html, { links: 'text' })).toBe(expected)
  })
})

describe('images', () => {
  const inText = '<p>A lamp <img src="/l.png" alt="of oil"> burns, <img src="/m.png" alt="">as ever.</p>'
  it('are their alternative text, and nothing without one', async () => {
    expect(await write(inText, { images: 'alt' })).toBe('A lamp ![of oil] burns, as ever.')
  })

  it('are nothing where the text beside them says the same', async () => {
    const card = '<div><a href="/o"><img src="/l.png" alt="Oil lamp"></a><h3><a href="/o">Oil Lamp, 3 l</a></h3></div>'
    expect(await write(card, { images: 'alt' })).toBe('### [Oil Lamp, 3 l](https://pier.test/o)')
    expect(await write('<p>Oil lamp <img src="/l.png" alt="Oil lamp"></p>', { images: 'alt' })).toBe('Oil lamp')
  })

  it('are left out, without a gap', async () => {
    expect(await write(inText, { images: 'none' })).toBe('A lamp burns, as ever.')
    expect(await write('<figure><img src="/l.png" alt="x"></figure><p>More of it.</p>', { images: 'none' })).toBe(
      'More of it.',
    )
    expect(await write('<p>one<img src="/l.png">two</p>', { images: 'none' })).toBe('one two')
  })

  it('leave their words to a link that has no others', async () => {
    const html = '<p><a href="/oil"><img src="/l.png" alt="Oil lamps"></a></p>'
    expect(await write(html, { images: 'none' })).toBe('[Oil lamps](https://pier.test/oil)')
    expect(await write(html, { images: 'alt' })).toBe('[![Oil lamps]](https://pier.test/oil)')
    expect(await write(html, { images: 'none', links: 'text' })).toBe('Oil lamps')
  })
})

describe('clean URLs', () => {
  const html =
    '<p>See <a href="/a?utm_source=x&amp;id=1&amp;fbclid=2#b">this</a> and <a href="/b?gclid=1">that</a>. <img src="/l.png?utm_medium=y" alt="l"></p>'

  it('have no parameters that tell where a visitor came from', async () => {
    expect(await write(html, { cleanUrls: true })).toBe(
      'See [this](https://pier.test/a?id=1#b) and [that](https://pier.test/b). ![l](https://pier.test/l.png)',
    )
    expect(await write(html, {})).toContain('utm_source=x&id=1&fbclid=2#b')
    expect(await write(html, { cleanUrls: true, links: 'reference' })).toContain('[1]: https://pier.test/a?id=1#b')
  })

  it('are listed alike', async () => {
    const { links } = await engine.parse(page(html), { formats: [{ type: 'links', cleanUrls: true }] })
    expect(links).toEqual(['https://pier.test/a?id=1#b', 'https://pier.test/b'])
    const both = await engine.parse(page(html), { formats: ['markdown', { type: 'links', cleanUrls: true }] })
    expect(both.links).toEqual(links)
  })
})

describe('the preset for models', () => {
  const html = '<p><a href="/a?utm_source=x"><img src="/l.png" alt="a lamp"> Oil lamp</a> at $3.</p>'

  it('writes no addresses', async () => {
    expect(await write(html, { preset: 'model' })).toBe('![a lamp] Oil lamp at $3.')
  })

  it('leaves what is given beside it', async () => {
    expect(await write(html, { preset: 'model', links: 'inline', images: 'none' })).toBe(
      '[Oil lamp](https://pier.test/a) at $3.',
    )
  })

  it('is for chunks as well', async () => {
    const { chunks } = await engine.parse(page(html), { formats: [{ type: 'chunks', preset: 'model' }] })
    expect(chunks.map(({ markdown }) => markdown).join('\n')).toContain('![a lamp] Oil lamp at $3.')
  })
})
