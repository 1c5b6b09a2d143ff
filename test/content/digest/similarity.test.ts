import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_SAMPLES } from '../../../src/base/text/fingerprint/shingle-reader.js'
import { MIN_TOKENS, takeFingerprint, type Fingerprint } from '../../../src/base/text/fingerprint/similarity.js'
import { NearDuplicates } from '../../../src/base/text/fingerprint/near-duplicates.js'
import { prose } from '../../kernel/frontier/made-up-site.js'

const take = (text: string, url = 'https://example.com/'): Fingerprint => takeFingerprint(text, url)

/** Whether the second text counts as nearly the same as the first. */
function isNear(first: string, second: string): boolean {
  const pages = new NearDuplicates()
  pages.record(0, take(first).similarity)
  return pages.record(1, take(second).similarity) !== undefined
}

/** The pages of a real documentation site, as plain text. */
const folder = fileURLToPath(new URL('../../site/docs', import.meta.url))
const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.html'))
  .sort()
  .map((name) =>
    readFileSync(`${folder}/${name}`, 'utf8')
      .replace(/<head>.*<\/head>/s, '')
      .replace(/<\/(?:p|li|h\d|tr|dt|dd|pre)>/g, '\n')
      .replace(/<[^>]*>/g, ' '),
  )
const words = pages.join(' ').split(/\s+/)

describe('the near-duplicate test', () => {
  it('finds no near-duplicates in a site whose pages share header, footer and navigation', () => {
    const seen = new NearDuplicates()
    expect(pages.length).toBeGreaterThan(20)
    expect(pages.filter((text, order) => seen.record(order, take(text).similarity) !== undefined)).toEqual([])
  })

  it('finds a long page again after one changed word, in over 90 % of cases', () => {
    const found = Array.from({ length: 300 }, (_, round) => {
      const long = words.slice(round * 10, round * 10 + 1200)
      const changed = long.with(20 + ((round * 7919) % 1180), 'otherwise')
      return isNear(long.join(' '), changed.join(' '))
    })
    expect(found.filter(Boolean).length).toBeGreaterThan(270)
  })

  it('tells apart pages that share four fifths of their words', () => {
    const shared = words.slice(0, 400).join(' ')
    const seen = new NearDuplicates()
    const near = Array.from({ length: 2000 }, (_, page) =>
      seen.record(
        page,
        take(`${shared}
${prose(page, 100)}`).similarity,
      ),
    )
    expect(near.filter((likeness) => likeness !== undefined)).toEqual([])
  })

  /** How many of so many long texts are found again after a change. */
  const countFound = (size: number, change: (text: string[], round: number) => string[]): number =>
    Array.from({ length: 50 }, (_, round) => {
      // Of its own for each round, so that every one has phrases of its own.
      const lines = Array.from({ length: size / 20 }, (_line, at) => prose(round * 10_000 + at, 20))
      return isNear(lines.join('\n'), change(lines, round).join('\n'))
    }).filter(Boolean).length

  it('finds a very long page again after one changed line in a thousand, in over 90 % of cases', () => {
    const changed = countFound(20_000, (lines, round) => lines.with(500, `otherwise ${lines[round] ?? ''}`))
    expect(changed).toBeGreaterThan(45)
  })

  it('tells apart versions of a very long page with a changed tenth, in over 94 % of cases', () => {
    const changed = countFound(20_000, (lines, round) =>
      lines.map((line, at) => (at % 10 === 9 ? prose(-round * 10_000 - at, 20) : line)),
    )
    expect(changed).toBeLessThan(3)
  })

  it('tells apart pages with different beginnings, however much they share', () => {
    const shared = words.slice(0, 2000).join(' ')
    expect(isNear(`About the filter\n${shared}`, `About the map\n${shared}`)).toBe(false)
    expect(isNear(`About the map\n${shared}`, `About the map\n${shared} again`)).toBe(true)
  })

  it('ignores the order of lines, link targets, case and leading zeros', () => {
    const lines =
      words
        .slice(0, 600)
        .join(' ')
        .match(/(?:\S+ ){1,12}/g) ?? []
    const [first = '', ...rest] = [`${words.slice(0, 20).join(' ')}\n`, ...lines]
    const page = `${first}${rest.join('\n')}\n[next](/page/17) on 03.05.2026`
    const other = `${first}${rest.toReversed().join('\n')}\n[next](/page/18) on 3.5.2026`
    expect(take(page).similarity).toBe(take(other.toUpperCase()).similarity.toLowerCase())
    expect(take(page).exact).not.toBe(take(other).exact)
  })

  it('ignores how often a phrase repeats', () => {
    const page = `${words.slice(0, 40).join(' ')}\nAdd it to the cart\n`
    expect(take(page + 'Add it to the cart\n'.repeat(500)).similarity).toBe(take(page).similarity)
  })

  it('requires short texts to be equal', () => {
    const short = words.slice(0, MIN_TOKENS - 1).join(' ')
    expect(isNear('Not found', 'Not  found\n')).toBe(true)
    expect(isNear('Not found', 'Not here')).toBe(false)
    expect(isNear(short, short)).toBe(true)
    expect(isNear(short, short.slice(0, -1))).toBe(false)
    expect(isNear('[a](b.zip)', '[a](c.zip)')).toBe(false)
  })

  it('finds no duplicates of a page without text', () => {
    expect(take(' \n').similarity).toBe('')
    expect(isNear('', '')).toBe(false)
  })
})

