import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TreeComparison } from './compare-trees.js'

/**
 * Tags of generated pages. Elements are left out that trawl reads differently on purpose: `test/content/parse/html5lib-differences.ts`
 * has the reasons.
 */
const NAMES = (
  'div span b i em a ul ol li dl dt dd h1 h2 table tr td th tbody caption thead form button blockquote pre section font ' +
  'option br img hr nobr colgroup col'
).split(' ')

const startTag = fc
  .tuple(fc.constantFrom('p', ...NAMES), fc.constantFrom('', ' id=x', ' class="y z"'), fc.nat(9))
  .map(([name, attribute, number]) => `<${name}${name === 'a' ? ` href=/${number}` : attribute}>`)

// An end tag of a paragraph that is not open makes an empty one in browsers.
const endTag = fc.constantFrom(...NAMES).map((name) => `</${name}>`)

const content = fc.constantFrom(
  'one',
  'two ',
  ' three',
  'four',
  '\n',
  '&amp;',
  'x < y',
  '<!-- c -->',
  '</>',
  '<br/>',
  '<script>a<b</script>',
)

/** Pages in standards mode: in the other one, a table does not end a paragraph. */
const page = fc
  .array(fc.oneof(startTag, endTag, content), { minLength: 10, maxLength: 80, size: 'max' })
  .map((pieces) => `<!doctype html>${pieces.join('')}`)

const comparisons = fc.sample(page, { seed: 18, numRuns: 1500 }).map((html) => new TreeComparison(html))

const withoutSpace = (text: string): string => text.replaceAll(/\s/g, '')
const sorted = (text: string): string => Array.from(withoutSpace(text)).sort().join('')
const hrefs = (links: readonly string[]): string[] => links.map((link) => link.split(' ')[0] ?? '').sort()

describe('generated pages of misnested tags', () => {
  it('have all of the text that parse5 reads, once', () => {
    for (const { ours, theirs } of comparisons) expect(sorted(ours.text)).toBe(sorted(theirs.text))
  })

  it('have all links that parse5 reads', () => {
    for (const { ours, theirs } of comparisons) expect(hrefs(ours.links)).toEqual(hrefs(theirs.links))
  })

  it('have their text in the order of parse5, but for a few tables in tables', () => {
    const moved = comparisons.filter(({ ours, theirs }) => withoutSpace(ours.text) !== withoutSpace(theirs.text))
    expect(moved.length).toBeLessThanOrEqual(comparisons.length * 0.01)
  })
})
