import { expect, it } from 'vitest'
import type { Region } from '../../../src/content/extract/blocks/block.js'
import { readBlocks } from '../../../src/content/extract/blocks/read-blocks.js'
import { chooseBlocks } from '../../../src/content/extract/selection/choose-blocks.js'
import type { Element } from '../../../src/content/html/tree.js'
import { parseHtml } from '../parse/pages.js'

const PROSE = 'The tide rises and falls twice a day, and every harbour has its own table of it. '.repeat(3)
const numbered = (code: string): string =>
  `<figure class="highlight"><table><tr><td class="gutter"><pre>1\n2</pre></td><td class="code"><pre>${code}</pre></td></tr></table></figure>`

/** Returns the text that is chosen of an article in which prose is sure to be content and nothing else is. */
function choose(html: string, verdict: number | ((element: Element) => number) = 1): string {
  const [body] = parseHtml(`<article>${html}${`<p>${PROSE}</p>`.repeat(4)}</article>`).tree.$('body')
  if (body === undefined) throw new Error('the page has no body')
  const read = readBlocks(body, new Set())
  const probabilities = Float64Array.from(read.blocks, ({ isProse }) => (isProse ? 0.99 : 0.2))
  const verdictOf = ({ element }: Region): number => (typeof verdict === 'number' ? verdict : verdict(element))
  const blocks = chooseBlocks({ read, probabilities, verdictOf, kind: 'article', url: 'https://example.com/' })
  return blocks
    .slice(0, -4)
    .map(({ text }) => text.slice(0, 8))
    .join(' | ')
}

it('a listing after a text is kept with the text, without the numbers of its lines', () => {
  expect(choose(`<p>${PROSE}</p>${numbered('let a = 1\nlet b = 2')}<p>${PROSE}</p>`)).toBe(
    'The tide | let a =  | The tide',
  )
})

it('so is a listing in the element of a text that is kept against the rules, such as a comment', () => {
  const comment = `<div class="comment"><p>${PROSE}</p><div class="highlight"><pre>let a\nb</pre></div></div>`
  expect(choose(`${comment}<pre>let c\nd</pre>`, -1)).toBe('The tide | let a b')
})

it('a listing that the rules reject, but not the text before it, is none of the text', () => {
  const verdictOf = ({ name }: Element): number => (name === 'pre' ? -1 : 1)
  expect(choose(`<p>${PROSE}</p><footer><pre>Copyright\nA</pre></footer><p>${PROSE}</p>`, verdictOf)).toBe(
    'The tide | The tide',
  )
})

it('so is a listing after another one', () => {
  expect(choose(`<p>${PROSE}</p><pre>let a\nb</pre><pre>let c\nd</pre>`)).toBe('The tide | let a b | let c d')
})
