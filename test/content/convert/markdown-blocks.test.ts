import { describe, expect, it } from 'vitest'
import { readBlocks } from '../../../src/content/convert/markdown-blocks/markdown-blocks.js'

const kinds = (markdown: string): string[] =>
  readBlocks(markdown).map(({ kind, level, label }) => [kind, level ?? label ?? ''].join(' ').trim())
const texts = (markdown: string): string[] => readBlocks(markdown).map(({ text }) => text)

describe('the blocks of Markdown', () => {
  it.each([
    ['headings and text', '# a\nb\nc\n\n###\n\nd', ['heading 1', 'text', 'heading 3', 'text']],
    ['underlined headings', 'a\n===\nb\nc\n---\nd', ['heading 1', 'heading 2', 'text']],
    ['rules', 'a\n\n* * *\n\n---\n', ['text', 'text', 'text']],
    ['code with what looks like blocks', '```js\n# a\n\n- b\n````\nc', ['code', 'text']],
    ['code in longer fences', '````\n```\n# a\n```\n````\n~~~\n# b\n~~~', ['code', 'code']],
    ['indented code', 'a\n\n    # b\n\n    c\n\nd', ['text', 'lines', 'text']],
    ['a table', 'a\n\n| b | c |\n| --- | :-: |\n| d | e |\n\nf', ['text', 'table', 'text']],
    ['a table without outer bars', 'a | b\n--|--\nc | d', ['table']],
    ['what is no table', 'a | b\nc | d', ['text']],
    ['a list with all that it holds', '- a\n\n  b\n\n  ```\n  # c\n  ```\n- d\n  - e\n\n    f\n\ng', ['list', 'text']],
    ['a list and what ends it', '1. a\n2. b\n# c\n- d\n\n* * *', ['list', 'heading 1', 'list', 'text']],
    ['code in a list', '- a\n\n  ```\n  x\n\n  - y\n  ```\n\n- b\n\nc', ['list', 'text']],
    ['quotes', '> a\n> # b\nc\n\n> d', ['quote', 'quote']],
    [
      'definitions',
      '[a]\n\n[a]: /x\n[B  c]: /y\n  "t"\n[^1]: f\n',
      ['text', 'definition a', 'definition b c', 'definition ^1'],
    ],
    ['front matter', '---\ntitle: a\n---\n\n# b', ['lines', 'heading 1']],
    ['formulas', 'a\n\n$$\n- b\n$$\n\nc', ['text', 'lines', 'text']],
  ])('are %s', (_, markdown, expected) => {
    expect(kinds(markdown)).toEqual(expected)
  })

  it('are kept as written, except for unclosed code fences', () => {
    expect(texts('# a #\n\n- b\n\n  c\n\n\n```x\nd')).toEqual(['# a #', '- b\n\n  c', '```x\nd\n```'])
  })

  it('may have Windows line endings', () => {
    expect(texts('# a\r\n\r\nb\r\nc')).toEqual(['# a', 'b\nc'])
  })
})
