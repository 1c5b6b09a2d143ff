import { describe, expect, it } from 'vitest'
import { parse } from '../../../src/content/parse/parse.js'
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

  it.each([
    ['a heading', 'Text\n\n# One # \n', 'One'],
    ['a heading above a line', 'Badges\n\nThe Title\r\n=====\r\n\n# Other', 'The Title'],
    [
      'a heading in HTML',
      '<h1 align="center">\n <img src="a.png">\n The <b>Title</b> &amp; more\n</h1>\n\n# Other',
      'The Title & more',
    ],
    ['the heading after one without text', '<h1><img src="a.png"></h1>\n\n# Other', 'Other'],
    ['the heading after code', '```sh\n# a comment\n```\n\n    a\n    ==\n\nb\n=', 'b'],
    ['a heading of several lines', 'Text\n\nFoo\nbar\n===', 'Foo bar'],
    ['a heading in upper-case HTML', '<H1>The Title</H1>\n\n# Other', 'The Title'],
    ['the heading after a list with a line below it', '1. item\n===\n\n- item\nmore\n===\n\n# Real', 'Real'],
    [
      'a text in brackets that is no link definition',
      '[Draft]: A paper on lamps\n===\n\ntext',
      '[Draft]: A paper on lamps',
    ],
    ['the text below a link definition with a title', '[a]: /url (b) \nFoo\n===', 'Foo'],
    ['no link definition above a line', '[a]: /url\n===\n\n# Real', 'Real'],
    ['the text between a link definition and a line', '[a]: /url\nFoo\n[b]: /c\n===', 'Foo [b]: /c'],
    ['the line below a rule or a heading', '## Part\n---\nFoo\n===', 'Foo'],
    ['the front matter', '---\ntitle: "Front"\n---\n\n# Other', 'Front'],
  ])('takes its title from %s', (_what, text, title) => {
    const { $ } = parse({ url: pageUrl, body: bytes(text), contentType: 'text/markdown' }, parsePlan).tree
    expect($('title').text()).toBe(title)
  })

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