describe('the outline hash of a page', () => {
  const outline = (text: string, url: string): string => take(text, url).outline

  it('is the same for pages that differ only in dates', () => {
    const url = 'https://example.com/on?t=1'
    expect(outline('Sunday, 3 May 2026\nNothing', `${url}&d=3&y=2026`)).toBe(
      outline('Monday, 14 December 2026\nNothing', `${url}&d=14&y=2026`),
    )
    expect(outline('lundi 3 février\nRien', `${url}&d=3`)).toBe(outline('mardi 4 août\nRien', `${url}&d=4`))
  })

  it('is the same for pages that differ only in words of their URL', () => {
    expect(outline('Red chair, 20 left', 'https://a.b/red-chair')).toBe(
      outline('Blue wooden chair, 20 left', 'https://a.b/blue-wooden-chair'),
    )
    expect(outline('Café 日本, 20 left', 'https://a.b/caf%C3%A9?q=%E6%97%A5%E6%9C%AC')).toBe(
      outline('Red, 20 left', 'https://a.b/red'),
    )
    expect(outline('Red chair, 20 left', 'https://a.b/red-chair')).not.toBe(
      outline('Red chair, 21 left', 'https://a.b/red-chair'),
    )
  })

  it('counts the words that are neither dates nor in the URL', () => {
    expect(take('Red chair of May, 20 left', 'https://a.b/red-chair').words).toBe(3)
    expect(take('', 'https://a.b/').words).toBe(0)
  })
})

describe('the samples of a fingerprint', () => {
  it('are bounded in number, and those of a part of a text are samples of the whole', () => {
    const lines = words.join(' ').match(/(?:\S+ ){1,12}/g) ?? []
    const whole = new Set(take(lines.slice(0, 40).join('\n')).samples)
    const part = take(lines.slice(10, 20).join('\n')).samples
    expect(part.length).toBeGreaterThan(5)
    expect(part.filter((sample) => !whole.has(sample))).toEqual([])
    expect(take(words.join(' ')).samples.length).toBeLessThanOrEqual(MAX_SAMPLES)
    expect(take(words.join(' ')).samples.length).toBeGreaterThan(MAX_SAMPLES / 4)
  })
})

describe('a fingerprint', () => {
  it('is plain data of fixed width, the same each time, for any text and URL', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), fc.webUrl(), (text, url) => {
        const fingerprint = take(text, url)
        expect(fingerprint.exact).toMatch(/^[\da-f]{16}$/)
        expect(fingerprint.outline).toMatch(/^[\da-f]{16}$/)
        expect(fingerprint.similarity).toMatch(/^(?:[\da-f]{52})?$/)
        expect(structuredClone(fingerprint)).toEqual(take(text, url))
      }),
    )
  })

  it('accepts a URL with escapes that are not UTF-8', () => {
    expect(take('a b', 'https://a.b/%E9').words).toBe(0)
  })

  it('takes linear time on unclosed links', () => {
    const link = `](${'('.repeat(50_000)}`
    expect(take(link.repeat(4) + '](a '.repeat(50_000) + '](b "'.repeat(50_000)).words).toBeGreaterThan(0)
  })
})
