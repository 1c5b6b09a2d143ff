import { expect, it } from 'vitest'
import { readBlocks } from '../../../src/content/extract/blocks/read-blocks.js'
import { isInFooter } from '../../../src/content/extract/selection/choose-blocks.js'
import { parseHtml } from '../parse/pages.js'

function textsInFooter(html: string): string[] {
  const [body] = parseHtml(html).tree.$('body')
  if (body === undefined) throw new Error('the page has no body')
  return readBlocks(body, new Set()).blocks.flatMap(({ region, text }) => (isInFooter(region) ? [text] : []))
}

it('the footer of a page is an element or a role, with all that stands in it', () => {
  expect(textsInFooter('<p>a</p><footer><p>b</p><article>c</article></footer>')).toEqual(['b', 'c'])
  expect(textsInFooter('<p>a</p><div role="contentinfo"><p>b</p></div>')).toEqual(['b'])
})

it('the footer of an article or a quotation is not the footer of the page', () => {
  expect(textsInFooter('<article><p>a</p><footer>b</footer></article><footer>c</footer>')).toEqual(['c'])
  expect(textsInFooter('<blockquote><p>a</p><footer>b</footer></blockquote>')).toEqual([])
})
