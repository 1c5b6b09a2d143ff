import { describe, expect, it } from 'vitest'
import {
  describePageWarnings,
  kindOfWarning,
  splitWarnings,
  WarningCounts,
} from '../../../src/base/text/page-warnings.js'

describe('the warnings of a document', () => {
  it.each([
    ['The page has no text.', ['The page has no text.']],
    ['A package is missing. Run `npm install a`.', ['A package is missing. Run `npm install a`.']],
    ['One thing. `two` is another. 3 more.', ['One thing.', '`two` is another.', '3 more.']],
    [
      'The list is cut. The evidence is in its markup: “More. Now”.',
      ['The list is cut. The evidence is in its markup: “More. Now”.'],
    ],
    ['It waits `a. B` for it. Then it ends.', ['It waits `a. B` for it.', 'Then it ends.']],
    ['Read v1.2 of x.y, e.g. this.', ['Read v1.2 of x.y, e.g. this.']],
  ])('%s has these', (text, warnings) => {
    expect(splitWarnings(text)).toEqual(warnings)
  })

  it.each([
    ["The content has none of the page's 12 visible words.", "The content has none of the page's 1,300 visible words."],
    ['The page seems to need a browser (`#root` is empty).', 'The page seems to need a browser (its text is short).'],
    ['Not saved: https://a.test/1?x=2 answered 500.', 'Not saved: http://b.test/ answered 404.'],
    ['Hidden sheet is left out: “A”.', 'Hidden sheet is left out: “B, C”.'],
  ])('%s is of the kind of %s', (one, other) => {
    expect(kindOfWarning(one)).toBe(kindOfWarning(other))
  })

  it('keeps kinds apart that name other options', () => {
    expect(kindOfWarning('`actions` had no effect.')).not.toBe(kindOfWarning('`mobile` had no effect.'))
  })
})

describe('the counts of warnings', () => {
  it('are by kind, with the words of the first page as long as all have the same', () => {
    const counts = new WarningCounts()
    counts.add('The page has no text.', 1, 'a')
    counts.add('Cut to 5 links. The page has no text.', 2, 'b')
    counts.add('Cut to 6 links.', 1, 'c')
    counts.add('Cut to 7 links.', 1, 'd')
    expect(counts.read()).toEqual([
      { message: 'Cut to … links.', pages: 4, url: 'b' },
      { message: 'The page has no text.', pages: 3, url: 'a' },
    ])
    for (const [text, pages] of [
      ['Cut to 5 links. The page has no text.', -2],
      ['Cut to 6 links.', -1],
      ['Cut to 7 links.', -1],
      ['The page has no text.', -1],
    ] as const)
      counts.add(text, pages, '')
    expect(counts.read()).toBeUndefined()
  })

  it('are bounded, and lose none', () => {
    const counts = new WarningCounts()
    for (let at = 0; at < 300; at++) counts.add(`Feature ${'x'.repeat(at)} fails.`, 1, 'a')
    const found = counts.read() ?? []
    expect(found.length).toBeLessThanOrEqual(101)
    expect(found.reduce((sum, { pages }) => sum + pages, 0)).toBe(300)
    expect(found[0]).toMatchObject({ message: 'Other warnings.', pages: 200 })
  })

  it('are told in a sentence each, at most five', () => {
    const found = ['The page has no text.', 'Cut.', 'a', 'b', 'c', 'd', 'e'].map((message, at) => ({
      message,
      pages: 9 - at,
      url: '',
    }))
    expect(describePageWarnings(found, 12)).toEqual([
      '9 of 12 pages have no text.',
      '8 of 12 pages: Cut.',
      '7 of 12 pages: a',
      '6 of 12 pages: b',
      '5 of 12 pages: c',
      'Pages have 2 further kinds of warnings: see `warnings`.',
    ])
  })
})
