import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutMarkdown } from '../../../src/content/convert/split/cut-markdown.js'
import { estimateTokens } from '../../../src/content/convert/split/estimate-tokens.js'
import { readBlocks } from '../../../src/content/convert/markdown-blocks/markdown-blocks.js'
import { markdown } from '../../../src/content/convert/formats/markdown.js'
import { extractHtml } from '../extract/contents.js'
import { madePages, wordsIn } from './made-markdown.js'

const text = (count: number): string => 'word '.repeat(count).trim()
const kept = (page: string, maxTokens: number): string => cutMarkdown(page, maxTokens).markdown

describe('a budget of tokens', () => {
  it('leaves Markdown within the budget unchanged', () => {
    expect(cutMarkdown('# a\n\n\n\nb', 100)).toEqual({ markdown: '# a\n\n\n\nb' })
  })

  it('cuts between blocks, and states how much is missing', () => {
    const { markdown: cut, cut: note } = cutMarkdown(
      `# a\n\n${text(100)}\n\n## b\n\n${text(70)}\n\n### c\n\n${text(70)}`,
      150,
    )
    expect(note).toBe('cut at 150 tokens: about 149 more, in 2 more sections, are left out.')
    expect(cut).toBe(`# a\n\n${text(100)}\n\n*… ${note}*`)
  })

  it('never ends on a heading or a lead-in', () => {
    expect(kept(`# a\n\n${text(110)}\n\n## b\n\n### c\n\nThus:\n\n${text(70)}`, 180)).toMatch(
      /^# a\n\n(?:word ?)+\n\n\*… cut/,
    )
  })

  it('keeps headings that have no text of their own', () => {
    const headings = Array.from({ length: 100 }, (_, at) => `## Product ${at}`).join('\n\n')
    expect(kept(headings, 150)).toMatch(/^(?:## Product \d+\n\n){5,}\*… cut/)
  })

  it('keeps the start of a table with its header, and of code in its fence', () => {
    const rows = Array.from({ length: 50 }, (_, at) => `| lamp ${at} | ${at} |`).join('\n')
    expect(kept(`| Name | Price |\n| --- | --- |\n${rows}`, 150)).toMatch(
      /^\| Name \| Price \|\n\| --- \| --- \|\n(?:\| lamp \d+ \| \d+ \|\n){5,}\n\*… cut/,
    )
    const lines = Array.from({ length: 50 }, (_, at) => `call(${at})`).join('\n')
    expect(kept(`\`\`\`js\n${lines}\n\`\`\``, 150)).toMatch(/^```js\n(?:call\(\d+\)\n){5,}```\n\n\*… cut/)
  })

  it('keeps used references, and drops others', () => {
    const list = '[1]: https://a.test/\n[2]: https://b.test/'
    expect(kept(`[a][1] ${text(110)}\n\n[b][2] ${text(90)}\n\n${list}`, 180)).toMatch(
      /^\[a\]\[1\] (?:word ?)+\n\n\*… cut .*\*\n\n\[1\]: https:\/\/a\.test\/$/,
    )
  })

  it('applies to front matter, text and references together', () => {
    const html = `<title>T</title><h1>a</h1>${`<p>${text(20)} <a href="/x">a link</a></p>`.repeat(30)}`
    const warnings: string[] = []
    const made = markdown.convert(
      extractHtml(html),
      { type: 'markdown', frontMatter: true, links: 'reference', maxTokens: 200 },
      { removeBase64Images: true },
      (warning) => warnings.push(warning),
    )
    expect(estimateTokens(made.markdown)).toBeLessThanOrEqual(200)
    expect(made.markdown).toMatch(
      /^---\ntitle: "T"\n[^]*\[a link\]\[1\]\n\n\*… cut at 200 [^]*\n\n\[1\]: https:\/\/site\.test\/x$/,
    )
    expect(warnings).toEqual([
      expect.stringMatching(/^The Markdown is cut at 200 tokens: about \d+ more are left out\.$/),
    ])
  })

  it('keeps the start of the page and adds a note within the budget', () => {
    fc.assert(
      fc.property(madePages, fc.integer({ min: 100, max: 600 }), ({ markdown: page, words }, maxTokens) => {
        const { markdown: made, cut } = cutMarkdown(page, maxTokens)
        expect(estimateTokens(made)).toBeLessThanOrEqual(maxTokens)
        expect(words.slice(0, wordsIn(made).length)).toEqual(wordsIn(made))
        expect(cut === undefined).toBe(made === page)
        const blocks = readBlocks(made)
        if (cut !== undefined) expect(blocks.at(-1)?.text).toBe(`*… ${cut}*`)
      }),
    )
  })
})
