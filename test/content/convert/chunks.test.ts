import * as fc from 'fast-check'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import { describe, expect, it } from 'vitest'
import { chunkMarkdown } from '../../../src/content/convert/split/chunk-markdown.js'
import { estimateTokens } from '../../../src/content/convert/split/estimate-tokens.js'
import { chunks } from '../../../src/content/convert/formats/chunks.js'
import { extractHtml } from '../extract/contents.js'
import { madePages, wordsIn } from './made-markdown.js'

const pieces = (markdown: string, maxTokens = 512): [path: string, markdown: string][] =>
  chunkMarkdown(markdown, maxTokens).map((chunk) => [chunk.path.join(' > '), chunk.markdown])

const many = (count: number, write: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => write(at)).join('\n')

describe('chunks', () => {
  it('contain the sections of a page, with the path of headings above them', () => {
    const html =
      '<p>The first</p><h1>One <code>x</code></h1><p>A second</p><h3 id=two>Two</h3><p>c</p><h2><a href=/x>Three</a></h2><p>d</p>'
    const page = extractHtml(html, { keepsPage: true })
    const made = chunks.convert(page, { type: 'chunks' }, { removeBase64Images: true })
    expect(made.chunks.map(({ path, markdown }) => [path, markdown])).toEqual([
      [[], 'The first'],
      [['One x'], '# One `x`\n\nA second'],
      [['One x', 'Two'], '### Two\n\nc'],
      [['One x', 'Three'], '## [Three](https://site.test/x)\n\nd'],
    ])
    const { url } = page.page
    const fragments = ['#:~:text=The%20first', '#:~:text=A%20second', '#two', '']
    expect(made.chunks.map(({ link }) => link)).toEqual(fragments.map((fragment) => `${url}${fragment}`))
  })

  it.each([
    ['# Use `[a](b)` and `\\*c*`', 'Use [a](b) and \\*c*'],
    ['# The [*a* `b*c`](/x_(y_(z)) "t") of \\`d', 'The a b*c of `d'],
    ['# [![a](/i.png) b](/x) <br>**c** _d_', 'a b c d'],
    ['# [a](<u v>) b [c]( /d ) [e]( <f> "g" )', 'a b c e'],
  ])('have the text of a heading in their path, without its marks: %s', (heading, text) => {
    expect(pieces(`${heading}\n\nc`)).toEqual([[text, `${heading}\n\nc`]])
  })

  it('state their size in tokens', () => {
    for (const { markdown, tokens } of chunkMarkdown('# a\n\nb c\n\n# d', 100)) {
      expect(tokens).toBe(estimateTokens(markdown))
    }
  })

  it('join a heading without text with the next one', () => {
    expect(pieces('# a\n\n## b\n\nc')).toEqual([['a > b', '# a\n\n## b\n\nc']])
  })

  it('join a few headings without text with the next one that has some, and at the end with the text before', () => {
    expect(pieces('# a\n\n## b\n\n## c\n\n## d\n\ne\n\n## f\n\n## g')).toEqual([
      ['a > d', '# a\n\n## b\n\n## c\n\n## d\n\ne\n\n## f\n\n## g'],
    ])
    expect(pieces('# a\n\n## b\n\n## c')).toEqual([['a', '# a\n\n## b\n\n## c']])
  })

  it('keep many headings without text apart from the text after them', () => {
    const headings = Array.from({ length: 20 }, (_, at) => `## item number ${at}`).join('\n\n')
    expect(pieces(`# a\n\n${headings}\n\n## d\n\ne`)).toEqual([
      ['a', `# a\n\n${headings}`],
      ['a > d', '## d\n\ne'],
    ])
  })

  it('have no rule at their ends, and keep it between two blocks', () => {
    const text = 'word '.repeat(60).trim()
    expect(pieces(`* * *\n\n# a\n\n---\n\nb\n\n***\n\nc\n\n* * *\n\n# d\n\n* * *\n\n# e\n\nf\n\n---`)).toEqual([
      ['a', '# a\n\nb\n\n***\n\nc'],
      ['e', '# d\n\n# e\n\nf'],
    ])
    expect(pieces(`${text}\n\n* * *\n\n${text}`, 70).map(([, part]) => part)).toEqual([text, text])
    expect(pieces('---\ntitle: a\n---\n\nb')).toEqual([['', '---\ntitle: a\n---\n\nb']])
  })

  it('split a row that exceeds the limit between its cells, each part in its columns below the header', () => {
    const long = Array.from({ length: 40 }, (_, at) => `word${at}.`).join(' ')
    const row = `| lamp | ${'a '.repeat(30)}\\| \`b \\| c\` | ${long} | finish |`
    const parts = pieces(`| A | B | C | D |\n| --- | --- | --- | --- |\n| x | y | z | w |\n${row}`, 100).map(
      ([, part]) => part,
    )
    expect(parts.length).toBeGreaterThan(3)
    const cells = parts.flatMap((part) => {
      const tree = fromMarkdown(part, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] })
      const [table] = tree.children
      if (tree.children.length !== 1 || table?.type !== 'table') throw new Error(part)
      expect(part).toMatch(/^\| A \| B \| C \| D \|\n/)
      return table.children
        .slice(1)
        .map(({ children }) => children.map((cell) => JSON.stringify(cell).match(/word\d+|lamp|finish/g)))
    })
    for (const [name, column] of [
      ['lamp', 0],
      ['word', 2],
      ['finish', 3],
    ] as const)
      for (const one of cells)
        for (const [at, found] of one.entries()) if (at !== column) expect(found?.join() ?? '').not.toContain(name)
    expect(cells.flat(2).filter((found) => found?.startsWith('word'))).toHaveLength(40)
  })

  it('cut a row of more columns than a part could repeat into rows, and lose no cell', () => {
    const cells = Array.from({ length: 400 }, (_, at) => `c${at}`)
    const row = (texts: readonly string[]): string => `| ${texts.join(' | ')} |`
    const table = [row(cells.map((cell) => cell.toUpperCase())), row(cells.map(() => '---')), row(cells)].join('\n')
    const parts = pieces(table, 100).map(([, part]) => part)
    expect(parts.join('\n').match(/\bc\d+/g)).toEqual(cells)
    // 400 cells weigh some 900 tokens, and the names of the columns as many.
    expect(parts.length).toBeLessThan(30)
  })

  it('split a section that exceeds the limit between blocks', () => {
    const text = 'word '.repeat(60).trim()
    expect(pieces(`# a\n\n${text}\n\n${text}`, 100)).toEqual([
      ['a', `# a\n\n${text}`],
      ['a', text],
    ])
  })

  it('keep a lead-in with its block', () => {
    const text = 'word '.repeat(60).trim()
    expect(pieces(`${text}\n\nThus:\n\n${text}`, 100)).toEqual([
      ['', text],
      ['', `Thus:\n\n${text}`],
    ])
  })

  it('keep code whole that fits, and fence the parts of longer code', () => {
    const code = `~~~js\n${many(20, (at) => `call(${at})`)}\n~~~`
    expect(pieces(`${'word '.repeat(80).trim()}\n\n${code}`, 150)[1]).toEqual(['', code])
    const parts = pieces(`~~~js\n${many(100, (at) => `call(${at})`)}\n~~~`, 150).map(([, text]) => text)
    expect(parts.length).toBeGreaterThan(3)
    for (const part of parts) expect(part).toMatch(/^~~~js\n(?:call\(\d+\)\n)+~~~$/)
  })

  it('split a table between rows, and repeat its header', () => {
    const parts = pieces(`| Name | Price |\n| --- | --- |\n${many(50, (at) => `| lamp ${at} | ${at} |`)}`, 100)
    expect(parts.length).toBeGreaterThan(3)
    for (const [, part] of parts)
      expect(part).toMatch(/^\| Name \| Price \|\n\| --- \| --- \|(?:\n\| lamp \d+ \| \d+ \|)+$/)
  })

  it('split a list between items, at any depth', () => {
    const list = many(20, (at) => `- item ${at}\n  - inner ${at}`)
    for (const [, part] of pieces(list, 100)) expect(part).toMatch(/^(?:\n?- item (\d+)\n {2}- inner \1)+$/)
    const [, ...rest] = pieces(`1. outer\n${many(60, (at) => `   - inner ${at}`)}`, 100)
    for (const [, part] of rest) expect(part).toMatch(/^(?:(?:^|\n)- inner \d+)+$/)
  })

  it('split a long text after a sentence, and not inside a link or code', () => {
    const sentence = 'J. Doe saw [a link. With two](/x "a. title") and `code. More`, on the 3. May.'
    const parts = pieces(Array.from({ length: 20 }, () => sentence).join(' '), 100).map(([, text]) => text)
    expect(parts.length).toBeGreaterThan(3)
    for (const part of parts) expect(part.replaceAll(sentence, '').trim()).toBe('')
  })

  it('contain the definitions of their references', () => {
    expect(pieces('# a\n\n[b][1]\n\n# c\n\n[d]\n\n[1]: /x\n[D]: /y')).toEqual([
      ['a', '# a\n\n[b][1]\n\n[1]: /x'],
      ['c', '# c\n\n[d]\n\n[D]: /y'],
    ])
  })

  it('have paths of bounded length', () => {
    const heading = chunkMarkdown(`# ${'word '.repeat(1000)}\n\na`, 5000)[0]?.path.join() ?? ''
    expect(heading).toMatch(/^(?:word )+.*…$/)
    expect(heading.length).toBeLessThanOrEqual(120)
  })

  const chunksOf = (html: string) =>
    chunks.convert(extractHtml(html), { type: 'chunks', maxTokens: 100 }, { removeBase64Images: true }).chunks

  it('have no HTML of code and texts that are longer than a chunk', () => {
    const evil = '&lt;script&gt;alert(1)&lt;/script&gt;'
    const ticks = '`'.repeat(2000)
    const cells = (name: string): string => `<${name}><code>${`${evil} `.repeat(30)}</code></${name}>`
    for (const [html, count] of [
      [`<p>a <code>${`${evil} `.repeat(30)}</code> b</p>`, 30],
      [`<p>a <code>\`\` ${evil.repeat(30)} \`</code> b</p>`, undefined],
      [`<p>a <b><code>${`\`${evil}\`\` `.repeat(30)}</code></b></p>`, undefined],
      [`<p>${evil.repeat(50)}</p>`, undefined],
      [`<ul><li><code>${`${evil} `.repeat(30)}</code></li></ul>`, 30],
      [`<table><tr>${cells('th')}${cells('th')}</tr><tr>${cells('td')}${cells('td')}</tr></table>`, 120],
      [`<pre><code>${`${evil}\n`.repeat(30)}${ticks}\n\n${evil}</code></pre>`, 31],
    ] as const) {
      const made = chunksOf(html)
      expect(made.length).toBeGreaterThan(1)
      for (const { markdown, tokens } of made) {
        expect(JSON.stringify([markdown, fromMarkdown(markdown)])).not.toContain('"type":"html"')
        expect(tokens).toBeLessThanOrEqual(100)
      }
      if (count !== undefined)
        expect(
          made
            .map(({ markdown }) => markdown)
            .join('\n')
            .split('alert(1)'),
        ).toHaveLength(count + 1)
    }
  })

  it('split a text with code that ends in a backslash after a sentence, and keep the code', () => {
    const sentences = 'Each user has a folder of files in it. '.repeat(14)
    const text = `First open \`C:\\temp\\\` now. ${sentences}Then close \`D:\\data\\\` again.`
    const parts = pieces(text, 100).map(([, part]) => part)
    expect(parts.length).toBeGreaterThan(1)
    expect(parts.join(' ')).toBe(text)
    for (const part of parts) expect(part).toMatch(/\.$/)
  })

  it('have no HTML of long code beside code, titles and links with signs of code', () => {
    const evil = '&lt;img src=x onerror=alert(1)&gt;'
    const long = `<code>${`${evil} `.repeat(30)}</code>`
    for (const html of [
      `<p><code>a\\</code> ${long}</p>`,
      `<p>a\`${long}</p>`,
      `<p><b><a href="/x" title="a \` b">t</a> ${long}</b></p>`,
      `<p><b><img src="/x" alt="t" title="a ( \` b"> ${long}</b></p>`,
    ]) {
      const made = chunksOf(html)
      expect(made.length).toBeGreaterThan(1)
      for (const { markdown, tokens } of made) {
        const tree = fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] })
        expect(JSON.stringify([markdown, tree])).not.toContain('"type":"html"')
        expect(tokens).toBeLessThanOrEqual(100)
      }
    }
  })

  it('have no HTML of an escape right after a link that is longer than a chunk', () => {
    const made = chunkMarkdown(`**[${'word '.repeat(150)}](https://site.test/x)\\<q> b**`, 100)
    expect(made.length).toBeGreaterThan(1)
    for (const { markdown } of made) {
      const tree = fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] })
      expect(JSON.stringify([markdown, tree])).not.toContain('"type":"html"')
    }
  })

  it('keep each link and image whole that fits, also in a line without a place to cut', () => {
    const links = ['[`String`](/java/lang/String.html "class in (java")', '![an image](/a_(b).png)', '[`Map`][1]']
    for (const link of links) {
      const parts = pieces(`${link}\`,\``.repeat(30), 100).map(([, part]) => part)
      expect(parts.length).toBeGreaterThan(1)
      for (const part of parts) expect(part.replaceAll(link, '').replaceAll('`,`', '')).toBe('')
    }
  })

  it('return no chunks for an empty page', () => expect(chunkMarkdown('', 100)).toEqual([]))

  it('contain every word of a page once, in order, with code whole, within the limit', () => {
    fc.assert(
      fc.property(madePages, fc.integer({ min: 100, max: 600 }), ({ markdown, words, codes }, maxTokens) => {
        const made = chunkMarkdown(markdown, maxTokens)
        expect(made.flatMap((chunk) => wordsIn(chunk.markdown))).toEqual(words)
        for (const { tokens } of made) expect(tokens).toBeLessThanOrEqual(maxTokens)
        const whole = made.map((chunk) => chunk.markdown).join('\n\n')
        // Four headings take up to 40 tokens, and must fit with the code.
        for (const code of codes) if (estimateTokens(code) < maxTokens / 2) expect(whole).toContain(code)
      }),
    )
  })

  it('contain any text within the limit', () => {
    const text = fc.string({ unit: fc.constantFrom(...'ab \n#`-*>|[](): 1.字~$=\\'.split('')), maxLength: 3000 })
    fc.assert(
      fc.property(text, (markdown) => {
        for (const { tokens } of chunkMarkdown(markdown, 100)) expect(tokens).toBeLessThanOrEqual(100)
      }),
    )
  })
})
