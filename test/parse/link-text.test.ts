import { describe, expect, it } from 'vitest'
import { parse } from '../../src/parse/parse.js'
import { bytes, pageUrl, parsePlan } from './pages.js'

describe('Markdown', () => {
  const readMarks = (text: string): { links: string[]; images: string[] } => {
    const { $ } = parse({ url: pageUrl, body: bytes(text), contentType: 'text/markdown' }, parsePlan).tree
    const list = (selector: string): string[] =>
      $(selector)
        .get()
        .map((element) => $(element).attr('href') ?? '')
    return { links: list('a'), images: list('link[rel=image_src]') }
  }

  it('has its images apart from its links', () => {
    expect(readMarks('![a](a.png) ![](b.png "title") ![c][c] [d](d)\n\n`![e](e.png)`\n\n[f]: f.png')).toEqual({
      links: ['d', 'f.png'],
      images: ['a.png', 'b.png'],
    })
    expect(readMarks('![a][f] ![f]\n\n[f]: f.png').images).toEqual(['f.png', 'f.png'])
  })

  it('has the links around images', () => {
    const badges = '[![Build](b.svg)](https://ci.test/) [![](c.svg "Title")](</a b>) [![x][y]](/d)\n\n[y]: y.svg'
    expect(readMarks(badges)).toEqual({
      links: ['https://ci.test/', 'https://ci.test/', '/a b', '/d', 'y.svg'],
      images: ['b.svg', 'c.svg', 'y.svg'],
    })
  })

  it('has addresses with spaces and parentheses', () => {
    expect(readMarks('[a](<b c.md>) [d](/e_(f)g_(h)#i) [j]\n\n[j]: <k l>').links).toEqual([
      'b c.md',
      '/e_(f)g_(h)#i',
      'k l',
      'k l',
    ])
  })
})
