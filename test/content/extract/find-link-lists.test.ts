import { describe, expect, it } from 'vitest'
import { findLinkLists } from '../../../src/content/extract/rules/find-link-lists.js'
import { createMeasureOf } from '../../../src/content/extract/rules/measure.js'
import { findNeverShown } from '../../../src/content/extract/visibility/visibility.js'
import { textOf } from '../../../src/content/html/tree.js'
import { parseHtml } from '../parse/pages.js'

function findIn(html: string): string[] {
  const [body] = parseHtml(html).tree.$('body')
  if (body === undefined) throw new Error('the page has no body')
  return findLinkLists(body, createMeasureOf(body, findNeverShown(body))).map((list) => textOf(list).trim())
}

const text = '<p>A sentence which is long enough to be taken for one, and which says something about fruit.</p>'.repeat(
  9,
)
const links = '<ul><li><a href="/a">All about apples</a><li><a href="/b">All about pears</a></ul>'

describe('findLinkLists', () => {
  it('finds lists of links before and after the text, and not within', () => {
    expect(findIn(links + text)).toEqual(['All about applesAll about pears'])
    expect(findIn(text + links + text)).toEqual([])
  })

  it('ignores lists of links in the items of other lists', () => {
    const items = '<li>Figs are described at length on a page of their own, which is linked elsewhere.'.repeat(9)
    expect(findIn(`<ul><li>Lists${links}${items}</ul>`)).toEqual([])
  })
})
